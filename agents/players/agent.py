"""What an agent is."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import Batch

from .explanation import Explanation

__all__ = ["Agent"]


class Agent(Protocol):
    """A player. It chooses only legal actions, and the same ones for the same seed and position."""

    name: str
    """How tables and records call it."""

    def act(self, env: AECEnv) -> int:
        """The action of the agent selected in one of our AEC environments, wrapped or raw."""
        ...

    def explain(self, env: AECEnv) -> Explanation:
        """What it thinks of each legal action of the agent selected in one of our AEC environments.

        Raises:
            ValueError: the environment was not reset, or its game is over.
        """
        ...

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """Actions for the current seats of a batch.

        Args:
            batch: games that wait for a decision.
            games: numbers of the games to decide, int64, (m,); all of them by default.

        Returns:
            int64, (m,). Where a game is over, the action is 0 and means nothing.
        """
        ...
