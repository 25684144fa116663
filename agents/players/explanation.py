"""What an agent thinks of the moves that it may make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["CHANCE_OF_WINNING", "COINS_AHEAD", "EXPECTED_REWARD", "PROBABILITY", "Explanation"]

PROBABILITY: Final = "probability"
"""How likely the agent is to choose the move; the numbers sum to 1."""
COINS_AHEAD: Final = "coins ahead"
"""How far the agent expects to be ahead of the others, by its own estimate, in coins."""
CHANCE_OF_WINNING: Final = "chance of winning"
"""How likely it is to win, joint wins counted in part; 0 to 1."""
EXPECTED_REWARD: Final = "expected reward"
"""What the agent was trained to make large: nearly 1 for a game won high, nearly -1 for a game lost high."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number for each legal move, and what kind of number it is."""

    kind: str
    """PROBABILITY, COINS_AHEAD, CHANCE_OF_WINNING or EXPECTED_REWARD."""
    values: Mapping[str, float]
    """By the text of each legal move. The agent makes one with the highest, unless its own docstring says otherwise."""
    chances: Mapping[str, float] | None = None
    """Chance of winning by move, 0 to 1; None if the agent has no idea of it."""
    chance: float | None = None
    """Chance of winning of the seat to move, 0 to 1, as the position stands; None if the agent has no idea of it."""
