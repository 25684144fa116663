"""Programs at the table: those of play.py's own command line play, and nothing that is sent or kept starts another."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import agents
from table.room import room_of
from table.seating import BadSeating, known_agents, read_seating
from table.session import Session
from table.store import Store
from tests.helpers import ROOT

from .asking import ASKED, Client, move_of, play_out

COUNTER = ROOT / "examples" / "programs" / "counter.py"
MINE = f"program:{sys.executable} -S {COUNTER}"


@pytest.fixture(autouse=True)
def programs_end() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def trap(tmp_path: Path) -> tuple[str, Path]:
    """A program that leaves a trace when it is started, and the trace."""
    path = tmp_path / "trap"
    path.write_text(f"#!/bin/sh\ntouch {tmp_path / 'trace'}\n")
    path.chmod(0o755)
    return f"program:{path}", tmp_path / "trace"


def test_the_trap_works(trap: tuple[str, Path]) -> None:
    name, trace = trap
    with pytest.raises(ValueError, match="it ended with status 0"):
        agents.make(name).begin()  # type: ignore[attr-defined]
    assert trace.exists()


def test_no_request_and_no_kept_game_starts_a_program(store: Store, trap: tuple[str, Path]) -> None:
    """Not even where another program may play."""
    name, trace = trap
    seats = [{"agent": name}, {"name": "Ann"}]
    game = f"/games/{store.add(read_seating({'seats': seats}, [name]))}"
    for extra in ([], [MINE]):
        with Client(store, extra) as client:
            answer = client.tell("/games", ASKED | {"seats": seats})
            assert (answer.status_code, "there is no agent" in answer.text) == (400, True)
            assert client.get(f"{game}/view").status_code == 200
            answer = client.tell(f"{game}/advance", {"moves": 0, "after": 0, "all": True})
            assert (answer.status_code, "is a program, which plays only where" in answer.text) == (409, True)
            assert client.tell(f"{game}/again", {}).status_code == 400
    assert not trace.exists()


def test_ones_own_agent_is_offered_for_its_game_alone(name: str) -> None:
    shipped = str(ROOT / "agents" / "pretrained" / "dorfromantik")
    assert (shipped in known_agents(room_of(name), [shipped])) == (name == "dorfromantik")


def test_a_program_plays_a_whole_game_and_ends_with_it(store: Store, tmp_path: Path) -> None:
    path, started = tmp_path / "mine.py", tmp_path / "started"
    path.write_text(f"import os\nopen({str(started)!r}, 'a').write(f'{{os.getpid()}} ')\n{COUNTER.read_text()}")
    mine = f"program:{sys.executable} -S {path}"
    with Client(store, [mine]) as client:
        game = client.begin(seats=[{"agent": mine}, {"agent": mine}, {"agent": "greedy"}])
        assert [seat["name"] for seat in client.view(game)["seats"]] == ["mine.py", "mine.py 2", "Grabber"]
        assert play_out(client, game)["over"]
        assert not [line for line in client.view(game)["log"] if "failed" in line["words"]]
        gc.collect()
        assert len(started.read_text().split()) == 2
        for pid in started.read_text().split():
            with pytest.raises(ProcessLookupError):
                os.kill(int(pid), 0)


def test_one_that_fails_is_stood_in_for(tmp_path: Path) -> None:
    """Once, with a line that says why; the others play on."""
    path = tmp_path / "never.py"
    path.write_text("raise SystemExit('no licence')")
    name = f"program:{sys.executable} {path}"
    session = Session(read_seating({"seats": [{"agent": name}, {"agent": "greedy"}], "seed": 1}, [name]), (), [name])
    while not session.game.over:
        session.advance()
    (told,) = [line["words"] for line in session.view()["log"] if "failed" in line["words"]]
    said = f"{name}: it ended with status 1; its last words: no licence"
    assert told == f"never.py failed, and greedy plays on for it: {said}."
    with pytest.raises(BadSeating, match="is a program"):
        Session(session.seating).advance()


def test_after_a_restart_a_page_with_a_line_more_gets_the_whole_log_and_is_told_what_is_new(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "never.py"
    path.write_text("raise SystemExit")
    mine = f"program:{sys.executable} {path}"
    with Client(store, [mine]) as client:
        game = client.begin(seats=[{"agent": mine}, {"name": "Ann"}])
        view = client.tell(f"{game}/advance", {"moves": 0, "after": 0, "all": True}).json()
        assert ("had" in view, view["person"]) == (False, True)
        shown = len(view["log"])
    with Client(store, [mine]) as client:
        moved = client.tell(f"{game}/move", move_of(view) | {"after": shown}).json()
        assert (moved["line"], moved["had"]) == (0, shown - 1)
        assert moved["log"] == client.view(game)["log"]
        assert len(moved["log"]) > moved["had"]
        if not moved["person"]:
            body = {"moves": moved["moves"], "after": len(moved["log"]), "all": True}
            answer = client.tell(f"{game}/advance", body).json()
            assert ("had" in answer, answer["line"]) == (False, len(moved["log"]))
