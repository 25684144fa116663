"""The parts of a position, named once, with width and type.

A position is one record of :data:`STATE`; many games are an array of them. All of it is public (A74): the order of the
cards that are not revealed yet stands nowhere. The arrays of what players have begin with the seat.
"""

from typing import Any, Final

import numpy as np

from ..engine.contract import State as State
from ..engine.states import without_gaps
from .decisions import NUM_ACTIONS
from .pieces import CARDS, GOODS, MOST_PLAYERS, ROUNDS, SCORING, SPACES

whole: Final[Any] = np.int64
"""A whole number with a sign, as compiled code needs it where bytes and words meet; to type checkers it is an int."""
ENDS: Final = (None, "14 rounds")
"""How a game ends (A68), by the number in ``end``; None while it goes on."""
COLUMNS: Final = len(SCORING)
PHASES: Final = ("reveal", "work", "feeding", "breeding", "over")
REVEAL, WORK, FEEDING, BREEDING, OVER = range(len(PHASES))
MOST_PASTURES: Final = 5
"""The most pastures of a farm: 15 fences close no more (A47)."""
NOBODY: Final = -1
_SEATS: Final = (MOST_PLAYERS,)

SETUP: Final[list[Any]] = [
    ("players", np.uint8),  # 1 to 5
    ("storehouse", np.uint8),  # 1: in solo, too, the storehouse gets 1 food each round (A10)
]
"""The parts that a set-up begins with, as it gives them to compiled code."""
_FIELDS: Final = [
    *SETUP,
    ("turn", np.int32),  # the round: cards revealed so far
    ("to_move", np.int8),  # the seat that decides; where a card is due and at the end, the one with the marker
    ("pending", np.uint8),  # 1: a card is to be revealed (A75); 0 otherwise
    ("end", np.uint8),  # 0 while the game goes on, else an index into ENDS
    ("phase", np.uint8),  # an index into PHASES
    ("start_player", np.int8),  # the seat with the marker (A16)
    ("kind", np.uint8),  # of the decision, an index into decisions.DECISIONS; 0 where nobody decides
    ("may_stop", np.uint8),  # 1: it may be ended
    ("baked", np.uint16),  # in it: grains baked
    ("stable_built", np.uint8),  # in it: 1 if a stable was built
    ("crafted", np.uint8),  # in it: crafts used, as bits
    ("cards", np.uint8, (ROUNDS,)),  # the round cards in the order in which they came, from 0; 0 where none did
    ("shown", np.uint16),  # the same as bits
    ("laid", np.int16, (len(SPACES),)),  # goods on each space
    ("person", np.int8, (len(SPACES),)),  # the seat whose person is on it, or NOBODY
    ("occupied", np.uint64),  # spaces with a person, as bits
    ("goods", np.int16, (*_SEATS, len(GOODS))),
    ("begging", np.int16, _SEATS),  # begging cards
    ("people", np.uint8, _SEATS),  # newborns among them
    ("newborns", np.uint8, _SEATS),  # born in this round (A37)
    ("placed", np.uint8, _SEATS),  # people on spaces
    ("well", np.uint8, _SEATS),  # food of the well still to come (A54)
    ("material", np.uint8, _SEATS),  # of the house, an index into pieces.MATERIALS
    ("rooms", np.uint16, _SEATS),  # this and the next four are sets of cells
    ("fields", np.uint16, _SEATS),
    ("stables", np.uint16, _SEATS),
    ("enclosed", np.uint16, _SEATS),  # all pastures together
    ("pastures", np.uint16, (*_SEATS, MOST_PASTURES)),  # by their first cells; the empty ones last
    ("grain", np.uint16, (*_SEATS, 3)),  # fields with 1, 2 and 3 grain
    ("vegetables", np.uint16, (*_SEATS, 2)),  # fields with 1 and 2 vegetables
    ("sides", np.uint64, _SEATS),  # where fences stand (farm.py)
    ("majors", np.uint16, _SEATS),  # those of each, as bits
    ("legal", np.uint64, (-(-NUM_ACTIONS // 64),)),  # the legal actions as bits; none where nobody decides
]

STATE: Final = without_gaps(_FIELDS)
"""The dtype of a position."""
FIRST_CARD: Final = np.uint64(CARDS)
"""By how much a round card's number is below that of its space."""
