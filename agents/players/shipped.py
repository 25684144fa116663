"""``ppo``: the agents that come with the project, one for each number of players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from agents.pretrained import shipped_path
from bohemian_env import Batch, Board
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS

from .agent import Player, Thoughts
from .names import SHIPPED
from .policy import PolicyAgent, load_agent

__all__ = ["ByPlayers", "ShippedAgent", "shipped_path"]

T = TypeVar("T")


class ByPlayers(Generic[T]):
    """What is made once for each number of players, when it is first asked for."""

    def __init__(self, make: Callable[[int], T]) -> None:
        self._make = make
        self._made: dict[int, T] = {}

    def __call__(self, players: int) -> T:
        """Return it for a table of so many."""
        if players not in self._made:
            self._made[players] = self._make(players)
        return self._made[players]


class ShippedAgent(Player):
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
        self._at: ByPlayers[PolicyAgent] = ByPlayers(lambda players: load_agent(shipped_path(players), seed, board))
        self._at(MIN_PLAYERS)  # so that an error comes now

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        """As :meth:`Player.decide`."""
        return self._at(int(states[0]["players"])).decide(states, seeds, games)

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`Agent.act_batch`."""
        return self._at(batch.num_players).act_batch(batch, games)

    def think(self, states: np.ndarray) -> Thoughts:
        """As :meth:`Player.think`: probabilities of the policy, and the chance of winning."""
        return self._at(int(states[0]["players"])).think(states)
