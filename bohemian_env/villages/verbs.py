"""The verbs of Bohemian Villages (``engine/contract.py``): what the floor's loops call, all in one place."""

from typing import Final

from ..engine.bits import Word
from ..engine.compiled import njit
from .actions import NUM_ACTIONS
from .dice import CHANCE, DICE, SIZE, Handful, rolled_handful
from .facts import MAX_PLAYERS, SCORING
from .observation import write_observation
from .opponents.scripted import choose, moment, values_of
from .rules import TRUNCATED, deal, push, score, set_up
from .state import State

__all__ = [
    "COLUMNS", "MAX_PLAYERS", "NUM_ACTIONS", "TEAM", "TRUNCATED", "choose", "deal", "draw", "likelihood", "moment",
    "outcomes", "push", "score", "set_up", "values_of", "write_observation",
]  # fmt: skip

COLUMNS: Final = len(SCORING)
TEAM: Final = False
_HANDFULS: Final = len(DICE)


@njit
def outcomes(s: State) -> int:
    """Return the number of handfuls, those of other numbers of dice among them."""
    return _HANDFULS


@njit
def likelihood(s: State, k: Handful) -> float:
    """Return how likely a roll of the dice that are due shows handful ``k``."""
    return CHANCE[k] if SIZE[k] == s["pending"] else 0.0


@njit
def draw(s: State, seed: Word) -> Handful:
    """Return the handful that a seed rolls. At most one reroll comes in a turn (R8), so `spent` numbers the roll."""
    return rolled_handful(seed, s["turn"], s["spent"], s["pending"])
