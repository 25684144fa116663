"""``greedy`` and ``planner`` try every action with all that it asks for, and take the one with the best estimate."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...engine.bits import popcount
from ...engine.compiled import njit
from ...engine.contract import Action, Seat
from ...engine.legal import is_legal, legal_below, next_legal
from .. import decisions as d
from ..farm import FENCED, new_fences
from ..pieces import CELL, FARM, FREE_CELLS
from ..rules import push, score
from ..state import COLUMNS, STATE, State, whole
from .estimate import NAMES, estimate, write_features

_MOST_STEPS: Final = 40
_U0, _U1 = np.uint64(0), np.uint64(1)


class Scratch(NamedTuple):
    """What opponents write to beside the position; each thread needs its own."""

    states: np.ndarray
    """(2,): the position after an action, and after one more that is tried."""
    scoring: np.ndarray
    """int64, (5, COLUMNS)."""
    features: np.ndarray
    """float64, (len(NAMES),)."""


def new_scratch() -> Scratch:
    """Return scratch for :func:`best_action`."""
    return Scratch(np.zeros(2, STATE), np.zeros((5, COLUMNS), np.int64), np.zeros(len(NAMES)))


@njit
def worth(s: State, seat: Seat, weights: np.ndarray, scratch: Scratch) -> float:
    """Return the estimated final score of a seat."""
    score(s, scratch.scoring)
    row = scratch.scoring[seat]
    if s["end"] != 0:
        return float(row[COLUMNS - 1])
    write_features(s, seat, row, scratch.features)
    return estimate(row, scratch.features, weights, whole(s["turn"]))


@njit
def goes_on(s: State, seat: Seat) -> bool:
    """Return whether a seat still has decisions of what it began before it."""
    return s["kind"] > d.PLACE and s["kind"] < d.FEED and s["to_move"] == seat


# Where to build: rooms at the left, fields in the middle, and stables and pastures at the right, so that all have room.
_ROOMS: Final = np.array(
    [
        FREE_CELLS.index(CELL[name])
        for name in ["a1", "b2", "b3", "b1", "c2", "c3", "c1", "d2", "d3", "d1", "e2", "e3", "e1"]
    ]
)
_FIELDS: Final = np.array(
    [
        FREE_CELLS.index(CELL[name])
        for name in ["b1", "c1", "c2", "d1", "c3", "b3", "b2", "e1", "d2", "d3", "a1", "e2", "e3"]
    ]
)
_STABLES: Final = np.array(
    [
        FREE_CELLS.index(CELL[name])
        for name in ["e3", "d3", "e2", "d2", "e1", "d1", "c3", "c2", "c1", "b3", "b2", "b1", "a1"]
    ]
)
_SIZES: Final = np.array([int(cells).bit_count() for cells in FENCED])


@njit
def first_of(s: State, group: Action, order: np.ndarray, cells: int) -> Action:
    """Return the first legal action of a group, in an order of the free cells, on one of some cells; -1 for none."""
    for place in order:
        if (cells >> FREE_CELLS[place]) & 1 and is_legal(s, group + place):
            return group + place
    return -1


@njit
def best_of(s: State, seat: Seat, weights: np.ndarray, after: np.ndarray, scratch: Scratch) -> Action:
    """Return the action with the best estimate right after it; of cells, and of pastures that are alike, only one is
    tried. after: (1,), overwritten.
    """
    best, most, tried = -1, -np.inf, np.uint64(0)
    enclosed, stables, sides = whole(s["enclosed"][seat]), whole(s["stables"][seat]), s["sides"][seat]
    room, field = first_of(s, d.ROOM, _ROOMS, FARM), first_of(s, d.PLOW_CELL, _FIELDS, FARM)
    stable, fenced = (first_of(s, d.STABLE, _STABLES, ~enclosed), first_of(s, d.STABLE, _STABLES, enclosed))
    action = legal_below(s, d.NUM_ACTIONS)
    while action >= 0:
        kept = True
        if action >= d.FENCE:
            number = action - d.FENCE
            inside = popcount(np.uint64(FENCED[number] & stables)) > 0
            alike = np.uint64(min(_SIZES[number], 7) * 8 + min(new_fences(number, sides) >> 1, 3) * 2 + inside)
            kept = (tried >> alike) & _U1 == _U0
            tried |= _U1 << alike
        elif action < d.SOW and action >= d.ROOM:
            kept = action in (room, field, stable, fenced)
        if kept:
            after[0] = s
            push(after[0], action)
            value = worth(after[0], seat, weights, scratch)
            if value > most:
                best, most = action, value
        action = legal_below(s, action)
    return best


@njit
def best_action(s: State, weights: np.ndarray, scratch: Scratch) -> Action:
    """Return the action after which the estimate is highest, where a person is placed with the best of the decisions
    that follow. s: a position in which a seat decides. weights: (KNOTS, len(NAMES)).
    """
    seat, states = whole(s["to_move"]), scratch.states
    if s["kind"] != d.PLACE:
        return best_of(s, seat, weights, states[:1], scratch)
    best, most = -1, -np.inf
    action = next_legal(s, 0)
    while action >= 0:
        states[0] = s
        push(states[0], action)
        for _ in range(_MOST_STEPS):
            if not goes_on(states[0], seat):
                break
            push(states[0], best_of(states[0], seat, weights, states[1:2], scratch))
        value = worth(states[0], seat, weights, scratch)
        if value > most:
            best, most = action, value
        action = next_legal(s, action + 1)
    return best
