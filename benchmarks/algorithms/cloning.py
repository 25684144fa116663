"""Behaviour cloning of ``planner``: a network learns what it would do, from games that it plays with itself.

The moves of a turn can often be made in either order; those that are worth the same to ``planner`` share the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from benchmarks.algorithms.agent import ScoresAgent
from bohemian_env import Batch, observation_scale
from bohemian_env.envs.advice import STANDING
from bohemian_env.envs.tasks import Task
from bohemian_env.game.actions import NUM_ACTIONS

Agent = ScoresAgent

SPACE: Final[dict[str, list[Any]]] = {
    "rate": [5e-4, 1e-3, 2e-3, 4e-3],
    "minibatch": [256, 512, 1024],
    "epochs": [1, 2, 3],
    "stray": [0.0, 0.02, 0.05, 0.1],
    "games": [128, 512],
}


def learn(
    task: Task,
    left: Callable[[int], float],
    seed: int,
    *,
    games: int = 256,
    width: int = 128,
    rate: float = 1e-3,
    horizon: int = 32,
    minibatch: int = 512,
    epochs: int = 2,
    stray: float = 0.05,
) -> Iterator[tuple[int, Agent]]:
    """Learn. horizon: decisions of each game between two times of learning. stray: the part of moves that are random,
    so that it sees positions that ``planner`` would not come to; what it learns is always what ``planner`` would do.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    fixed = task.parameters()
    batch = Batch(games, fixed["num_players"], fixed["villages"])
    batch.reset(seed)
    scale = torch.tensor(observation_scale())
    net = nn.Sequential(
        nn.Linear(len(scale), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, NUM_ACTIONS)
    )
    agent, adam = Agent(net), torch.optim.Adam(net.parameters(), rate)
    decisions = 0
    while (part := left(decisions)) > 0:
        kept = []
        for _ in range(horizon):
            best = (batch.advise(adviser="planner")[:, STANDING:] == 0) & (batch.masks == 1)
            kept.append((batch.observations.copy(), batch.masks.copy(), best))
            chosen = (rng.random(best.shape) * best).argmax(1)
            random = rng.random(games) < stray
            batch.step(np.where(random, batch.random_actions(seed), chosen))
        seen, masks, best = (torch.from_numpy(np.concatenate(column)) for column in zip(*kept, strict=True))
        targets = best / best.sum(1, keepdim=True)
        adam.param_groups[0]["lr"] = rate * part
        for _ in range(epochs):
            for some in torch.randperm(len(seen)).split(minibatch):
                scores = net(seen[some] / scale).masked_fill(masks[some] == 0, -1e9)
                loss = nn.functional.cross_entropy(scores, targets[some])
                adam.zero_grad()
                loss.backward()
                adam.step()
        decisions += games * horizon
        yield decisions, agent
