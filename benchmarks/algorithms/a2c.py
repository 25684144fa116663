"""A2C with a mask. A2C is PPO with one pass over one minibatch of all (Huang et al. 2022), where nothing is clipped;
so this is sb3-contrib's MaskablePPO, with RMSprop and the settings that Stable-Baselines3 has for its A2C.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.sb2_compat.rmsprop_tf_like import RMSpropTFLike
from torch import nn

from benchmarks.algorithms.agent import ScoresAgent
from bohemian_env.envs.sb3 import VillagesVecEnv
from bohemian_env.envs.tasks import Task

Agent = ScoresAgent

SPACE: Final[dict[str, list[Any]]] = {
    "rate": [1e-3, 3e-3, 6e-3],
    "games": [16, 32],
    "horizon": [5, 8, 16],
    "entropy": [0.0, 0.003, 0.01],
    "gae_lambda": [0.9, 0.95, 1.0],
    "normalize": [False, True],
    "reward": ["win", "mixed", "margin"],
}


def learn(
    task: Task,
    left: Callable[[int], float],
    seed: int,
    *,
    games: int = 16,
    width: int = 128,
    rate: float = 3e-3,
    horizon: int = 8,
    entropy: float = 0.003,
    gae_lambda: float = 0.95,
    normalize: bool = True,
    reward: str = "margin",
) -> Iterator[tuple[int, Agent]]:
    """Learn. horizon: decisions of each game between two updates. normalize: whether advantages are, for each."""
    part = 1.0
    optimizer = {"optimizer_class": RMSpropTFLike, "optimizer_kwargs": {"alpha": 0.99, "eps": 1e-5}}
    model = MaskablePPO(
        "MlpPolicy",
        VillagesVecEnv(games, **task.parameters(reward=reward, normalized=True)),
        n_steps=horizon,
        batch_size=games * horizon,
        n_epochs=1,
        gamma=1.0,
        gae_lambda=gae_lambda,
        normalize_advantage=normalize,
        learning_rate=lambda _: rate * part,
        ent_coef=entropy,
        policy_kwargs={"net_arch": [width, width], "activation_fn": nn.Tanh, **optimizer},
        seed=seed,
        device="cpu",
    )
    model.set_logger(Logger(None, []))
    agent = Agent(nn.Sequential(*model.policy.mlp_extractor.policy_net, model.policy.action_net))
    while (part := left(model.num_timesteps)) > 0:
        model.learn(8 * games * horizon, reset_num_timesteps=False, log_interval=1_000_000)
        yield model.num_timesteps, agent
