"""Fixtures that the tests of agents share."""

from pathlib import Path
from typing import Any

import pytest

from agents.network.files import save_net
from tests.test_agents.networks import BOARD, net_of


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The folder of an agent."""
    save_net(net_of(1), tmp_path / "agent.safetensors", BOARD, {"samples": 12})
    return tmp_path


@pytest.fixture(params=["write_bytes", "replace"])
def interrupted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Ctrl-C comes in one write or rename: [k] lets k of them pass first. A write is stopped half-way."""
    left, usual = [0], getattr(Path, request.param)

    def call(self: Path, given: Any) -> Any:
        if left[0] == 0:
            if request.param == "write_bytes":
                usual(self, given[: len(given) // 2])
            raise KeyboardInterrupt
        left[0] -= 1
        return usual(self, given)

    monkeypatch.setattr(Path, request.param, call)
    return left
