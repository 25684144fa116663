"""What a player sees, as one int8 vector: all that is public (D3), which is all but the order of the stacks.

The parts of the vector are declared once, in :data:`PARTS`; the space, the named views and the tables of the pages are
made from it. Seats differ in how many turns they are away (D28), and are counted from the observer: 0 is the observer,
1 the next in turn order. :func:`planes` shows the same as a landscape, for convolutions.
"""

from typing import Final

import numpy as np

from ..engine.bits import popcount, spread_32, spread_64
from ..engine.compiled import njit
from ..engine.contract import Seat
from ..engine.parts import JOIN, Part, offsets_of, size_of, taken_apart
from . import tiles
from .state import COLUMNS, LYING, State
from .tiles import KINDS, LANDSCAPE, MOST_MARKERS, MOST_PLAYERS, TASK_KIND, TASKS, TILES, TORUS

_TILES = "of each tile: 1 if it lies, 2 if it left the game, 0 before; then q, r and the rotation, 0 unless it lies"
_STACKS = "tiles left in the landscape stack, the box aside, and in the task stack"
_OPEN = "tiles and open edges of the territory in which this task tile's marker lies out; else 0"
PARTS: Final = (
    Part("tiles", (TILES, 4), -127, 127, _TILES, scale=8.0),
    Part(
        "marked", (TASKS,), 0, 127, "the number of the marker that this task tile was placed, or left, with", scale=8.0
    ),
    Part("numbers", (len(KINDS), MOST_MARKERS), 0, 127, "the numbers of the markers of a type not seen yet", scale=8.0),
    Part("hidden", (TILES,), 0, 1, "1: this tile was not seen yet"),
    Part("fulfilled", (TASKS,), 0, 1, "1: the marker of this task tile is fulfilled"),
    Part("aborted", (TASKS,), 0, 1, "1: the marker of this task tile is aborted"),
    Part("hand", (TILES,), 0, 1, "1: this is the revealed tile"),
    Part("number", (1,), 0, 127, "the number on its marker; 0 without one", scale=8.0),
    Part("open", (TASKS, 2), 0, 127, _OPEN, scale=8.0),
    Part("score", (COLUMNS, 2), 0, 127, "markers, flags, track, stream and total", joined=True, scale=(1.0, 32.0)),
    Part("stacks", (2,), 0, 127, _STACKS, scale=32.0),
    Part("turn", (1,), 0, 127, "tiles revealed", scale=32.0),
    Part("to_move", (MOST_PLAYERS,), 0, 1, "1: it is this seat's turn; all 0 once the game is over"),
    Part("players", (MOST_PLAYERS,), 0, 1, "1: so many players (1 to 6) are at the table"),
    Part("open_tasks", (1,), 0, 127, "task tiles with a marker that lie out at most", scale=8.0),
    Part("window", (1,), 0, 127, "the landscape's greatest width in q and in r", scale=32.0),
)
OBSERVATION_SIZE: Final = size_of(PARTS)
OFFSETS: Final = offsets_of(PARTS)
"""The index of the first entry of each part, by name."""
_MARKED, _NUMBERS, _HIDDEN, _FULFILLED = (OFFSETS[name] for name in ("marked", "numbers", "hidden", "fulfilled"))
_HAND, _NUMBER, _OPEN_AT, _SCORE = (OFFSETS[name] for name in ("hand", "number", "open", "score"))
_STACKS_AT, _TURN, _TO_MOVE, _PLAYERS = (OFFSETS[name] for name in ("stacks", "turn", "to_move", "players"))
_OPEN_TASKS, _WINDOW = OFFSETS["open_tasks"], OFFSETS["window"]
_SHIFT, _LOW = JOIN.bit_length() - 1, JOIN - 1  # first and second of two entries
_0, _1, _ABORTED = np.uint64(0), np.uint64(1), np.uint64(TASKS)


def observation_parts(observation: np.ndarray) -> dict[str, np.ndarray]:
    """Return the parts of observations, int8 (..., OBSERVATION_SIZE), by name, each of shape ``(..., *shape)``.

    They are views, except that numbers in two entries are joined, as int16 without the last axis. Raises ValueError:
    the last axis is not OBSERVATION_SIZE long, or they are no whole numbers, as with ``normalized``.
    """
    return taken_apart(PARTS, observation)


@njit
def write_observation(s: State, seat: Seat, out: np.ndarray) -> None:
    """Write what ``seat`` sees in the position ``s``.

    s: read only. out: int8, shape (OBSERVATION_SIZE,), contiguous, overwritten.
    """
    # Sets are written from low entries to high ones: each spread runs on into entries that are written after it.
    out[:_MARKED] = s["tiles"].reshape(TILES * 4)
    out[_MARKED:_NUMBERS] = s["marked"]
    out[_NUMBERS:_HIDDEN] = s["hidden"]
    spread_64(s["landscape"], out, _HIDDEN)
    spread_32(np.uint64(s["tasks"]), out, _HIDDEN + LANDSCAPE)
    spread_64(np.uint64(s["fulfilled"]) | (np.uint64(s["aborted"]) << _ABORTED), out, _FULFILLED)
    out[_HAND:] = 0
    if s["hand"] >= 0:
        out[_HAND + s["hand"]] = 1
    out[_NUMBER] = s["number"]
    left = np.uint64(s["open"])
    while left != _0:
        task = popcount((left & (~left + _1)) - _1)
        left &= left - _1
        kind = TASK_KIND[LANDSCAPE + task]
        there = s["territory"][kind, LANDSCAPE + task]
        out[_OPEN_AT + 2 * task] = s["size"][kind, there]
        out[_OPEN_AT + 2 * task + 1] = min(s["edges"][kind, there], _LOW)
    for column in range(COLUMNS):
        points = s["score"][column]
        out[_SCORE + 2 * column] = points >> _SHIFT
        out[_SCORE + 2 * column + 1] = points & _LOW
    out[_STACKS_AT] = max(popcount(s["landscape"]) - s["left_in_box"], 0)
    out[_STACKS_AT + 1] = popcount(np.uint64(s["tasks"]))
    out[_TURN] = s["turn"]
    if s["end"] == 0:
        away = s["to_move"] - seat
        out[_TO_MOVE + (away if away >= 0 else away + s["players"])] = 1
    out[_PLAYERS + s["players"] - 1] = 1
    out[_OPEN_TASKS] = s["open_tasks"]
    out[_WINDOW] = s["window"]


PLANES: Final = (
    *(f"a tile lies whose edge in direction {d} is of type {kind}" for d in range(6) for kind in KINDS),
    "a tile lies",
    "no tile lies, but one lies beside it",
    *(f"a task tile of type {kind} whose marker lies out: its number" for kind in KINDS),
    "the tiles that the territory of this marker still needs",
    "its open edges",
    *(f"a tile with a flag of type {kind}" for kind in "WGV"),
    *(f"everywhere: the revealed tile's edge {d} is of type {kind}" for d in range(6) for kind in KINDS),
    *(f"everywhere: the number of the revealed tile's marker, if this is of type {kind}" for kind in KINDS),
)
"""What each plane of :func:`planes` says of a cell: 0 or 1 unless it is a number."""
_SHOWN: Final = (tiles.EDGES_OF[:, None] >> np.arange(6)[:, None] & 1).reshape(6 * TILES, -1).astype(np.int8)


def planes(observations: np.ndarray) -> np.ndarray:
    """Return observations, int8 (..., OBSERVATION_SIZE), as landscapes: int8, (..., len(PLANES), 24, 24), new.

    The cell of q and r is at (q mod 24, r mod 24), as in the actions (D26): ``(24 * row + column) * 6 + rotation`` puts
    the revealed tile there. :data:`PLANES` says what each plane is. Raises ValueError for other arrays.
    """
    seen = observation_parts(np.asarray(observations).reshape(-1, np.shape(observations)[-1]))
    found = np.zeros((len(seen["turn"]), len(PLANES), TORUS * TORUS), np.int8)
    game, tile = np.nonzero(seen["tiles"][..., 0] == LYING)
    _, q, r, turn = seen["tiles"][game, tile].astype(np.int64).T
    cell = q % TORUS * TORUS + r % TORUS
    edges = _SHOWN.shape[1]  # the planes that come first
    found[game, :edges, cell] = _SHOWN[6 * tile + turn]
    for beside in tiles.NEIGHBOUR[cell].T:
        found[game, edges + 1, beside] = 1
    found[game, edges, cell] = 1
    found[game, edges + 1, cell] = 0
    at = edges + 2
    task = np.maximum(tile - LANDSCAPE, 0)
    out = (tile >= LANDSCAPE) & (seen["open"][game, task, 0] > 0)
    where, task, marked = game[out], task[out], cell[out]
    number, (size, left) = seen["marked"][where, task], seen["open"][where, task].T
    found[where, at + TASK_KIND[tile[out]], marked] = number
    found[where, at + len(KINDS), marked] = number - size
    found[where, at + len(KINDS) + 1, marked] = left
    at += len(KINDS) + 2
    flag = tiles.FLAG_KIND[tile] >= 0
    found[game[flag], at + tiles.FLAG_KIND[tile[flag]], cell[flag]] = 1
    at += 3
    held, hand = np.nonzero(seen["hand"])
    found[held, at : at + edges] = _SHOWN[6 * hand][..., None]
    task = hand >= LANDSCAPE
    found[held[task], at + edges + TASK_KIND[hand[task]]] = seen["number"][held[task]]
    return found.reshape(*np.shape(observations)[:-1], len(PLANES), TORUS, TORUS)
