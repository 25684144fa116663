"""Which of some moves is best, by playouts: they are spent in phases, after each of which the worse half is dropped.

This is sequential halving. All moves of a round meet the same dice, which takes the luck out of the comparison. These
follow from the searcher's own seed and the position (:func:`playout_seed`), not from the seed of the game, so a search
cannot foresee its dice. A first opinion of a move counts as a few playouts.
"""

from typing import Final

import numpy as np

from ...engine.bits import Word
from ...engine.chance import STEP, mix
from ...engine.compiled import njit
from ..state import State

CANDIDATE: Final = np.dtype(
    [("action", np.int64), ("prior", np.float64), ("weight", np.float64), ("sum", np.float64), ("count", np.int64)],
    align=True,
)
"""A move, its chance of winning in the first opinion, the playouts that this counts for, and the sum and the number of
its playouts."""
_8, _16 = np.uint64(8), np.uint64(16)


@njit
def playout_seed(s: State, own_seed: Word) -> Word:
    """Return the seed of the playouts of a decision, a function of the opponent's seed and the position."""
    seed = mix(own_seed * STEP + np.uint64(s["turn"]))
    seed = mix(seed ^ (np.uint64(s["dice"]) + (np.uint64(s["special"]) << _8) + (np.uint64(s["spent"]) << _16)))
    seed = mix(mix(seed ^ s["have"][0]) ^ s["have"][1])
    for seat in range(s["players"]):
        seed = mix(mix(seed ^ s["own"][seat, 0]) ^ s["own"][seat, 1])
        seed = mix(seed ^ np.uint64(s["coins"][seat]))
    return seed


@njit
def value_of(candidate: np.void) -> float:
    """Return the chance of winning with a candidate, by its playouts and the first opinion."""
    return (candidate["sum"] + candidate["weight"] * candidate["prior"]) / (candidate["count"] + candidate["weight"])


@njit
def swap_candidates(candidates: np.ndarray, i: int, j: int) -> None:
    """Swap two candidates."""
    one, other = candidates[i], candidates[j]  # field by field, since a record taken from an array is a view
    one["action"], other["action"] = other["action"], one["action"]
    one["prior"], other["prior"] = other["prior"], one["prior"]
    one["weight"], other["weight"] = other["weight"], one["weight"]
    one["sum"], other["sum"] = other["sum"], one["sum"]
    one["count"], other["count"] = other["count"], one["count"]


@njit
def sort_candidates(candidates: np.ndarray, count: int) -> None:
    """Sort the first ``count`` candidates, the best first; equal ones keep their order."""
    for i in range(1, count):
        at = i
        while at > 0 and value_of(candidates[at - 1]) < value_of(candidates[at]):
            swap_candidates(candidates, at - 1, at)
            at -= 1


@njit
def phases(moves: int) -> int:
    """Return how often this many moves are halved until one is left."""
    count = 0
    while moves > 1:
        moves = (moves + 1) // 2
        count += 1
    return count


@njit
def rounds_of(playouts: int, phases_left: int, moves: int) -> int:
    """Return the rounds of a phase, one or more: its part of the playouts that are left, shared by its moves."""
    return max(1, playouts // (phases_left * moves))


@njit
def keep_half(moves: int, candidates: np.ndarray) -> int:
    """Sort the first ``moves`` candidates, the best first, and return how many of them to keep."""
    sort_candidates(candidates, moves)
    return (moves + 1) // 2
