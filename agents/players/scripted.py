"""The scripted opponents of the environment as agents."""

from __future__ import annotations

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import Batch
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.rules import is_legal
from bohemian_env.opponents import Scripted, choose_all, scratch_states, values_of

from .explanation import COINS_AHEAD, PROBABILITY, Explanation, position_to_explain

__all__ = ["ScriptedAgent"]


class ScriptedAgent:
    """A scripted opponent; its chances follow from its seed, the seed of the game and the moment."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self.opponent = Scripted(name, seed)
        self._scratch = scratch_states()

    def act(self, env: AECEnv) -> int:
        """As :meth:`agents.Agent.act`."""
        raw = env.unwrapped
        return int(self._choose(np.zeros(1, np.int64), raw.states, np.array([raw.seed], np.uint64))[0])

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`agents.Agent.act_batch`."""
        return self._choose(np.arange(batch.n) if games is None else games, batch.states, batch.seeds)

    def explain(self, env: AECEnv) -> Explanation:
        """As :meth:`agents.Agent.explain`.

        Of equal moves greedy takes any, and it rolls again only if it must, whatever its estimate of that.
        """
        state = position_to_explain(env)
        values = np.empty(NUM_ACTIONS)
        values_of(self.opponent.number, state, self._scratch, values)
        legal = [action for action in range(NUM_ACTIONS) if is_legal(state, action)]
        kind = PROBABILITY if self.opponent.name == "random" else COINS_AHEAD
        return Explanation(kind, {action: float(values[action]) for action in legal})

    def _choose(self, games: np.ndarray, states: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        actions = np.empty(len(games), np.int64)
        number, seed = self.opponent.number, np.uint64(self.opponent.seed)
        choose_all(number, games, states, seeds, seed, self._scratch, actions)
        return actions
