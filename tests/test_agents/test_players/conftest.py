"""Fixtures that the tests of players share."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from agents.network.files import save_net
from agents.network.net import PolicyNet, Shape
from bohemian_env import Board


@pytest.fixture(scope="session")
def net() -> PolicyNet:
    """A small network of chance weights."""
    torch.manual_seed(0)
    return PolicyNet(Shape((16,), (16,), (16,))).eval()


@pytest.fixture(scope="session")
def trained(net: PolicyNet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an agent with this network."""
    folder = tmp_path_factory.mktemp("trained")
    save_net(net, folder / "agent.safetensors", Board.standard(), {"reward": "win"})
    return folder
