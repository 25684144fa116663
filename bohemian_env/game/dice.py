"""Dice: every handful of up to four of them as one number, and the dice of a seed.

A *handful* is a sorted tuple of zero to four dice. The 210 handfuls are numbered by size, then by their numbers
(0 is the empty one). What the rules ask of dice is then a table look-up: which totals can be reached, what is
left after using some, what a reroll makes of the ones kept.

Seeded dice are a function of (seed, turn, number of the roll within the turn) and of nothing else, so the same
seed gives the same dice to every seating of a table, whatever was rerolled before.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Any, Final

import numpy as np

from ..compiled import njit
from ..errors import BadDice
from .state import CELLS, FIELD, KINDS, WORD_KINDS

__all__ = [
    "AFTER_PAIR",
    "AFTER_REROLL",
    "AFTER_WAY",
    "BISHOPS",
    "DICE",
    "END",
    "HANDFUL",
    "JOINED",
    "NUM_ACTIONS",
    "OTHER",
    "PAIRS",
    "REROLLS",
    "SIZE",
    "SPECIALS",
    "SUBSETS",
    "WAYS",
    "handful",
    "mix",
    "rolled_handful",
    "seeded_dice",
    "seeded_roll",
    "ways",
]

DICE: Final = tuple(d for size in range(5) for d in combinations_with_replacement(range(1, 7), size))
"""The handfuls in the order of their numbers."""
HANDFUL: Final = {dice: number for number, dice in enumerate(DICE)}
SIZE: Final = np.array([len(d) for d in DICE], np.uint8)
PAIRS: Final = tuple(combinations_with_replacement(range(1, 7), 2))
"""The 21 pairs of numbers, in ascending order."""
SUBSETS: Final = tuple(s for size in range(1, 5) for s in combinations(range(4), size))
"""The 15 choices among four sorted dice, as places (0 is the lowest die), by size and place."""

# Numbers of the actions (docs/env.md). An action is one whole move; among four dice at most two ways reach the
# same total, so two blocks of cells name every placement.
BISHOPS: Final = 2 * CELLS
"""First of the 6 actions that take the bishop, by the number that the two dice show."""
SPECIALS: Final = BISHOPS + 6
"""First of the 21 actions that take a special action tile, by the pair used."""
REROLLS: Final = SPECIALS + len(PAIRS)
"""First of the 15 actions that spend it, by the places of the dice rolled again."""
END: Final = REROLLS + len(SUBSETS)
"""The action that stops after the first move."""
NUM_ACTIONS: Final = END + 1


def handful(dice: Sequence[int]) -> int:
    """Number of the handful that shows ``dice`` (in any order).

    Raises:
        BadDice: more than four dice, or a die that does not show 1 to 6.
    """
    try:
        return HANDFUL[tuple(sorted(operator.index(d) for d in dice))]
    except (KeyError, TypeError):
        raise BadDice(f"dice {dice!r} are not up to four numbers from 1 to 6") from None


def _less(dice: tuple[int, ...], used: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted((Counter(dice) - Counter(used)).elements()))


def ways(dice: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """The different ways (R15) to reach ``total`` with two to four of ``dice``: fewer dice first, then lower ones."""
    found = {c for size in (2, 3, 4) for c in combinations(dice, size) if sum(c) == total}
    return sorted(found, key=lambda way: (len(way), way))


def _canonical_subsets(dice: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """For each different choice of ``dice`` to roll again: its number in SUBSETS (equal dice: the lowest places)."""
    found: dict[tuple[int, ...], int] = {}
    for number, places in enumerate(SUBSETS):
        if places[-1] < len(dice):
            found.setdefault(tuple(dice[p] for p in places), number)
    return {number: chosen for chosen, number in found.items()}


def _tables() -> tuple[np.ndarray, ...]:
    reach = np.zeros((len(DICE), 2, 2), np.uint64)
    other = np.zeros(len(DICE), np.uint64)
    after_way = np.zeros((len(DICE), 2 * len(KINDS)), np.uint8)
    after_pair = np.zeros((len(DICE), len(PAIRS)), np.uint8)
    after_reroll = np.zeros((len(DICE), len(SUBSETS)), np.uint8)
    joined = np.zeros((len(DICE) - 126, len(DICE)), np.uint8)
    last_word = 64 * 3
    for number, dice in enumerate(DICE):
        for kind in range(len(KINDS)):
            word, place = (0, kind) if kind < WORD_KINDS else (1, kind - WORD_KINDS)
            for way, used in enumerate(ways(dice, kind + 2)):
                reach[number, way, word] |= np.uint64((2**FIELD - 1) << (FIELD * place))
                after_way[number, len(KINDS) * way + kind] = HANDFUL[_less(dice, used)]
        bits = 0
        for pair in set(combinations(dice, 2)):
            index = PAIRS.index(pair)
            after_pair[number, index] = HANDFUL[_less(dice, pair)]
            bits |= 1 << (SPECIALS + index - last_word)
            if pair[0] == pair[1]:
                bits |= 1 << (BISHOPS + pair[0] - 1 - last_word)
        for index, again in _canonical_subsets(dice).items():
            after_reroll[number, index] = HANDFUL[_less(dice, again)]
            bits |= 1 << (REROLLS + index - last_word)
        if len(dice) in (1, 2):  # the first move has been made
            bits |= 1 << (END - last_word)
        other[number] = bits
        if len(dice) < 4:
            for more, rolled in enumerate(DICE):
                if len(dice) + len(rolled) <= 4:
                    joined[number, more] = HANDFUL[tuple(sorted(dice + rolled))]
    return reach, other, after_way, after_pair, after_reroll, joined


WAYS, OTHER, AFTER_WAY, AFTER_PAIR, AFTER_REROLL, JOINED = _tables()
# WAYS[h, w]: cells (two words) whose total handful h reaches by its way w + 1.
# OTHER[h]: the last word of the legal actions as far as dice alone decide it (bishop, special, reroll, end).
# AFTER_WAY[h, 11 * w + kind], AFTER_PAIR[h, pair], AFTER_REROLL[h, subset]: the dice left, or kept.
# JOINED[kept, rolled]: both together.

# The handful that 0 to 4 dice rolled in order make: entry ROLLED_FROM[n] + the dice less one as base-6 digits.
_ROLLED: Final = np.array(
    [HANDFUL[tuple(sorted(d))] for size in range(5) for d in product(range(1, 7), repeat=size)], np.uint8
)
_ROLLED_FROM: Final = np.array([0, 1, 7, 43, 259], np.int64)
_SIXES: Final = np.array([1296, 216, 36, 6, 1], np.int64)  # divides the code of four dice to that of the first n

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLY_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLY_2: Final = np.uint64(0x94D049BB133111EB)
_U30, _U27, _U31, _U32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_ROLLS_PER_TURN: Final = np.uint64(4)  # room for the numbers of the rolls of a turn; there are at most two (R8)
_FACES_4: Final = np.uint64(6**4)


@njit
def mix(x: Any) -> Any:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014): uint64 to uint64, one to one, every bit of input
    changing half the bits of output."""
    x = (x ^ (x >> _U30)) * _MULTIPLY_1
    x = (x ^ (x >> _U27)) * _MULTIPLY_2
    return x ^ (x >> _U31)


@njit
def roll_code(seed: Any, turn: Any, number: Any) -> Any:
    """Four dice in the order rolled, as a number in base 6 below 1,296.

    seed: uint64. turn: from 1. number: of the roll within the turn, from 0.
    """
    counter = np.uint64(turn) * _ROLLS_PER_TURN + np.uint64(number)
    word = mix(mix(seed + _STEP) + counter * _STEP)
    return np.int64(((word >> _U32) * _FACES_4) >> _U32)


@njit
def rolled_handful(seed: Any, turn: Any, number: Any, count: Any) -> Any:
    """Handful of the first ``count`` (0 to 4) dice of a seeded roll."""
    return _ROLLED[_ROLLED_FROM[count] + roll_code(seed, turn, number) // _SIXES[count]]


def seeded_dice(seed: int, turn: int, number: int) -> tuple[int, int, int, int]:
    """The four dice, in the order rolled, of roll ``number`` (from 0) in turn ``turn`` (from 1) under ``seed``.

    A reroll of n dice takes the first n of them.
    """
    code = int(roll_code(np.uint64(seed), turn, number))
    return (code // 216 + 1, code // 36 % 6 + 1, code // 6 % 6 + 1, code % 6 + 1)


def seeded_roll(seed: int, turn: int, number: int, count: int) -> tuple[int, ...]:
    """The first ``count`` dice of :func:`seeded_dice`, ascending."""
    return tuple(sorted(seeded_dice(seed, turn, number)[:count]))
