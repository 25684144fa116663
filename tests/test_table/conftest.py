"""A store in an empty folder, the name of each game, a server that is asked, and a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.store import Store

from .asking import GAMES, Client
from .browsing import browser, open_page, server

__all__ = ["browser", "open_page", "server"]


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    """The name of a game: what holds for the table holds for each."""
    return str(request.param)


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
