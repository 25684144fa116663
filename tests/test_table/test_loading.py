"""How the games are loaded, and compiled by another process, while the first page is already there."""

import subprocess
import sys
import threading
from pathlib import Path
from queue import Queue

import pytest
from starlette.testclient import TestClient

from table import room, server
from table.room import COMPILED, room_of
from table.server import Loader, application
from table.store import Store

from .asking import ASKED, GAMES, HERE, Client, seated


def test_a_game_that_cannot_be_loaded_is_told_in_a_sentence(store: Store) -> None:
    loader = Loader(store)
    loader.loaded.set_exception(ImportError("No module named 'numba'"))
    answer = TestClient(application(store, loader=loader), base_url=HERE).get("/")
    assert (answer.status_code, answer.json()["error"]) == (500, "the game cannot be loaded: No module named 'numba'")


def test_until_the_game_is_loaded_the_page_says_so(store: Store) -> None:
    answer = TestClient(application(store), base_url=HERE).get("/")
    assert "Getting the table ready" in answer.text
    assert 'http-equiv="refresh"' in answer.text


def test_while_another_process_compiles_a_game_its_page_is_there_and_nobody_plays_it(
    store: Store, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(COMPILED, name, threading.Event())
    seats = [{"name": f"{seat}"} for seat in range(room_of(name).rules.players[0])]
    store.add(seated(*(seat["name"] for seat in seats), game=name), over=True)
    with Client(store) as client:
        answers: Queue[int] = Queue()
        asked = ASKED | {"game": name, "seats": seats}
        begun = threading.Thread(target=lambda: answers.put(client.tell("/games", asked).status_code))
        begun.start()
        assert 'id="setup"' in client.get(f"/?game={name}").text
        assert begun.is_alive()
        assert answers.empty()
        COMPILED[name].set()
        begun.join()
        assert answers.get() == 201


def test_the_game_that_is_asked_for_is_compiled_next(
    store: Store, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    monkeypatch.setitem(COMPILED, name, threading.Event())
    with Client(store) as client, told.open("w") as pipe:
        monkeypatch.setattr(room, "COMPILER", [pipe])
        client.get(f"/?game={name}")
        assert told.read_text().splitlines()[-1] == name
    with Client(store) as client:  # the process has ended
        assert client.get(f"/?game={name}").status_code == 200
    assert server.next_of(["a", "b", "c"], ["c", "b", "d"]) == "b"
    assert server.next_of(["a", "b"], ["c"]) == "a"


def test_another_process_tells_of_each_game_that_it_has_compiled(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """And they are loaded here then, each whatever happens to another."""
    for game in GAMES:
        monkeypatch.setitem(COMPILED, game, threading.Event())
    monkeypatch.setattr(server, "is_kept", lambda game: game == GAMES[1])
    warmed: Queue[tuple[str, bool]] = Queue()

    def warm(game: str) -> None:
        warmed.put((game, COMPILED[game].is_set()))
        raise ZeroDivisionError(game)

    monkeypatch.setattr(server, "warm", warm)
    tell, asked = "import sys; print(sys.argv[1])", Queue[list[str]]()

    def compiler(games: list[str]) -> subprocess.Popen[str]:
        asked.put(games)
        return subprocess.Popen([sys.executable, "-c", tell, *games], stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(server, "_compiler", compiler)
    loader = Loader(store, ahead=True)
    loader.start()
    loader.loaded.result()
    assert [warmed.get(timeout=60) for _ in GAMES] == [(game, game != GAMES[1]) for game in GAMES]
    assert asked.get() == [GAMES[0], *GAMES[2:]]


def test_a_game_is_compiled_once_for_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_mark", lambda game: tmp_path / game)
    assert not server.is_kept(GAMES[0])
    server.warm(GAMES[0])
    assert server.is_kept(GAMES[0])
    (tmp_path / GAMES[0]).write_text("of others")
    assert not server.is_kept(GAMES[0])
