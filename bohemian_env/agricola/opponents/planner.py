"""``greedy`` and ``planner`` try every action with all that it asks for, and take the one with the best estimate."""

from typing import Final, NamedTuple

import numpy as np

from ...engine.compiled import njit
from ...engine.contract import Action, Seat
from ...engine.legal import next_legal
from .. import decisions as d
from ..rules import push, score
from ..state import COLUMNS, STATE, State, whole
from ..tried import goes_on, write_tried
from .estimate import NAMES, estimate, write_features

_MOST_STEPS: Final = 40


class Scratch(NamedTuple):
    """What opponents write to beside the position; each thread needs its own."""

    states: np.ndarray
    """(2,): the position after an action, and after one more that is tried."""
    scoring: np.ndarray
    """int64, (5, COLUMNS)."""
    features: np.ndarray
    """float64, (len(NAMES),)."""
    tried: np.ndarray
    """int64, (NUM_ACTIONS,)."""


def new_scratch() -> Scratch:
    """Return scratch for :func:`best_action`."""
    return Scratch(
        np.zeros(2, STATE), np.zeros((5, COLUMNS), np.int64), np.zeros(len(NAMES)), np.zeros(d.NUM_ACTIONS, np.int64)
    )


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
def best_of(s: State, seat: Seat, weights: np.ndarray, after: np.ndarray, scratch: Scratch) -> Action:
    """Return the action with the best estimate right after it. after: (1,), overwritten."""
    best, most = -1, -np.inf
    for k in range(write_tried(s, scratch.tried)):
        after[0] = s
        push(after[0], scratch.tried[k])
        value = worth(after[0], seat, weights, scratch)
        if value > most:
            best, most = scratch.tried[k], value
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
