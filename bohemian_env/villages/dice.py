"""Dice: every handful of up to four is one number, and a seed determines every roll.

A *handful* is a sorted tuple of zero to four dice. The 210 handfuls are numbered by size, then by what they
show (0 is the empty one). What the rules ask of dice is then a table look-up: which totals can be reached, what is left
after using some, and what a reroll makes of those kept.

Seeded dice are a function of (seed, turn, number of the roll within the turn) and of nothing else, so the same seed
gives the same dice to every seating of a table, whatever was rerolled before.
"""

import functools
import operator
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Final, TypeAlias

import numpy as np

from ..engine.bits import Word
from ..engine.chance import STEP, mix
from ..engine.compiled import njit
from ..engine.errors import brief
from .errors import BadDice
from .facts import TURN_DICE

Handful: TypeAlias = int
"""The number of a handful: an index into :data:`DICE`."""

DICE: Final = tuple(d for size in range(TURN_DICE + 1) for d in combinations_with_replacement(range(1, 7), size))
"""The handfuls in the order of their numbers."""
HANDFUL: Final = {dice: number for number, dice in enumerate(DICE)}
SIZE: Final = np.array([len(d) for d in DICE], np.uint8)
FULL: Final = next(number for number, dice in enumerate(DICE) if len(dice) == TURN_DICE)
"""The first handful of four dice; handfuls with lower numbers are those of which dice have been used."""
SHOWN: Final = np.array(
    [sum((dice.count(n) >= k) << (4 * (n - 1) + k - 1) for n in range(1, 7) for k in range(1, 5)) for dice in DICE],
    np.uint64,
)
"""What each handful shows, as 24 flags: at least so many of its dice (1 to 4) show this number (1 to 6)."""

FIRST: Final = np.array([sum(len(d) < size for d in DICE) for size in range(TURN_DICE + 2)], np.int64)
"""The first handful of each number of dice; the last entry is the number of handfuls."""


def handful(dice: Sequence[int]) -> Handful:
    """Return the handful that shows ``dice``, in any order. Raises BadDice: there are more than four dice, or one does
    not show 1 to 6.
    """
    try:
        return HANDFUL[tuple(sorted(operator.index(d) for d in dice))]
    except (KeyError, TypeError):
        raise BadDice(f"dice {brief(dice)} are not up to four numbers from 1 to 6") from None


def totals(dice: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return the total that each different choice of two to four of ``dice`` makes (R6)."""
    return {way: sum(way) for size in range(2, TURN_DICE + 1) for way in combinations(dice, size)}


@functools.cache
def ways(dice: tuple[int, ...], total: int) -> tuple[tuple[int, ...], ...]:
    """Return the different ways (R15) to reach ``total`` with two to four of ``dice``: fewer dice first, then lower."""
    found = [way for way, made in totals(dice).items() if made == total]
    return tuple(sorted(found, key=lambda way: (len(way), way)))


JOINED: Final = np.array(
    [[HANDFUL.get(tuple(sorted(kept + rolled)), 0) for rolled in DICE] for kept in DICE[:FULL]], np.uint8
)
"""``JOINED[kept, rolled]`` is the handful that both make together."""

# The handful of n dice in the order rolled: entry _ROLLED_FROM[n] + the dice, each less one, as base-6 digits.
_ROLLED: Final = np.array(
    [HANDFUL[tuple(sorted(d))] for size in range(TURN_DICE + 1) for d in product(range(1, 7), repeat=size)], np.uint8
)
CHANCE: Final = np.bincount(_ROLLED, minlength=len(DICE)) / 6.0**SIZE
"""The chance of each handful among those of as many dice: float64, (handfuls,)."""
_ROLLED_FROM: Final = np.array([0, 1, 7, 43, 259, 1555], np.int64)
_SIXES: Final = np.array([1296, 216, 36, 6, 1], np.int64)  # the code of four dice divided by it is that of the first n

_U32: Final = np.uint64(32)
_ROLLS_PER_TURN: Final = np.uint64(4)  # numbers set aside for each turn, which has at most two rolls (R8)
_FACES_4: Final = np.uint64(6**4)


@njit
def roll_code(seed: Word, turn: int, number: int) -> int:
    """Return four dice in the order rolled, as a number in base 6 below 1,296.

    turn counts from 1; number, that of the roll within the turn, counts from 0.
    """
    counter = np.uint64(turn) * _ROLLS_PER_TURN + np.uint64(number)
    word = mix(mix(seed + STEP) + counter * STEP)
    return np.int64(((word >> _U32) * _FACES_4) >> _U32)  # type: ignore[return-value]


@njit
def rolled_handful(seed: Word, turn: int, number: int, count: int) -> Handful:
    """Return the handful of the first ``count`` (0 to 4) dice of a seeded roll."""
    return _ROLLED[_ROLLED_FROM[count] + roll_code(seed, turn, number) // _SIXES[count]]


@njit
def handful_of(count: int, place: float) -> Handful:
    """Return the handful at a place, from 0 up to 1, among all rolls of ``count`` (0 to 4) dice in order."""
    return _ROLLED[_ROLLED_FROM[count] + np.int64(place * (_ROLLED_FROM[count + 1] - _ROLLED_FROM[count]))]


def seeded_dice(seed: int, turn: int, number: int) -> tuple[int, int, int, int]:
    """Return the four dice, in the order rolled, of roll ``number`` (from 0) in turn ``turn`` (from 1) under ``seed``.

    A reroll of n dice takes the first n of them.
    """
    code = int(roll_code(np.uint64(seed), turn, number))
    return (code // 216 + 1, code // 36 % 6 + 1, code // 6 % 6 + 1, code % 6 + 1)
