"""The rules, D1 to D32: their one implementation, compiled.

Every function works in place on one position ``s``. Nothing here is random: a tile or a marker comes in by its number.
A game begins with :func:`set_up` and goes on, until it is over (``end > 0``), with :func:`deal` where chance is due
(``pending > 0``) and :func:`push` where a player decides (``legal`` has a bit).

A *territory* (D14) is known by its kind and its lowest tile, which has its size and its open edges; the word of an
empty cell (tiles.py) says which edges it borders. So no territory is ever walked through.
"""

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.compiled import njit
from ..engine.contract import Action
from . import tiles
from .state import COLUMNS, GONE, LYING, NO_TILE, State, whole
from .tiles import COUNT, LANDSCAPE, LOWEST, MOST_MARKERS, TASK_KIND, TILES, TORUS

TILE_DUE, MARKER_DUE = 1, 2
"""Values of ``pending``."""
NO_STACK, TASK_STACK, LANDSCAPE_STACK = 0, 1, 2
FRONTIER: Final = 100
"""What the place of an empty cell in the frontier is raised by in ``cells``."""
_MARKERS, _FLAGS, _TRACK, _STREAM, _TOTAL = range(COLUMNS)
U = np.uint64
_0, _1, _6, _8, _58, _64, _BYTE, _SIX = U(0), U(1), U(6), U(8), U(58), U(64), U(255), U(63)
_CELL: Final = U(tiles.CELL_AT)


# --- set-up and turns ---


@njit
def set_up(s: State, seed: Word, common: np.void) -> None:
    """Set up a game (D2, D3), whose first tile is due then; the seed draws nothing before.

    s: blank or of another game. common: of ``setup.COMMON``.
    """
    s["players"], s["open_tasks"] = common["players"], common["open_tasks"]
    s["left_in_box"], s["window"] = common["left_in_box"], common["window"]
    s["numbers"][:] = common["numbers"]
    s["hidden"][:] = common["numbers"]
    s["landscape"], s["tasks"], s["markers"] = common["landscape"], common["tasks"], common["markers"]
    s["turn"], s["hand"], s["number"] = 0, NO_TILE, 0
    s["tiles"][:] = 0
    s["marked"][:] = 0
    s["open"], s["fulfilled"], s["aborted"], s["flags"] = 0, 0, 0, _0
    s["score"][:] = 0
    s["span"][:] = 0
    s["territory"][:] = 0
    s["size"][:] = 0
    s["edges"][:] = 0
    s["cells"][:] = 0
    s["frontier"][:] = _0
    s["frontier_size"] = 1
    s["cells"][0] = FRONTIER  # (0, 0), where the first tile goes (D7)
    s["legal"][:] = _0
    go_on(s)


@njit
def stack_due(s: State) -> int:
    """Return the stack that the next tile comes from (D4): task tiles, landscape tiles, or none (D21)."""
    if popcount(U(s["open"])) < s["open_tasks"] and s["tasks"] != 0:
        return TASK_STACK
    return LANDSCAPE_STACK if popcount(s["landscape"]) > s["left_in_box"] else NO_STACK


@njit
def go_on(s: State) -> None:
    """Go on to the next seat's reveal (D20), or to the end if there is no tile for it (D21)."""
    over = stack_due(s) == NO_STACK
    s["end"], s["pending"] = over, 0 if over else TILE_DUE
    s["to_move"] = max(s["turn"] - 1, 0) % s["players"] if over else s["turn"] % s["players"]


@njit
def deal(s: State, k: int) -> None:
    """Reveal tile ``k``, or, where that is due, marker ``k`` for the task tile in hand (D4, D5, D27).

    A tile that has no legal move then leaves the game, its marker with it, and the turn ends (D13).
    """
    if s["pending"] == MARKER_DUE:
        s["markers"] &= ~(_1 << U(k))
        s["number"] = s["numbers"][k]
        hide(s, k)
    else:
        s["turn"] += 1
        s["hand"] = k
        if k >= LANDSCAPE:
            s["tasks"] &= ~(_1 << U(k - LANDSCAPE))
            s["pending"] = MARKER_DUE
            return
        s["landscape"] &= ~(_1 << U(k))
    s["pending"] = 0
    if not find_legal(s):
        s["tiles"][s["hand"], 0] = GONE
        empty_hand(s)
        go_on(s)


@njit
def hide(s: State, k: int) -> None:
    """Take the number of marker ``k`` from those not seen yet; of equal ones the first, whichever of them it is."""
    place = k - k % MOST_MARKERS
    while s["hidden"][place] != s["numbers"][k]:
        place += 1
    s["hidden"][place] = 0


@njit
def empty_hand(s: State) -> None:
    """Note with which marker the tile in hand lies, or leaves."""
    if s["hand"] >= LANDSCAPE:
        s["marked"][s["hand"] - LANDSCAPE] = s["number"]
    s["hand"], s["number"] = NO_TILE, 0


@njit
def push(s: State, action: Action) -> None:
    """Place the tile in hand (D6); then come markers, flags and the next turn (D16, D19, D20)."""
    s["legal"][:] = _0
    tile, cell = whole(s["hand"]), action // 6
    lay(s, tile, cell, action - 6 * cell)
    if tile >= LANDSCAPE:
        s["open"] |= _1 << U(tile - LANDSCAPE)
    empty_hand(s)
    judge(s)
    go_on(s)


@njit
def judge(s: State) -> None:
    """Look at every marker that lies out: fulfilled, aborted, or it stays (D16); its tile stays in any case (D17). Then
    count every flag whose territory is closed and that has not counted yet (D19), and add up the score (D22, D24).
    """
    parts, left = s["score"], U(s["open"])
    while left != _0:
        bit = left & (~left + _1)
        left &= ~bit
        task = popcount(bit - _1)
        kind, number = TASK_KIND[LANDSCAPE + task], s["marked"][task]
        there = s["territory"][kind, LANDSCAPE + task]
        size = s["size"][kind, there]
        if size == number:
            s["fulfilled"] |= bit
            parts[_MARKERS] += number
        elif size > number or s["edges"][kind, there] == 0:
            s["aborted"] |= bit
        else:
            continue
        s["open"] &= ~bit
    left = s["flags"]
    while left != _0:
        bit = left & (~left + _1)
        left &= ~bit
        tile = popcount(bit - _1)
        kind = tiles.FLAG_KIND[tile]
        there = s["territory"][kind, tile]
        if s["edges"][kind, there] == 0:
            parts[_FLAGS] += s["size"][kind, there]
            s["flags"] &= ~bit
    parts[_TOTAL] = parts[_MARKERS] + parts[_FLAGS] + parts[_TRACK] + parts[_STREAM]


@njit
def score(s: State, out: np.ndarray) -> None:
    """Score a position as it stands (D22, D24), the same for every seat (D25); what lies out gives nothing (D30).

    out: int64, (players or more, COLUMNS), overwritten.
    """
    for seat in range(s["players"]):
        for column in range(COLUMNS):
            out[seat, column] = s["score"][column]


# --- legality ---


@njit
def find_legal(s: State) -> bool:
    """Add the legal actions of the tile in hand (D7 to D12, D26) to ``legal``, which has none; return whether there are
    any.
    """
    tile, number, legal, span = whole(s["hand"]), whole(s["number"]), s["legal"], s["span"]
    fits = tiles.FITS[tiles.FITS_AS[tile]]
    wide = max(span[1] - span[0], span[3] - span[2]) + 1 >= s["window"]
    found = False
    for place in range(s["frontier_size"]):
        word = s["frontier"][place]
        turns = whole(fits[word & tiles.PATTERN])  # D8, D9; W, G, V and M edges may meet in any way (D10)
        if number:
            turns = turns_that_suit(s, word, tile, turns, number)
        if wide and not within_window(s, word):
            turns = 0
        if s["turn"] == 1:
            turns &= 1  # D7
        at = _6 * (word >> _CELL)
        legal[at >> _6] |= U(turns) << (at & _SIX)
        if at & _SIX > _58:
            legal[(at >> _6) + _1] |= U(turns) >> (_64 - (at & _SIX))
        found |= turns != 0
    return found


@njit
def turns_at(s: State, cell: int) -> int:
    """Return the legal rotations of the tile in hand in a cell, as six bits."""
    at, legal = U(6 * cell), s["legal"]
    turns = legal[at >> _6] >> (at & _SIX)
    if at & _SIX > _58:
        turns |= legal[(at >> _6) + _1] << (_64 - (at & _SIX))
    return whole(turns & _SIX)


@njit
def within_window(s: State, word: Word) -> bool:
    """Return whether the landscape spans no more than the window with a tile in an empty cell (D26)."""
    span, cell = s["span"], whole(word >> _CELL)
    q, r = lift(cell // TORUS, span[0]), lift(cell % TORUS, span[2])
    return max(max(q, span[1]) - min(q, span[0]), max(r, span[3]) - min(r, span[2])) < s["window"]


@njit
def lift(wrapped: int, lowest: int) -> int:
    """Return the coordinate that a cell of the torus has, in the landscape or beside it, by the landscape's lowest."""
    above = wrapped - lowest + 1
    return lowest - 1 + (above if above < TORUS else above - TORUS)


@njit
def turns_that_suit(s: State, word: Word, tile: int, turns: int, number: int) -> int:
    """Return in which rotations a task tile's own territory would have no more tiles than its marker asks (D11), nor
    fewer and be closed (D12).
    """
    kind, suit = TASK_KIND[tile], 0
    faces = faces_of(word, kind)
    about = territories_about(s, kind, word, faces)
    while turns:
        turn = LOWEST[turns]
        turns &= turns - 1
        own = whole(tiles.EDGES_OF[6 * tile + turn, kind])
        size, edges, _, _ = joined_territory(s, kind, about, faces, own, faces_of(word, tiles.ANY))
        if size == number or (size < number and edges > 0):
            suit |= 1 << turn
    return suit


# --- territories (D14, D15, D18) ---


@njit
def faces_of(word: Word, kind: int) -> int:
    """Return the directions in which an empty cell borders edges of a kind; of ANY, those in which a tile lies."""
    return whole((word >> U(tiles.FACES_AT + 6 * kind)) & _SIX)


@njit
def territories_about(s: State, kind: int, word: Word, faces: int) -> Word:
    """Return the territories of a kind that an empty cell borders, eight bits for each direction of ``faces``."""
    cell, found = whole(word >> _CELL), _0
    while faces:
        direction = LOWEST[faces]
        faces &= faces - 1
        beside = s["cells"][tiles.NEIGHBOUR[cell, direction]] - 1
        found |= U(s["territory"][kind, beside]) << U(8 * direction)
    return found


@njit
def spread_of(about: Word, direction: int) -> int:
    """Return the territory in a direction, of those that :func:`territories_about` returned."""
    return whole((about >> U(8 * direction)) & _BYTE)


@njit
def is_in(low: Word, high: Word, territory: int) -> bool:
    """Return whether a territory is in a set of them, which is two words."""
    return ((low if territory < 64 else high) >> U(territory & 63)) & _1 != _0


@njit
def joined_territory(
    s: State, kind: int, about: Word, faces: int, own: int, occupied: int
) -> tuple[int, int, Word, Word]:
    """Return what territory of a kind a tile would belong to in an empty cell: its tiles, its open edges, and the
    territories that become one with it, as a set in two words.

    about, faces, occupied: of the cell. own: the directions in which the tile would have edges of the kind, not none.
    """
    size, edges, low, high = 1, COUNT[own & ~occupied], _0, _0
    joined = own & faces
    while joined:
        there = spread_of(about, LOWEST[joined])
        joined &= joined - 1
        if not is_in(low, high, there):
            size += s["size"][kind, there]
            edges += s["edges"][kind, there]
            low |= _1 << U(there) if there < 64 else _0
            high |= _1 << U(there & 63) if there >= 64 else _0
    while faces and size > 1:  # edges that border no empty cell any longer
        edges -= is_in(low, high, spread_of(about, LOWEST[faces]))
        faces &= faces - 1
    return size, edges, low, high


@njit
def lay(s: State, tile: int, cell: int, turn: int) -> None:
    """Put a tile into a frontier cell and make up the territories that it belongs to or borders (D14, D15)."""
    cells, frontier, span, row = s["cells"], s["frontier"], s["span"], s["tiles"][tile]
    place, last = whole(cells[cell]) - FRONTIER, s["frontier_size"] - 1
    word, moved = frontier[place], frontier[last]
    frontier[place] = moved
    cells[moved >> _CELL] = FRONTIER + place
    frontier[last] = _0
    cells[cell] = tile + 1

    q, r = lift(cell // TORUS, span[0]), lift(cell % TORUS, span[2])
    span[0], span[1] = min(q, span[0]), max(q, span[1])
    span[2], span[3] = min(r, span[2]), max(r, span[3])
    row[0], row[1], row[2], row[3] = LYING, q, r, turn

    turned = 6 * tile + turn
    for kind in range(len(tiles.KINDS)):
        own, faces = whole(tiles.EDGES_OF[turned, kind]), faces_of(word, kind)
        if own | faces:
            join(s, kind, tile, territories_about(s, kind, word, faces), faces, own, faces_of(word, tiles.ANY))
    for direction in range(6):
        beside = tiles.NEIGHBOUR[cell, direction]
        there = whole(cells[beside])
        if there >= FRONTIER:
            frontier[there - FRONTIER] |= tiles.SHOWS[turned, direction]
        elif there == 0:
            frontier[last] = tiles.SHOWS[turned, direction] | (U(beside) << _CELL)
            cells[beside] = FRONTIER + last
            last += 1
    s["frontier_size"] = last
    if tiles.FLAG_KIND[tile] >= 0:
        s["flags"] |= _1 << U(tile)


@njit
def join(s: State, kind: int, tile: int, about: Word, faces: int, own: int, occupied: int) -> None:
    """Make up the territories of a kind about a tile that lies now. For the arguments see :func:`joined_territory`."""
    territory, sizes, edges = s["territory"][kind], s["size"][kind], s["edges"][kind]
    size, left, _, _ = joined_territory(s, kind, about, faces, own, occupied)
    lowest, apart, joined = tile, faces & ~own, faces & own
    while apart:
        edges[spread_of(about, LOWEST[apart])] -= 1
        apart &= apart - 1
    for direction in range(6):
        if (joined >> direction) & 1:
            lowest = min(lowest, spread_of(about, direction))
    while joined:
        there = spread_of(about, LOWEST[joined])
        joined &= joined - 1
        if there != lowest and sizes[there]:
            sizes[there], edges[there] = 0, 0
            for other in range(TILES):
                territory[other] = lowest if territory[other] == there else territory[other]
    if own:
        territory[tile], sizes[lowest], edges[lowest] = lowest, size, left
        if kind >= tiles.TRACK:
            best = _TRACK if kind == tiles.TRACK else _STREAM
            s["score"][best] = max(s["score"][best], size)
