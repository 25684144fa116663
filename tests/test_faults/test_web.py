"""Hostile HTTP: the server as it is holds, and faults planted in it are found."""

import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bohemian_env.games import GAMES
from tests.faults import server, web
from tests.faults.campaign import Tried
from tests.faults.server import Table

PLANTED = """
import sys, threading
import play, table.connection, table.games, table.guard, table.html
from table.session import Session

table.games._count = int  # odd counts: 500, and a traceback
del table.connection.HEADERS["x-frame-options"]
view = Session.view
Session.view = lambda self, *after, **more: view(self, *after, **more) | {"seed": self.seating["seed"]}
table.html.TEMPLATES.autoescape = False
threading.Timer(9, print, ['a page was asked for'], {'flush': True}).start()
sys.exit(play.main(sys.argv[1:]))
"""


def attacked(folder: Path, *command: str, game: str = GAMES[0], slow: int = 0) -> dict[str, tuple[str, ...]]:
    """What a small attack finds, by row."""
    return {
        tried.row: tried.broken
        for tried in web.attack(3, folder, [sys.executable, *command], game, slow=slow, part=0.05)
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_server_holds_what_is_promised_of_it(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SOON", 600.0)  # how quick it is, campaigns look at
    found = attacked(tmp_path, "play.py", game=game)
    assert found == dict.fromkeys(found, ())
    assert found.keys() > web.ATTACKS.keys()


@pytest.mark.slow
def test_requests_without_an_answer_are_no_tries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(rng: random.Random, table: Table, size: int) -> int:
        asked = ((table.request("GET", "/"), 30.0), (b"GET / HT", 0.3))
        return len([table.tell(sent, lambda status: status == 200, patience) for sent, patience in asked])

    monkeypatch.setitem(web.ATTACKS, "half", (half, 2))
    first, *_ = web.attack(3, tmp_path, [sys.executable, "play.py"], GAMES[0], rows=["half"], slow=0)
    assert first == Tried("half", 1)


def test_what_is_not_asked_is_no_try() -> None:
    """Where the game for equal moves is over, and where every seating is refused."""
    table: Any = SimpleNamespace(kept=["", ""], game="", view=lambda game: {"over": True})
    table.request = table.tell = lambda *_: b""
    assert web.at_once(random.Random(1), table, 160) == 0
    assert web.names(random.Random(1), table, 80) == 10


@pytest.mark.slow
def test_planted_faults_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "load", lambda: 1.0)
    monkeypatch.setattr(web, "CUT", 1.0)  # the server's patience is longer
    found = {row: "\n".join(broken) for row, broken in attacked(tmp_path, "-c", PLANTED, slow=5).items()}
    assert "was answered 500" in found["http: bodies of other forms"]
    assert "Traceback" in found["http: output, memory, games"]
    assert "a page was asked for" in found["http: output, memory, games"]
    assert "without x-frame-options" in found["http: paths that lead elsewhere"]
    assert "was told a seed" in found["http: malformed requests"]
    assert "stands in a page as it is" in found["http: names that are markup"]
    assert "slow clients were connected after 1 s" in found["http: slow and endless clients"]
