"""The two faces of many games, of Gymnasium and of Stable-Baselines3, asked in one way."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from sb3_contrib.common.maskable.utils import get_action_masks

from bohemian_env.villages.faces import VillagesVectorEnv
from bohemian_env.villages.sb3 import VillagesVecEnv


class Sb3:
    """The face of Stable-Baselines3: a step gives what is shown, rewards, ends and infos."""

    last = "terminal_observation"
    dtypes = (np.bool_, np.float32, np.bool_)

    def __init__(self, n: int, **parameters: Any) -> None:
        self.env: Any = VillagesVecEnv(n, **parameters)
        self.games, self.space = self.env.games, self.env.observation_space
        self.step = self.env.step

    def reset(self, seed: int | None = None) -> Any:
        if seed is not None:
            self.env.seed(seed)
        return self.env.reset()

    def masks(self, shown: Any) -> Any:
        return get_action_masks(self.env)


class Gymnasium:
    """That of Gymnasium, by its registered name, in wrappers that make infos a list and add up rewards."""

    last = "final_obs"
    dtypes = (np.int8, np.float64, np.bool_)

    def __init__(self, n: int, **parameters: Any) -> None:
        many: Any = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=n, **parameters)
        assert isinstance(many, VillagesVectorEnv)
        self.games, self.space = many.games, many.single_observation_space
        self.env: Any = DictInfoToList(RecordEpisodeStatistics(many))

    def step(self, actions: np.ndarray) -> Any:
        shown, rewards, terminations, truncations, infos = self.env.step(actions)
        return shown, rewards, terminations | truncations, infos

    def reset(self, seed: int | list[int] | None = None) -> Any:
        return self.env.reset(seed=seed)[0]

    def masks(self, shown: Any) -> Any:
        return shown["action_mask"]


EACH = pytest.mark.parametrize("face", [Gymnasium, Sb3])


def seen_in(shown: Any) -> Any:
    """The observation in what is shown."""
    return shown["observation"] if isinstance(shown, dict) else shown
