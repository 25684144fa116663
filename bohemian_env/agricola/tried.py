"""Which of the legal actions are worth a look: of cells, and of pastures that are alike, only one."""

from typing import Final

import numpy as np

from ..engine.bits import popcount
from ..engine.compiled import njit
from ..engine.contract import Action, Seat
from ..engine.legal import is_legal, legal_below
from . import decisions as d
from .farm import FENCED, new_fences
from .pieces import CELL, FARM, FREE_CELLS
from .state import State, whole

_U0, _U1 = np.uint64(0), np.uint64(1)


def _places(cells: str) -> np.ndarray:
    return np.array([FREE_CELLS.index(CELL[name]) for name in cells.split()])


# Where to build: rooms at the left, fields in the middle, and stables and pastures at the right, so that all have room.
_ROOMS: Final = _places("a1 b2 b3 b1 c2 c3 c1 d2 d3 d1 e2 e3 e1")
_FIELDS: Final = _places("b1 c1 c2 d1 c3 b3 b2 e1 d2 d3 a1 e2 e3")
_STABLES: Final = _places("e3 d3 e2 d2 e1 d1 c3 c2 c1 b3 b2 b1 a1")
_SIZES: Final = np.array([int(cells).bit_count() for cells in FENCED])


@njit
def goes_on(s: State, seat: Seat) -> bool:
    """Return whether a seat still has decisions of what it began before it."""
    return s["kind"] > d.PLACE and s["kind"] < d.FEED and s["to_move"] == seat


@njit
def _first_of(s: State, group: Action, order: np.ndarray, cells: int) -> Action:
    """Return the first legal action of a group, in an order of the free cells, on one of some cells; -1 for none."""
    for place in order:
        if (cells >> FREE_CELLS[place]) & 1 and is_legal(s, group + place):
            return group + place
    return -1


@njit
def write_tried(s: State, actions: np.ndarray) -> int:
    """Write the legal actions that are worth a look, the highest first, and return how many these are.

    actions: int64, (NUM_ACTIONS,), overwritten.
    """
    seat, count, tried = s["to_move"], 0, np.uint64(0)
    enclosed, stables, sides = whole(s["enclosed"][seat]), whole(s["stables"][seat]), s["sides"][seat]
    room, field = _first_of(s, d.ROOM, _ROOMS, FARM), _first_of(s, d.PLOW_CELL, _FIELDS, FARM)
    stable, fenced = _first_of(s, d.STABLE, _STABLES, ~enclosed), _first_of(s, d.STABLE, _STABLES, enclosed)
    action = legal_below(s, d.NUM_ACTIONS)
    while action >= 0:
        kept = True
        if action >= d.FENCE:
            number = action - d.FENCE
            inside = popcount(np.uint64(FENCED[number] & stables)) > 0
            alike = np.uint64(min(_SIZES[number], 7) * 8 + min(new_fences(number, sides) >> 1, 3) * 2 + inside)
            kept = (tried >> alike) & _U1 == _U0
            tried |= _U1 << alike
        elif action < d.SOW and action >= d.ROOM:
            kept = action in (room, field, stable, fenced)
        actions[count] = action
        count += whole(kept)
        action = legal_below(s, action)
    return count
