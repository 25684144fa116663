"""Questions put to a log of games, each answered with numbers and intervals.

Most functions return answers by question, in the words and the order in which a page tells them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from agents.common.coin_sources import COIN_SOURCES
from agents.common.statistics import Estimate, ratio_estimate
from bohemian_env.game.actions import REROLLS, SUBSETS
from bohemian_env.game.facts import ENDS, KINDS
from bohemian_env.game.rules import NO_FIGURES
from bohemian_env.words import ENGLISH

from .estimates import mean_of, ratio_of, share_of
from .log import Log
from .moves import BISHOP, EMPTY, GO_ON, OVER, REROLL, SPECIAL, TIE, WHAT, WIN

PHASES: Final = ("early", "middle", "late")
"""The thirds of a game, by turns."""
LEADS: Final = ("ahead", "level", "behind")
"""How a seat stands if the game is scored as it is."""
NAMES: Final = ENGLISH.part("kind") | dict(
    bishop="bishop", special="special action tile", reroll="roll again", end="stop"
)
"""What people call each entry of WHAT."""
_KINDS: Final = len(KINDS)


@dataclass(frozen=True, slots=True)
class Answer:
    """A share, and the number of cases that it is of."""

    estimate: Estimate
    count: int


Answers: TypeAlias = dict[str, "Answer | Estimate | list[Answer] | int"]
"""By question: a share, a mean, shares by phase, or a number of cases."""


def _answer(values: np.ndarray, games: np.ndarray) -> Answer:
    """Return the mean of values from 0 to 1, (m,), that belong to games (m,)."""
    return Answer(share_of(values, games), len(games))


def _share(log: Log, flags: np.ndarray, among: np.ndarray) -> Answer:
    """Return how often ``flags`` holds among some decisions. Both bool, (decisions,)."""
    return _answer(flags[among], log.decisions["game"][among])


def _by_phase(log: Log, flags: np.ndarray, among: np.ndarray) -> list[Answer]:
    """Return the same for each phase."""
    return [_share(log, flags, among & (phases(log) == phase)) for phase in range(len(PHASES))]


def _whole_and_by_phase(log: Log, flags: np.ndarray, among: np.ndarray) -> list[Answer]:
    return [_share(log, flags, among), *_by_phase(log, flags, among)]


def phases(log: Log) -> np.ndarray:
    """Return the place in PHASES of each decision."""
    d = log.decisions
    return len(PHASES) * (d["turn"] - 1) // log.states["turn"][d["game"]]


# --- seats and coins --------------------------------------------------------------------------------------------


def seats(log: Log) -> list[tuple[Estimate, Estimate]]:
    """Return each seat's part of the wins, and its mean total."""
    games = np.arange(log.games)
    return [(share_of(log.shares[:, k], games), mean_of(log.totals[:, k])) for k in range(log.players)]


def _mean_where(values: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Return the mean over the seats of each game for which ``where`` holds, nan for none. Both (games, players)."""
    counts = where.sum(axis=1)
    return (values * where).sum(axis=1) / np.where(counts > 0, counts, math.nan)


def coin_sources(log: Log) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
    """Return the coins by source: of winners, of the others, and the difference in games that have both."""
    found = {}
    for column, name in enumerate(COIN_SOURCES):
        winners = _mean_where(log.coins_by_source[:, :, column], log.won)
        others = _mean_where(log.coins_by_source[:, :, column], ~log.won)
        found[name] = mean_of(winners), mean_of(others), mean_of(winners - others)
    return found


# --- kinds ------------------------------------------------------------------------------------------------------


def placed(log: Log) -> dict[str, list[Answer]]:
    """Return the share of the figures placed that went to each kind: in the whole game, then in each phase."""
    what = log.decisions["what"]
    return {kind: _whole_and_by_phase(log, what == k, what < _KINDS) for k, kind in enumerate(KINDS)}


def offers(log: Log) -> dict[str, list[Answer]]:
    """Return how often each kind, the bishop, and a special action tile or its use was chosen where it could be.

    In the whole game, then in each phase; decisions without a choice are left out.
    """
    d = log.decisions
    return {
        name: _whole_and_by_phase(log, d["what"] == k, d["choice"] & (d["offered"] >> k & 1 == 1))
        for k, name in enumerate(WHAT[: REROLL + 1])
    }


def kicks(log: Log) -> Answers:
    """Return what part of the figures placed kicked another out."""
    d = log.decisions
    kicked, among = d["kicked"] >= 0, d["what"] < _KINDS
    by_kind = {
        f"… of those placed on: {NAMES[kind]}": _share(log, kicked, d["what"] == k) for k, kind in enumerate(KINDS)
    }
    return {
        "kicks, of the figures placed": _share(log, kicked, among),
        "… early / middle / late, %": _by_phase(log, kicked, among),
        "kicks of a game": mean_of(_per_game(log, kicked)),
        **by_kind,
    }


# --- bishop and special action tile -----------------------------------------------------------------------------


def _per_game(log: Log, flags: np.ndarray) -> np.ndarray:
    return np.bincount(log.decisions["game"][flags], minlength=log.games).astype(np.float64)


def _turn_numbers(log: Log) -> np.ndarray:
    """Return a number for each decision that is the same for those of one turn of one game only."""
    d = log.decisions
    return d["game"].astype(np.int64) * (int(d["turn"].max()) + 1) + d["turn"]


def tiles(log: Log) -> Answers:
    """Return the numbers on bishop and special action tiles."""
    d, phase = log.decisions, phases(log)
    spent, taken = d["what"] == REROLL, d["what"] == SPECIAL
    offered = offers(log)
    turn = _turn_numbers(log)
    last = log.states["bishop"]
    held = np.flatnonzero(last >= 0)
    size = np.array([len(subset) for subset in SUBSETS])[np.where(spent, d["action"].astype(int) - REROLLS, 0)]
    return {
        "bishop taken, times a game": mean_of(_per_game(log, d["what"] == BISHOP)),
        "bishop taken when possible": offered["bishop"][0],
        "wins of the seat that has the bishop in the end": _answer(log.shares[held, last[held]], held),
        "games in which a seat has it in the end": len(held),
        "tiles taken, a seat and game": mean_of(_per_game(log, taken) / log.players),
        "tiles taken when possible": offered["special"][0],
        "tiles spent, a seat and game": mean_of(_per_game(log, spent) / log.players),
        "tiles spent when possible": offered["reroll"][0],
        "… early / middle / late, % of those spent": [_share(log, phase == k, spent) for k in range(len(PHASES))],
        "… in the turn in which it was taken": _share(log, np.isin(turn, turn[taken]), spent),
        **{f"… to roll again, dice: {n}": _share(log, size == n, spent) for n in (4, 3, 2, 1)},
        "tiles spent in all": int(spent.sum()),
    }


# --- the end ----------------------------------------------------------------------------------------------------


def ending_seats(log: Log) -> np.ndarray:
    """Return the ending seat of each game, -1 where the game ended otherwise: int64, (games,).

    It is the seat whose turn it would be and whose hand is empty (R4).
    """
    return np.where(log.states["end"] == NO_FIGURES, log.states["turn"] % log.players, -1)


def endings(log: Log) -> Answers:
    """Return the numbers on how games end."""
    seat = ending_seats(log)
    games = np.flatnonzero(seat >= 0)
    hands = log.states["figures"][:, : log.players].astype(np.float64)
    others = log.totals.copy()
    others[games, seat[games]] = np.iinfo(np.int32).min
    lead = (log.totals[games, seat[games]] - others[games].max(axis=1)).astype(np.float64)
    ends = np.bincount(log.states["end"], minlength=len(ENDS))
    everyone = range(log.players)
    return {
        "turns of a game, all seats together": mean_of(log.states["turn"].astype(np.float64)),
        **{f"games that ended by: {name}": int(n) for name, n in zip(ENDS, ends, strict=True) if name is not None},
        "wins of the ending seat": _answer(log.shares[games, seat[games]], games),
        "its lead over the best other, coins": mean_of(lead),
        "figures in hand: winners": mean_of(_mean_where(hands, log.won)),
        "figures in hand: the others": mean_of(_mean_where(hands, ~log.won)),
        **{f"figures in hand: seat {k}": mean_of(hands[:, k]) for k in everyone},
        **{f"games ended by seat {k}": _answer(seat[games] == k, games) for k in everyone},
    }


def _turns(log: Log) -> tuple[np.ndarray, np.ndarray]:
    """Return the places in the log of the first and of the last decision of each turn that has any."""
    turn = _turn_numbers(log)
    _, first = np.unique(turn, return_index=True)
    _, last = np.unique(turn[::-1], return_index=True)
    return first, len(turn) - 1 - last


def emptying(log: Log) -> Answers:
    """Return how often a turn that could place the last figure, while the game went on, did so, by LEADS.

    And how often the game then ended with the seat's next turn, since nobody sent it a figure back. Turns in which this
    depended on rolling again are not looked for.
    """
    d = log.decisions
    first, last = _turns(log)
    could = d["can"][first] & EMPTY > 0
    did = (d["left"][last] == 0) & ~d["over"][last]
    game, turn, sign = d["game"][first], d["turn"][first], np.sign(d["lead"][first])
    ended = (ending_seats(log)[game] == d["seat"][first]) & (turn + log.players == log.states["turn"][game] + 1)
    cases = {name: could & (sign == k) for name, k in zip(LEADS, (1, 0, -1), strict=True)}
    return {
        **{name: _answer(did[here], game[here]) for name, here in cases.items()},
        "it held: the game ended a round later": _answer(ended[did], game[did]),
    }


def ending_at_once(log: Log) -> Answers:
    """Return how often a turn that could end the game at once, or not, did so: where that won, and where it lost.

    Where the best that it led to was to share the win, it is in neither; turns in which this depended on rolling again
    are not looked for.
    """
    d = log.decisions
    first, last = _turns(log)
    can, game, over = d["can"][first], d["game"][first], d["over"][last]
    both = (can & OVER > 0) & (can & GO_ON > 0)
    cases = {
        "ends it and wins alone": both & (can & WIN > 0),
        "ends it, but only to lose": both & (can & (WIN | TIE) == 0),
    }
    return {name: _answer(over[here], game[here]) for name, here in cases.items()}


# --- the planner ------------------------------------------------------------------------------------------------


def planner(log: Log) -> Answers:
    """Return where the planner sees a better turn, among the decisions with a choice."""
    d = log.decisions
    choice, differs = d["choice"], d["differs"]
    loss = np.bincount(d["game"], d["loss"], minlength=log.games) / log.players
    by_choice = {
        f"differs when it chooses: {NAMES[name]}": _share(log, differs, choice & (d["what"] == k))
        for k, name in enumerate(WHAT)
    }
    return {
        "decisions that differ": _share(log, differs, choice),
        "… early / middle / late, %": _by_phase(log, differs, choice),
        "… only in village or dice, part of these": _share(log, d["what"] == d["best"], differs),
        "decisions with a choice": int(choice.sum()),
        "coins given away where it differs": ratio_of(d["loss"][differs], d["game"][differs]),
        "coins given away by a seat in a game": mean_of(loss),
        **by_choice,
    }


def instead_of_planner(log: Log) -> dict[str, tuple[Estimate, Estimate]]:
    """Return how often in 100 turns the agent does this where the planner does something else, and the reverse."""
    d = log.decisions
    other = d["differs"] & (d["what"] != d["best"])
    turns = _per_game(log, d["begins"])

    def in_100(flags: np.ndarray) -> Estimate:
        return ratio_estimate(100 * _per_game(log, flags), turns)

    return {name: (in_100(other & (d["what"] == k)), in_100(other & (d["best"] == k))) for k, name in enumerate(WHAT)}


# --- the chance of winning --------------------------------------------------------------------------------------


def chances_over_time(log: Log, parts: int = 10) -> tuple[list[Estimate], list[Estimate]]:
    """Return the mean chance, at their own decisions, of winners and of others in each tenth (or part) of the game."""
    d = log.decisions
    chance = d["chances"][np.arange(len(d)), d["seat"]]
    part = parts * (d["turn"] - 1) // log.states["turn"][d["game"]]
    won = log.won[d["game"], d["seat"]]

    def course(flags: np.ndarray) -> list[Estimate]:
        means = [ratio_of(chance[here], d["game"][here]) for k in range(parts) for here in [flags & (part == k)]]
        return [replace(e, low=max(e.low, 0.0), high=min(e.high, 1.0)) for e in means]

    return course(won), course(~won)
