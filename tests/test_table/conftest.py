"""A store in an empty folder, seatings to play with, a server that is asked, and a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.seating import read_seating
from table.store import Store

from .asking import Client
from .browsing import KNOWN, browser, open_page, server

__all__ = ["KNOWN", "browser", "open_page", "server"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


@pytest.fixture
def client(store: Store) -> Iterator[Client]:
    with Client(store) as client:
        yield client


@pytest.fixture
def game(client: Client) -> str:
    return client.begin()


@pytest.fixture
def seating() -> dict[str, Any]:
    """One person against greedy, with the same villages and dice every time."""
    return read_seating({"seats": [{"name": ""}, {"agent": "greedy"}], "seed": 7}, KNOWN)
