"""Small networks with chance weights, and what they see."""

from __future__ import annotations

import numpy as np
import torch

from agents.network.net import PolicyNet, Shape
from bohemian_env import Batch, Board

SMALL = Shape((8,), (6,), ())
TOLD = Shape((8,), (6,), (4,), advice=True)
"""A network that is told what the planner thinks."""

BOARD = Board.standard()


def net_of(seed: int, shape: Shape = SMALL) -> PolicyNet:
    """A network with chance weights."""
    torch.manual_seed(seed)
    return PolicyNet(shape).eval()


def played(n: int, players: int = 2, steps: int = 25) -> Batch:
    """Games in which random play has gone on for some moves."""
    batch = Batch(n, players)
    rng = np.random.default_rng(0)
    for _ in range(steps):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
    return batch


def seen(n: int, players: int = 2, steps: int = 25) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of such games."""
    batch = played(n, players, steps)
    return batch.observations.copy(), batch.masks.copy()
