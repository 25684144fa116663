"""The scripted opponents of the environment as agents."""

from __future__ import annotations

import numpy as np

from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.opponents import Scripted, choose_all, new_scratch, values_of

from .agent import CHANCE_OF_WINNING, COINS_AHEAD, PROBABILITY, Player, Thoughts


class ScriptedAgent(Player):
    """A scripted opponent, whose random choices follow from its seed, the seed of the game and the moment.

    Greedy takes any of equally good moves, and rolls again only if it must, whatever it thinks of that.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self.opponent = Scripted(name, seed)
        self._scratch = new_scratch()

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        """See :meth:`Player.decide`."""
        actions = np.empty(len(games), np.int64)
        number, seed = self.opponent.number, np.uint64(self.opponent.seed)
        choose_all(number, games, states, seeds, seed, self._scratch, actions)
        return actions

    def think(self, states: np.ndarray) -> Thoughts:
        """Return what its numbers are; see :meth:`Player.think`.

        For ``random`` they are probabilities, for ``appraiser`` chances of winning, for the others coins ahead.
        """
        values = np.empty(NUM_ACTIONS)
        values_of(self.opponent.number, states[0], self._scratch, values)
        by_action = {action: float(values[action]) for action in legal_actions(states[0])}
        if self.opponent.name == "appraiser":
            return Thoughts(CHANCE_OF_WINNING, by_action, by_action, max(by_action.values()))
        return Thoughts(PROBABILITY if self.opponent.name == "random" else COINS_AHEAD, by_action)
