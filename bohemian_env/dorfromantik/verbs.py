"""The verbs of Dorfromantik (``engine/contract.py``): what the floor's loops call, all in one place.

Chance (D27) keeps no order of a stack. Each piece has a *priority*, which follows from a seed and the piece, and the
lowest of those not seen yet comes next. So the k-th of a stack follows from the seed, the stack and k, and with another
seed all that is hidden comes in another order, each as likely as any.
"""

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.chance import STEP, mix
from ..engine.compiled import njit
from .inputs import INPUTS, MOST_INPUTS, QUICK, write_inputs
from .moves import NUM_ACTIONS
from .observation import write_observation
from .players import choose
from .rules import MARKER_DUE, TASK_STACK, deal, push, score, set_up, stack_due
from .state import COLUMNS, State, whole
from .tiles import LANDSCAPE, MOST_MARKERS, MOST_PLAYERS, TASK_KIND, TASKS, TILES
from .worths import write_worths

__all__ = [
    "COLUMNS", "INPUTS", "MAX_PLAYERS", "MOST_INPUTS", "NUM_ACTIONS", "QUICK", "TEAM", "TRUNCATED", "choose", "deal",
    "draw", "likelihood", "moment", "outcomes", "push", "score", "set_up", "write_inputs", "write_observation",
    "write_worths",
]  # fmt: skip

MAX_PLAYERS: Final = MOST_PLAYERS
TRUNCATED: Final = -1  # no game is cut off
TEAM: Final = True  # nobody wins or loses: the result is the number (D23), and seats differ in nothing else (D28)
_TILES_STREAM: Final = np.uint64(0x54494C4553)  # keeps the draws made with one seed apart; the value means nothing
_MARKERS_STREAM: Final = np.uint64(0x4D41524B455253)
_OF_A_TYPE: Final = np.uint64((1 << MOST_MARKERS) - 1)
_0, _1, _PLACE = np.uint64(0), np.uint64(1), np.uint64(127)


@njit
def outcomes(s: State) -> int:
    """Return the number of tiles, which is above that of the markers."""
    return TILES


@njit
def hidden_pieces(s: State) -> tuple[Word, int, int]:
    """Return what chance, which is due, can bring (D4, D27): a set of bits, for how many pieces it has room, and the
    number of the first. In the landscape stack these are all tiles not seen yet, those in the box among them.
    """
    if s["pending"] == MARKER_DUE:
        first = MOST_MARKERS * TASK_KIND[s["hand"]]
        return (np.uint64(s["markers"]) >> np.uint64(first)) & _OF_A_TYPE, MOST_MARKERS, first
    if stack_due(s) == TASK_STACK:
        return np.uint64(s["tasks"]), TASKS, whole(LANDSCAPE)
    return s["landscape"], LANDSCAPE, whole(0)


@njit
def likelihood(s: State, k: int) -> float:
    """Return how likely tile ``k``, or marker ``k``, comes: each that can is as likely as any other (D27)."""
    hidden, room, first = hidden_pieces(s)
    place = k - first
    if place < 0 or place >= room or (hidden >> np.uint64(place)) & _1 == _0:
        return 0.0
    return 1.0 / popcount(hidden)


@njit
def draw(s: State, seed: Word) -> int:
    """Return the tile, or the marker, that a seed brings (D27)."""
    hidden, room, first = hidden_pieces(s)
    stream = mix(seed ^ (_MARKERS_STREAM if s["pending"] == MARKER_DUE else _TILES_STREAM))
    lowest = ~_0
    for place in range(room):  # without a branch, so that the compiler takes many at once
        bit = np.uint64(place)
        priority = mix(stream + np.uint64(place + first) * STEP) & ~_PLACE
        lowest = min(lowest, priority | bit | (((hidden >> bit) & _1) - _1))  # all ones where it was seen
    return first + whole(lowest & _PLACE)


@njit
def moment(s: State) -> Word:
    """Return the turn, in which there is one decision."""
    return np.uint64(s["turn"])
