"""Random numbers that are functions of a seed, by SplitMix64: all that chance brings, and playouts, are made from them.

There is no generator with a state: a number follows from a seed and from the moment in the game that needs it.
"""

from typing import Final

import numpy as np

from .bits import Word
from .compiled import njit

STEP: Final = np.uint64(0x9E3779B97F4A7C15)
"""The increment of SplitMix64: counters are multiplied by it before they are mixed."""

_MULTIPLY_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLY_2: Final = np.uint64(0x94D049BB133111EB)
_U11, _U27, _U30, _U31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)
_TO_UNIT: Final = 1.0 / (1 << 53)


@njit
def mix(x: Word) -> Word:
    """Return ``x`` mixed by the finaliser of SplitMix64 (Steele, Lea and Flood 2014): one to one, and each bit of the
    input changes about half the bits of the output."""
    x = (x ^ (x >> _U30)) * _MULTIPLY_1
    x = (x ^ (x >> _U27)) * _MULTIPLY_2
    return x ^ (x >> _U31)


@njit
def unit(word: Word) -> float:
    """Return a float64 from 0 up to, but not including, 1, made from a mixed word."""
    return float(word >> _U11) * _TO_UNIT


@njit
def own_word(game_seed: Word, own_seed: Word, moment: Word) -> Word:
    """Return a player's own random number for a decision, by its seed, that of the game, and the verb ``moment``.

    It tells nothing about what chance brings, which is mixed in another way.
    """
    return mix(mix(own_seed * STEP + game_seed) ^ (moment * STEP))
