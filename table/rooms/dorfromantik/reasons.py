"""What speaks for a move: the parts of the score of which it brings more, or less, than another move.

Both are followed for a few placements with the same tiles to come, by the agent ``values``. What is scored by then
counts as it is; what is expected after that is a sum of weights, each of which belongs to a part of the score, or to
*space*: cells that something will still fit, and territories for tasks to come.
"""

import functools
from typing import Final, NamedTuple

import numpy as np

import agents
from agents.players.names import SHIPPED_VALUES
from agents.players.value_search import word_of
from agents.players.values import LOOKED_AT, ValueAgent, best_actions, new_room
from bohemian_env.dorfromantik import inputs
from bohemian_env.dorfromantik.contract import RULES
from bohemian_env.dorfromantik.game import Game
from bohemian_env.engine.contract import Action, State
from bohemian_env.engine.dealing import deal_seeded, redraw_seed
from bohemian_env.engine.words import Words
from table.rooms import sure_means

PARTS: Final = ("markers", "flags", "track", "stream", "space")
_OF: Final = {
    "open": "space", "marked": "markers", "flagged": "flags", "tasks": "markers", "stock": "markers", "cells": "space",
    "joins": "space", "fits": "space", "chances": "markers", "ready": "markers",
}  # fmt: skip
"""The part that each table of inputs belongs to; the others have a half for the track, and one for the stream."""
_ROUNDS: Final = 60
_DEPTH: Final = 3
_LEAST: Final = 0.3  # points of a difference that is worth a word
_MOST: Final = 3  # differences that are told at most


class Reason(NamedTuple):
    """How many points more one move brings than another."""

    part: str
    """One of PARTS."""
    points: float


@functools.cache
def part_of_inputs() -> np.ndarray:
    """Return the number of the part that each input belongs to: int64, (INPUTS,)."""
    found, rows = np.empty(inputs.INPUTS, np.int64), [*inputs.FIRST_ROWS.values(), inputs.INPUTS]
    for (table, first), end in zip(inputs.FIRST_ROWS.items(), rows[1:], strict=True):
        middle = (first + end) // 2
        found[first:middle] = PARTS.index(_OF.get(table, "track"))
        found[middle:end] = PARTS.index(_OF.get(table, "stream"))
    return found


@functools.cache
def _weights() -> np.ndarray:
    found = agents.make(SHIPPED_VALUES, seed=0, game=RULES.name)
    assert isinstance(found, ValueAgent)
    return found.weights


def brought(s: State, action: Action) -> np.ndarray:
    """Return what a placement in ``s`` brings of each part, in each round: float64, (rounds, parts)."""
    compiled, verbs, weights = RULES.compiled, RULES.verbs, _weights()
    room, states, found = compiled(new_room)(), np.zeros(4, RULES.state), np.zeros((_ROUNDS, len(PARTS)))
    best, deal, here = compiled(best_actions), compiled(deal_seeded), states[0]
    word = compiled(word_of)(s, np.uint64(0))
    for number in range(_ROUNDS):
        seed = np.uint64(redraw_seed(np.uint64(word), number))
        states[0] = s
        verbs.push(here, action)
        for _ in range(_DEPTH):
            deal(here, seed)
            if here["end"]:
                break
            best(states, weights, LOOKED_AT, room)
            verbs.push(here, room.actions[0])
        found[number, :-1] = here["score"][:-1] - s["score"][:-1]
        if not here["end"]:
            on = room.inputs[: verbs.write_inputs(here, 0, room.inputs)]
            found[number] += np.bincount(part_of_inputs()[on], weights[on], len(PARTS))
    return found


def found(game: Game, move: str, other: str) -> list[Reason]:
    """Return what a legal move brings more, or less, than another one that is worth less, the largest difference first:
    only what is sure, and nothing if that, or all together, speaks for the other one.
    """
    one, two = (brought(game.states[0], game.text_to_action(text)) for text in (move, other))
    sure = zip(PARTS, sure_means(one - two, _LEAST), strict=True)
    differences = [Reason(part, float(mean)) for part, mean in sure if mean]
    told = sorted(differences, key=lambda reason: -abs(reason.points))[:_MOST]
    return told if min((one - two).mean(axis=0).sum(), sum(reason.points for reason in told)) > 0 else []


def reasons(game: Game, move: str, other: str, words: Words) -> str:
    """Return reasons in few words: "+4.1 tasks, −2.0 track"; nothing if there are none."""
    return ", ".join(
        words("source.more", points=words.number(points, "+.1f"), source=words(f"source.{part}"))
        for part, points in found(game, move, other)
    )
