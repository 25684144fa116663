"""Fixtures that the tests of players share."""

from pathlib import Path

import pytest

from agents.network.files import save_net
from agents.network.net import Shape
from tests.test_agents.networks import BOARD, net_of


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an agent with a small network of chance weights."""
    folder = tmp_path_factory.mktemp("trained")
    save_net(net_of(0, Shape((16,), (16,), (16,))), folder / "agent.safetensors", BOARD, {"reward": "win"})
    return folder
