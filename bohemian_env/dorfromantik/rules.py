"""The rules, D1 to D32: their one implementation, compiled.

Every function works in place on one position ``s``. Nothing here is random: a tile or a marker comes in by its number.
A game begins with :func:`set_up` and goes on, until it is over (``end > 0``), with :func:`deal` where chance is due
(``pending > 0``) and :func:`push` where a player decides (``legal`` has a bit).

A *territory* (D14) is kept by kind and by its root, one of its tiles, which has its size and its open edges; the word of
an empty cell (tiles.py) says which edges it borders. So no territory is ever walked through.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.compiled import njit
from ..engine.contract import Action
from .state import GONE, LYING, NO_TILE, SCORING, State
from .tiles import (
    CELL_AT,
    COUNT,
    DIRECTIONS,
    EDGES_OF,
    FACES_AT,
    FITS,
    FITS_AS,
    FLAG_KIND,
    KINDS,
    LANDSCAPE,
    LOWEST,
    MOST_MARKERS,
    NEIGHBOUR,
    OCCUPIED_AT,
    SHOWS,
    STREAM,
    TASK_KIND,
    TORUS,
    TRACK,
)

__all__ = [
    "FRONTIER", "MARKER_DUE", "NO_STACK", "PATTERN", "TASK_STACK", "TILE_DUE", "TILE_STACK", "clear_board",
    "count_flags", "deal", "faces_of", "find_legal", "go_on", "hide", "joined_territory", "lay", "lies_in", "lift",
    "occupied_of", "push", "root_of", "roots_about", "score", "score_up", "set_up", "stack_due", "turns_at",
    "within_window",
]  # fmt: skip

TILE_DUE, MARKER_DUE = 1, 2
"""Values of ``pending``."""
NO_STACK, TASK_STACK, TILE_STACK = 0, 1, 2
FRONTIER: Final = 100
"""What the place of an empty cell in the frontier is raised by in ``cells``."""
_NO_TILE_LEFT: Final = 1
_KINDS: Final = len(KINDS)
_MARKERS, _FLAGS, _TRACK, _STREAM, _TOTAL = range(len(SCORING))
_STEP_Q, _STEP_R = (np.array(steps, np.int64) for steps in zip(*DIRECTIONS, strict=True))
U = np.uint64
_0, _1, _6, _58, _64, _SIX = U(0), U(1), U(6), U(58), U(64), U(63)
_OCCUPIED, _CELL = U(OCCUPIED_AT), U(CELL_AT)
PATTERN: Final = U((1 << OCCUPIED_AT) - 1)
"""What of a word says which tiles fit (``tiles.FITS``)."""


# --- set-up and course ---


@njit
def set_up(s: State, seed: Word, common: np.void) -> None:
    """Set up a game (D2, D3), whose first tile is due then. s: blank or of another game. common: of ``setup.COMMON``.

    The seed draws nothing before the first tile.
    """
    s["players"], s["open_tasks"] = common["players"], common["open_tasks"]
    s["left_in_box"], s["window"] = common["left_in_box"], common["window"]
    s["numbers"][:] = common["numbers"]
    s["hidden"][:] = common["numbers"]
    s["landscape"], s["tasks"], s["markers"] = common["landscape"], common["tasks"], common["markers"]
    s["hand"], s["number"], s["turn"], s["end"] = NO_TILE, 0, 0, 0
    s["tiles"][:] = 0
    s["marked"][:] = 0
    s["fulfilled"], s["aborted"] = 0, 0
    clear_board(s)
    s["legal"][:] = _0
    go_on(s)


@njit
def clear_board(s: State) -> None:
    """Write an empty landscape: its one frontier cell is (0, 0), where the first tile goes (D7)."""
    s["open"], s["flags"] = 0, _0
    s["score"][:] = 0
    s["span"][:] = 0
    s["cells"][:] = 0
    s["size"][:] = 0
    s["edges"][:] = 0
    s["root"][:] = 0
    s["frontier"][:] = _0
    s["frontier_size"] = 1
    s["cells"][0] = FRONTIER


@njit
def stack_due(s: State) -> int:
    """Return the stack that the next tile comes from (D4): task tiles, landscape tiles, or none is left (D21)."""
    if popcount(U(s["open"])) < s["open_tasks"] and s["tasks"] != 0:
        return TASK_STACK
    return TILE_STACK if popcount(s["landscape"]) > s["left_in_box"] else NO_STACK


@njit
def go_on(s: State) -> None:
    """Go on to the next reveal, before which it is the next seat's turn (D20), or to the end (D21)."""
    if stack_due(s) == NO_STACK:
        s["end"], s["pending"] = _NO_TILE_LEFT, 0
    else:
        s["end"], s["pending"] = 0, TILE_DUE
        s["to_move"] = s["turn"] % s["players"]


@njit
def deal(s: State, k: int) -> None:
    """Reveal tile ``k``, or, where that is due, marker ``k`` for the task tile in hand (D4, D5, D27).

    A tile that has no legal move then leaves the game, and the turn ends (D13).
    """
    if s["pending"] == TILE_DUE:
        s["turn"] += 1
        s["hand"] = k
        if k >= LANDSCAPE:
            s["tasks"] &= ~(_1 << U(k - LANDSCAPE))
            s["pending"] = MARKER_DUE
            return
        s["landscape"] &= ~(_1 << U(k))
    else:
        s["markers"] &= ~(_1 << U(k))
        s["number"] = s["numbers"][k]
        hide(s, k)
    s["pending"] = 0
    if not find_legal(s):
        s["tiles"][s["hand"], 0] = GONE
        put_down(s)
        go_on(s)


@njit
def hide(s: State, k: int) -> None:
    """Take the number of marker ``k`` from those not seen yet; of equal ones the first, so that it does not show which."""
    place = k - k % MOST_MARKERS
    while s["hidden"][place] != s["numbers"][k]:
        place += 1
    s["hidden"][place] = 0


@njit
def put_down(s: State) -> None:
    """Note with which marker the tile in hand lies, or leaves, and leave the hand empty."""
    if s["hand"] >= LANDSCAPE:
        s["marked"][s["hand"] - LANDSCAPE] = s["number"]
    s["hand"], s["number"] = NO_TILE, 0


@njit
def push(s: State, action: Action) -> None:
    """Place the tile in hand (D6), then carry out D16, D19 and D20."""
    s["legal"][:] = _0
    tile = np.int64(s["hand"])
    number = s["number"]
    cell = action // 6
    lay(s, tile, cell, action - 6 * cell)
    put_down(s)
    if number:
        s["open"] |= _1 << U(tile - LANDSCAPE)
    judge_markers(s)
    count_flags(s)
    score_up(s)
    go_on(s)


# --- legality ---


@njit
def find_legal(s: State) -> bool:
    """Write the legal actions of the tile in hand (D7 to D12, D26) to ``legal``, all 0; return whether there are any."""
    tile = np.int64(s["hand"])
    kind, number = np.int64(TASK_KIND[tile]), np.int64(s["number"])
    fits, frontier, legal = FITS[FITS_AS[tile]], s["frontier"], s["legal"]
    span = s["span"]
    narrow = max(span[1] - span[0], span[3] - span[2]) + 1 >= s["window"]
    found = False
    for place in range(s["frontier_size"]):
        word = frontier[place]
        turns = np.int64(fits[word & PATTERN])  # D8, D9; everything may meet W, G, V and M (D10)
        if turns == 0 or (narrow and not within_window(s, word)):
            continue
        if kind >= 0:
            turns = turns_that_suit(s, word, tile, turns, kind, number)
        if s["turn"] == 1:
            turns &= 1  # D7
        at = _6 * (word >> _CELL)
        legal[at >> _6] |= U(turns) << (at & _SIX)
        if at & _SIX > _58:
            legal[(at >> _6) + _1] |= U(turns) >> (_64 - (at & _SIX))
        found |= turns != 0
    return found


@njit
def within_window(s: State, word: Word) -> bool:
    """Return whether the landscape spans no more than the window with a tile in an empty cell (D26)."""
    span, most = s["span"], s["window"]
    cell = np.int64(word >> _CELL)
    q, r = lift(cell // TORUS, span[0]), lift(cell % TORUS, span[2])
    return max(q, span[1]) - min(q, span[0]) < most and max(r, span[3]) - min(r, span[2]) < most


@njit
def lift(wrapped: int, lowest: int) -> int:
    """Return the coordinate that a cell of the torus, or one beside the landscape, has, by the landscape's lowest."""
    above = wrapped - lowest + 1
    return lowest - 1 + (above if above < TORUS else above - TORUS)


@njit
def turns_that_suit(s: State, word: Word, tile: int, turns: int, kind: int, number: int) -> int:
    """Return in which rotations a task tile's own territory would have no more tiles than its marker asks (D11), nor
    fewer and be closed (D12)."""
    faces, occupied = faces_of(word, kind), occupied_of(word)
    roots = roots_about(s, kind, word, faces)
    suit, left = 0, turns
    while left:
        turn = LOWEST[left]
        left &= left - 1
        size, edges, _, _ = joined_territory(s, kind, roots, faces, np.int64(EDGES_OF[6 * tile + turn, kind]), occupied)
        if size == number or (size < number and edges > 0):
            suit |= 1 << turn
    return suit


# --- territories (D14, D15) ---


@njit
def faces_of(word: Word, kind: int) -> int:
    """Return the directions in which an empty cell borders edges of a kind."""
    return np.int64((word >> U(FACES_AT + 6 * kind)) & _SIX)


@njit
def occupied_of(word: Word) -> int:
    """Return the directions in which an empty cell has a tile beside it."""
    return np.int64((word >> _OCCUPIED) & _SIX)


@njit
def root_of(root: np.ndarray, tile: int) -> int:
    """Return the root of a tile's territory. root: that of the kind, (TILES,)."""
    while root[tile] != tile:
        tile = np.int64(root[tile])
    return tile


@njit
def roots_about(s: State, kind: int, word: Word, faces: int) -> Word:
    """Return the roots of the territories of a kind that an empty cell borders, eight bits for each direction."""
    root, cells, cell = s["root"][kind], s["cells"], np.int64(word >> _CELL)
    roots = _0
    while faces:
        direction = LOWEST[faces]
        faces &= faces - 1
        roots |= U(root_of(root, np.int64(cells[NEIGHBOUR[cell, direction]]) - 1)) << U(8 * direction)
    return roots


@njit
def lies_in(low: Word, high: Word, root: int) -> bool:
    """Return whether a root is in the set of roots of two words."""
    return ((low if root < 64 else high) >> U(root & 63)) & _1 != _0


@njit
def joined_territory(
    s: State, kind: int, roots: Word, faces: int, own: int, occupied: int
) -> tuple[int, int, Word, Word]:
    """Return what territory of a kind a tile would belong to in an empty cell: its tiles, its open edges, and the roots
    that become one, as a set in two words.

    roots, faces, occupied: of the cell. own: the directions in which the tile would have edges of the kind, not none.
    """
    sizes, edges = s["size"][kind], s["edges"][kind]
    size, left = 1, COUNT[own & ~occupied]
    low, high = _0, _0
    joined = own & faces
    while joined:
        direction = LOWEST[joined]
        joined &= joined - 1
        root = np.int64((roots >> U(8 * direction)) & U(255))
        if not lies_in(low, high, root):
            size += sizes[root]
            left += edges[root]
            if root < 64:
                low |= _1 << U(root)
            else:
                high |= _1 << U(root & 63)
    if size > 1:
        while faces:  # each of which borders no empty cell any longer
            direction = LOWEST[faces]
            faces &= faces - 1
            left -= lies_in(low, high, np.int64((roots >> U(8 * direction)) & U(255)))
    return size, left, low, high


@njit
def lay(s: State, tile: int, cell: int, turn: int) -> None:
    """Put a tile into a frontier cell and make the territories up that it belongs to or borders (D14, D15)."""
    cells, frontier = s["cells"], s["frontier"]
    place = np.int64(cells[cell]) - FRONTIER
    word, last = frontier[place], s["frontier_size"] - 1
    moved = frontier[last]
    frontier[place] = moved
    cells[moved >> _CELL] = FRONTIER + place
    frontier[last] = _0
    s["frontier_size"] = last
    cells[cell] = tile + 1

    span, row = s["span"], s["tiles"][tile]
    q, r = lift(cell // TORUS, span[0]), lift(cell % TORUS, span[2])
    span[0], span[1] = min(q, span[0]), max(q, span[1])
    span[2], span[3] = min(r, span[2]), max(r, span[3])
    row[0], row[1], row[2], row[3] = LYING, q, r, turn

    shown, occupied = 6 * tile + turn, occupied_of(word)
    for kind in range(_KINDS):
        own, faces = np.int64(EDGES_OF[shown, kind]), faces_of(word, kind)
        if own | faces:
            join(s, kind, tile, cell, own, faces, occupied)
    for direction in range(6):
        beside = NEIGHBOUR[cell, direction]
        there = np.int64(cells[beside])
        if there >= FRONTIER:
            frontier[there - FRONTIER] |= SHOWS[shown, direction]
        elif there == 0:
            last = s["frontier_size"]
            frontier[last] = SHOWS[shown, direction] | (U(beside) << _CELL)
            cells[beside] = FRONTIER + last
            s["frontier_size"] = last + 1
    if FLAG_KIND[tile] >= 0:
        s["flags"] |= _1 << U(tile)


@njit
def join(s: State, kind: int, tile: int, cell: int, own: int, faces: int, occupied: int) -> None:
    """Make up the territories of a kind about a tile that was put into a cell.

    own, faces, occupied: the directions in which it has edges of the kind, borders such, and has neighbours.
    """
    root, sizes, edges, cells = s["root"][kind], s["size"][kind], s["edges"][kind], s["cells"]
    top = tile
    if own:
        root[tile], sizes[tile], edges[tile] = tile, 1, COUNT[own & ~occupied]
    while faces:
        direction = LOWEST[faces]
        faces &= faces - 1
        other = root_of(root, np.int64(cells[NEIGHBOUR[cell, direction]]) - 1)
        edges[other] -= 1
        if (own >> direction) & 1 and other != top:
            if sizes[other] < sizes[top]:
                top, other = other, top
            root[top] = other
            sizes[other] += sizes[top]
            edges[other] += edges[top]
            sizes[top], edges[top] = 0, 0
            top = other
    if own and kind == TRACK:
        s["score"][_TRACK] = max(s["score"][_TRACK], sizes[top])
    elif own and kind == STREAM:
        s["score"][_STREAM] = max(s["score"][_STREAM], sizes[top])


# --- markers, flags and score ---


@njit
def judge_markers(s: State) -> None:
    """Look at every marker that lies out: fulfilled, aborted, or it stays (D16). The tile itself stays (D17)."""
    left = U(s["open"])
    while left != _0:
        task = popcount((left & (~left + _1)) - _1)
        bit = _1 << U(task)
        left &= ~bit
        kind, number = TASK_KIND[LANDSCAPE + task], s["marked"][task]
        root = root_of(s["root"][kind], np.int64(LANDSCAPE + task))
        size = s["size"][kind, root]
        if size < number and s["edges"][kind, root] > 0:
            continue
        s["open"] &= ~bit
        if size == number:
            s["fulfilled"] |= bit
            s["score"][_MARKERS] += number
        else:
            s["aborted"] |= bit


@njit
def count_flags(s: State) -> None:
    """Count every flag whose territory is closed and that has not counted yet (D19)."""
    left = s["flags"]
    while left != _0:
        tile = popcount((left & (~left + _1)) - _1)
        left &= left - _1
        kind = FLAG_KIND[tile]
        root = root_of(s["root"][kind], np.int64(tile))
        if s["edges"][kind, root] == 0:
            s["flags"] &= ~(_1 << U(tile))
            s["score"][_FLAGS] += s["size"][kind, root]


@njit
def score_up(s: State) -> None:
    """Write the total (D22), which is the score so far at any time (D24)."""
    parts = s["score"]
    parts[_TOTAL] = parts[_MARKERS] + parts[_FLAGS] + parts[_TRACK] + parts[_STREAM]


@njit
def score(s: State, out: np.ndarray) -> None:
    """Score a position as it stands (D22, D24), for every seat the same (D25). Markers that lie out and flags that have
    not counted give nothing (D30).

    out: int64, (players or more, 5), overwritten.
    """
    for seat in range(s["players"]):
        out[seat, :] = s["score"]


@njit
def turns_at(s: State, cell: int) -> int:
    """Return the legal rotations of the tile in hand in a cell, as six bits."""
    at, legal = U(6 * cell), s["legal"]
    turns = legal[at >> _6] >> (at & _SIX)
    if at & _SIX > _58:
        turns |= legal[(at >> _6) + _1] << (_64 - (at & _SIX))
    return np.int64(turns & _SIX)
