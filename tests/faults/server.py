"""The table's server under attack: it is started as anybody starts it, and every byte of its answers is looked at."""

import contextlib
import http.client
import json
import re
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from bohemian_env.games import known_games
from pages import ROOT

from . import load

__all__ = ["ANSWER", "AT_ONCE", "CUT", "Honest", "Table"]

ANSWER: Final = re.compile(rb"HTTP/1\.1 (\d{3}) (.*?)\r\n\r\n", re.DOTALL)
SECURE: Final = ("content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy")
"""Headers that every answer must have."""
ELSEWHERE: Final = (b"root:x:", b"SQLite format", b"[project]", b"def main(", b"Traceback")
"""What stands in files that are not to be had, and in no answer."""
_GREETING: Final = re.compile(r"^.*http://127\.0\.0\.1:(\d+)/.*\n", re.MULTILINE)
"""The line in which the server tells its address."""
SOON: Final = 2.0
"""Seconds within which the honest client must be answered, longer where the machine is loaded."""
CUT: Final = 25.0
"""Seconds after which no slow client may be connected any more, longer where the machine is loaded; the server promises
about half of that.
"""
AT_ONCE: Final = 16
"""Clients that attack at a time."""


class Table:
    """A server under attack, with some games.

    Args:
        folder: where it keeps its games.
        command: what starts it, with the options of play.py behind.
        game: what is played in the games.
    """

    def __init__(self, folder: Path, command: Sequence[str], game: str) -> None:
        self.game = game
        self.path = folder / "data" / "games.sqlite3"
        self.said = folder / "said"
        """What it prints and complains of."""
        self.found: list[str] = []
        """What was wrong with answers, since it was last asked for."""
        self.unanswered: list[bytes] = []
        """Requests that came to nothing, since it was last asked for."""
        options = ["--no-browser", "--port", "0", "--data", str(self.path.parent)]
        with self.said.open("wb") as said:
            self.process = subprocess.Popen([*command, *options], cwd=ROOT, stdout=said, stderr=said)
        self.port = self._started()
        self.here = f"127.0.0.1:{self.port}"
        with contextlib.closing(sqlite3.connect(self.path)) as base:
            self.token: str = base.execute("SELECT value FROM about WHERE key = 'token'").fetchone()[0]
        self.seeds: set[bytes] = set()
        self.honest = self.begin("Ann", "Bert")
        self.kept = [self.begin("Ann", None), self.begin("Ann", "Bert"), self.begin(None, "Bert")]
        self.moved: dict[str, int] = {}
        """Moves that were accepted, by game."""
        for game in (self.honest, *(self.begin("Ann", "Bert", game=name) for name in known_games() if name != game)):
            for method, what in (("GET", "analysis"), ("POST", "hint")):  # all is loaded before anybody hurries
                self.ask(method, f"{game}/{what}", {"at": self.view(game)["at"]})
        self.memory = self.resident()

    def _started(self) -> int:
        """Wait until the server tells its address; return its port."""
        while True:
            ended = self.process.poll() is not None
            said = self.said.read_text(errors="replace")
            if found := _GREETING.search(said):
                return int(found[1])
            if ended:
                raise RuntimeError(f"the server did not start: {said[-500:]!r}")
            time.sleep(0.05)

    def resident(self) -> int:
        """Return the server's memory in MiB; 0 where the system does not tell."""
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) // 1024
        return 0

    def games(self) -> dict[str, list[int]]:
        """Return the actions of all games that are kept, and learn their seeds."""
        with contextlib.closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)) as base:
            rows = base.execute("SELECT id, setup, actions FROM games").fetchall()
        for _, setup, _ in rows:
            self.seeds |= {found.encode() for found in re.findall(r'"seed": (\d{6,})', setup)}
        return {game: json.loads(actions) for game, _, actions in rows}

    def request(self, method: str, path: str, body: object = None, **changed: object) -> bytes:
        """Return a request as our page would send it, but for the headers given, of which those that are None go."""
        headers: dict[str, object] = {"host": self.here}
        content = b""
        if method == "POST":
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers |= {"origin": f"http://{self.here}", "x-table-token": self.token}
            headers |= {"content-type": "application/json", "content-length": len(content)}
        headers |= {name.replace("_", "-"): value for name, value in changed.items()}
        lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1", "replace") + content

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """Return the answer to an honest request: its status and text."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=200)  # the first begins with compiling
        with contextlib.closing(client):
            client.connect()
            client.sock.sendall(self.request(method, path, body, connection="close"))
            answer = http.client.HTTPResponse(client.sock, method=method)
            answer.begin()
            return answer.status, answer.read().decode()

    def begin(self, *names: str | None, game: str = "") -> str:
        """Begin a game of people with these names, agents where there is none; return its path."""
        seats = [{"agent": "greedy"} if name is None else {"name": name} for name in names]
        told = {"game": game or self.game, "seats": seats, "options": {}, "seed": None}
        status, text = self.ask("POST", "/games", told)
        if status != 201:
            raise RuntimeError(f"no game could be begun: {status} {text}")
        return f"/games/{json.loads(text)['id']}"

    def view(self, game: str) -> dict[str, Any]:
        """Return what the page of a game shows."""
        status, text = self.ask("GET", f"{game}/view")
        if status != 200:
            raise RuntimeError(f"{game} cannot be seen: {status} {text}")
        return json.loads(text)

    def move(self, game: str) -> dict[str, Any]:
        """Return the request for a legal move of a person; a move that is held is confirmed before."""
        view = self.view(game)
        if view["held"]:
            self.ask("POST", f"{game}/done", {"at": view["at"], "after": 0})
            view = self.view(game)
        return {"move": view["legal"][0]["move"], "at": view["at"], "after": 0, "instead": False}

    def check(self, sent: bytes, came: bytes, allowed: Callable[[int], bool] = lambda status: status < 500) -> None:
        """Look at all that came back for what was sent."""
        wrong = []
        answers = list(ANSWER.finditer(came))
        for answer, end in zip(answers, [*(later.start() for later in answers[1:]), len(came)], strict=False):
            status, head = int(answer[1]), answer[2].lower()
            if status == 100:
                continue
            if not allowed(status):
                wrong.append(f"was answered {status}")
            if missing := [name for name in SECURE if f"\n{name}:".encode() not in head]:
                wrong.append(f"was answered {status} without {missing[0]}")
            if self.token.encode() in came[answer.start() : end] and not (status == 200 and b"text/html" in head):
                wrong.append("was told the token")
        if came and not ANSWER.match(came):
            wrong.append(f"was answered {came[:60]!r}")
        if any(seed in came and seed not in sent for seed in self.seeds):
            wrong.append("was told a seed")
        wrong += [f"was told {text!r}" for text in ELSEWHERE if text in came and text not in sent]
        self.found += [f"{_short(sent)} {what}" for what in wrong]

    def tell(
        self, sent: bytes, allowed: Callable[[int], bool] = lambda status: status < 500, patience: float = CUT
    ) -> bytes:
        """Send something on a connection of its own, look at the answer, and return it.

        patience: seconds to wait for the answer before the end of the request is told, on a machine that has time; an
            answer may be lost then.
        """
        came = b""
        with contextlib.suppress(ConnectionError), self.connect() as client:
            client.settimeout(patience * load())
            with contextlib.suppress(TimeoutError):
                client.sendall(sent)
                came = client.recv(65536)
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_WR)
            client.settimeout(CUT * load())
            try:
                while more := client.recv(1 << 20):
                    came += more
            except TimeoutError:
                self.found.append(f"{_short(sent)} kept the connection for {CUT:g} s")
        if not came:
            self.unanswered.append(sent)
        self.check(sent, came, allowed)
        return came

    def connect(self) -> socket.socket:
        """Return a connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=CUT * load())

    def tell_all(self, requests: Sequence[bytes], allowed: Callable[[int], bool], patience: float = CUT) -> list[bytes]:
        """Send requests, several at a time, each on a connection of its own; return the answers."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(lambda sent: self.tell(sent, allowed, patience), requests))

    def end(self) -> None:
        """End the server as Ctrl-C does, and note what it has to say."""
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(20 * load())
            if status != 0:
                self.found.append(f"the server ended with status {status}")
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.found.append("the server did not end within 20 s of Ctrl-C")
        if said := _GREETING.sub("", self.said.read_text(errors="replace"), 1).strip():
            cut = said if len(said) <= 2000 else f"{said[:1000]} … {said[-1000:]}"
            self.found.append(f"the server printed: {cut}")


def _short(sent: bytes) -> str:
    return repr(sent if len(sent) <= 300 else sent[:200] + b"..." + sent[-60:])


class Honest:
    """A client that asks for its game all the time, and notes what takes long or fails."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked = 0
        self.found: list[str] = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._done.wait(0.05):
            began = time.perf_counter()
            try:
                self.table.view(self.table.honest)
            except (OSError, RuntimeError, http.client.HTTPException) as error:
                self.found.append(f"an honest client was not served: {error!r}")
            if (took := time.perf_counter() - began) > SOON * load():
                self.found.append(f"an honest client waited for {took:.1f} s")
            self.asked += 1

    def stop(self) -> None:
        """Stop asking."""
        self._done.set()
        self._thread.join()
