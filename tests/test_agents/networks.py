"""Small networks with chance weights, and what they see."""

from typing import Any

import numpy as np
import torch

from agents.network.net import PolicyNet, Shape
from bohemian_env import Batch, Board

SMALL = Shape((8,), (6,), ())
TOLD = Shape((8,), (6,), (4,), adviser="planner")
"""A network that is told what the planner thinks."""

BOARD = Board.standard()


def net_of(seed: int, shape: Shape = SMALL) -> PolicyNet:
    """A network with chance weights."""
    torch.manual_seed(seed)
    return PolicyNet(shape).eval()


def last_layer(net: PolicyNet) -> Any:
    """The layer that gives a network's logits."""
    return net.policy[-1]


def net_that_says(logits: torch.Tensor | np.ndarray) -> PolicyNet:
    """A network whose logits are these, whatever it sees."""
    net = net_of(0)
    with torch.no_grad():
        last_layer(net).weight.zero_()
        last_layer(net).bias.copy_(torch.as_tensor(logits))
    return net


def played(n: int, players: int = 2, steps: int = 25) -> Batch:
    """Games in which random play has gone on for some moves."""
    batch, rng = Batch(n, players), np.random.default_rng(0)
    for _ in range(steps):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
    return batch


def seen(n: int, players: int = 2, steps: int = 25) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of such games."""
    batch = played(n, players, steps)
    return batch.observations.copy(), batch.masks.copy()


def weights(net: PolicyNet) -> torch.Tensor:
    """All parameters in one vector."""
    return torch.cat([parameter.detach().flatten() for parameter in net.parameters()])
