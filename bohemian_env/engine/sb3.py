"""The Stable-Baselines3 face of :class:`SelfPlay`, for MaskablePPO. It needs stable-baselines3."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from .errors import brief
from .self_play import Opponent, SelfPlay, games_of
from .view import View


class LearnerVecEnv(VecEnv):
    """One seat of each of ``num_envs`` games learns; opponents play the others inside the step.

    The observation is the int8 vector alone, or with ``advice=True`` a dictionary of ``"observation"`` and
    ``"advice"``; :meth:`action_masks` returns the masks of all current observations. Rewards are the learner's own, so
    nobody learns from what another seat received. A game that is cut off is done and is not bootstrapped, since it is
    scored as it stands. The info of a game that ended has ``cut_off``, of the learner ``win`` and ``margin`` among
    rivals, else ``total``, and the number of the ``opponent``, -1 where every seat had one of its own.

    Args:
        num_envs: number of games.
        opponents, shares: what plays the other seats, as for :class:`SelfPlay`.
        normalized: whether observations are float32, each entry divided by the scale of its part.
        parameters: those of :class:`SelfPlay`; the seed is any by default.

    Raises:
        BadSetup: as for :class:`SelfPlay`.
        TypeError: there is no such parameter.
    """

    self_play: ClassVar[type[SelfPlay]]
    """The class of the games behind it."""

    def __init__(
        self,
        num_envs: int = 64,
        opponents: Sequence[str | Opponent] = ("greedy",),
        shares: Sequence[float] | None = None,
        *,
        normalized: bool = False,
        **parameters: Any,
    ) -> None:
        self.games = games_of(self, num_envs, opponents, parameters, shares, autoreset=True)
        """The games."""
        self._view = View(self.games, mask=False, normalized=normalized)
        self._actions = np.zeros(num_envs, np.int64)
        self._lengths = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        super().__init__(num_envs, self._view.space, spaces.Discrete(self.games.rules.sizes[1]))

    def reset(self) -> VecEnvObs:
        """Begin all games anew: by ``seed()`` if it was called since the last reset, else after the present games."""
        self.games.reset(self._seeds[0])
        self._reset_seeds()
        self._lengths[:] = 0
        self._returns[:] = 0
        return self._view.now()

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learner's actions for :meth:`step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Carry out the actions and return observations, rewards, dones and infos."""
        games = self.games
        games.step(self._actions)
        self._lengths += 1
        self._returns += games.rewards
        dones, told = games.dones, games.told()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            infos[i] = {
                "terminal_observation": self._view.last(i),
                "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": 0.0},
                "opponent": int(games.ended.opponent[i]),
                **{name: values[i].item() for name, values in told.items()},
            }
        self._lengths[dones] = 0
        self._returns[dones] = 0
        return self._view.now(), games.rewards.copy(), dones, infos

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal now: bool, (num_envs, NUM_ACTIONS), a view that the next step overwrites."""
        return self.games.masks.view(np.bool_)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute once for each game; all games have the same."""
        own = {"action_masks": self.action_masks, "render_mode": None}
        value = own[attr_name] if attr_name in own else getattr(self.games, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Raise AttributeError: no game has attributes of its own."""
        raise AttributeError(f"{brief(attr_name)} cannot be set; change `games` instead")

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """Call ``action_masks``, the only method there is, and return the masks of some games."""
        if method_name != "action_masks":
            raise AttributeError(f"{brief(method_name)} is not a method of the games; there is only 'action_masks'")
        masks = self.action_masks()
        return masks if indices is None else [masks[i] for i in self._get_indices(indices)]  # type: ignore[return-value]

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Return False for each game."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Return None for each game: nothing is drawn."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
