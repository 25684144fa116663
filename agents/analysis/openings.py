"""The first turn of the first seat: what a roll offers, what is made of it, and a book of all rolls."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, TypeAlias

import numpy as np

from agents.players.policy import PolicyAgent
from bohemian_env import Batch
from bohemian_env.compiled import njit
from bohemian_env.game.dice import DICE, HANDFUL
from bohemian_env.game.rules import deal_seeded, find_legal, push
from bohemian_env.game.state import STATE, copy_states

from .log import Log
from .moves import STOP, WHAT, turns_offered, what_of

__all__ = ["ROLLS", "Turn", "first_offers", "first_turns", "play_book"]

Turn: TypeAlias = tuple[str, ...]
"""What was done in a turn, without the order: entries of WHAT, ascending as there, but no `end`."""

ROLLS: Final = tuple(dice for dice in DICE if len(dice) == 4)
"""All rolls of four dice, sorted."""


def _turn(places: list[int]) -> Turn:
    return tuple(WHAT[place] for place in sorted(places) if place != STOP)


def first_turns(log: Log) -> list[Turn]:
    """Return what seat 0 did in the first turn of each game."""
    done: list[list[int]] = [[] for _ in range(log.games)]
    first = log.decisions[log.decisions["turn"] == 1]
    for game, what in zip(first["game"].tolist(), first["what"].tolist(), strict=True):
        done[game].append(what)
    return [_turn(places) for places in done]


def first_offers(log: Log) -> list[set[Turn]]:
    """Return all that seat 0 could have done in the first turn of each game without rolling again."""
    batch = Batch(log.games, log.players, autoreset=False)
    batch.reset(log.seed)
    found = np.zeros((log.games, len(WHAT), len(WHAT)), np.bool_)
    turns_offered(batch.states, np.zeros(1, STATE), found)
    offers: list[set[Turn]] = [set() for _ in range(log.games)]
    for game, first, second in np.argwhere(found).tolist():
        offers[game].add(_turn([first, second]))
    return offers


@njit
def _with_rolls(states: Any, rolls: Any) -> None:
    """Put rolls (n,), handfuls of four dice, in the place of those of positions (n,) in which a turn begins."""
    for i in range(len(states)):
        states[i]["dice"] = rolls[i]
        find_legal(states[i])


@njit
def _carry_out(games: Any, states: Any, seeds: Any, actions: Any) -> None:
    for k in range(len(games)):
        push(states[games[k]], actions[k])
        deal_seeded(states[games[k]], seeds[games[k]])


def play_book(agent: PolicyAgent, players: int, villages: int, seed: int) -> dict[tuple[int, ...], Counter[Turn]]:
    """Return what seat 0 does in its first turn with each of ROLLS, on the same so many boards of random villages."""
    batch = Batch(villages, players, autoreset=False)
    batch.reset(seed)
    count = len(ROLLS) * villages
    states = copy_states(np.tile(batch.states, len(ROLLS)))
    seeds = np.tile(batch.seeds, len(ROLLS))
    _with_rolls(states, np.repeat([HANDFUL[roll] for roll in ROLLS], villages).astype(np.uint8))
    done: list[list[int]] = [[] for _ in range(count)]
    while (going := np.flatnonzero((states["turn"] == 1) & (states["end"] == 0))).size:
        actions = agent.decide(states, seeds, going)
        for game, action in zip(going.tolist(), actions.tolist(), strict=True):
            done[game].append(what_of(action))
        _carry_out(going, states, seeds, actions)
    turns = [_turn(places) for places in done]
    return {roll: Counter(turns[k * villages : (k + 1) * villages]) for k, roll in enumerate(ROLLS)}
