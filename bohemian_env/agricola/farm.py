"""The farm: sets of cells that touch, the sets that a fencing can close, and whether animals fit.

A set of *sides* of cells is 38 bits: of the lines between rows, from the top, five each, and then of those between
columns, from the left, three each.
"""

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.compiled import njit
from .pieces import CELLS, COLUMNS_OF_FARM, DATA, FARM, FREE_CELLS, MOST_FENCES

_WIDE: Final = COLUMNS_OF_FARM
_HIGH: Final = len(CELLS) // _WIDE
_FIRST: Final = sum(1 << _WIDE * row for row in range(_HIGH))
_NOT_FIRST, _NOT_LAST = FARM & ~_FIRST, FARM & ~(_FIRST << (_WIDE - 1))
PER_CELL: Final[int] = DATA["animals"]["per_cell"]
STABLE_FACTOR: Final[int] = DATA["animals"]["stable_factor"]
PER_STABLE: Final[int] = DATA["animals"]["unfenced_stable"]
IN_HOUSE: Final[int] = DATA["animals"]["in_house"]
_U1: Final = np.uint64(1)


@njit
def beside(cells: int) -> int:
    """Return the cells that share a side with one of a set; some of the set may be among them (A2)."""
    return ((cells << 1) & _NOT_FIRST | (cells >> 1) & _NOT_LAST | cells << _WIDE | cells >> _WIDE) & FARM


@njit
def part_of(cells: int) -> int:
    """Return the cells of a set, not empty, that hang together with its first one."""
    part, before = cells & -cells, 0
    while part != before:
        before = part
        part |= beside(part) & cells
    return part


SIDES: Final = _WIDE * (_HIGH + 1) + _HIGH * (_WIDE + 1)
"""The number of sides that cells have."""


def _sides(cells: int) -> int:
    """Return the sides that a fence about a set of cells stands on (A43): those of exactly one of its cells."""
    found = 0
    for cell in range(len(CELLS)):
        if cells >> cell & 1:
            row, column = divmod(cell, _WIDE)
            across = _WIDE * (_HIGH + 1)
            for side in (cell, cell + _WIDE, across + _HIGH * column + row, across + _HIGH * (column + 1) + row):
                found ^= 1 << side
    return found


def _cells_of(cells: int) -> tuple[int, ...]:
    return tuple(cell for cell in range(len(CELLS)) if cells >> cell & 1)


def _enclosable() -> list[int]:
    """Return the sets that a fencing can close (A44), in the order of their actions (A76)."""
    found = {1 << cell for cell in FREE_CELLS}
    more = found
    while more:
        more = {cells | 1 << cell for cells in more for cell in FREE_CELLS if beside(cells) >> cell & 1} - found
        found |= more
    fenced = (cells for cells in found if _sides(cells).bit_count() <= MOST_FENCES)
    return sorted(fenced, key=lambda cells: (cells.bit_count(), _cells_of(cells)))


_SETS: Final = _enclosable()
FENCED: Final = np.array(_SETS, np.int64)
"""The sets of cells that can be closed (A44), in the order of their actions."""
FENCES: Final = np.array([_sides(cells) for cells in _SETS], np.uint64)
"""The sides about each of them."""
ABOUT: Final = np.array([beside(cells) & ~cells for cells in _SETS], np.int64)
"""The cells that touch each of them, without its own."""
NUMBER_OF_SET: Final = {cells: number for number, cells in enumerate(_SETS)}
"""The number of each set, by its cells."""
CELL_SIDES: Final = np.array([_sides(1 << cell) for cell in range(len(CELLS))], np.uint64)
"""The sides of each cell."""


def sides_of(pastures: list[int]) -> int:
    """Return the sides on which the fences of pastures stand."""
    found = 0
    for cells in pastures:
        found |= _sides(cells)
    return found


@njit
def capacity(pasture: int | np.int64, stables: int) -> int:
    """Return how many animals a pasture holds, of one kind (A55)."""
    held = PER_CELL * popcount(np.uint64(pasture))
    for _ in range(popcount(np.uint64(pasture & stables))):
        held *= STABLE_FACTOR
    return held


@njit
def left_over(pastures: np.ndarray, stables: int, sheep: int, boar: int, cattle: int) -> int:
    """Return how many animals at least find no place in pastures, whatever kind each of these holds (A56).

    pastures: (5,), sets of cells, the empty ones last.
    """
    count, ways = 0, 1
    while count < pastures.shape[0] and pastures[count] != 0:
        count += 1
        ways *= 3
    least = sheep + boar + cattle
    for way in range(ways):
        rest, left_sheep, left_boar, left_cattle = way, sheep, boar, cattle
        for place in range(count):
            held = capacity(np.int64(pastures[place]), stables)
            if rest % 3 == 0:
                left_sheep -= held
            elif rest % 3 == 1:
                left_boar -= held
            else:
                left_cattle -= held
            rest //= 3
        least = min(least, max(left_sheep, 0) + max(left_boar, 0) + max(left_cattle, 0))
        if least == 0:
            break
    return least


@njit
def animals_fit(pastures: np.ndarray, enclosed: int, stables: int, sheep: int, boar: int, cattle: int) -> bool:
    """Return whether animals fit (A56): what pastures leave over goes into the house and the unfenced stables."""
    loose = IN_HOUSE + PER_STABLE * popcount(np.uint64(stables & ~enclosed))
    if sheep + boar + cattle <= loose:
        return True
    return left_over(pastures, stables, sheep, boar, cattle) <= loose


@njit
def new_fences(number: int, sides: Word) -> int:
    """Return how many fences it takes to close set ``number``, where some stand already (A44)."""
    return popcount(FENCES[number] & ~sides)


@njit
def can_close(number: int, pastures: np.ndarray, enclosed: int, blocked: int) -> bool:
    """Return whether set ``number`` may be closed as far as cells tell (A44-A46), wood and fences aside.

    pastures: (5,), sets of cells; enclosed: all of their cells. blocked: rooms and fields.
    """
    cells = FENCED[number]
    if cells & blocked:
        return False
    if cells & enclosed == 0:
        return enclosed == 0 or ABOUT[number] & enclosed != 0
    for place in range(pastures.shape[0]):
        pasture = np.int64(pastures[place])
        if cells & pasture:
            rest = pasture & ~cells
            if cells & ~pasture or rest == 0:
                return False
            return cells & pasture & -pasture == 0 or part_of(rest) != rest  # else the rest is the division's name
    return False
