"""Fixtures that the tests of agents share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.network.files import save_net
from tests.test_agents.networks import BOARD, net_of


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The folder of an agent."""
    save_net(net_of(1), tmp_path / "agent.safetensors", BOARD, {"samples": 12})
    return tmp_path


@pytest.fixture(params=["write", "rename"])
def interrupted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Ctrl-C comes in one write or rename: [k] lets k of them pass first. A write is stopped half-way."""
    left = [0]
    write_bytes, replace = Path.write_bytes, Path.replace

    def write(self: Path, content: bytes) -> int:
        if request.param == "write" and left[0] == 0:
            write_bytes(self, content[: len(content) // 2])
            raise KeyboardInterrupt
        left[0] -= request.param == "write"
        return write_bytes(self, content)

    def rename(self: Path, target: Path) -> Path:
        if request.param == "rename" and left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= request.param == "rename"
        return replace(self, target)

    monkeypatch.setattr(Path, "write_bytes", write)
    monkeypatch.setattr(Path, "replace", rename)
    yield left
    monkeypatch.undo()
