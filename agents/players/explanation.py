"""What an agent thinks of the moves that it may make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from pettingzoo import AECEnv

__all__ = [
    "CHANCE_OF_WINNING",
    "COINS_AHEAD",
    "EXPECTED_REWARD",
    "PROBABILITY",
    "Explanation",
    "position_to_explain",
]

PROBABILITY: Final = "probability"
"""How likely the agent is to choose the action; the numbers sum to 1."""
COINS_AHEAD: Final = "coins ahead"
"""How far the agent expects to be ahead of the others, by its own estimate, in coins."""
CHANCE_OF_WINNING: Final = "chance of winning"
"""How likely it is to win, joint wins counted in part; 0 to 1."""

EXPECTED_REWARD: Final = "expected reward"
"""What the agent was trained to make large: of a game won high nearly 1, of a game lost high nearly -1."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number for each legal action, and what kind of number it is."""

    kind: str
    """PROBABILITY, COINS_AHEAD, CHANCE_OF_WINNING or EXPECTED_REWARD."""
    values: Mapping[int, float]
    """By legal action. The agent takes an action with the highest, unless its own docstring says otherwise."""
    chances: Mapping[int, float] | None = None
    """Chance of winning by legal action, 0 to 1; None if the agent has no idea of it."""
    chance: float | None = None
    """Chance of winning of the seat to move, 0 to 1, as the position stands; None if the agent has no idea of it."""


def position_to_explain(env: AECEnv) -> np.void:
    """The position of one of our AEC environments, wrapped or raw, in which an agent is to decide.

    Raises:
        ValueError: nobody has to decide: the environment was not reset, or the game is over.
    """
    raw = env.unwrapped
    if raw.seed is None:
        raise ValueError("there is no position to explain: call reset() first")
    state: np.void = raw.states[0]
    if state["end"] != 0:
        raise ValueError("there is nothing to explain: the game is over")
    return state
