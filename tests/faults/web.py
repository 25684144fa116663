"""Hostile HTTP against the table's server: what is no request, what is none of ours, and clients that misbehave.

Beside the attack an honest client asks for its game all the time. Looked at are all answers that come, the server's
output, its memory and the games it keeps; a try is a request that was answered, if only by one that it is none.
"""

import contextlib
import itertools
import json
import random
import re
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from . import load
from .campaign import Tried
from .odd import ODD, Arguments, as_json, mutated
from .server import AT_ONCE, CUT, Honest, Table

__all__ = ["ATTACKS", "attack", "hostile"]

GROWTH: Final = 200
"""Mebibytes by which the server's memory may grow."""

# --- what is sent -------------------------------------------------------------------------------------------------

HEADS: Final[tuple[bytes, ...]] = (
    b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity, chunked", b"Transfer-Encoding:\x0bchunked",
    b"Content-Length: 0", b"Content-Length: -1", b"Content-Length: 1e3", b"Content-Length: " + b"9" * 5000,
    b"Content-Length: \xb2", b"Content-Length: 3, 4", b"Host: villages.example", b"Host: [::1", b"Host: \xff",
    b"Host:", b" folded: x", b"no colon", b": no name", b"a b: c", b"nul: \0", b"Expect: 100-continue", b"Expect: x",
    b"Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==",
    b"Connection: upgrade, http2-settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk", b"Connection: close",
    b"Range: bytes=0-0,1-1,2-2", b"Range: bytes=-" + b"9" * 40, b"Range: bytes=9-0", b"Accept: text/html",
    b"If-Modified-Since: x", b"If-None-Match: \xff", b"X-Forwarded-For: 1.2.3.4, \xff", b"X-Forwarded-Proto: file",
    b"Cookie: " + b"x" * 70_000, b"\r\n".join(b"X-%d: y" % n for n in range(3000)), b"Accept-Encoding: gzip, br;q=x",
)  # fmt: skip
METHODS: Final = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "G", "\xff")
PIECES: Final = (
    "..", ".", "", "%2e%2e", "%2E.", "..%2f", "%2f", "%5c..", "..\\", "%00", "%ff", "%c0%ae", "%252e%252e",
    "etc/passwd", "play.py", "table/store.py", "static", "games", "view", "record", "move", "table.js",
    "games.sqlite3", "~", "*", ";a", "%0d%0aX-Evil:%201", "a" * 300, "?", "#", "http:", "file:", "//",
    "C:", "proc/self/environ", "\U0001f0cf",
)  # fmt: skip
NAMES: Final = (
    "<script>x()</script>", '"><img src=x>', "'><svg onload=x>", "</script><b>", "</svg><script>", "<!--", "]]>",
    "&lt;b&gt;", "{{7*7}}", "javascript:x()", "<a href=//x>", "\u202e<b>", "<b\x00>", "\ud800", "%3Cscript%3E",
    "<title>x", "${x}<i>",
)  # fmt: skip


def _mangled(rng: random.Random, request: bytes) -> bytes:
    """Return a request that is none, or hardly."""
    data = bytearray(request)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(9):
            case 0 if at < len(data):
                data[at] = rng.randrange(256)
            case 1:
                del data[at:]
            case 2:
                data[at:at] = rng.randbytes(rng.choice((1, 2, 10, 1000)))
            case 3:
                data[at:at] = data[: rng.randrange(len(data) + 1)]
            case 4:
                data = data.replace(b"\r\n", rng.choice((b"\n", b"\r", b"\n\r", b"\r\r\n")), rng.randint(1, 9))
            case 5:
                data = data.replace(b"HTTP/1.1", rng.choice((b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9", b"http/1.1", b"")))
            case 6:
                data[:0] = rng.choice((b"\r\n", b"\0", b"\x16\x03\x01", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b" "))
            case _:
                end = data.find(b"\r\n") + 2
                data[end:end] = rng.choice(HEADS) + b"\r\n"
    return bytes(data)


def _requests(rng: random.Random, table: Table) -> list[bytes]:
    """Return requests that are ours; none changes anything."""
    game = rng.choice(table.kept)
    stale = {"move": "end", "at": "", "after": 0, "instead": False}
    paths = (
        "/", game, f"{game}/view?after=3", f"{game}/record", "/static/page.css", "/board.css",
        f"{game}/analysis?quick=yes&after=0",
    )  # fmt: skip
    return [*(table.request("GET", path) for path in paths), table.request("POST", f"{game}/move", stale)]


# --- attacks: each makes about so many requests and returns how many it made --------------------------------------


def malformed(rng: random.Random, table: Table, size: int) -> int:
    """Send what is no request, or hardly: bytes changed, cut, put in; odd and huge heads."""
    requests = [_mangled(rng, rng.choice(_requests(rng, table))) for _ in range(size)]
    table.tell_all(requests, lambda status: status < 500, patience=0.3)  # many are not whole, and get no answer
    return size


def foreign(rng: random.Random, table: Table, size: int) -> int:
    """Ask as other sites and other programs would: each request has a flaw, and none may be taken."""
    flaws: tuple[dict[str, object], ...] = (
        {"host": "villages.example"}, {"host": f"127.0.0.1.example:{table.port}"}, {"host": "10.0.0.1"}, {"host": ""},
        {"host": f"{table.here}@example"}, {"host": "0x7f.1"}, {"host": "127.0.0.1\tx"}, {"origin": "null"},
        {"origin": None}, {"origin": f"http://localhost:{table.port}"}, {"origin": f"http://{table.here}.example"},
        {"x_table_token": None}, {"origin": f"ftp://{table.here}"}, {"x_table_token": table.token[:-1]},
        {"x_table_token": "\xff"}, {"x_table_token": table.token.swapcase()}, {"content_type": "text/plain"},
        {"content_type": None},
        {"content_type": "multipart/form-data"}, {"content_length": None}, {"content_length": 10_001},
    )  # fmt: skip
    requests = []
    for _ in range(size):
        game = rng.choice(table.kept)
        path = rng.choice(
            (
                "/games",
                *(f"{game}/{name}" for name in ("move", "done", "advance", "delete", "again", "hint", "play_on")),
            )
        )
        body = table.move(table.kept[1]) if path.endswith("/move") and rng.random() < 0.05 else {}
        if rng.random() < 0.2:
            requests.append(table.request(rng.choice(METHODS), path))
        else:
            requests.append(table.request("POST", path, body, **rng.choice(flaws)))
    table.tell_all(requests, lambda status: 400 <= status < 500)
    return size


def paths(rng: random.Random, table: Table, size: int) -> int:
    """Ask for paths that lead elsewhere, encoded in all ways."""
    requests = []
    for _ in range(size):
        pieces = [rng.choice(PIECES) for _ in range(rng.randint(1, 8))]
        path = rng.choice(("/", "/static/", f"{table.kept[0]}/", "/games/", "")) + "/".join(pieces)
        raw = path if rng.random() < 0.5 else quote(path, safe="/%?")
        requests.append(table.request(rng.choice(("GET", "GET", "HEAD", "POST")), raw.replace(" ", "%20"), {}))
    table.tell_all(requests, lambda status: status < 500)
    return size


def bodies(rng: random.Random, table: Table, size: int) -> int:
    """Send bodies that are no JSON, too deep, too long, or of any other form than they should be."""
    seats = [{"name": "Ann"}, {"name": "Bo"}, {"agent": "greedy"}]
    record = json.loads(table.ask("GET", f"{table.kept[1]}/record")[1])
    requests = []
    for _ in range(size):
        game = rng.choice(table.kept[:2])  # a person is to move there: what is right by chance moves no agent
        path, example = rng.choice((
            ("/games", Arguments(game=table.game, seats=seats, options={}, seed=7)),
            (f"{game}/move", Arguments(move="end", at="", after=0, instead=False)), (f"{game}/back", Arguments(at="")),
            (f"{game}/done", Arguments(at="", after=0)),
            (f"{game}/advance", Arguments(moves=0, after=0, all=False)), (f"{game}/delete", Arguments(x=0)),
            (f"{game}/again", Arguments(x=0)), (f"{game}/play_on", Arguments(moves=0, seats=seats)),
            ("/records", record),
        ))  # fmt: skip
        odd = {**example, rng.choice([*example]): rng.choice([*ODD.values()])}
        text = as_json(rng.choice((odd, mutated(example, rng.randrange)))).encode()
        deep = rng.choice((b"[", b'{"a":', b'[{"":')) * rng.choice((10, 900, 1500))
        broken = (deep[:9000], rng.randbytes(30), text[: rng.randrange(len(text))], b"\xff" + text)
        body = rng.choice((text, text, text, *broken))
        requests.append(table.request("POST", path, body))
    table.tell_all(requests, lambda status: status < 500)
    return size


def moves(rng: random.Random, table: Table, size: int) -> int:
    """Make moves that are stale, illegal or somebody else's."""
    legal, others = table.move(table.kept[1]), table.move(table.honest)
    requests = []
    for _ in range(size):
        wrong = rng.choice((
            (table.kept[1], {"at": legal["at"][: rng.randrange(16)]}),
            (table.kept[1], {"move": rng.choice(NAMES)}),
            (table.kept[1], {"move": legal["move"] + rng.choice("x+@ \0")}),
            (table.kept[2], {"move": others["move"]}), (f"/games/{rng.randbytes(11).hex()}", {}),
            (table.kept[1], {"move": legal["move"][: rng.randrange(3)]}),
        ))  # fmt: skip
        requests.append(table.request("POST", f"{wrong[0]}/move", legal | wrong[1]))
    table.tell_all(requests, lambda status: 400 <= status < 500)
    return size


def at_once(rng: random.Random, table: Table, size: int) -> int:
    """Make one move many times at once: one is taken."""
    game, made = table.kept[1], 0
    for _ in range(size // AT_ONCE):
        if table.view(game)["over"]:
            break
        made += AT_ONCE
        sent = table.request("POST", f"{game}/move", table.move(game), connection="close")
        answers = table.tell_all([sent] * AT_ONCE, lambda status: status in (200, 409))
        taken = sum(answer.startswith(b"HTTP/1.1 200") for answer in answers)
        refused = sum(answer.startswith(b"HTTP/1.1 409") for answer in answers)
        table.moved[game] = table.moved.get(game, 0) + 1
        if (taken, refused) != (1, AT_ONCE - 1):
            table.found.append(f"of {AT_ONCE} equal moves at once {taken} were taken and {refused} refused")
    return made


def names(rng: random.Random, table: Table, size: int) -> int:
    """Sit down with names that are markup: pages and drawings must show them as text."""
    made = 0
    for number in range(size // 8):
        called = NAMES[number // 2 % len(NAMES)] if number % 2 == 0 else "".join(rng.choices("<>&\"'/=ab", k=20))
        asked = {"seats": [{"name": called}, {"name": "Bert"}], "options": {}, "seed": None, "game": table.game}
        text = table.tell(table.request("POST", "/games", asked)).rpartition(b"\r\n\r\n")[2]
        made += 1
        game = json.loads(text or b"{}").get("id")
        if game is None:  # refused, which is as well
            continue
        view = table.view(f"/games/{game}")
        shown = view["seats"][0]["name"]
        came = table.tell(table.request("GET", f"/games/{game}")) + table.tell(table.request("GET", "/"))
        if re.search("[<&]", shown) and (shown.encode() in came or shown in view["svg"]):
            table.found.append(f"the name {called!r} stands in a page as it is")
        table.tell(table.request("POST", f"/games/{game}/delete", {}))
        made += 4
    return made


def early(rng: random.Random, table: Table, size: int) -> int:
    """Go away before the answer, politely or not."""
    made = 0
    for _ in range(size):
        with contextlib.suppress(ConnectionError), table.connect() as client:
            made += 1
            if rng.random() < 0.5:  # a reset instead of an end
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sent = rng.choice(_requests(rng, table))
            client.sendall(sent[: rng.randrange(len(sent) + 1)] if rng.random() < 0.5 else sent)
    return made


ATTACKS: Final[dict[str, tuple[Callable[[random.Random, Table, int], int], int]]] = {
    "http: malformed requests": (malformed, 1200),
    "http: foreign sites and methods": (foreign, 800),
    "http: paths that lead elsewhere": (paths, 1000),
    "http: bodies of other forms": (bodies, 1000),
    "http: moves stale, illegal, foreign": (moves, 500),
    "http: equal moves at once": (at_once, 160),
    "http: names that are markup": (names, 80),
    "http: clients that go away": (early, 600),
}
"""Rows of the table: what is done, and how often in one attempt."""


class Slow:
    """Clients that send a byte now and then, a body without end, or nothing, from now on."""

    def __init__(self, rng: random.Random, table: Table, count: int) -> None:
        self.table = table
        chunk = b"8000\r\n" + bytes(0x8000) + b"\r\n"
        game = table.kept[0]
        ways = (
            (b"", b""), (b"", table.request("GET", "/") * 2), (table.request("GET", "/")[:-2], b"X-More: y\r\n" * 500),
            (table.request("POST", f"{game}/move", b"", content_length=9000), b" " * 9000),
            (table.request("GET", "/", transfer_encoding="chunked"), chunk * 50),
            (table.request("POST", f"{game}/move", b"", content_length=10**9), chunk * 50),
        )  # fmt: skip
        self.clients: list[tuple[socket.socket, bytes]] = []
        for _ in range(count):
            begun, rest = rng.choice(ways)
            with contextlib.suppress(ConnectionError):
                client = table.connect()
                client.sendall(begun)
                client.setblocking(False)
                self.clients.append((client, rest))
        self.count = len(self.clients)
        self._began = time.perf_counter()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        """Send on until all are cut off."""
        for step in itertools.count():
            if not self.clients or time.perf_counter() - self._began > CUT * load():
                return
            time.sleep(0.2)
            self.clients = [(client, rest) for client, rest in self.clients if self._goes_on(client, rest, step)]

    @staticmethod
    def _goes_on(client: socket.socket, rest: bytes, step: int) -> bool:
        """Send on, and return whether the server still listens."""
        with contextlib.suppress(ConnectionError):
            with contextlib.suppress(BlockingIOError):
                client.send(rest if len(rest) > 100_000 else rest[step : step + 1])
            try:
                while client.recv(1 << 16):
                    pass
            except BlockingIOError:
                return True
        client.close()
        return False

    def join(self) -> list[str]:
        """Return what has not been cut off in time."""
        self._thread.join()
        left = len(self.clients)
        for client, _ in self.clients:
            client.close()
        return [f"{left} of {self.count} slow clients were connected after {CUT:g} s"] if left else []


def attack(
    seed: int,
    folder: Path,
    command: Sequence[str],
    game: str,
    rows: Sequence[str] = tuple(ATTACKS),
    slow: int = 150,
    part: float = 1,
) -> Iterator[Tried]:
    """Attack a server, and yield what each kind of attack tried and found.

    Args:
        seed: of all that is sent.
        folder: for the server's games.
        command: what starts the server.
        game: what is played there.
        rows: attacks to make, of ATTACKS.
        slow: clients that are slow, meanwhile.
        part: of the tries of each attack that is made.
    """
    rng, table = random.Random(seed), Table(folder, command, game)
    try:
        before = table.games()
        honest = Honest(table)
        try:
            crowd = Slow(rng, table, slow)
            for row in rng.sample(rows, len(rows)):
                make, size = ATTACKS[row]
                made = make(rng, table, max(round(size * part), AT_ONCE)) - len(table.unanswered)
                table.unanswered.clear()
                table.games()
                found, table.found = table.found, []
                yield Tried(row, made, tuple(found))
            yield Tried("http: slow and endless clients", crowd.count, tuple(crowd.join()))
        finally:
            honest.stop()
        yield Tried("http: an honest client beside", honest.asked, tuple(honest.found))
        grown = table.resident() - table.memory
        if grown > GROWTH:
            table.found.append(f"the server's memory grew by {grown} MiB")
        after = table.games()
        for game, actions in before.items():
            now = after.get(game)
            made = table.moved.get(f"/games/{game}", 0)
            if now is None or now[: len(actions)] != actions or len(now) != len(actions) + made:
                table.found.append(f"a game was {actions} before, {made} moves were accepted, and it is {now}")
        table.end()
        yield Tried("http: output, memory, games", len(before) + 2, tuple(table.found))
    finally:
        table.process.kill()
        table.process.wait()


def hostile(game: str, seed: int, folder: Path) -> Iterator[Tried]:
    """Attack the table's server as it is."""
    return attack(seed, folder, [sys.executable, "play.py"], game, slow=75, part=0.5)
