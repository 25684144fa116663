"""``ppo``: the agents that come with the project, one for each number of players."""

import numpy as np

from agents.pretrained import shipped_path
from bohemian_env import Board
from bohemian_env.engine.batch import Batch
from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS

from .agent import Player, Thoughts, check_plays
from .names import SHIPPED
from .policy import PolicyAgent, load_agent


class ShippedAgent(Player):
    """A player with the shipped network for the number of players at the table.

    board: the board that it is to play on; the shipped board by default.

    Raises BadAgent: the agents were trained on another board or are missing.
    """

    name = SHIPPED

    def __init__(self, board: Board | None = None) -> None:
        self.files = tuple(shipped_path(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self._board = board
        self._agents: dict[int, PolicyAgent] = {}
        self.at(MIN_PLAYERS)  # so that errors are raised now

    def at(self, players: int) -> PolicyAgent:
        """Return the agent for so many players."""
        if players not in self._agents:
            self._agents[players] = load_agent(shipped_path(players), board=self._board)
        return self._agents[players]

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        return self.at(int(states[0]["players"])).decide(states, seeds, games)

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        check_plays(self, batch.rules)
        with self._lock:
            agent = self.at(batch.num_players)
        return agent.act_batch(batch, games)

    def think(self, states: np.ndarray) -> Thoughts:
        """Return the policy's probabilities and the chance of winning; see :meth:`Player.think`."""
        return self.at(int(states[0]["players"])).think(states)
