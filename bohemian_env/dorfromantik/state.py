"""The parts of a position, named once, with width and type.

A position is one record of :data:`STATE`; many games are an array of them. It holds no order of a stack and no random
state, so a copy cannot foresee what is drawn. The *configuration* is what a table shows; all else follows from it, and
the *working parts* alone can differ between two positions that are the same, since they depend on how they came about.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..engine.contract import Seat, State
from .tiles import KINDS, LANDSCAPE, MOST_MARKERS, TASKS, TILES, TORUS

__all__ = [
    "CONFIGURATION", "ENDS", "GONE", "LYING", "MOST_FRONTIER", "NO_TILE", "SCORING", "STATE", "WORKING", "Seat",
    "State", "new_states",
]  # fmt: skip

ENDS: Final = (None, "no tile")
"""How a game ends (D21), by the number in ``end``; None while it goes on."""
SCORING: Final = ("markers", "flags", "track", "stream", "total")
"""The columns of the score (D22)."""
MOST_FRONTIER: Final = 6 + 2 * (TILES - 1)
"""The most empty cells that have neighbours: 6 about the first tile, and at most 2 more with each other tile."""
NO_TILE: Final = -1
"""In ``hand`` where no tile is revealed."""
LYING, GONE = 1, 2
"""Where a tile is, the first entry in ``tiles``: it lies, or it left the game (D13); 0 before that."""

_SETUP: Final[list[Any]] = [
    ("players", np.uint8),  # 1 to 6
    ("open_tasks", np.uint8),  # task tiles with a marker that lie out at most (D4)
    ("left_in_box", np.uint8),  # landscape tiles that nobody draws (D2)
    ("window", np.uint8),  # the landscape's greatest width in q and in r (D26)
    ("numbers", np.uint8, (len(KINDS) * MOST_MARKERS,)),  # on each marker, ascending within a type; 0 where none is
]
CONFIGURATION: Final[list[Any]] = [
    *_SETUP,
    ("hand", np.int8),  # the revealed tile, or NO_TILE
    ("number", np.uint8),  # the number on its marker; 0 without one
    ("tiles", np.int8, (TILES, 4)),  # where each tile is, and of those that lie q, r and rotation
    ("marked", np.uint8, (TASKS,)),  # the number of the marker that each task tile was placed, or left, with; else 0
    ("fulfilled", np.uint32),  # task tiles with a fulfilled marker, as bits
    ("aborted", np.uint32),  # task tiles with an aborted marker
    ("landscape", np.uint64),  # landscape tiles that were not seen yet, those in the box among them
    ("tasks", np.uint32),  # task tiles that were not seen yet, bit 0 for tile 48
    ("markers", np.uint32),  # markers that were not seen yet
]
_FOLLOWING: Final[list[Any]] = [
    ("turn", np.int32),  # tiles revealed
    ("to_move", np.int8),  # the seat that decides, or for which chance speaks; that of the last turn at the end
    ("pending", np.uint8),  # 1: a tile is to be revealed, 2: the marker of the tile in hand; 0 otherwise
    ("end", np.uint8),  # 0 while the game goes on, else an index into ENDS
    ("hidden", np.uint8, (len(KINDS) * MOST_MARKERS,)),  # the numbers of the unseen markers, of equal ones the last
    ("open", np.uint32),  # task tiles whose marker lies out
    ("flags", np.uint64),  # tiles that lie and whose flag has not counted yet
    ("score", np.int16, (len(SCORING),)),  # so far (D22)
    ("span", np.int8, (4,)),  # lowest and highest q, lowest and highest r of the landscape
    ("cells", np.uint8, (TORUS * TORUS,)),  # of the torus: 0, a tile + 1, or FRONTIER + a place in the frontier
    ("size", np.uint8, (len(KINDS), TILES)),  # of territories, by kind and root: their tiles
    ("edges", np.uint8, (len(KINDS), TILES)),  # their edges that border empty cells
    (
        "legal",
        np.uint64,
        (TORUS * TORUS * 6 // 64,),
    ),  # the legal actions as bits, lowest first; none where nobody decides
]
WORKING: Final = ("cells", "size", "edges", "root", "frontier", "frontier_size")
"""The parts that depend on how a position came about."""

_WORKING: Final[list[Any]] = [
    ("root", np.uint8, (len(KINDS), TILES)),  # for each kind and tile, a tile nearer to the root of its territory
    ("frontier_size", np.int16),
    ("frontier", np.uint64, (MOST_FRONTIER,)),  # the words of the empty cells that have neighbours (tiles.py)
]


def _in_words(fields: list[Any]) -> list[Any]:
    """Return fields in an order that leaves no gaps, filled up to whole words."""
    fields = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    return [*fields, ("_spare", np.uint8, (-np.dtype(fields).itemsize % 8,))]


STATE: Final = np.dtype(_in_words([*CONFIGURATION, *_FOLLOWING, *_WORKING]))
"""The dtype of a position."""
assert LANDSCAPE <= 64
assert TASKS <= 32


def new_states(count: int) -> np.ndarray:
    """Return blank records, shape ``(count,)``, dtype :data:`STATE`, which ``rules.set_up`` makes positions of."""
    return np.zeros(count, STATE)
