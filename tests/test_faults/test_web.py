"""Hostile HTTP: the server as it is holds, and faults planted in it are found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from faults import web

PLANTED = """
import sys
import play, table.connection, table.games, table.guard, table.html
from table.session import Session

table.games._count = int  # odd counts: 500, and a traceback
del table.connection.HEADERS["x-frame-options"]
view = Session.view
Session.view = lambda self, after=0: view(self, after) | {"seed": self.seating["seed"]}
table.html.escape = lambda text, **_: str(text)
sys.exit(play.main(sys.argv[1:]))
"""


def attacked(folder: Path, *command: str, slow: int = 0) -> dict[str, tuple[str, ...]]:
    """What a small attack finds, by row."""
    return {
        tried.row: tried.broken for tried in web.attack(3, folder, [sys.executable, *command], slow=slow, part=0.05)
    }


def test_the_server_holds_what_is_promised_of_it(tmp_path: Path) -> None:
    found = attacked(tmp_path, "play.py")
    assert found == dict.fromkeys(found, ())
    assert found.keys() > web.ATTACKS.keys()


def test_planted_faults_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "CUT", 1.0)  # the server's patience is longer
    found = {row: "\n".join(broken) for row, broken in attacked(tmp_path, "-c", PLANTED, slow=5).items()}
    assert "was answered 500" in found["http: bodies of other forms"]
    assert "Traceback" in found["http: output, memory, games"]
    assert "without x-frame-options" in found["http: paths that lead elsewhere"]
    assert "was told a seed" in found["http: malformed requests"]
    assert "stands in a page as it is" in found["http: names that are markup"]
    assert "slow clients were connected after 1 s" in found["http: slow and endless clients"]
