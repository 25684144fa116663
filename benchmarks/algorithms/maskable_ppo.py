"""MaskablePPO of sb3-contrib: PPO in which illegal actions have no chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import nn

from benchmarks.algorithms.agent import ScoresAgent
from bohemian_env.envs.sb3 import VillagesVecEnv
from bohemian_env.envs.tasks import Task

Agent = ScoresAgent

SPACE: Final[dict[str, list[Any]]] = {
    "rate": [5e-4, 1e-3, 2e-3],
    "horizon": [16, 32, 64],
    "epochs": [2, 3],
    "minibatch": [512, 1024, 2048],
    "entropy": [0.003, 0.01, 0.03],
    "gae_lambda": [0.9, 0.95, 1.0],
    "reward": ["win", "mixed", "margin"],
}


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
    entropy: float = 0.01,
    gae_lambda: float = 0.95,
    reward: str = "margin",
) -> Iterator[tuple[int, Agent]]:
    """Learn. horizon: decisions of each game between two updates; the other settings are PPO's own."""
    part = 1.0
    model = MaskablePPO(
        "MlpPolicy",
        VillagesVecEnv(games, **task.parameters(reward=reward, normalized=True)),
        n_steps=horizon,
        batch_size=minibatch,
        n_epochs=epochs,
        gamma=1.0,  # the only reward is that of the end
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
