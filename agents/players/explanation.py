"""What an agent thinks of the legal moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PROBABILITY: Final = "probability"
"""How likely the agent is to choose the move; the numbers sum to 1."""
COINS_AHEAD: Final = "coins ahead"
"""How far the agent expects to be ahead of the others, by its own estimate, in coins."""
CHANCE_OF_WINNING: Final = "chance of winning"
"""How likely it is to win, 0 to 1, where a joint win counts in part."""
EXPECTED_REWARD: Final = "expected reward"
"""What the agent was trained to increase: nearly 1 for a game won by far, nearly -1 for one lost by far."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number for each legal move, and the kind of number."""

    kind: str
    """PROBABILITY, COINS_AHEAD, CHANCE_OF_WINNING or EXPECTED_REWARD."""
    values: Mapping[str, float]
    """The number of each legal move, by its text. The agent makes a move with the highest, unless its own docstring
    says otherwise."""
    chances: Mapping[str, float] | None = None
    """The chance of winning after each move, 0 to 1; None if the agent does not estimate it."""
    chance: float | None = None
    """The chance of winning of the seat to move, 0 to 1; None if the agent does not estimate it."""
