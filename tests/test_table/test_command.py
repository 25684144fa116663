"""The command that serves the table: how it starts, what it refuses, and how it ends."""

import re
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import play
from table.seating import read_seating
from table.store import Store
from tests.helpers import ROOT
from tests.waiting import until

pytestmark = pytest.mark.slow


def opened(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read().decode()


def test_the_command_answers_within_a_moment_and_ends_quietly(tmp_path: Path) -> None:
    command = [sys.executable, "play.py", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())[0]
            assert "<h1>" in opened(address)  # at once; it loads itself anew until the games are there
            until(lambda: "Bohemian Villages" in opened(address), "page with its games", 60)
            time.sleep(0.1)
        finally:
            server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=60)
    assert (server.returncode, err) == (0, ""), out


ENDING = """
import ctypes, sys, threading, weakref, play, table.server
libc, known = ctypes.CDLL(None), threading.Event()
libc.__cxa_atexit(libc.abort, None, None)  # as what is under way in the compiler does when all around it is taken down
table.server.warm = (lambda game: threading.Event().wait()) if sys.argv[1] == "compiles" else bool
table.server.is_kept = bool
listen = play.listen
play.listen = lambda *asked: weakref.finalize(known, print, "told", flush=True) and listen(*asked)
sys.exit(play.main(sys.argv[2:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="what the C library does at the end is its own there")
@pytest.mark.parametrize(("loader", "status"), [("compiles", 0), ("is done", -signal.SIGABRT)])
def test_where_the_game_is_still_compiled_the_process_ends_before_the_compiler_is_taken_down(
    loader: str, status: int, tmp_path: Path
) -> None:
    """And after all who are to be told that it ends."""
    command = [sys.executable, "-c", ENDING, loader, "--no-browser", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        address = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())[0]
        with urllib.request.urlopen(f"{address}board.css", timeout=60):  # it has the game
            time.sleep(0.1)
        server.send_signal(signal.SIGINT)
        out, _ = server.communicate(timeout=60)
    assert (server.returncode, out) == (status, "told\n")


WORKING = """
import sys, threading, play, table.games
table.games.review = lambda *_: threading.Event().wait()
sys.exit(play.main(sys.argv[1:]))
"""


def test_ending_waits_for_nothing_that_takes_long(tmp_path: Path) -> None:
    """An analysis is under way, in a thread that nothing can stop."""
    command = [sys.executable, "-c", WORKING, "--no-browser", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline())[1])
        game = Store(tmp_path).add(read_seating({"seats": [{"name": "Ann"}, {"name": "Bert"}]}, []))
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(f"GET /games/{game}/analysis HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
            client.settimeout(1)
            with pytest.raises(TimeoutError):
                client.recv(1)
            server.send_signal(signal.SIGINT)
            out, err = server.communicate(timeout=60)
    assert (server.returncode, out, err) == (0, "", "")


def test_starting_needs_neither_torch_nor_the_game() -> None:
    code = "import sys, table.server, table.store, play; print(*sys.modules)"
    loaded = set(subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split())
    assert not {"torch", "numba", "numpy", "bohemian_env", "agents"} & loaded


def test_a_game_with_its_advice_and_its_review_needs_no_more_than_the_extra_play(name: str) -> None:
    """Only trained agents at the table do."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    train, play = ({re.split(r"[\[<>=]", one)[0] for one in extras[extra]} for extra in ("train", "play"))
    needless = train - play - {"bohemian-villages"}
    named = [module for module, names in packages_distributions().items() if needless & {*names}]
    assert {"torch", "rich", "scipy"} <= {*named}
    code = (
        "import sys; sys.modules.update(dict.fromkeys(sys.argv[2:])); from table.server import warm; warm(sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", code, name, *named], cwd=ROOT, check=True)


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert play.main(["--no-browser", "--data", str(tmp_path), "--port", str(port)]) == 2
    assert re.fullmatch(rf"play\.py: cannot listen on 127\.0\.0\.1, port {port}: .*\n", capsys.readouterr().err)


def test_without_a_port_any_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(play, "PORT", taken.getsockname()[1])
        with play.listen("127.0.0.1", None) as other:
            assert other.getsockname()[1] not in (0, play.PORT)
            assert play.address(other) == f"http://127.0.0.1:{other.getsockname()[1]}/"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--port", "70000"], "port 70000 is not a number from 0 to 65535"),
        (["--port", "-1"], "port -1 is not"),
        (["--port", "0", "--host", "no such host"], "cannot listen on no such host"),
        (["--port", "0", "--host", "a..b"], "cannot listen on a..b, port 0: "),
        (["--port", "0", "--agent", "nobody"], "--agent: unknown agent 'nobody'"),
        (["--port", "0", "--data", "/dev/null/games"], "games cannot be kept in /dev/null/games"),
    ],
)
def test_options_that_cannot_be_are_told_in_a_sentence(
    options: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play.main(["--no-browser", "--data", str(tmp_path), *options]) == 2
    assert complaint in capsys.readouterr().err
