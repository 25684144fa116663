"""A store in an empty folder, and seatings to play with."""

from pathlib import Path
from typing import Any

import pytest

from table.seating import GUESTS, read_seating
from table.store import Store

KNOWN = [guest.agent for guest in GUESTS]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


@pytest.fixture
def seating() -> dict[str, Any]:
    """One person against greedy, with the same villages and dice every time."""
    return read_seating({"seats": [{"name": ""}, {"agent": "greedy"}], "seed": 7}, KNOWN)
