"""What every legal placement is worth by the quick inputs, found as differences, without carrying one out."""

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.compiled import njit
from . import inputs, tiles
from .rules import FRONTIER, faces_of, is_in, spread_of, territories_about, turns_at
from .state import State, whole
from .tiles import ANY, COUNT, EDGES_OF, FLAG_KIND, KINDS, LANDSCAPE, LOWEST, NEIGHBOUR, TASK_KIND, TRACK

_CELL: Final = np.uint64(tiles.CELL_AT)
_0, _1 = np.uint64(0), np.uint64(1)
_SHOWN: Final = np.array([[inputs.code_of(word) for word in row] for row in tiles.SHOWS], np.int32)
"""What each turned tile adds to the code of its neighbour in each direction."""
_FACES, _SIZE, _EDGES, _FLAGS, _TASKS, _STOCK = range(6)  # columns of what is known of a territory beside a cell


@njit
def write_worths(states: np.ndarray, weights: np.ndarray, actions: np.ndarray, worths: np.ndarray) -> int:
    """See ``write_worths`` in ``agents/players/values.py``; here it is by the quick inputs."""
    return worths_of(states[0], weights, actions, worths)


@njit
def worths_of(s: State, weights: np.ndarray, actions: np.ndarray, worths: np.ndarray) -> int:
    """Write all legal actions, and what each gains at once and by the sum of the weights of the quick inputs that
    are on after it (0 at the end of the game); return how many there are.

    s: a player decides. weights: float32, (QUICK or more,). actions: int64, and worths: float64, (MOST_LEGAL or
    more,), overwritten; they are in no order that means anything.
    """
    on, stock = np.empty(inputs.MOST_INPUTS, np.int32), np.empty((len(KINDS), 3), np.int64)
    now = 0.0
    for i in range(inputs.write_quick(s, on, stock)):
        now += weights[on[i]]
    left, phase, quarter = inputs.phase_of(s)
    frontier, cells, size = s["frontier"], s["cells"], s["frontier_size"]
    codes, shown = np.empty(size, np.int64), np.empty(size, np.float64)
    for place in range(size):
        codes[place] = inputs.code_of(frontier[place])
        shown[place] = weights[inputs.cell_input(codes[place], quarter)]
    beside, worth_beside = np.empty((6, 6), np.int64), np.empty((6, 2), np.float64)
    growths, done = np.zeros(6, np.int64), np.zeros(6, np.int64)
    tile, tasks = whole(s["hand"]), popcount(np.uint64(s["open"]))
    now -= weights[inputs.tasks_input(tasks, left)]
    count = 0
    for place in range(size):
        word = frontier[place]
        cell = whole(word >> _CELL)
        turns = turns_at(s, cell)
        if turns == 0:
            continue
        first, rest = count, turns
        while rest:
            turned = 6 * tile + LOWEST[rest]
            actions[count] = 6 * cell + LOWEST[rest]
            rest &= rest - 1
            worth = now - shown[place]
            for direction in range(6):
                there = whole(cells[NEIGHBOUR[cell, direction]])
                if there == 0:
                    worth += weights[inputs.cell_input(_SHOWN[turned, direction], quarter)]
                elif there >= FRONTIER:
                    code = codes[there - FRONTIER] + _SHOWN[turned, direction]
                    worth += weights[inputs.cell_input(code, quarter)] - shown[there - FRONTIER]
            worths[count], growths[count - first], done[count - first] = worth, 0, 0
            count += 1
        for kind in range(len(KINDS)):
            faces = faces_of(word, kind)
            about = territories_about(s, kind, word, faces)
            there = _know(s, kind, about, faces, phase, weights, beside, worth_beside)
            rest, i = turns, first
            while rest:
                own = whole(EDGES_OF[6 * tile + LOWEST[rest], kind])
                rest &= rest - 1
                if own | faces:
                    _add(
                        s, kind, tile, own, word, about, there, phase, weights, beside, worth_beside, stock,
                        i, i - first, worths, growths, done,
                    )  # fmt: skip
                i += 1
        for i in range(first, count):
            lie = tasks + (tile >= LANDSCAPE) - done[i - first]
            if left == 0 and (lie >= s["open_tasks"] or s["tasks"] == 0):
                worths[i] = 0.0
            else:
                worths[i] += weights[inputs.tasks_input(lie, left)]
            worths[i] += growths[i - first]
    return count


@njit
def _know(
    s: State, kind: int, about: Word, faces: int, phase: int, weights: np.ndarray, out: np.ndarray, worth: np.ndarray
) -> int:
    """Write what matters of each territory of a kind that a cell borders, and return how many there are.

    out: int64, (6, 6): the columns above. worth: float64, (6, 2): as it is, and once the cell is filled without it.
    """
    count = 0
    while faces:
        there, own, rest = spread_of(about, LOWEST[faces]), 0, faces
        while rest:
            if spread_of(about, LOWEST[rest]) == there:
                own |= rest & -rest
            rest &= rest - 1
        faces &= ~own
        size, edges = whole(s["size"][kind, there]), whole(s["edges"][kind, there])
        first, second = inputs.needs(s, kind, there)
        flags, after = inputs.flags_of(s, kind, there), edges - COUNT[own]
        out[count, _FACES], out[count, _SIZE], out[count, _EDGES], out[count, _FLAGS] = own, size, after, flags
        out[count, _TASKS] = there if first < inputs.NONE else -1
        out[count, _STOCK] = size - 3 if first == inputs.NONE and 3 <= size <= 5 else -1
        worth[count, 0] = weights[inputs.territory_input(kind, size, edges, first, second, phase)]
        worth[count, 1] = weights[inputs.territory_input(kind, size, after, first, second, phase)] if after else 0.0
        if flags:
            worth[count, 0] += flags * weights[inputs.flag_input(size, edges, phase)]
            worth[count, 1] += flags * weights[inputs.flag_input(size, after, phase)] if after else 0.0
        count += 1
    return count


@njit
def _add(
    s: State,
    kind: int,
    tile: int,
    own: int,
    word: Word,
    about: Word,
    there: int,
    phase: int,
    weights: np.ndarray,
    beside: np.ndarray,
    worth_beside: np.ndarray,
    stock: np.ndarray,
    i: int,
    turn: int,
    worths: np.ndarray,
    growths: np.ndarray,
    done: np.ndarray,
) -> None:
    """Add what becomes of the territories of a kind: to the worth of placement ``i``, and to the growth of the score
    and the tasks that lie out no longer, both of its rotation ``turn``.
    """
    worth, growth, over = 0.0, 0, 0
    three, four, five = stock[kind, 0], stock[kind, 1], stock[kind, 2]
    size, edges, flags, low, high = 1, COUNT[own & ~faces_of(word, ANY)], whole(FLAG_KIND[tile] == kind), _0, _0
    staked = s["number"] > 0 and TASK_KIND[tile] == kind
    for j in range(there):
        left = beside[j, _EDGES]
        worth -= worth_beside[j, 0]
        joined = beside[j, _FACES] & own
        if joined:
            size += beside[j, _SIZE]
            edges += left
            flags += beside[j, _FLAGS]
            if beside[j, _TASKS] >= 0:
                staked = True
                low |= _1 << np.uint64(beside[j, _TASKS]) if beside[j, _TASKS] < 64 else _0
                high |= _1 << np.uint64(beside[j, _TASKS] & 63) if beside[j, _TASKS] >= 64 else _0
        else:
            worth += worth_beside[j, 1]
            if left == 0:
                growth += beside[j, _FLAGS] * beside[j, _SIZE]
                over += tasks_of(s, kind, beside[j, _TASKS])
        if joined or left == 0:
            three -= beside[j, _STOCK] == 0
            four -= beside[j, _STOCK] == 1
            five -= beside[j, _STOCK] == 2
    if own:
        first, second = inputs.NONE, inputs.NONE
        if staked:
            waiting = np.uint64(s["open"])
            mine = s["number"] > 0 and TASK_KIND[tile] == kind
            while mine or waiting != _0:
                if mine:
                    number, counts, mine = whole(s["number"]), True, False
                else:
                    task = popcount((waiting & (~waiting + _1)) - _1)
                    waiting &= waiting - _1
                    number = whole(s["marked"][task])
                    counts = TASK_KIND[LANDSCAPE + task] == kind and is_in(
                        low, high, whole(s["territory"][kind, LANDSCAPE + task])
                    )
                if not counts:
                    continue
                if size >= number or edges == 0:
                    over += 1
                    growth += number if size == number else 0
                    continue
                need = min(number - size, inputs.NEEDS - 1)
                if need < first:
                    first, second = need, first
                elif need < second:
                    second = need
        if edges:
            worth += weights[inputs.territory_input(kind, size, edges, first, second, phase)]
            if flags:
                worth += flags * weights[inputs.flag_input(size, edges, phase)]
            if first == inputs.NONE:
                three += size == 3
                four += size == 4
                five += size == 5
        else:
            growth += flags * size
        if kind >= TRACK:
            longest = whole(s["score"][kind - 1])
            if size > longest:
                growth += size - longest
                before = weights[inputs.longest_input(kind, longest, phase)]
                worth += weights[inputs.longest_input(kind, size, phase)] - before
    if three != stock[kind, 0] or four != stock[kind, 1] or five != stock[kind, 2]:
        worth += weights[inputs.stock_input(s, kind, three, four, five, phase)]
        worth -= weights[inputs.stock_input(s, kind, stock[kind, 0], stock[kind, 1], stock[kind, 2], phase)]
    worths[i] += worth
    growths[turn] += growth
    done[turn] += over


@njit
def tasks_of(s: State, kind: int, territory: int) -> int:
    """Return how many tasks that lie out are in a territory."""
    count, waiting = 0, np.uint64(s["open"])
    while waiting != _0:
        task = popcount((waiting & (~waiting + _1)) - _1)
        waiting &= waiting - _1
        count += TASK_KIND[LANDSCAPE + task] == kind and s["territory"][kind, LANDSCAPE + task] == territory
    return count
