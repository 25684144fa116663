"""PQN (Gallici et al. 2024): Q-learning in many games at once. λ-returns take the place of the target network, layer
norm keeps values from running away, and nothing is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import torch
from torch import nn

from benchmarks.algorithms.agent import ScoresAgent
from bohemian_env import observation_scale
from bohemian_env.envs.tasks import Task
from bohemian_env.envs.vector import VillagesVectorEnv
from bohemian_env.game.actions import NUM_ACTIONS

Agent = ScoresAgent

SPACE: Final[dict[str, list[Any]]] = {
    "rate": [5e-4, 1e-3, 2e-3],
    "horizon": [16, 32],
    "epochs": [1, 2, 3],
    "minibatch": [128, 256, 512],
    "lam": [0.9, 0.97, 1.0],
    "explore": [0.1, 0.3, 0.6],
    "reward": ["win", "mixed", "margin"],
}
LEAST: Final = 0.02
"""The part of random actions, once exploration has come down."""


def returns(
    rewards: torch.Tensor, over: torch.Tensor, best: torch.Tensor, following: torch.Tensor, lam: float
) -> torch.Tensor:
    """Return the λ-returns of some steps of some games: float32, (steps, games).

    rewards, over: of each step, and whether it ended the game. best: the highest value at each step, before it.
    following: the same after the last one, (games,).
    """
    found = torch.zeros_like(rewards)
    rest = following
    for step in reversed(range(len(rewards))):
        found[step] = rewards[step] + ~over[step] * (lam * rest + (1 - lam) * following)
        rest, following = found[step], best[step]
    return found


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
    minibatch: int = 256,
    lam: float = 0.97,
    explore: float = 0.3,
    reward: str = "margin",
) -> Iterator[tuple[int, Agent]]:
    """Learn.

    horizon: decisions of each game between two updates. lam: λ. explore: the part of the budget in which the part of
    random actions falls from 1 to LEAST.
    """
    torch.manual_seed(seed)
    env = VillagesVectorEnv(games, **task.parameters(reward=reward))
    scale = torch.tensor(observation_scale())
    hidden = [nn.Linear(len(scale), width), nn.LayerNorm(width), nn.ReLU()]
    hidden += [nn.Linear(width, width), nn.LayerNorm(width), nn.ReLU()]
    net = nn.Sequential(*hidden, nn.Linear(width, NUM_ACTIONS))
    agent, optimizer = Agent(net), torch.optim.RAdam(net.parameters(), rate)
    size = horizon, games
    seen = torch.zeros((*size, len(scale)), dtype=torch.int8)
    chosen = torch.zeros(size, dtype=torch.int64)
    best, gains, over = torch.zeros(size), torch.zeros(size), torch.zeros(size, dtype=torch.bool)

    def look() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return what is shown, the mask, and the value of each action, which is -inf where it is not legal."""
        observation, mask = torch.tensor(shown["observation"]), torch.tensor(shown["action_mask"])
        with torch.no_grad():
            return observation, mask, net(observation / scale).masked_fill(mask == 0, -torch.inf)

    shown, _ = env.reset(seed=seed)
    decisions = 0
    while (part := left(decisions)) > 0:
        for step in range(horizon):
            seen[step], mask, values = look()
            best[step], action = values.max(1)
            random = torch.rand(games) < max(LEAST, 1 - (1 - part) / explore)
            chosen[step] = torch.where(random, mask.float().multinomial(1)[:, 0], action)
            shown, gain, ended, cut_off, _ = env.step(chosen[step].numpy())
            gains[step], over[step] = torch.tensor(gain), torch.tensor(ended | cut_off)
        target = returns(gains, over, best, look()[2].max(1)[0], lam).flatten()
        rows, actions = seen.flatten(0, 1), chosen.flatten()[:, None]
        optimizer.param_groups[0]["lr"] = rate * part
        for _ in range(epochs):
            for some in torch.randperm(len(target)).split(minibatch):
                loss = nn.functional.mse_loss(net(rows[some] / scale).gather(1, actions[some])[:, 0], target[some])
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 10.0)
                optimizer.step()
        decisions += games * horizon
        yield decisions, agent
