"""``ppo``: the agents that come with the project, one for each number of players."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import Batch, Board
from bohemian_env.game.state import MAX_PLAYERS, MIN_PLAYERS

from .explanation import Explanation
from .policy import load_agent

__all__ = ["SHIPPED", "ByTable", "ShippedAgent", "shipped_path"]

SHIPPED: Final = "ppo"
"""Name of the shipped agents."""
_FOLDER: Final = Path(__file__).resolve().parents[1] / "pretrained"
_T = TypeVar("_T")


def shipped_path(players: int) -> Path:
    """The weights of the shipped agent for tables of 2 to 5 players."""
    return _FOLDER / f"{players}-players.safetensors"


class ByTable:
    """What is made once for each number of players, when it is first asked for."""

    def __init__(self, make: Callable[[int], _T]) -> None:
        self._make = make
        self._made: dict[int, Any] = {}

    def __call__(self, players: int) -> Any:
        if players not in self._made:
            self._made[players] = self._make(players)
        return self._made[players]


class ShippedAgent:
    """Plays with the shipped network for the table that it sits at.

    Args:
        seed: of its draws; it draws nothing, since it takes the likeliest action.
        board: on which it is to play; the shipped board by default.

    Raises:
        BadAgent: the agents were trained on another board, or are missing.
    """

    name = SHIPPED

    def __init__(self, seed: int = 0, board: Board | None = None) -> None:
        self.files = tuple(shipped_path(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self._at = ByTable(lambda players: load_agent(shipped_path(players), seed, board))
        self._at(MIN_PLAYERS)  # so that an error comes now

    def act(self, env: AECEnv) -> int:
        """As :meth:`agents.Agent.act`."""
        return self._at(env.unwrapped.num_players).act(env)

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`agents.Agent.act_batch`."""
        return self._at(batch.num_players).act_batch(batch, games)

    def explain(self, env: AECEnv) -> Explanation:
        """As :meth:`agents.Agent.explain`: probabilities of the policy, and the chance of winning."""
        return self._at(env.unwrapped.num_players).explain(env)
