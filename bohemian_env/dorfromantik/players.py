"""The scripted players, and by how much each placement makes the score grow, found without carrying it out."""

from typing import Final, NamedTuple

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.chance import STEP, mix
from ..engine.compiled import njit
from ..engine.contract import Action
from ..engine.contract import Scripted as _Scripted
from ..engine.legal import pick_random
from . import tiles
from .planner import weights
from .rules import faces_of, is_in, joined_territory, spread_of, territories_about, turns_at
from .state import STATE, State, whole
from .tiles import ANY, EDGES_OF, FLAG_KIND, LANDSCAPE, LOWEST, TASK_KIND, TRACK
from .worths import worths_of

SCRIPTED: Final = {
    "random": "any legal action, each as likely as any other",
    "greedy": "the placement by which the score grows most at once; of these, one that brings most markers nearer; of "
    "these, one with most edges that match",
    "planner": "the placement after which named features of the position, with weights that were tuned, are worth most",
}
"""What each player does, by name. Compiled code numbers them in this order."""
_RANDOM, _GREEDY = 0, 1
MOST_LEGAL: Final = 6 * STATE["frontier"].shape[0]
"""A number that no position has more legal actions than."""
_CELL: Final = np.uint64(tiles.CELL_AT)
_0, _1 = np.uint64(0), np.uint64(1)
_BEST: Final = np.array([0, 0, 0, 2, 3])  # the columns of the longest track and stream, by kind
_NEARER, _MOST_MERITS = 8, 256
_OWN: Final = -1  # instead of a territory: that of the tile to be placed


class Scripted(_Scripted):
    """A scripted player of :data:`SCRIPTED`: its name, and the seed of its own random choices, 0 to 2**63 - 1."""

    known = SCRIPTED


class Scratch(NamedTuple):
    """What players write to beside the position; each thread needs its own. All but the last two are int64."""

    actions: np.ndarray
    """(MOST_LEGAL,): legal actions, in no order that means anything."""
    growths: np.ndarray
    """(MOST_LEGAL,): by how much the score grows with each of them (D24)."""
    merits: np.ndarray
    """(MOST_LEGAL,): what else is good of it: _NEARER for each marker whose territory grows and stays open, and 1 for
    each edge that meets one of its kind."""
    stakes: np.ndarray
    """(…, 3): markers that lie out and flags that have not counted, each by its kind, its territory or _OWN, and the
    number on the marker, 0 for a flag."""
    worths: np.ndarray
    """float64, (MOST_LEGAL,): what each of them is worth to ``planner``."""
    weights: np.ndarray
    """float32, (QUICK,): by these; never overwritten."""


def new_scratch() -> Scratch:
    """Return scratch for :func:`choose`."""
    actions, growths, merits = (np.empty(MOST_LEGAL, np.int64) for _ in range(3))
    stakes = np.empty((tiles.TASKS + len(tiles.FLAGGED) + 1, 3), np.int64)
    return Scratch(actions, growths, merits, stakes, np.empty(MOST_LEGAL), weights())


@njit
def write_growths(s: State, scratch: Scratch) -> int:
    """Write actions, growths and merits of all legal placements to ``scratch``, and return how many there are.

    What a placement scores depends on the territories that touch its cell and on no others. A player decides in ``s``.
    """
    tile, count, staked = whole(s["hand"]), 0, write_stakes(s, scratch.stakes)
    kinds = (1 << TRACK) | (1 << tiles.STREAM)
    for i in range(staked):
        kinds |= 1 << scratch.stakes[i, 0]
    for place in range(s["frontier_size"]):
        word = s["frontier"][place]
        cell = whole(word >> _CELL)
        turns = turns_at(s, cell)
        if turns == 0:
            continue
        first, left = count, turns
        while left:
            scratch.actions[count] = 6 * cell + LOWEST[left]
            scratch.growths[count] = scratch.merits[count] = 0
            left &= left - 1
            count += 1
        for kind in range(len(tiles.KINDS)):
            faces = faces_of(word, kind)
            add_matches(tile, kind, faces, turns, scratch.merits, first)
            if (kinds >> kind) & 1:
                add_growths(s, tile, kind, word, faces, turns, scratch, first, staked)
    return count


@njit
def write_stakes(s: State, stakes: np.ndarray) -> int:
    """Write what of markers and flags is open, the tile in hand among it, and return how many these are."""
    count, tile = 0, whole(s["hand"])
    if s["number"] or FLAG_KIND[tile] != ANY:
        stakes[0, 0], stakes[0, 1], stakes[0, 2] = max(TASK_KIND[tile], FLAG_KIND[tile]), _OWN, s["number"]
        count = 1
    tasks, flags = np.uint64(s["open"]), s["flags"]
    while tasks | flags != _0:
        if tasks != _0:
            task = popcount((tasks & (~tasks + _1)) - _1)
            tasks &= tasks - _1
            tile, kind, number = LANDSCAPE + task, TASK_KIND[LANDSCAPE + task], whole(s["marked"][task])
        else:
            tile = popcount((flags & (~flags + _1)) - _1)
            flags &= flags - _1
            kind, number = FLAG_KIND[tile], 0
        stakes[count, 0], stakes[count, 1], stakes[count, 2] = kind, s["territory"][kind, tile], number
        count += 1
    return count


@njit
def add_matches(tile: int, kind: int, faces: int, turns: int, merits: np.ndarray, at: int) -> None:
    """Add how many of a cell's faces of a kind meet edges of it, for each of some rotations of a tile."""
    while turns and faces:
        merits[at] += tiles.COUNT[faces & EDGES_OF[6 * tile + LOWEST[turns], kind]]
        turns &= turns - 1
        at += 1


@njit
def add_growths(
    s: State, tile: int, kind: int, word: Word, faces: int, turns: int, scratch: Scratch, at: int, staked: int
) -> None:
    """Add what the territories of a kind at a cell score, for each of some rotations of a tile (D16, D19, D22)."""
    about, stakes, low, high = territories_about(s, kind, word, faces), scratch.stakes, _0, _0
    left, touched = faces, kind >= TRACK
    while left:
        there = spread_of(about, LOWEST[left])
        left &= left - 1
        low |= _1 << np.uint64(there) if there < 64 else _0
        high |= _1 << np.uint64(there & 63) if there >= 64 else _0
    for i in range(staked):
        touched |= stakes[i, 0] == kind and (stakes[i, 1] == _OWN or is_in(low, high, stakes[i, 1]))
    while turns and touched:
        own, growth, size, edges, low, high = whole(EDGES_OF[6 * tile + LOWEST[turns], kind]), 0, 0, 0, _0, _0
        turns &= turns - 1
        if own:
            size, edges, low, high = joined_territory(s, kind, about, faces, own, faces_of(word, ANY))
            growth = max(size - s["score"][_BEST[kind]], 0) if kind >= TRACK else 0
        for i in range(staked):
            there, number = stakes[i, 1], stakes[i, 2]
            if stakes[i, 0] != kind:
                continue
            if there == _OWN or is_in(low, high, there):
                growth += size if (size == number if number else edges == 0) else 0
                scratch.merits[at] += _NEARER if size < number and edges > 0 else 0
            elif number == 0:
                growth += size_if_closed(s, kind, there, about, faces)
        scratch.growths[at] += growth
        at += 1


@njit
def size_if_closed(s: State, kind: int, there: int, about: Word, faces: int) -> int:
    """Return the tiles of a territory if it is closed once a cell is filled that all of ``faces`` border, else 0."""
    edges, size = whole(s["edges"][kind, there]), whole(s["size"][kind, there])
    while faces:
        edges -= spread_of(about, LOWEST[faces]) == there
        faces &= faces - 1
    return size if edges == 0 else 0


@njit
def greedy_action(s: State, word: Word, scratch: Scratch) -> Action:
    """Return the placement by which the score grows most; of these, one with most merits; of these, any, by a random
    number, whatever order they are found in. A player decides in ``s``.
    """
    best, most, lot = 0, -1, _0
    for i in range(write_growths(s, scratch)):
        value = _MOST_MERITS * scratch.growths[i] + scratch.merits[i]
        own_lot = mix(word + np.uint64(scratch.actions[i]) * STEP)
        if value > most or (value == most and own_lot > lot):
            best, most, lot = scratch.actions[i], value, own_lot
    return best


@njit
def planner_action(s: State, word: Word, scratch: Scratch) -> Action:
    """Return the placement that is worth most by ``scratch.weights``; of equal ones any, as :func:`greedy_action`."""
    best, most, lot = 0, -np.inf, _0
    for i in range(worths_of(s, scratch.weights, scratch.actions, scratch.worths)):
        value = round(scratch.worths[i], 3)  # sums of the same numbers in another order are equal then
        if value >= most:
            own_lot = mix(word + np.uint64(scratch.actions[i]) * STEP)
            if value > most or own_lot > lot:
                best, most, lot = scratch.actions[i], value, own_lot
    return best


@njit
def choose(number: int, s: State, word: Word, scratch: Scratch) -> Action:
    """Return the action of scripted player ``number`` where a player decides. Neither is checked.

    word: its own random number for this decision.
    """
    if number == _RANDOM:
        return pick_random(s, word)
    return greedy_action(s, word, scratch) if number == _GREEDY else planner_action(s, word, scratch)
