"""What a learner of values sees of a position just after a placement: a few hundred inputs, each on or off.

The value of a position is thought of as a sum: over the territories that are still open, by their size, their open
edges and what their markers still need; over the empty cells beside tiles, by what they show; and of the longest track
and stream, the tasks that lie out, and what is left in the stacks. So an input is a row of one of a few tables.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.compiled import njit
from ..engine.contract import Seat
from . import tiles
from .rules import faces_of
from .state import STATE, State
from .tiles import ANY, KINDS, LANDSCAPE, MOST_MARKERS, TASK_KIND, TILES, TRACK

_PHASES: Final = np.searchsorted([1, 2, 3, 5, 8, 12, 17, 23, 30, 38], np.arange(LANDSCAPE + 1), side="right")
"""The phase of a game by the landscape tiles left to come: the last ones are told apart."""
_QUARTERS: Final = np.searchsorted([4, 13, 26], np.arange(LANDSCAPE + 1), side="right")
_SORT: Final = np.array([max(kind - TRACK + 1, 0) for kind in range(len(KINDS))])
"""Kinds that look alike to the value: 0 for forest, grain and village, then track and stream."""
_SORTS, _PHASE, _SIZES, _EDGES, _NEEDS = 3, int(_PHASES.max()) + 1, 23, 6, 6
_BESIDE: Final = len(KINDS) + 2  # what a cell can border in a direction: nothing, meadow, or an edge of a kind
_POWERS: Final = np.array([sum(_BESIDE**d for d in range(6) if faces >> d & 1) for faces in range(64)], np.int64)


def _patterns() -> np.ndarray:
    """Return the number of each way in which six directions can look, the same for those that are rotations."""
    code = np.arange(_BESIDE**6)
    rotated, least = code, code
    for _ in range(5):
        rotated = rotated % _BESIDE**5 * _BESIDE + rotated // _BESIDE**5
        least = np.minimum(least, rotated)
    return np.unique(least, return_inverse=True)[1].astype(np.int16)


_PATTERN: Final = _patterns()
# The first row of each table.
_OPEN: Final = 0  # territories without a marker
_MARKED: Final = _OPEN + _SORTS * _SIZES * _EDGES * _PHASE  # those with markers, by what the two nearest ones need
_FLAGGED: Final = _MARKED + _SORTS * _NEEDS * _NEEDS * _EDGES * _PHASE
_LONGEST: Final = _FLAGGED + _SIZES * _EDGES * _PHASE  # the longest track and the longest stream
_TASKS: Final = _LONGEST + 2 * _SIZES * _PHASE  # tasks that lie out, and landscape tiles left
_STOCK: Final = _TASKS + 4 * (LANDSCAPE + 1)  # territories of 3, 4 and 5 tiles without a marker, and markers to come
_CELLS: Final = _STOCK + _SORTS * 27 * (MOST_MARKERS + 1) * _PHASE
INPUTS: Final = _CELLS + (int(_PATTERN.max()) + 1) * (int(_QUARTERS.max()) + 1)
"""The number of different inputs."""
MOST_INPUTS: Final = STATE["frontier"].shape[0] + 2 * len(KINDS) * TILES
"""A number that no position has more inputs than."""
_NONE: Final = 9  # more than any marker needs
_0, _1 = np.uint64(0), np.uint64(1)


@njit
def _needs(s: State, kind: int, territory: int) -> tuple[int, int]:
    """Return how many tiles the two nearest markers of a territory need; _NONE for those that there are not."""
    first, second, left = _NONE, _NONE, np.uint64(s["open"])
    while left != _0:
        task = popcount((left & (~left + _1)) - _1)
        left &= left - _1
        if TASK_KIND[LANDSCAPE + task] == kind and s["territory"][kind, LANDSCAPE + task] == territory:
            need = int(s["marked"][task]) - int(s["size"][kind, territory])
            if need < first:
                first, second = need, first
            elif need < second:
                second = need
    return first, second


@njit
def _flags_of(s: State, kind: int, territory: int) -> int:
    """Return how many flags of a territory have not counted yet."""
    count, left = 0, s["flags"]
    while left != _0:
        tile = popcount((left & (~left + _1)) - _1)
        left &= left - _1
        count += tiles.FLAG_KIND[tile] == kind and s["territory"][kind, tile] == territory
    return count


@njit
def _pattern_of(word: Word) -> int:
    """Return the number of what an empty cell borders."""
    code = _POWERS[faces_of(word, ANY)]
    for kind in range(len(KINDS)):
        code += (kind + 1) * _POWERS[faces_of(word, kind)]
    return int(_PATTERN[code])


@njit
def write_inputs(s: State, seat: Seat, out: np.ndarray) -> int:
    """Write which inputs are on, some of them more than once, for every seat; return how many these are.

    s: no tile is in hand. out: int32, (MOST_INPUTS,).
    """
    left = max(popcount(s["landscape"]) - int(s["left_in_box"]), 0)
    phase, quarter, n = _PHASES[left], _QUARTERS[left], 0
    for kind in range(len(KINDS)):
        sort, stock = _SORT[kind], 0
        for tile in range(TILES):
            edges, size = int(s["edges"][kind, tile]), min(int(s["size"][kind, tile]), _SIZES - 1)
            if edges == 0:
                continue
            edges = min(edges, _EDGES) - 1
            first, second = _needs(s, kind, tile)
            if first < _NONE:
                needs = sort * _NEEDS * _NEEDS + first * _NEEDS + (0 if second == _NONE else second)
                out[n] = _MARKED + (needs * _EDGES + edges) * _PHASE + phase
            else:
                out[n] = _OPEN + ((sort * _SIZES + size) * _EDGES + edges) * _PHASE + phase
                if 3 <= size <= 5:
                    step = 9 if size == 3 else 3 if size == 4 else 1
                    stock += step if stock // step % 3 < 2 else 0
            n += 1
            for _ in range(_flags_of(s, kind, tile)):
                out[n] = _FLAGGED + (size * _EDGES + edges) * _PHASE + phase
                n += 1
        coming = popcount((np.uint64(s["markers"]) >> np.uint64(MOST_MARKERS * kind)) & np.uint64(31))
        out[n] = _STOCK + ((sort * 27 + stock) * (MOST_MARKERS + 1) + coming) * _PHASE + phase
        n += 1
    for best in range(2):
        out[n] = _LONGEST + (best * _SIZES + min(int(s["score"][2 + best]), _SIZES - 1)) * _PHASE + phase
        n += 1
    out[n] = _TASKS + min(popcount(np.uint64(s["open"])), 3) * (LANDSCAPE + 1) + left
    n += 1
    for place in range(s["frontier_size"]):
        out[n] = _CELLS + _pattern_of(s["frontier"][place]) * 4 + quarter
        n += 1
    return n
