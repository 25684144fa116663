"""The parts of a position, named once, with width and type.

A position is one record of :data:`STATE`; many games are an array of them. It holds no order of a stack and no random
state, so a copy cannot foresee what is drawn. All follows from what a table shows, but for the order of the frontier,
and for which one was seen of markers with the same number: these depend on how a position came about.
"""

from typing import Any, Final

import numpy as np

from ..engine.contract import State as State
from ..engine.states import without_gaps
from .tiles import KINDS, MOST_MARKERS, TASKS, TILES, TORUS

whole: Final[Any] = np.int64
"""A whole number with a sign, as compiled code needs it where bytes and words meet; to type checkers it is an int."""
ENDS: Final = (None, "no tile")
"""How a game ends (D21), by the number in ``end``; None while it goes on."""
SCORING: Final = ("markers", "flags", "track", "stream", "total")
"""The columns of the score (D22)."""
COLUMNS: Final = len(SCORING)
NO_TILE: Final = -1
"""In ``hand`` where no tile is revealed."""
LYING, GONE = 1, 2
"""Where a tile is, the first entry in ``tiles``: it lies, or it left the game (D13); 0 before that."""
_MOST_FRONTIER: Final = 6 + 2 * (TILES - 1)  # 6 about the first tile, at most 2 more with each other one
_MARKERS: Final = (len(KINDS) * MOST_MARKERS,)

SETUP: Final[list[Any]] = [
    ("players", np.uint8),  # 1 to 6
    ("open_tasks", np.uint8),  # task tiles with a marker that lie out at most (D4)
    ("left_in_box", np.uint8),  # landscape tiles that nobody draws (D2)
    ("window", np.uint8),  # the landscape's greatest width in q and in r (D26)
    ("numbers", np.uint8, _MARKERS),  # on each marker, ascending within a type; 0 where there is none
    ("landscape", np.uint64),  # landscape tiles that were not seen yet, those in the box among them
    ("tasks", np.uint32),  # task tiles that were not seen yet, bit 0 for tile 48
    ("markers", np.uint32),  # markers that were not seen yet
]
"""The parts that a set-up begins with, as it gives them to compiled code."""
_FIELDS: Final = [
    *SETUP,
    ("turn", np.int32),  # tiles revealed
    ("to_move", np.int8),  # the seat that decides, or for which chance speaks; that of the last turn at the end
    ("pending", np.uint8),  # 1: a tile is to be revealed, 2: the marker of the tile in hand; 0 otherwise
    ("end", np.uint8),  # 0 while the game goes on, else an index into ENDS
    ("hand", np.int8),  # the revealed tile, or NO_TILE
    ("number", np.uint8),  # the number on its marker; 0 without one
    ("hidden", np.uint8, _MARKERS),  # the numbers of the markers not seen yet, among equal ones at the last places
    ("tiles", np.int8, (TILES, 4)),  # where each tile is, and of those that lie q, r and rotation
    ("marked", np.uint8, (TASKS,)),  # the number of the marker that each task tile was placed, or left, with; else 0
    ("open", np.uint32),  # task tiles whose marker lies out, as bits
    ("fulfilled", np.uint32),  # those whose marker is fulfilled
    ("aborted", np.uint32),  # those whose marker is aborted
    ("flags", np.uint64),  # tiles that lie and whose flag has not counted yet
    ("score", np.int16, (COLUMNS,)),  # so far (D22)
    ("span", np.int8, (4,)),  # lowest and highest q, lowest and highest r of the landscape
    ("territory", np.uint8, (len(KINDS), TILES)),  # by kind, the lowest tile of the territory of each that lies
    ("size", np.uint8, (len(KINDS), TILES)),  # by kind and lowest tile, the tiles of a territory
    ("edges", np.uint8, (len(KINDS), TILES)),  # its edges that border empty cells
    ("cells", np.uint8, (TORUS * TORUS,)),  # of the torus: 0, a tile + 1, or rules.FRONTIER + a place in the frontier
    ("frontier_size", np.int16),
    ("frontier", np.uint64, (_MOST_FRONTIER,)),  # the words (tiles.py) of the empty cells beside tiles, in any order
    ("legal", np.uint64, (TORUS * TORUS * 6 // 64,)),  # the legal actions as bits; none where nobody decides
]

STATE: Final = without_gaps(_FIELDS)
"""The dtype of a position."""
TOLD: Final = tuple(name for name in STATE.names or () if name not in ("markers", "cells", "frontier"))
"""The parts in which positions that are the same to players are equal."""
