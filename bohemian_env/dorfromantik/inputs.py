"""What a learner of values sees of a position just after a placement: a few hundred inputs, each on or off.

The value of a position is thought of as a sum: over the territories that are still open, by their size, their open
edges and what their markers still need; over the empty cells beside tiles, by what they show; and of the longest track
and stream, the tasks that lie out, and what is left in the stacks. So an input is a row of one of a few tables.

The *quick* inputs come first: how their sum changes with a placement is found without carrying it out (worths.py). The
others say more of each empty cell: what a tile there would join, which tiles not seen yet fit, and how many of those
would fulfil a marker at once.
"""

from typing import Final, NamedTuple

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.compiled import njit
from ..engine.contract import Seat
from . import tiles
from .rules import faces_of, is_in, spread_of, territories_about
from .state import STATE, State
from .tiles import ANY, COUNT, KINDS, LANDSCAPE, LOWEST, MOST_MARKERS, TASK_KIND, TILES, TRACK

_PHASES: Final = np.searchsorted([1, 2, 3, 5, 8, 12, 17, 23, 30, 38], np.arange(LANDSCAPE + 1), side="right")
"""The phase of a game by the landscape tiles left to come: the last ones are told apart."""
_QUARTERS: Final = np.searchsorted([4, 13, 26], np.arange(LANDSCAPE + 1), side="right")
_SORT: Final = np.array([max(kind - TRACK + 1, 0) for kind in range(len(KINDS))])
"""Kinds that look alike to the value: 0 for forest, grain and village, then track and stream."""
_SORTS, _PHASE, _SIZES, _EDGES, NEEDS = 3, int(_PHASES.max()) + 1, 23, 6, 6
BESIDE: Final = len(KINDS) + 2  # what a cell can border in a direction: nothing, meadow, or an edge of a kind
_POWERS: Final = np.array([sum(BESIDE**d for d in range(6) if faces >> d & 1) for faces in range(64)], np.int64)


def _patterns() -> np.ndarray:
    """Return the number of each way in which six directions can look, the same for those that are rotations."""
    code = np.arange(BESIDE**6)
    rotated, least = code, code
    for _ in range(5):
        rotated = rotated % BESIDE**5 * BESIDE + rotated // BESIDE**5
        least = np.minimum(least, rotated)
    return np.unique(least, return_inverse=True)[1].astype(np.int16)


PATTERN: Final = _patterns()
_JOINED, _MARKS = 14, 5
_COUNT: Final = np.searchsorted([1, 2, 3, 5, 8, 12, 18, 26], np.arange(TILES + 1), side="right")
"""A number of tiles, told more coarsely the larger it is."""
_COUNTS: Final = int(_COUNT.max()) + 1
_FEWEST: Final = 4  # the lowest number on a marker in the game; the others are the two above it


def _tiles_that_fit() -> tuple[np.ndarray, np.ndarray]:
    """Return the tiles that fit a cell by the pattern of its word, and those with an edge of each kind: sets in two
    words, landscape and task tiles, (…, 2).
    """
    fit = np.zeros((tiles.FITS.shape[1], 2), np.uint64)
    has = np.zeros((len(KINDS), 2), np.uint64)
    for tile in range(TILES):
        stack, bit = int(tile >= LANDSCAPE), np.uint64(1) << np.uint64(tile % LANDSCAPE)
        fit[:, stack] |= np.where(tiles.FITS[tiles.FITS_AS[tile]] != 0, bit, np.uint64(0))
        for kind, letter in enumerate(KINDS):
            has[kind, stack] |= bit if letter in tiles.EDGES[tile] else np.uint64(0)
    return fit, has


_FIT, _HAS = _tiles_that_fit()
_OF_KIND: Final = TASK_KIND[LANDSCAPE:] == np.arange(len(KINDS))[:, None]
_HAS_TASK: Final = (_OF_KIND << np.arange(tiles.TASKS)).sum(axis=1).astype(np.uint64)
"""The task tiles of each kind, as bits."""
# The first row of each table.
_OPEN: Final = 0  # territories without a marker
_MARKED: Final = _OPEN + _SORTS * _SIZES * _EDGES * _PHASE  # those with markers, by what the two nearest ones need
_FLAGGED: Final = _MARKED + _SORTS * NEEDS * NEEDS * _EDGES * _PHASE
_LONGEST: Final = _FLAGGED + _SIZES * _EDGES * _PHASE  # the longest track and the longest stream
_TASKS: Final = _LONGEST + 2 * _SIZES * _PHASE  # tasks that lie out, and landscape tiles left
_STOCK: Final = _TASKS + 4 * (LANDSCAPE + 1)  # territories of 3, 4 and 5 tiles without a marker, and markers to come
_CELLS: Final = _STOCK + _SORTS * 27 * (MOST_MARKERS + 1) * _PHASE
QUICK: Final = _CELLS + (int(PATTERN.max()) + 1) * 4
"""The number of the quick ones."""
_JOINS: Final = QUICK  # what a tile would join in an empty cell, for each kind that this borders
_FITS: Final = _JOINS + _SORTS * 3 * _JOINED * _MARKS * 7 * 4 * 4  # tiles not seen that fit, by occupied sides
_CHANCES: Final = (
    _FITS + 7 * _COUNTS * 4
)  # of a marker: tiles not seen that fulfil it at once, and that bring it nearer
_READY: Final = _CHANCES + _SORTS * NEEDS * _COUNTS * 5 * _PHASE  # cells in which a task tile would fulfil itself
_GROWING: Final = _READY + _SORTS * 3 * 4 * 3 * _PHASE  # the longest track, and the longest one that is open
INPUTS: Final = _GROWING + 2 * _SIZES * _SIZES * 4 * 4
"""The number of different inputs."""
FIRST_ROWS: Final = {
    "open": _OPEN, "marked": _MARKED, "flagged": _FLAGGED, "longest": _LONGEST, "tasks": _TASKS, "stock": _STOCK,
    "cells": _CELLS, "joins": _JOINS, "fits": _FITS, "chances": _CHANCES, "ready": _READY, "growing": _GROWING,
}  # fmt: skip
"""The first input of each table, in their order; the next one begins where it ends, the last one at INPUTS."""
MOST_INPUTS: Final = (2 + len(KINDS)) * (STATE["frontier"].shape[0] + 2 * TILES)
"""A number that no position has more inputs than."""
NONE: Final = 9  # more than any marker needs
_0, _1 = np.uint64(0), np.uint64(1)


class QuickTables(NamedTuple):
    """The quick tables, as views of the weights of the quick inputs."""

    open: np.ndarray
    """(sorts, tiles, open edges - 1, phases): territories without a marker. Sorts are 0 for forest, grain and village,
    then track and stream."""
    marked: np.ndarray
    """(sorts, the nearest marker's need, the second's or 0, open edges - 1, phases)."""
    flagged: np.ndarray
    """(tiles, open edges - 1, phases): for each flag that has not counted yet."""
    longest: np.ndarray
    """(2, tiles, phases): the longest track, the longest stream."""
    tasks: np.ndarray
    """(tasks that lie out, landscape tiles left)."""
    stock: np.ndarray
    """(sorts, 9 * a + 3 * b + c, markers to come, phases): a, b and c territories of 3, 4 and 5 tiles, up to 2 each."""
    cells: np.ndarray
    """(patterns, quarters): what empty cells border."""


def quick_tables(weights: np.ndarray) -> QuickTables:
    """Return the tables of some weights, float32, (QUICK,)."""
    shapes = (
        (_SORTS, _SIZES, _EDGES, _PHASE), (_SORTS, NEEDS, NEEDS, _EDGES, _PHASE), (_SIZES, _EDGES, _PHASE),
        (2, _SIZES, _PHASE), (4, LANDSCAPE + 1), (_SORTS, 27, MOST_MARKERS + 1, _PHASE), (-1, 4),
    )  # fmt: skip
    first = (_OPEN, _MARKED, _FLAGGED, _LONGEST, _TASKS, _STOCK, _CELLS, QUICK)
    return QuickTables(*(weights[i:j].reshape(shape) for i, j, shape in zip(first, first[1:], shapes, strict=False)))


@njit
def needs(s: State, kind: int, territory: int) -> tuple[int, int]:
    """Return how many tiles the two nearest markers of a territory need; NONE for those that there are not."""
    first, second, left = NONE, NONE, np.uint64(s["open"])
    while left != _0:
        task = popcount((left & (~left + _1)) - _1)
        left &= left - _1
        if TASK_KIND[LANDSCAPE + task] == kind and s["territory"][kind, LANDSCAPE + task] == territory:
            need = min(int(s["marked"][task]) - int(s["size"][kind, territory]), NEEDS - 1)
            if need < first:
                first, second = need, first
            elif need < second:
                second = need
    return first, second


@njit
def flags_of(s: State, kind: int, territory: int) -> int:
    """Return how many flags of a territory have not counted yet."""
    count, left = 0, s["flags"]
    while left != _0:
        tile = popcount((left & (~left + _1)) - _1)
        left &= left - _1
        count += tiles.FLAG_KIND[tile] == kind and s["territory"][kind, tile] == territory
    return count


@njit
def phase_of(s: State) -> tuple[int, int, int]:
    """Return the landscape tiles left to come, and two phases of the game by that, fine and coarse."""
    left = max(popcount(s["landscape"]) - int(s["left_in_box"]), 0)
    return left, int(_PHASES[left]), int(_QUARTERS[left])


@njit
def territory_input(kind: int, size: int, edges: int, first: int, second: int, phase: int) -> int:
    """Return the input of an open territory. first, second: what its nearest markers need, or NONE."""
    edges = min(edges, _EDGES) - 1
    if first < NONE:
        row = (_SORT[kind] * NEEDS + first) * NEEDS + (0 if second == NONE else second)
        return int(_MARKED + (row * _EDGES + edges) * _PHASE + phase)
    return int(_OPEN + ((_SORT[kind] * _SIZES + min(size, _SIZES - 1)) * _EDGES + edges) * _PHASE + phase)


@njit
def flag_input(size: int, edges: int, phase: int) -> int:
    """Return the input of a flag that has not counted yet."""
    return int(_FLAGGED + (min(size, _SIZES - 1) * _EDGES + min(edges, _EDGES) - 1) * _PHASE + phase)


@njit
def stock_input(s: State, kind: int, three: int, four: int, five: int, phase: int) -> int:
    """Return the input of the open territories of a kind without a marker that have 3, 4 and 5 tiles."""
    coming = popcount((np.uint64(s["markers"]) >> np.uint64(MOST_MARKERS * kind)) & np.uint64(31))
    stock = 9 * min(three, 2) + 3 * min(four, 2) + min(five, 2)
    return int(_STOCK + ((_SORT[kind] * 27 + stock) * (MOST_MARKERS + 1) + coming) * _PHASE + phase)


@njit
def longest_input(kind: int, size: int, phase: int) -> int:
    """Return the input of the longest track or stream."""
    return int(_LONGEST + ((kind - TRACK) * _SIZES + min(size, _SIZES - 1)) * _PHASE + phase)


@njit
def tasks_input(count: int, left: int) -> int:
    """Return the input of so many tasks that lie out."""
    return int(_TASKS + min(count, 3) * (LANDSCAPE + 1) + left)


@njit
def cell_input(code: int, quarter: int) -> int:
    """Return the input of an empty cell beside tiles, by :func:`code_of` its word."""
    return int(_CELLS + PATTERN[code] * 4 + quarter)


@njit
def code_of(word: Word) -> int:
    """Return what an empty cell borders as one number, to which each neighbour adds its part."""
    code = _POWERS[faces_of(word, ANY)]
    for kind in range(len(KINDS)):
        code += (kind + 1) * _POWERS[faces_of(word, kind)]
    return int(code)


@njit
def write_quick(s: State, out: np.ndarray, stock: np.ndarray) -> int:
    """Write the quick inputs, as :func:`write_inputs` does. A tile in hand is not looked at.

    stock: int64, (kinds, 3), overwritten with the arguments of :func:`stock_input`.
    """
    left, phase, quarter = phase_of(s)
    n = 0
    for kind in range(len(KINDS)):
        stock[kind, 0] = stock[kind, 1] = stock[kind, 2] = 0
        for tile in range(TILES):
            edges = int(s["edges"][kind, tile])
            if edges == 0:
                continue
            size = int(s["size"][kind, tile])
            first, second = needs(s, kind, tile)
            out[n] = territory_input(kind, size, edges, first, second, phase)
            n += 1
            if first == NONE and 3 <= size <= 5:
                stock[kind, size - 3] += 1
            for _ in range(flags_of(s, kind, tile)):
                out[n] = flag_input(size, edges, phase)
                n += 1
        out[n] = stock_input(s, kind, stock[kind, 0], stock[kind, 1], stock[kind, 2], phase)
        n += 1
    for kind in range(TRACK, len(KINDS)):
        out[n] = longest_input(kind, int(s["score"][kind - 1]), phase)
        n += 1
    out[n] = tasks_input(popcount(np.uint64(s["open"])), left)
    n += 1
    for place in range(s["frontier_size"]):
        out[n] = cell_input(code_of(s["frontier"][place]), quarter)
        n += 1
    return n


@njit
def write_inputs(s: State, seat: Seat, out: np.ndarray) -> int:
    """Write which inputs are on, some of them more than once, for every seat; return how many these are.

    s: no tile is in hand. out: int32, (MOST_INPUTS,).
    """
    n = write_quick(s, out, np.empty((len(KINDS), 3), np.int64))
    _, phase, quarter = phase_of(s)
    landscape, tasks = s["landscape"], np.uint64(s["tasks"])
    ready, chances = np.zeros((len(KINDS), 3), np.int64), np.zeros((tiles.TASKS, 4), np.uint64)
    marked = 0
    for kind in range(len(KINDS)):
        marked |= (np.uint64(s["open"]) & _HAS_TASK[kind] != _0) << kind
    for place in range(s["frontier_size"]):
        word = s["frontier"][place]
        fit, occupied = _FIT[word & tiles.PATTERN], COUNT[faces_of(word, ANY)]
        fitting = _COUNT[popcount(fit[0] & landscape) + popcount(fit[1] & tasks)]
        out[n] = _FITS + (occupied * _COUNTS + fitting) * 4 + quarter
        n += 1
        ways = COUNT[faces_of(word, TRACK)], COUNT[faces_of(word, tiles.STREAM)]
        for kind in range(len(KINDS)):
            faces = faces_of(word, kind)
            if faces == 0:
                continue
            about = territories_about(s, kind, word, faces)
            size, joined, low, high = 1, 0, _0, _0
            while faces:
                there = spread_of(about, LOWEST[faces])
                faces &= faces - 1
                if not is_in(low, high, there):
                    low |= _1 << np.uint64(there) if there < 64 else _0
                    high |= _1 << np.uint64(there & 63) if there >= 64 else _0
                    size += int(s["size"][kind, there])
                    joined += 1
            mark, waiting = 0, np.uint64(s["open"]) & _HAS_TASK[kind]
            while waiting != _0 and (marked >> kind) & 1:
                task = popcount((waiting & (~waiting + _1)) - _1)
                waiting &= waiting - _1
                if not is_in(low, high, int(s["territory"][kind, LANDSCAPE + task])):
                    continue
                short = int(s["marked"][task]) - size
                if short == 0:
                    mark = 1
                elif short < 0:
                    mark = mark if mark == 1 else 4
                elif mark == 0:
                    mark = 2 if short == 1 else 3
                if short >= 0:
                    at = 0 if short == 0 else 2
                    chances[task, at] |= fit[0] & _HAS[kind, 0]
                    chances[task, at + 1] |= fit[1] & _HAS[kind, 1]
            if mark == 0 and _FEWEST <= size < _FEWEST + 3:
                ready[kind, size - _FEWEST] += 1
            others = ways[0] + ways[1] if kind < TRACK else ways[1] if kind == TRACK else ways[0]
            size = min(size, _JOINED - 1) if kind < TRACK or size < 12 else 12 if size < 16 else 13
            row = (((_SORT[kind] * 3 + min(joined, 3) - 1) * _JOINED + size) * _MARKS + mark) * 7 + occupied
            out[n] = _JOINS + (row * 4 + min(others, 3)) * 4 + quarter
            n += 1
    waiting = np.uint64(s["open"])
    while waiting != _0:
        task = popcount((waiting & (~waiting + _1)) - _1)
        waiting &= waiting - _1
        kind = TASK_KIND[LANDSCAPE + task]
        need = int(s["marked"][task]) - int(s["size"][kind, s["territory"][kind, LANDSCAPE + task]])
        exact = _COUNT[popcount(chances[task, 0] & landscape) + popcount(chances[task, 1] & tasks)]
        nearer = _COUNT[popcount(chances[task, 2] & landscape) + popcount(chances[task, 3] & tasks)]
        row = (_SORT[kind] * NEEDS + min(need, NEEDS - 1)) * _COUNTS + exact
        out[n] = _CHANCES + (row * 5 + (nearer + 1) // 2) * _PHASE + phase
        n += 1
    for kind in range(len(KINDS)):
        for number in range(3):
            coming = 0
            for marker in range(MOST_MARKERS):
                coming += s["hidden"][MOST_MARKERS * kind + marker] == _FEWEST + number
            row = ((_SORT[kind] * 3 + number) * 4 + min(ready[kind, number], 3)) * 3 + min(coming, 2)
            out[n] = _READY + row * _PHASE + phase
            n += 1
    for kind in range(TRACK, len(KINDS)):
        size, edges = 0, 0
        for tile in range(TILES):
            if s["edges"][kind, tile] > 0 and s["size"][kind, tile] > size:
                size, edges = int(s["size"][kind, tile]), int(s["edges"][kind, tile])
        row = (kind - TRACK) * _SIZES + min(int(s["score"][kind - 1]), _SIZES - 1)
        out[n] = _GROWING + ((row * _SIZES + min(size, _SIZES - 1)) * 4 + min(edges, 3)) * 4 + quarter
        n += 1
    return n
