"""Positions from outside, checked: the one way in which foreign bytes become positions that compiled code may read.

Compiled code trusts a position: it takes tiles, cells and roots from it as indices and looks at no bounds. Whatever
brings positions along, a state of an environment, a pickle or JSON, passes them through :func:`checked_states` first. It
looks at the configuration alone, builds all that follows from it anew, and compares.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..engine.bits import popcount
from ..engine.compiled import njit
from ..engine.errors import BadPosition
from ..engine.states import copy_states
from . import rules
from .rules import FRONTIER, MARKER_DUE, clear_board, find_legal, lay, root_of
from .setup import MOST_NUMBER
from .state import CONFIGURATION, GONE, LYING, MOST_FRONTIER, NO_TILE, STATE, WORKING, State
from .tiles import (
    EDGES_OF,
    FITS,
    FITS_AS,
    KINDS,
    LANDSCAPE,
    LOOK,
    MOST_MARKERS,
    MOST_PLAYERS,
    TASK_KIND,
    TASKS,
    TILES,
    TORUS,
    WINDOW,
)

__all__ = ["checked_states"]

_FAULTS: Final = (
    "",
    f"players: not from 1 to {MOST_PLAYERS} (D3)",
    f"open_tasks: not from 1 to {TASKS}",
    f"left_in_box: not from 0 to {LANDSCAPE}",
    f"window: not from 1 to {WINDOW}",
    f"numbers: not ascending from 1 to at most {MOST_NUMBER} within each type",
    "landscape: not a set of landscape tiles",
    "tasks: not a set of task tiles",
    "markers: not a set of the markers that there are",
    "tiles: neither hidden, lying in a cell near the first tile in a rotation that D25 names, nor gone",
    "tiles: one that lies or has left is hidden as well",
    "hand: no tile, or one that is hidden, lies or has left",
    "number: the tile in hand has no marker",
    "marked: not a number for each task tile that lies or has left, and for no other",
    "markers: those that were seen are not those on the task tiles",
    "markers: fewer of a type are left than task tiles of it",
    "fulfilled: not task tiles that lie",
    "aborted: not task tiles that lie and whose marker is not fulfilled",
    "landscape: more tiles were seen than D2 puts on the stack",
    "tiles: none lies at +0+0 r0, where the first tile goes (D7)",
    "tiles: the landscape spans more than the window (D26)",
    "tiles: they do not lie in one landscape, a tile to a cell (D6, D8)",
    "tiles: a track or a stream meets something else (D9)",
    "open: more markers lie out than there may be at once (D4)",
    "hand: not of the stack that D4 names",
    "hand: the tile has no legal move, so that D13 removes it",
    "open: a marker lies out that D16 fulfils or aborts",
    "fulfilled: the territory has fewer tiles than the marker asks (D16)",
    "aborted: the territory has no other number of tiles than the marker asks, or is not closed (D16)",
)
(
    _, _PLAYERS, _OPEN_TASKS, _LEFT_IN_BOX, _WINDOW, _NUMBERS, _LANDSCAPE, _TASKS, _MARKERS, _TILES, _TWICE, _HAND,
    _NUMBER, _MARKED, _SEEN, _TOO_FEW, _FULFILLED, _ABORTED, _BOX, _FIRST, _SPAN, _APART, _MISMATCH, _MOST_OPEN,
    _STACK, _STUCK, _DUE, _SMALL, _RIGHT,
) = range(len(_FAULTS))  # fmt: skip
_FOLLOWS: Final = tuple(
    name for name in STATE.names or () if name not in WORKING and name not in [part[0] for part in CONFIGURATION]
)
_AT_CELLS, _AT_SIZE, _AT_EDGES, _AT_ROOT, _AT_FRONTIER, _AT_FRONTIER_SIZE = range(1, len(WORKING) + 1)
_1: Final = np.uint64(1)
_TYPES: Final = len(KINDS)


def checked_states(data: object, *, rebuild: bool = False) -> np.ndarray:
    """Return a copy of positions that come from outside, (n,), dtype STATE, once everything in them is checked.

    Each is one that a game could stop at: chance is due, somebody decides, or the game is over.

    Args:
        data: the positions.
        rebuild: whether only their configuration is there, and all else is to be written.

    Raises:
        BadPosition: it is no such array, or a position contradicts itself or the rules; the message names the field.
    """
    wanted = "a contiguous array of shape (n,) and dtype STATE"
    if not isinstance(data, np.ndarray):
        raise BadPosition(f"positions: {type(data).__name__} is not {wanted}")
    if data.dtype != STATE or data.ndim != 1 or not data.flags.c_contiguous:
        given = f"an array of shape {data.shape} and dtype {str(data.dtype)[:60]}"
        raise BadPosition(f"positions: {given} is not {wanted}")
    states = copy_states(np.asarray(data))
    built = copy_states(states)
    faults = np.zeros(len(states), np.int64)
    _build_all(built, faults)
    if faults.any():
        number = int(faults.argmax() if len(faults) == 1 else np.flatnonzero(faults)[0])
        _refuse(number, len(states), _FAULTS[faults[number]])
    if rebuild:
        return built
    for name in _FOLLOWS:
        differ = (states[name] != built[name]).reshape(len(states), -1).any(axis=1)
        if differ.any():
            _refuse(int(differ.argmax()), len(states), f"{name}: not what follows from the rest")
    _compare_all(states, built, faults)
    if faults.any():
        number = int(np.flatnonzero(faults)[0])
        _refuse(number, len(states), f"{WORKING[faults[number] - 1]}: not what follows from the tiles")
    return states


def _refuse(number: int, count: int, told: str) -> None:
    raise BadPosition(told if count == 1 else f"position {number}: {told}")


@njit
def _build_all(states: np.ndarray, faults: np.ndarray) -> None:
    for i in range(states.shape[0]):
        s = states[i]
        faults[i] = fault_of_bounds(s)
        if faults[i] == 0:
            faults[i] = fault_of_counts(s)
        if faults[i] == 0:
            faults[i] = build(s)
        if faults[i] == 0:
            faults[i] = fault_of_markers(s)


@njit
def fault_of_bounds(s: State) -> int:
    """Return the first fault by which compiled code could leave an array; 0 if there is none."""
    if s["players"] < 1 or s["players"] > MOST_PLAYERS:
        return _PLAYERS
    if s["open_tasks"] < 1 or s["open_tasks"] > TASKS:
        return _OPEN_TASKS
    if s["left_in_box"] > LANDSCAPE:
        return _LEFT_IN_BOX
    if s["window"] < 1 or s["window"] > WINDOW:
        return _WINDOW
    there = np.uint64(0)
    for k in range(_TYPES * MOST_MARKERS):
        number, before = s["numbers"][k], s["numbers"][k - 1] if k % MOST_MARKERS else 1
        if number > MOST_NUMBER or (number and number < before) or (number and before == 0):
            return _NUMBERS
        there |= np.uint64(number > 0) << np.uint64(k)
    if s["landscape"] >> np.uint64(LANDSCAPE):
        return _LANDSCAPE
    if np.uint64(s["tasks"]) >> np.uint64(TASKS):
        return _TASKS
    if np.uint64(s["markers"]) & ~there:
        return _MARKERS
    for tile in range(TILES):
        row = s["tiles"][tile]
        if row[0] == LYING:
            near = max(abs(np.int64(row[1])), abs(np.int64(row[2]))) < WINDOW
            if not near or row[3] < 0 or row[3] > 5 or LOOK[tile, row[3]] != row[3]:
                return _TILES
        elif (row[0] != 0 and row[0] != GONE) or row[1] or row[2] or row[3]:
            return _TILES
        if row[0] and is_hidden(s, tile):
            return _TWICE
    hand = np.int64(s["hand"])
    if hand < NO_TILE or hand >= TILES or (hand != NO_TILE and (s["tiles"][hand, 0] != 0 or is_hidden(s, hand))):
        return _HAND
    return 0


@njit
def is_hidden(s: State, tile: int) -> bool:
    """Return whether a tile was not seen yet."""
    if tile < LANDSCAPE:
        return (s["landscape"] >> np.uint64(tile)) & _1 != 0
    return (np.uint64(s["tasks"]) >> np.uint64(tile - LANDSCAPE)) & _1 != 0


@njit
def fault_of_counts(s: State) -> int:
    """Return the first fault of what was seen, and of the markers on task tiles; 0 if there is none."""
    hand = np.int64(s["hand"])
    if s["number"] and hand < LANDSCAPE:
        return _NUMBER
    for kind in range(_TYPES):
        seen = np.zeros(MOST_NUMBER + 1, np.int64)
        left = 0
        for k in range(kind * MOST_MARKERS, (kind + 1) * MOST_MARKERS):
            if (np.uint64(s["markers"]) >> np.uint64(k)) & _1:
                left += 1
            else:
                seen[s["numbers"][k]] += 1
        for tile in range(LANDSCAPE, TILES):
            number = s["marked"][tile - LANDSCAPE]
            if (number > 0) != (s["tiles"][tile, 0] != 0) or number > MOST_NUMBER:
                return _MARKED
            if TASK_KIND[tile] == kind:
                seen[s["number"] if tile == hand and s["number"] <= MOST_NUMBER else number] -= 1
                left -= is_hidden(s, tile) or (tile == hand and s["number"] == 0)
        if seen[1:].any():
            return _SEEN
        if left < 0:
            return _TOO_FEW
    lying = np.uint64(0)
    landscape_seen = False
    for tile in range(TILES):
        if s["tiles"][tile, 0] == LYING and tile >= LANDSCAPE:
            lying |= _1 << np.uint64(tile - LANDSCAPE)
        landscape_seen |= tile < LANDSCAPE and (s["tiles"][tile, 0] != 0 or tile == hand)
    if np.uint64(s["fulfilled"]) & ~lying:
        return _FULFILLED
    if np.uint64(s["aborted"]) & ~(lying & ~np.uint64(s["fulfilled"])):
        return _ABORTED
    if landscape_seen and popcount(s["landscape"]) < s["left_in_box"]:
        return _BOX
    return 0


@njit
def build(s: State) -> int:
    """Write all that follows from a configuration within its bounds; return the first fault met, 0 if there is none.

    The order in which tiles were placed is not known: any in which each touches those before it leads to the same
    territories. Which of these were fulfilled on the way the configuration tells.
    """
    tiles = s["tiles"].copy()
    clear_board(s)
    low_q, high_q, low_r, high_r, lying, gone, first = 0, 0, 0, 0, 0, 0, -1
    for tile in range(TILES):
        there, q, r, turn = tiles[tile]
        gone += there == GONE
        if there == LYING:
            lying += 1
            low_q, high_q = min(low_q, q), max(high_q, q)
            low_r, high_r = min(low_r, r), max(high_r, r)
            if q == 0 and r == 0 and turn == 0:
                first = tile
    if first < 0 and lying + gone > 0:
        return _FIRST
    if max(high_q - low_q, high_r - low_r) >= s["window"]:
        return _SPAN
    laid = 0
    while laid < lying:
        before = laid
        for tile in range(TILES):
            there, q, r, turn = tiles[tile]
            cell = q % TORUS * TORUS + r % TORUS
            if (
                there != LYING
                or s["tiles"][tile, 0] == -1
                or s["cells"][cell] < FRONTIER
                or (laid == 0) != (tile == first)
            ):
                continue
            word = s["frontier"][s["cells"][cell] - FRONTIER]
            if (FITS[FITS_AS[tile], word & rules.PATTERN] >> turn) & 1 == 0:
                return _MISMATCH
            lay(s, tile, np.int64(cell), np.int64(turn))
            if s["tiles"][tile, 1] != q or s["tiles"][tile, 2] != r:
                return _APART
            s["tiles"][tile, 0] = -1  # until all are laid
            laid += 1
        if laid == before:
            return _APART
    s["tiles"][:] = tiles
    return 0


@njit
def fault_of_markers(s: State) -> int:
    """Write the rest of what follows, once all tiles are laid; return the first fault met, 0 if there is none."""
    hand, seen, lying = np.int64(s["hand"]), 0, np.uint64(0)
    for tile in range(TILES):
        seen += s["tiles"][tile, 0] != 0
        if tile >= LANDSCAPE and s["tiles"][tile, 0] == LYING:
            lying |= _1 << np.uint64(tile - LANDSCAPE)
    s["open"] = lying & ~np.uint64(s["fulfilled"] | s["aborted"])
    for task in range(TASKS):
        bit, number = np.uint64(task), s["marked"][task]
        if (lying >> bit) & _1 == 0:
            continue
        kind = np.int64(TASK_KIND[LANDSCAPE + task])
        root = root_of(s["root"][kind], np.int64(LANDSCAPE + task))
        size, closed = s["size"][kind, root], s["edges"][kind, root] == 0
        if (np.uint64(s["fulfilled"]) >> bit) & _1:
            if size < number:
                return _SMALL
            s["score"][0] += number
        elif (np.uint64(s["aborted"]) >> bit) & _1:
            if size == number or (size < number and not closed):
                return _RIGHT
        elif size >= number or closed:
            return _DUE
    rules.count_flags(s)
    rules.score_up(s)
    if popcount(np.uint64(s["open"])) > s["open_tasks"]:
        return _MOST_OPEN
    s["hidden"][:] = s["numbers"]
    for k in range(_TYPES * MOST_MARKERS):
        if s["numbers"][k] and (np.uint64(s["markers"]) >> np.uint64(k)) & _1 == 0:
            rules.hide(s, k)
    s["legal"][:] = np.uint64(0)
    s["end"], s["turn"] = 0, seen
    if hand == NO_TILE:
        s["to_move"] = max(seen - 1, 0) % s["players"]
        rules.go_on(s)
        return 0
    s["turn"] = seen + 1
    s["to_move"] = seen % s["players"]
    task_due = popcount(np.uint64(s["open"])) < s["open_tasks"] and (s["tasks"] != 0 or hand >= LANDSCAPE)
    if task_due != (hand >= LANDSCAPE):
        return _STACK
    s["pending"] = MARKER_DUE if hand >= LANDSCAPE and s["number"] == 0 else 0
    return _STUCK if s["pending"] == 0 and not find_legal(s) else 0


@njit
def _compare_all(states: np.ndarray, built: np.ndarray, faults: np.ndarray) -> None:
    for i in range(states.shape[0]):
        faults[i] = difference_of_working(states[i], built[i])


@njit
def difference_of_working(s: State, t: State) -> int:
    """Return which of WORKING, from 1, is not what belongs to a position; 0 if all does.

    t: the same position, built anew; there the frontier may be in another order, and territories have other roots.
    """
    if s["frontier_size"] != t["frontier_size"]:
        return _AT_FRONTIER_SIZE
    for cell in range(TORUS * TORUS):
        there, known = np.int64(s["cells"][cell]), np.int64(t["cells"][cell])
        if known < FRONTIER:
            if there != known:
                return _AT_CELLS
            continue
        if there < FRONTIER or there - FRONTIER >= s["frontier_size"]:
            return _AT_CELLS
        if s["frontier"][there - FRONTIER] != t["frontier"][known - FRONTIER]:
            return _AT_FRONTIER
    for place in range(s["frontier_size"], MOST_FRONTIER):
        if s["frontier"][place]:
            return _AT_FRONTIER
    for kind in range(_TYPES):
        fault = difference_of_territories(s, t, kind)
        if fault:
            return fault
    return 0


@njit
def difference_of_territories(s: State, t: State, kind: int) -> int:
    """Return what of the territories of a kind is not as in the same position ``t``: :func:`difference_of_working`."""
    for tile in range(TILES):
        own = EDGES_OF[6 * tile, kind] and s["tiles"][tile, 0] == LYING
        above = np.int64(s["root"][kind, tile])
        if not own:
            if above:
                return _AT_ROOT
        elif above >= TILES or s["tiles"][above, 0] != LYING or not EDGES_OF[6 * above, kind]:
            return _AT_ROOT
    root_in_s = np.full(TILES, -1, np.int64)
    root_in_t = np.full(TILES, -1, np.int64)
    for tile in range(TILES):
        if not EDGES_OF[6 * tile, kind] or s["tiles"][tile, 0] != LYING:
            continue
        root = tile
        for _ in range(TILES):
            root = np.int64(s["root"][kind, root])
        known = root_of(t["root"][kind], tile)
        if s["root"][kind, root] != root or root_in_s[known] not in (-1, root) or root_in_t[root] not in (-1, known):
            return _AT_ROOT
        root_in_s[known], root_in_t[root] = root, known
    for tile in range(TILES):
        known = root_in_t[tile]
        size, edges = 0, 0
        if known >= 0:
            size, edges = np.int64(t["size"][kind, known]), np.int64(t["edges"][kind, known])
        if s["size"][kind, tile] != size:
            return _AT_SIZE
        if s["edges"][kind, tile] != edges:
            return _AT_EDGES
    return 0
