"""Stable-Baselines3's PPO without a mask: an illegal action ends the game with −1, as ``illegal="end"`` does.

The agent that comes of it is asked for the likeliest of the legal actions, as all others are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn
from torch import nn

from benchmarks.algorithms.agent import ScoresAgent
from bohemian_env import observation_scale
from bohemian_env.envs.sb3 import VillagesVecEnv
from bohemian_env.envs.tasks import Task

Agent = ScoresAgent

SPACE: Final[dict[str, list[Any]]] = {
    "rate": [3e-4, 5e-4, 1e-3, 2e-3],
    "horizon": [16, 32, 64],
    "epochs": [2, 3],
    "minibatch": [512, 1024, 2048],
    "entropy": [0.0, 0.003, 0.01],
    "gae_lambda": [0.9, 0.95, 1.0],
    "reward": ["win", "mixed", "margin"],
}


class Unmasked(VillagesVecEnv):
    """An illegal action ends the game with the worst reward, and another begins."""

    def step_wait(self) -> VecEnvStepReturn:
        """Carry out the actions; where one is not legal, the first that is legal is made in a game that is given up."""
        masks, last = self.action_masks(), self.games.observations / observation_scale()
        illegal = ~masks[np.arange(self.num_envs), self._actions]
        self._actions = np.where(illegal, masks.argmax(1), self._actions)
        _, rewards, dones, infos = super().step_wait()
        if illegal.any():
            self.games.reset(None, np.flatnonzero(illegal))
            rewards[illegal], dones = -1.0, dones | illegal
            self._lengths[illegal] = 0
            for i in np.flatnonzero(illegal):
                infos[i] = {"terminal_observation": last[i], "illegal": True}
        return self._view.now(), rewards, dones, infos


def learn(
    task: Task,
    left: Callable[[int], float],
    seed: int,
    *,
    games: int = 128,
    width: int = 128,
    rate: float = 1e-3,
    horizon: int = 32,
    epochs: int = 2,
    minibatch: int = 1024,
    entropy: float = 0.003,
    gae_lambda: float = 0.95,
    reward: str = "margin",
) -> Iterator[tuple[int, Agent]]:
    """Learn. horizon: decisions of each game between two updates; the other settings are PPO's own."""
    part = 1.0
    model = PPO(
        "MlpPolicy",
        Unmasked(games, **task.parameters(reward=reward, normalized=True)),
        n_steps=horizon,
        batch_size=minibatch,
        n_epochs=epochs,
        gamma=1.0,
        gae_lambda=gae_lambda,
        learning_rate=lambda _: rate * part,
        ent_coef=entropy,
        policy_kwargs={"net_arch": [width, width], "activation_fn": nn.Tanh},
        seed=seed,
        device="cpu",
    )
    model.set_logger(Logger(None, []))
    agent = Agent(nn.Sequential(*model.policy.mlp_extractor.policy_net, model.policy.action_net))
    while (part := left(model.num_timesteps)) > 0:
        model.learn(games * horizon, reset_num_timesteps=False, log_interval=1_000_000)
        yield model.num_timesteps, agent
