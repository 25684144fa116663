"""The parts of a position, named once, with width and type.

A position is one record of :data:`STATE`; many games are an array of them. Copying a position is copying the
record, and it holds no random state: dice come in from outside, so a copy cannot foresee them.

Buildings are sets of bits. A *cell* is a kind of building in a village: cell ``9 * kind + village``, kind-major,
so that the villages of a kind are a *field* of nine neighbouring bits. The 99 cells of a set take two words:
word 0 holds the kinds 0 to 6 (totals 2 to 8), word 1 the kinds 7 to 10 (totals 9 to 12).
"""

import functools
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..engine.contract import Seat as Seat
from ..engine.contract import State as State
from ..engine.states import copy_states as copy_states
from ..engine.states import read_only as read_only
from .facts import KINDS, MAX_PLAYERS

MAX_VILLAGES: Final = 9
CELLS: Final = len(KINDS) * MAX_VILLAGES
FIELD: Final = MAX_VILLAGES
"""The bits of a field: one for each village that a kind can stand in."""
WORD_KINDS: Final = 7
"""The number of kinds in word 0; the others are in word 1."""

STATE: Final = np.dtype(
    [
        # the board, fixed for the game
        ("have", np.uint64, (2,)),  # cells that exist
        ("town_hall", np.uint8, (MAX_VILLAGES,)),  # printed value of each village's town hall, 0 without one
        ("manor", np.uint8, (MAX_VILLAGES,)),  # the same for the manor
        ("players", np.uint8),  # 2 to 5
        ("villages", np.uint8),  # villages in play, 1 to 9
        ("max_turns", np.int32),  # R24; 0: no limit
        # what changes
        ("turn", np.int32),  # turns begun, from 1 (0 before the first)
        ("bank", np.int32),  # coins left in the bank; may end below 0 (R21)
        ("occupied", np.uint64, (2,)),  # cells with a figure on them
        ("own", np.uint64, (MAX_PLAYERS, 2)),  # cells with a figure of each seat
        ("coins", np.int32, (MAX_PLAYERS,)),
        ("figures", np.int8, (MAX_PLAYERS,)),  # figures in hand
        ("to_move", np.int8),  # current seat; the seat of the last turn once the game is over
        ("bishop", np.int8),  # seat that has the bishop, -1 for nobody
        ("special_supply", np.int8),  # special action tiles left in the supply
        ("active", np.uint16),  # villages whose inn tile is active
        ("special", np.uint8),  # bit s: seat s holds a special action tile
        ("spent", np.uint8),  # 1: the current seat has spent a special action tile this turn (R8)
        ("dice", np.uint8),  # the unused dice, as an index into dice.DICE; those kept while a roll is due
        ("pending", np.uint8),  # dice that chance must roll now; 0 where a player decides and at the end
        ("end", np.uint8),  # 0 while the game goes on, else an index into facts.ENDS
        ("_spare", np.uint8, (5,)),  # fills the record to whole words; always 0
        # derived from the rest, kept because every user of a position needs it
        ("legal", np.uint64, (4,)),  # the legal actions as bits, lowest first; no bit where no player decides
    ]
)
"""The dtype of a position."""


def new_states(count: int) -> np.ndarray:
    """Return blank records, shape ``(count,)``, dtype :data:`STATE`, which ``rules.set_up`` makes positions of."""
    return np.zeros(count, STATE)


@functools.cache
def cell_of(kind: str, village: int = 0) -> tuple[int, int]:
    """Return the word of the building of ``kind`` in village number ``village``, and the place of its bit there."""
    word, place = divmod(KINDS.index(kind), WORD_KINDS)
    return word, FIELD * place + village


def has_cell(words: Sequence[int] | np.ndarray, kind: str, village: int) -> bool:
    """Return whether a set of cells (two words) holds the building of ``kind`` in village number ``village``."""
    word, place = cell_of(kind, village)
    return bool(int(words[word]) >> place & 1)
