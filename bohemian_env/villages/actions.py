"""Action numbers: what each of the 241 numbers stands for, and what the rules look up by dice and number.

An action is one whole move. Its number names a placement by cell (kind and village) and way, the bishop by the
number that the two dice show, a special action tile by the pair used, a reroll by the places of the dice among the
sorted unused dice. Together with those dice it gives the text of the move (``moves.py``). docs/villages.md has a
table.
"""

import functools
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final

import numpy as np

from .dice import DICE, HANDFUL, ways
from .facts import KINDS, TOTALS, TURN_DICE
from .state import CELLS, FIELD, cell_of

PAIRS: Final = tuple(combinations_with_replacement(range(1, 7), 2))
"""The 21 pairs of numbers, in ascending order."""
SUBSETS: Final = tuple(s for size in range(1, TURN_DICE + 1) for s in combinations(range(TURN_DICE), size))
"""The 15 choices among four sorted dice, as places (0 is the lowest die), by size and place."""

# Numbers of the actions (docs/villages.md). An action is one whole move; among four dice at most two ways reach the
# same total, so two blocks of cells name every placement.
BISHOPS: Final = 2 * CELLS
"""The first of the 6 actions that take the bishop, by the number that the two dice show."""
SPECIALS: Final = BISHOPS + 6
"""The first of the 21 actions that take a special action tile, by the pair used."""
REROLLS: Final = SPECIALS + len(PAIRS)
"""The first of the 15 actions that spend a tile, by the places of the dice rolled again."""
END: Final = REROLLS + len(SUBSETS)
"""The action that stops after the first move."""
NUM_ACTIONS: Final = END + 1
_LAST_WORD: Final = 64 * (END // 64)  # number of the first action in the last word of the legal ones


def action_table() -> list[tuple[int, int, str]]:
    """Return the blocks of action numbers: (first, last, meaning)."""
    return [
        (0, CELLS - 1, "place on cell `action` (9 × kind + village) by the first way to reach its total"),
        (CELLS, BISHOPS - 1, "place on cell `action` − 99 by the second way"),
        (BISHOPS, SPECIALS - 1, "take the bishop with two dice showing `action` − 197"),
        (SPECIALS, REROLLS - 1, "take a special action tile with a pair: 1+1, 1+2, …, 1+6, 2+2, …, 6+6"),
        (
            REROLLS,
            END - 1,
            "spend it to roll dice again, by their places among the sorted unused dice: 1; 2; 3; 4; 1,2; 1,3; 1,4; "
            "2,3; 2,4; 3,4; 1,2,3; 1,2,4; 1,3,4; 2,3,4; 1,2,3,4 (of equal dice, the lowest places)",
        ),
        (END, END, "stop after the first move"),
    ]


def _less(dice: tuple[int, ...], used: Sequence[int]) -> tuple[int, ...]:
    rest = [*dice]
    for die in used:
        rest.remove(die)
    return tuple(rest)


@functools.cache
def choices(dice: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """Return each different choice of ``dice`` by its number in SUBSETS; of equal dice, the lowest places are taken."""
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
    for number, dice in enumerate(DICE):
        for kind, name in enumerate(KINDS):
            word, place = cell_of(name)
            for way, used in enumerate(ways(dice, TOTALS[name])):
                reach[number, way, word] |= np.uint64((2**FIELD - 1) << place)
                after_way[number, len(KINDS) * way + kind] = HANDFUL[_less(dice, used)]
        bits = 0
        for pair in set(combinations(dice, 2)):
            index = PAIRS.index(pair)
            after_pair[number, index] = HANDFUL[_less(dice, pair)]
            bits |= 1 << (SPECIALS + index - _LAST_WORD)
            if pair[0] == pair[1]:
                bits |= 1 << (BISHOPS + pair[0] - 1 - _LAST_WORD)
        for index, again in choices(dice).items():
            after_reroll[number, index] = HANDFUL[_less(dice, again)]
            bits |= 1 << (REROLLS + index - _LAST_WORD)
        if len(dice) in (1, 2):  # the first move has been made
            bits |= 1 << (END - _LAST_WORD)
        other[number] = bits
    return reach, other, after_way, after_pair, after_reroll


WAYS, OTHER, AFTER_WAY, AFTER_PAIR, AFTER_REROLL = _tables()
# WAYS[h, w]: cells (two words) whose total handful h reaches by its way w + 1.
# OTHER[h]: the last word of the legal actions, as far as the dice alone decide it (bishop, special, reroll, end).
# AFTER_WAY[h, 11 * w + kind], AFTER_PAIR[h, pair], AFTER_REROLL[h, subset]: the dice left, or kept.
