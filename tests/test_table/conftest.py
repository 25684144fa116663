"""A store in an empty folder, and setups to play with."""

from pathlib import Path
from typing import Any

import pytest

from table.seating import OPPONENTS, read_seating
from table.store import Store

KNOWN = [opponent.agent for opponent in OPPONENTS]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


@pytest.fixture
def setup() -> dict[str, Any]:
    """One person against greedy, with the same villages and dice every time."""
    return read_seating({"seats": [{"name": ""}, {"agent": "greedy"}], "seed": 7}, KNOWN)
