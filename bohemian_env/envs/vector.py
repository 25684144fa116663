"""The Gymnasium face of :class:`SelfPlay`: ``gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=64)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..game.actions import NUM_ACTIONS
from ..opponents import Scripted
from .advice import ADVICE_SIZE
from .observe import observation_space
from .self_play import Opponent, SelfPlay

__all__ = ["VillagesVectorEnv"]


class VillagesVectorEnv(VectorEnv):
    """One seat of each of ``num_envs`` games learns; opponents play the others inside the step.

    Observations are the dictionaries of the PettingZoo environment, with a first axis of ``num_envs``. A game is
    followed by the next one in the step that ends it (``AutoresetMode.SAME_STEP``); its last observation is then in
    ``infos["final_obs"]``, with no action in its mask. A game cut off by ``max_turns`` is scored as it stands, so it is
    reported as terminated, and ``infos["cut_off"]`` says which were. All arrays returned are copies.

    The parameters, and the errors, are those of :class:`SelfPlay`; greedy plays the other seats by default.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[Opponent] = (Scripted("greedy"),),
        shares: Sequence[float] | None = None,
        **parameters: Any,
    ) -> None:
        self.games = SelfPlay(num_envs, opponents, shares, **parameters)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.games.advice is not None)
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin all games anew, as :meth:`SelfPlay.reset` does. ``options`` are ignored."""
        self.games.reset(seed)
        return self._observation(), {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Carry out the learner's action in every game; if one is not legal, raise IllegalMove and change nothing."""
        self.games.step(actions)
        dones = self.games.dones
        infos: dict[str, Any] = {}
        if dones.any():
            final = np.full(self.num_envs, None, dtype=object)
            nothing = None if self.games.advice is None else np.zeros(ADVICE_SIZE, np.float32)
            for i in np.flatnonzero(dones):
                final[i] = self._shown(self.games.final_observations[i], np.zeros(NUM_ACTIONS, np.int8), nothing)
            infos = {
                "final_obs": final,
                "_final_obs": dones,
                "cut_off": self.games.cut_off,
                "win": np.where(dones, self.games.ended.win, 0),
            }
        none = np.zeros(self.num_envs, np.bool_)
        return self._observation(), self.games.rewards.astype(np.float64), dones, none, infos

    def _observation(self) -> dict[str, np.ndarray]:
        return self._shown(self.games.observations, self.games.masks, self.games.advice)

    @staticmethod
    def _shown(observation: np.ndarray, mask: np.ndarray, advice: np.ndarray | None) -> dict[str, np.ndarray]:
        shown = {"observation": observation.copy(), "action_mask": mask.copy()}
        return shown if advice is None else shown | {"advice": advice.copy()}
