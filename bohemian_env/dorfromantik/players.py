"""The scripted players, and by how much each placement makes the score grow, found without carrying it out."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.chance import STEP, mix
from ..engine.compiled import njit
from ..engine.contract import Action
from ..engine.legal import pick_random
from ..engine.scripted import Scripted as _Scripted
from .rules import faces_of, joined_territory, lies_in, occupied_of, root_of, roots_about, turns_at
from .state import MOST_FRONTIER, State
from .tiles import (
    CELL_AT,
    COUNT,
    EDGES_OF,
    FLAG_KIND,
    KINDS,
    LANDSCAPE,
    LOWEST,
    MEADOW,
    STREAM,
    TASK_KIND,
    TASKS,
    TILES,
    TRACK,
)

__all__ = ["MOST_LEGAL", "SCRIPTED", "Scratch", "Scripted", "choose", "greedy_action", "new_scratch", "write_growths"]

SCRIPTED: Final = {
    "random": "any legal action, each as likely as any other",
    "greedy": "the placement by which the score grows most at once; of these, the one with the most edges that match",
}
"""What each player does, by name. Compiled code numbers them in this order."""
_RANDOM: Final = 0
MOST_LEGAL: Final = 6 * MOST_FRONTIER
"""A number that no position has more legal actions than."""
_KINDS: Final = len(KINDS)
_CELL: Final = np.uint64(CELL_AT)
_0, _1, _8, _BYTE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(255)
_TRACK_AT, _STREAM_AT = 2, 3


class Scripted(_Scripted):
    """A scripted player of :data:`SCRIPTED`: its name, and the seed of its own random choices, 0 to 2**63 - 1."""

    known = SCRIPTED


class Scratch(NamedTuple):
    """What players write to beside the position; each thread needs its own."""

    actions: np.ndarray
    """int64, (MOST_LEGAL,)."""
    growths: np.ndarray
    """int64, (MOST_LEGAL,)."""
    matches: np.ndarray
    """int64, (MOST_LEGAL,)."""


def new_scratch() -> Scratch:
    """Return scratch for :func:`choose`."""
    return Scratch(*(np.empty(MOST_LEGAL, np.int64) for _ in Scratch._fields))


@njit
def write_growths(s: State, actions: np.ndarray, growths: np.ndarray, matches: np.ndarray) -> int:
    """Write by how much each legal placement makes the score grow (D24), as carrying it out would; return their number.

    A placement changes the territories that touch its cell and no others, so that only these are looked at.

    Args:
        s: read only; a player decides there.
        actions: int64, (MOST_LEGAL,): the legal actions, in no order that means anything.
        growths: int64, (MOST_LEGAL,): of each of them.
        matches: int64, (MOST_LEGAL,): the edges of each that meet edges of the same type, meadow among them.
    """
    tile = np.int64(s["hand"])
    stakes = np.zeros((_KINDS, TILES), np.uint8)  # markers that lie out and flags that count later, by root
    at_stake = stakes_of(s, stakes)
    kinds = at_stake | (1 << TRACK) | (1 << STREAM)
    if tile >= LANDSCAPE:
        kinds |= 1 << TASK_KIND[tile]
    elif FLAG_KIND[tile] >= 0:
        kinds |= 1 << FLAG_KIND[tile]
    count = 0
    for place in range(s["frontier_size"]):
        word = s["frontier"][place]
        cell = np.int64(word >> _CELL)
        turns = turns_at(s, cell)
        if turns == 0:
            continue
        first, left = count, turns
        while left:
            actions[count] = 6 * cell + LOWEST[left]
            left &= left - 1
            growths[count] = matches[count] = 0
            count += 1
        meadow = occupied_of(word)
        for kind in range(_KINDS):
            faces = faces_of(word, kind)
            meadow &= ~faces
            if (kinds >> kind) & 1:
                add_growths(s, tile, kind, word, faces, turns, stakes[kind], growths, first)
            if faces:
                add_matches(tile, kind, faces, turns, matches, first)
        if meadow:
            add_matches(tile, MEADOW, meadow, turns, matches, first)
    return count


@njit
def add_matches(tile: int, kind: int, faces: int, turns: int, matches: np.ndarray, first: int) -> None:
    """Add how many of a cell's faces of a kind meet edges of it, for each of some rotations of a tile."""
    while turns:
        matches[first] += COUNT[faces & EDGES_OF[6 * tile + LOWEST[turns], kind]]
        turns &= turns - 1
        first += 1


@njit
def stakes_of(s: State, stakes: np.ndarray) -> int:
    """Mark the roots of territories with a marker that lies out, or with a flag that has not counted, and return the
    kinds of these as bits. stakes: uint8, (5, TILES), all 0."""
    kinds = 0
    tasks = np.uint64(s["open"])
    while tasks != _0:
        tile = LANDSCAPE + popcount((tasks & (~tasks + _1)) - _1)
        tasks &= tasks - _1
        kind = np.int64(TASK_KIND[tile])
        stakes[kind, root_of(s["root"][kind], np.int64(tile))] = 1
        kinds |= 1 << kind
    flags = s["flags"]
    while flags != _0:
        tile = popcount((flags & (~flags + _1)) - _1)
        flags &= flags - _1
        kind = np.int64(FLAG_KIND[tile])
        stakes[kind, root_of(s["root"][kind], np.int64(tile))] = 1
        kinds |= 1 << kind
    return kinds


@njit
def add_growths(
    s: State, tile: int, kind: int, word: Word, faces: int, turns: int, stakes: np.ndarray, growths: np.ndarray, at: int
) -> None:
    """Add what the territories of one kind at a cell score for each of some rotations of a tile (D16, D19, D22)."""
    number = np.int64(s["number"]) if TASK_KIND[tile] == kind else 0
    flag = FLAG_KIND[tile] == kind
    roots, staked = _0, False
    if faces:
        roots = roots_about(s, kind, word, faces)
        left = roots
        for direction in range(6):
            staked |= (faces >> direction) & 1 != 0 and stakes[left & _BYTE] != 0
            left >>= _8
    if not (staked or number or flag or kind >= TRACK):
        return
    best = np.int64(s["score"][_TRACK_AT if kind == TRACK else _STREAM_AT])
    occupied = occupied_of(word)
    while turns:
        own = np.int64(EDGES_OF[6 * tile + LOWEST[turns], kind])
        turns &= turns - 1
        growth, size, edges, low, high = 0, 0, 0, _0, _0
        if own:
            size, edges, low, high = joined_territory(s, kind, roots, faces, own, occupied)
            if kind >= TRACK and size > best:
                growth += size - best
            if size == number:
                growth += number
            if flag and edges == 0:
                growth += size
        if staked:
            growth += growth_of_stakes(s, kind, roots, faces, size, edges, low, high)
        growths[at] += growth
        at += 1


@njit
def growth_of_stakes(s: State, kind: int, roots: Word, faces: int, size: int, edges: int, low: Word, high: Word) -> int:
    """Return what markers and flags that lie already score where a tile goes.

    roots, faces: of the cell. size, edges: of the tile's own territory there. low, high: the roots that become one with
    it; the others lose the edges that border the cell.
    """
    growth = 0
    tasks = np.uint64(s["open"])
    while tasks != _0:
        task = popcount((tasks & (~tasks + _1)) - _1)
        tasks &= tasks - _1
        tile = np.int64(LANDSCAPE + task)
        if TASK_KIND[tile] == kind and s["marked"][task] == size and lies_in(low, high, root_of(s["root"][kind], tile)):
            growth += size
    flags = s["flags"]
    while flags != _0:
        tile = np.int64(popcount((flags & (~flags + _1)) - _1))
        flags &= flags - _1
        if FLAG_KIND[tile] != kind:
            continue
        root = root_of(s["root"][kind], tile)
        if lies_in(low, high, root):
            if edges == 0:
                growth += size
            continue
        left = np.int64(s["edges"][kind, root])
        for direction in range(6):
            left -= (faces >> direction) & 1 != 0 and np.int64((roots >> np.uint64(8 * direction)) & _BYTE) == root
        if left == 0:
            growth += np.int64(s["size"][kind, root])
    return growth


@njit
def greedy_action(s: State, word: Word, scratch: Scratch) -> Action:
    """Return the placement by which the score grows most; of these, one with the most edges that match; of these, any,
    by a random number. A player decides in ``s``."""
    count = write_growths(s, scratch.actions, scratch.growths, scratch.matches)
    best, best_key, best_lot = scratch.actions[0], np.int64(-1), _0
    for i in range(count):
        key = 8 * scratch.growths[i] + scratch.matches[i]
        if key < best_key:
            continue
        lot = mix(word + np.uint64(scratch.actions[i]) * STEP)
        if key > best_key or lot > best_lot:
            best, best_key, best_lot = scratch.actions[i], key, lot
    return best


@njit
def choose(number: int, s: State, word: Word, scratch: Scratch) -> Action:
    """Return the action of scripted player ``number`` where a player decides. Neither is checked.

    word: its own random number for this decision.
    """
    return pick_random(s, word) if number == _RANDOM else greedy_action(s, word, scratch)
