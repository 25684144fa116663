"""Questions put to a log, each answered with a number of cases and an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from agents.tournament.sources import SOURCES
from agents.tournament.statistics import Estimate, ratio_estimate
from agents.training.calibration import bin_of
from bohemian_env.game.actions import REROLLS, SUBSETS
from bohemian_env.game.facts import ENDS, KINDS
from bohemian_env.game.rules import NO_FIGURES

from .estimates import mean_of, ratio_of, share_of
from .log import Log
from .moves import BISHOP, EMPTY, GO_ON, OVER, REROLL, SPECIAL, TIE, WHAT, WIN

__all__ = [
    "LEADS",
    "PHASES",
    "Answer",
    "Endings",
    "Planner",
    "Tiles",
    "chances_over_time",
    "emptying",
    "ending_at_once",
    "endings",
    "kicks",
    "offers",
    "phases",
    "placed",
    "planner",
    "reliability_with_intervals",
    "seats",
    "sources",
    "tiles",
]

PHASES: Final = ("early", "middle", "late")
"""The thirds of a game, by turns."""
LEADS: Final = ("ahead", "level", "behind")
"""How a seat stands if the game is scored as it is."""
_KINDS: Final = len(KINDS)


@dataclass(frozen=True, slots=True)
class Answer:
    """A share or mean."""

    estimate: Estimate
    count: int
    """Cases that it is of."""


def _share(log: Log, flags: np.ndarray, among: np.ndarray) -> Answer:
    """How often ``flags`` holds among some decisions. Both bool, (decisions,)."""
    return Answer(share_of(flags[among], log.decisions["game"][among]), int(among.sum()))


def phases(log: Log) -> np.ndarray:
    """Place in PHASES of each decision."""
    d = log.decisions
    return 3 * (d["turn"] - 1) // log.states["turn"][d["game"]]


# --- seats and coins --------------------------------------------------------------------------------------------


def seats(log: Log) -> list[tuple[Estimate, Estimate]]:
    """Part of the wins, and mean total, of each seat."""
    games = np.arange(log.games)
    return [(share_of(log.shares[:, k], games), mean_of(log.totals[:, k])) for k in range(log.players)]


def _mean_where(values: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Mean over the seats of each game for which ``where`` holds, nan where there is none. Both (games, players)."""
    counts = where.sum(axis=1)
    sums = (values * where).sum(axis=1)
    return np.divide(sums, counts, out=np.full(len(counts), math.nan), where=counts > 0)


def sources(log: Log) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
    """Coins by source: of winners, of the others, and the difference in games that have both."""
    found = {}
    for column, name in enumerate(SOURCES):
        winners = _mean_where(log.sources[:, :, column], log.won)
        others = _mean_where(log.sources[:, :, column], ~log.won)
        found[name] = mean_of(winners), mean_of(others), mean_of(winners - others)
    return found


# --- kinds ------------------------------------------------------------------------------------------------------


def placed(log: Log, phase: int | None = None) -> dict[str, Answer]:
    """Share of the figures placed that went to each kind, in one phase or in all."""
    what = log.decisions["what"]
    among = what < _KINDS
    if phase is not None:
        among &= phases(log) == phase
    return {kind: _share(log, what == place, among) for place, kind in enumerate(KINDS)}


def offers(log: Log, phase: int | None = None) -> dict[str, Answer]:
    """How often each kind, the bishop, and a special action tile or its use was chosen in decisions that allowed it.

    Decisions without a choice are left out. phase: only in this one.
    """
    d = log.decisions
    among = d["choice"] if phase is None else d["choice"] & (phases(log) == phase)
    return {
        WHAT[place]: _share(log, d["what"] == place, among & (d["offered"] >> place & 1 == 1))
        for place in range(REROLL + 1)
    }


def kicks(log: Log) -> tuple[Answer, list[Answer], dict[str, Answer]]:
    """Part of the figures placed that kicked another out: in all, by phase, and by kind."""
    d = log.decisions
    kicked, among, phase = d["kicked"] >= 0, d["what"] < _KINDS, phases(log)
    return (
        _share(log, kicked, among),
        [_share(log, kicked, among & (phase == k)) for k in range(len(PHASES))],
        {kind: _share(log, kicked, d["what"] == place) for place, kind in enumerate(KINDS)},
    )


# --- bishop and special action tile -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tiles:
    """Bishop and special action tiles, by game."""

    bishop: Estimate
    """Times that the bishop was taken in a game."""
    bishop_wins: Answer
    """Part of the win of the seat that has the bishop in the end; the count is of games in which one has it."""
    taken: Estimate
    """Special action tiles taken by a seat in a game."""
    spent: Estimate
    """And spent."""
    at_once: Answer
    """Part of the tiles spent that were taken in the same turn."""
    when: list[Answer]
    """Part of the tiles spent in each phase."""
    dice: dict[int, Answer]
    """Part of the tiles spent on rolling so many dice again."""


def _per_game(log: Log, flags: np.ndarray) -> np.ndarray:
    return np.bincount(log.decisions["game"][flags], minlength=log.games).astype(np.float64)


def tiles(log: Log) -> Tiles:
    """The numbers on bishop and special action tiles."""
    d, phase = log.decisions, phases(log)
    spent, taken = d["what"] == REROLL, d["what"] == SPECIAL
    turn = d["game"].astype(np.int64) * (int(d["turn"].max()) + 1) + d["turn"]
    last = log.states["bishop"]
    held = np.flatnonzero(last >= 0)
    size = np.array([len(subset) for subset in SUBSETS])[np.where(spent, d["action"].astype(int) - REROLLS, 0)]
    return Tiles(
        bishop=mean_of(_per_game(log, d["what"] == BISHOP)),
        bishop_wins=Answer(share_of(log.shares[held, last[held]], held), len(held)),
        taken=mean_of(_per_game(log, taken) / log.players),
        spent=mean_of(_per_game(log, spent) / log.players),
        at_once=_share(log, np.isin(turn, turn[taken]), spent),
        when=[_share(log, phase == k, spent) for k in range(len(PHASES))],
        dice={n: _share(log, size == n, spent) for n in (1, 2, 3, 4)},
    )


# --- the end ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Endings:
    """How games end. The *ending seat* is the one whose turn it would be and whose hand is empty (R4)."""

    turns: Estimate
    """Turns of a game, over all seats."""
    ends: dict[str, int]
    """Games by how they ended, in the words of the game record."""
    by_seat: list[Answer]
    """Part of the games that each seat ends."""
    wins: Answer
    """Part of the win of the ending seat."""
    lead: Estimate
    """How far the total of the ending seat is ahead of the best other, in coins."""
    hands: list[Estimate]
    """Figures left in hand of each seat."""
    after: list[Estimate]
    """Figures left in hand of the seat that sits so many places after the ending one, from 1."""
    winners: Estimate
    """Figures left in hand of winners."""
    others: Estimate
    """And of the others."""


def ending_seats(log: Log) -> np.ndarray:
    """The ending seat of each game, -1 where the game ended otherwise. int64, (games,)."""
    return np.where(log.states["end"] == NO_FIGURES, log.states["turn"] % log.players, -1)


def endings(log: Log) -> Endings:
    """The numbers on how games end."""
    seat = ending_seats(log)
    games = np.flatnonzero(seat >= 0)
    hands = log.states["figures"][:, : log.players].astype(np.float64)
    others = log.totals.copy()
    others[games, seat[games]] = np.iinfo(np.int32).min
    lead = (log.totals[games, seat[games]] - others[games].max(axis=1)).astype(np.float64)
    counts = np.bincount(log.states["end"], minlength=len(ENDS))
    return Endings(
        turns=mean_of(log.states["turn"].astype(np.float64)),
        ends={name: int(n) for name, n in zip(ENDS, counts, strict=True) if name is not None},
        by_seat=[Answer(share_of(seat[games] == k, games), len(games)) for k in range(log.players)],
        wins=Answer(share_of(log.shares[games, seat[games]], games), len(games)),
        lead=mean_of(lead),
        hands=[mean_of(hands[:, k]) for k in range(log.players)],
        after=[mean_of(hands[games, (seat[games] + k) % log.players]) for k in range(1, log.players)],
        winners=mean_of(_mean_where(hands, log.won)),
        others=mean_of(_mean_where(hands, ~log.won)),
    )


def _turns(log: Log) -> tuple[np.ndarray, np.ndarray]:
    """Places in the log of the first and of the last decision of each turn in which something was decided."""
    d = log.decisions
    turn = d["game"].astype(np.int64) * (int(d["turn"].max()) + 1) + d["turn"]
    _, first = np.unique(turn, return_index=True)
    _, last = np.unique(turn[::-1], return_index=True)
    return first, len(turn) - 1 - last


def _by_lead(log: Log, first: np.ndarray, flags: np.ndarray, among: np.ndarray) -> dict[str, Answer]:
    lead, games = log.decisions["lead"][first], log.decisions["game"][first]
    found = {}
    for name, sign in zip(LEADS, (1, 0, -1), strict=True):
        here = among & (np.sign(lead) == sign)
        found[name] = Answer(share_of(flags[here], games[here]), int(here.sum()))
    return found


def emptying(log: Log) -> tuple[dict[str, Answer], Answer]:
    """Turns that could leave the seat without a figure in hand while the game goes on: how often they did, by LEADS.

    And how often the game then ended with the seat's next turn, since nobody sent it a figure back. Turns in which this
    depended on rolling again are not looked for.
    """
    d = log.decisions
    first, last = _turns(log)
    could = d["can"][first] & EMPTY > 0
    did = (d["left"][last] == 0) & ~d["over"][last]
    game, turn = d["game"][first], d["turn"][first]
    ended = (ending_seats(log)[game] == d["seat"][first]) & (turn + log.players == log.states["turn"][game] + 1)
    held = Answer(share_of(ended[did], game[did]), int(did.sum()))
    return _by_lead(log, first, did, could), held


def ending_at_once(log: Log) -> tuple[Answer, Answer]:
    """Turns that could end the game at once or not: how often they did where that won, and where it did not.

    Where the best that it led to was to share the win, they are in neither; and turns in which this depended on rolling
    again are not looked for.
    """
    d = log.decisions
    first, last = _turns(log)
    can, game, over = d["can"][first], d["game"][first], d["over"][last]
    both = (can & OVER > 0) & (can & GO_ON > 0)
    win, lose = both & (can & WIN > 0), both & (can & (WIN | TIE) == 0)
    return (
        Answer(share_of(over[win], game[win]), int(win.sum())),
        Answer(share_of(over[lose], game[lose]), int(lose.sum())),
    )


# --- the planner ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Planner:
    """Where the planner sees a better turn. Only decisions with a choice count."""

    differs: Answer
    """Part of the decisions."""
    by_phase: list[Answer]
    by_what: dict[str, Answer]
    """By what the agent chose."""
    same_sort: Answer
    """Part of these in which its best action is of the same sort: another village, or other dice."""
    loss: Estimate
    """Coins that it sees given away where it differs."""
    loss_of_game: Estimate
    """The same, over all decisions of a seat in a game."""
    instead: dict[str, tuple[Estimate, Estimate]]
    """How often in 100 turns the agent does this where the planner does something of another sort; and the reverse."""


def planner(log: Log) -> Planner:
    """The numbers on the planner."""
    d, phase = log.decisions, phases(log)
    choice, differs = d["choice"], d["differs"]
    other = differs & (d["what"] != d["best"])
    turns = _per_game(log, d["begins"])

    def in_100(flags: np.ndarray) -> Estimate:
        return ratio_estimate(100 * _per_game(log, flags), turns)

    return Planner(
        differs=_share(log, differs, choice),
        by_phase=[_share(log, differs, choice & (phase == k)) for k in range(len(PHASES))],
        by_what={name: _share(log, differs, choice & (d["what"] == k)) for k, name in enumerate(WHAT)},
        same_sort=_share(log, ~other, differs),
        loss=ratio_of(d["loss"][differs], d["game"][differs]),
        loss_of_game=mean_of(np.bincount(d["game"], d["loss"], minlength=log.games) / log.players),
        instead={
            name: (in_100(other & (d["what"] == k)), in_100(other & (d["best"] == k))) for k, name in enumerate(WHAT)
        },
    )


# --- the chance of winning --------------------------------------------------------------------------------------


def _won(log: Log) -> np.ndarray:
    """Part of the win of the seat of each decision."""
    return log.shares[log.decisions["game"], log.decisions["seat"]]


def chances_over_time(log: Log, parts: int = 10) -> tuple[list[Estimate], list[Estimate]]:
    """Mean chance of winning that winners and the others are given in each tenth (or other part) of the game."""
    d = log.decisions
    part = parts * (d["turn"] - 1) // log.states["turn"][d["game"]]
    won = _won(log) > 0

    def course(flags: np.ndarray) -> list[Estimate]:
        means = [ratio_of(d["chance"][here], d["game"][here]) for k in range(parts) for here in [flags & (part == k)]]
        return [replace(e, low=max(e.low, 0.0), high=min(e.high, 1.0)) for e in means]

    return course(won), course(~won)


def reliability_with_intervals(log: Log, bins: int = 10) -> list[tuple[float, Answer]]:
    """As ``calibration.reliability``: mean chance, and part that was won, in each range of the chance that occurs."""
    d, won = log.decisions, _won(log)
    place = bin_of(d["chance"], bins)
    return [
        (float(d["chance"][here].mean()), _share(log, won, here))
        for k in range(bins)
        for here in [place == k]
        if here.any()
    ]
