"""What a player at the table sees, as one int8 vector: all that is public, which is all but the order of the stacks.

The parts of the vector are declared once, in :data:`PARTS`; the space, the named views and the tables of the pages are
made from it. Seats are seen from the observer: 0 is the observer, 1 the next in turn order. :func:`planes` lays the same
out as a landscape, for convolutions.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..engine.bits import popcount, spread_32, spread_64
from ..engine.compiled import njit
from ..engine.contract import Seat
from ..engine.parts import JOIN, Part, offsets_of, scale_of, size_of, taken_apart
from .rules import root_of
from .state import LYING, SCORING, State
from .tiles import (
    EDGES_OF,
    FLAG_KIND,
    KINDS,
    LANDSCAPE,
    MEADOW,
    MOST_MARKERS,
    MOST_PLAYERS,
    NEIGHBOUR,
    TASK_KIND,
    TASKS,
    TILES,
    TORUS,
)

__all__ = [
    "OBSERVATION_SIZE", "PARTS", "PLANES", "observation_parts", "observation_scale", "planes", "write_observation",
]  # fmt: skip

PARTS: Final = (
    Part(
        "tiles",
        (TILES, 4),
        -128,
        127,
        "of each tile: 1 if it lies, 2 if it left the game; q, r and rotation if it lies",
        scale=8.0,
    ),
    Part(
        "marked", (TASKS,), 0, 127, "the number of the marker that this task tile was placed, or left, with", scale=8.0
    ),
    Part(
        "numbers", (len(KINDS), MOST_MARKERS), 0, 127, "the numbers of the markers of each type not seen yet", scale=8.0
    ),
    Part("hidden", (TILES,), 0, 1, "1: this tile was not seen yet"),
    Part("fulfilled", (TASKS,), 0, 1, "1: the marker of this task tile is fulfilled"),
    Part("aborted", (TASKS,), 0, 1, "1: the marker of this task tile is aborted"),
    Part("hand", (TILES,), 0, 1, "1: this is the revealed tile"),
    Part("number", (1,), 0, 127, "the number on its marker, 0 without one", scale=8.0),
    Part("territory", (TASKS, 2), 0, 127, "tiles and open edges of the territory of a marker that lies out", scale=8.0),
    Part("score", (len(SCORING), 2), 0, 127, "markers, flags, track, stream and total", joined=True, scale=(1.0, 32.0)),
    Part(
        "stacks",
        (2,),
        0,
        127,
        "tiles left in the landscape stack, without those in the box, and the task stack",
        scale=32.0,
    ),
    Part("turn", (1,), 0, 127, "tiles revealed", scale=32.0),
    Part("to_move", (MOST_PLAYERS,), 0, 1, "1: it is this seat's turn; all 0 once the game is over"),
    Part("players", (MOST_PLAYERS,), 0, 1, "1: so many players (1 to 6) are at the table"),
    Part("open_tasks", (1,), 0, 127, "task tiles with a marker that lie out at most", scale=8.0),
    Part("window", (1,), 0, 127, "the landscape's greatest width in q and in r", scale=32.0),
)
OFFSETS: Final = offsets_of(PARTS)
"""The index of the first entry of each part, by name."""
OBSERVATION_SIZE: Final = size_of(PARTS)


def observation_scale() -> np.ndarray:
    """Return what each entry of the observation is divided by to make all about as large: float32, (OBSERVATION_SIZE,)."""
    return scale_of(PARTS)


def observation_parts(observation: np.ndarray) -> dict[str, np.ndarray]:
    """Return the parts of observations, int8 (..., OBSERVATION_SIZE), by name, each of shape ``(..., *shape)``.

    They are views, except that numbers in two entries are joined, as int16 without the last axis.

    Raises:
        ValueError: the last axis is not OBSERVATION_SIZE long, or they are no whole numbers, as with ``normalized``.
    """
    return taken_apart(PARTS, observation)


_MARKED, _NUMBERS, _HIDDEN, _FULFILLED = (OFFSETS[name] for name in ("marked", "numbers", "hidden", "fulfilled"))
_HAND, _NUMBER, _TERRITORY, _SCORE = (OFFSETS[name] for name in ("hand", "number", "territory", "score"))
_STACKS, _TURN, _TO_MOVE, _PLAYERS = (OFFSETS[name] for name in ("stacks", "turn", "to_move", "players"))
_OPEN_TASKS, _WINDOW = OFFSETS["open_tasks"], OFFSETS["window"]
_ABORTED_BIT: Final = np.uint64(TASKS)
_SHIFT, _LOW = JOIN.bit_length() - 1, JOIN - 1  # first and second of two entries
_0, _1 = np.uint64(0), np.uint64(1)


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
    spread_64(np.uint64(s["fulfilled"]) | (np.uint64(s["aborted"]) << _ABORTED_BIT), out, _FULFILLED)
    out[_HAND:] = 0
    if s["hand"] >= 0:
        out[_HAND + s["hand"]] = 1
    out[_NUMBER] = s["number"]
    left = np.uint64(s["open"])
    while left != _0:
        task = popcount((left & (~left + _1)) - _1)
        left &= left - _1
        kind = TASK_KIND[LANDSCAPE + task]
        root = root_of(s["root"][kind], np.int64(LANDSCAPE + task))
        out[_TERRITORY + 2 * task] = s["size"][kind, root]
        out[_TERRITORY + 2 * task + 1] = s["edges"][kind, root]
    for column in range(len(SCORING)):
        points = s["score"][column]
        out[_SCORE + 2 * column] = points >> _SHIFT
        out[_SCORE + 2 * column + 1] = points & _LOW
    out[_STACKS] = max(0, popcount(s["landscape"]) - s["left_in_box"])
    out[_STACKS + 1] = popcount(np.uint64(s["tasks"]))
    out[_TURN] = s["turn"]
    players = s["players"]
    if s["end"] == 0:
        away = s["to_move"] - seat
        out[_TO_MOVE + (away if away >= 0 else away + players)] = 1
    out[_PLAYERS + players - 1] = 1
    out[_OPEN_TASKS] = s["open_tasks"]
    out[_WINDOW] = s["window"]


PLANES: Final = (
    *(f"a tile lies whose edge in direction {d} is of type {kind}" for d in range(6) for kind in KINDS),
    "a tile lies",
    "no tile lies, but one lies beside it",
    *(f"a task tile of type {kind} whose marker lies out: its number" for kind in KINDS),
    "the tiles that this territory still needs",
    "its open edges",
    *(f"a tile with a flag of type {kind}" for kind in KINDS[:3]),
    *(f"everywhere: the revealed tile's edge {d} is of type {kind}" for d in range(6) for kind in KINDS),
    *(f"everywhere: the number of the revealed task tile's marker, if it is of type {kind}" for kind in KINDS),
)
"""What each plane of :func:`planes` says of a cell: 0 or 1 but for numbers."""
_LIES, _BESIDE = 30, 31
_TASK_PLANES, _NEEDS, _OPEN_EDGES, _FLAG_PLANES, _HAND_PLANES, _NUMBER_PLANES = 32, 37, 38, 39, 42, 72
_SHOWN: Final = (
    (EDGES_OF[:, None, :MEADOW] >> np.arange(6)[:, None] & 1).reshape(TILES * 6, 6 * len(KINDS)).astype(np.int8)
)
"""For each turned tile, which kind shows in which direction."""


def planes(observations: np.ndarray) -> np.ndarray:
    """Return observations, int8 (..., OBSERVATION_SIZE), as landscapes: int8, (..., len(PLANES), 24, 24), new.

    The cell (q mod 24, r mod 24) of the torus is that of the actions: action ``(24 * row + column) * 6 + rotation``
    places the tile there. :data:`PLANES` says what each plane is.
    """
    seen = observation_parts(np.asarray(observations).reshape(-1, OBSERVATION_SIZE))
    games = len(seen["turn"])
    found = np.zeros((games, len(PLANES), TORUS * TORUS), np.int8)
    tiles = seen["tiles"].astype(np.int64)
    game, tile = np.nonzero(tiles[..., 0] == LYING)
    _, q, r, rotation = tiles[game, tile].T
    cell = q % TORUS * TORUS + r % TORUS
    found[game, :_LIES, cell] = _SHOWN[6 * tile + rotation]
    found[game, _LIES, cell] = 1
    for beside in NEIGHBOUR[cell].T:
        found[game, _BESIDE, beside] = 1
    found[:, _BESIDE] &= 1 - found[:, _LIES]
    tasks = np.maximum(tile - LANDSCAPE, 0)
    size, edges = seen["territory"][game, tasks].T
    out = (tile >= LANDSCAPE) & (size > 0)
    number = seen["marked"][game, tasks]
    found[game[out], _TASK_PLANES + TASK_KIND[tile[out]], cell[out]] = number[out]
    found[game[out], _NEEDS, cell[out]] = (number - size)[out]
    found[game[out], _OPEN_EDGES, cell[out]] = edges[out]
    flag = FLAG_KIND[tile] >= 0
    found[game[flag], _FLAG_PLANES + FLAG_KIND[tile[flag]], cell[flag]] = 1
    held, hand = np.nonzero(seen["hand"])
    found[held, _HAND_PLANES:_NUMBER_PLANES] = _SHOWN[6 * hand][..., None]
    marked = hand >= LANDSCAPE
    found[held[marked], _NUMBER_PLANES + TASK_KIND[hand[marked]]] = seen["number"][held[marked]]
    return found.reshape(*np.shape(observations)[:-1], len(PLANES), TORUS, TORUS)
