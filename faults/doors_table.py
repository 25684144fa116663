"""The doors of the table: what a page asks for, the kept games, and whole requests."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from bohemian_env import BohemianError
from table.games import Games
from table.guard import TOKEN_HEADER
from table.history import read_record
from table.seating import GUESTS, BadSeating, read_seating, seating_of
from table.server import Loader, application
from table.session import NotYourTurn, Session
from table.store import Store

from .campaign import Tried
from .doors_game import one_of, simple
from .fuzz import Opened, Opening, tried
from .odd import Arguments, Below

__all__ = ["DOORS", "attempt"]

_KNOWN: Final = tuple(guest.agent for guest in GUESTS)
_ASKED: Final = (
    {"seats": [{"name": ""}, {"agent": "greedy"}], "villages": None, "seed": "7"},
    {"seats": [{"name": "Ann"}, {"name": "Bo"}, {"agent": "random"}], "villages": None, "seed": 7},
    {"seats": [{"name": "Ann"}, {"name": "Bo"}], "villages": [], "seed": None},
)


def _seating() -> dict[str, Any]:
    return read_seating({"seats": [{"name": "Ann"}, {"name": "Bo"}], "seed": 7}, _KNOWN)


def _session(folder: Path) -> Opened:
    seating, played = _seating(), Session(_seating())
    for _ in range(6):
        played.play(played.game.legal_moves[-1])
    examples = (
        Arguments(seating=seating, actions=played.actions),
        Arguments(seating=seating | {"record": played.game.record()}, actions=[]),
    )
    return Opened(lambda given: Session(**given).view(), one_of(examples), (BadSeating,))


def _record(folder: Path) -> Opened:
    """A record that somebody loads."""
    played = Session(_seating())
    for _ in range(6):
        played.play(played.game.legal_moves[-1])
    record = played.game.record()

    def call(given: Any) -> None:
        text = json.dumps(given, default=repr, skipkeys=True)
        Session(seating_of(read_record(text), _KNOWN)).view()

    return Opened(call, lambda below: record, (BohemianError,))


def _play(folder: Path) -> Opened:
    sessions = [Session(_seating())]

    def example(below: Below) -> str:
        if sessions[0].game.over or below(500) == 1:
            sessions[0] = Session(_seating())
        legal = sessions[0].game.legal_moves
        return legal[below(len(legal))]

    def kept() -> object:
        return list(sessions[0].actions), len(sessions[0].log)

    return Opened(lambda text: sessions[0].play(text), example, (BohemianError, NotYourTurn), kept)


def _rows(folder: Path) -> Opened:
    """A row of the kept games, whose values may be anything that SQLite holds."""
    store = Store(folder)
    good, other = store.add(_seating()), store.add(_seating())
    with closing(sqlite3.connect(store.path)) as base:
        row = base.execute("SELECT setup, actions, moves, over, touched FROM games WHERE id = ?", [good]).fetchone()
        base.execute("PRAGMA journal_mode = MEMORY")
    base = sqlite3.connect(store.path, isolation_level=None)
    base.execute("PRAGMA synchronous = OFF")
    fields = ("setup", "actions", "moves", "over", "touched")
    seating = json.loads(row[0])

    def call(given: dict[str, Any]) -> None:
        values = []
        for name in fields:
            value = given[name]
            if name == "setup" and not isinstance(value, str | bytes):
                value = json.dumps(value, default=repr, skipkeys=True)
            if (isinstance(value, int) and abs(value) >= 2**63) or not isinstance(value, int | float | str | bytes):
                value = repr(value)
            values.append(value.encode(errors="replace") if isinstance(value, str) and not value.isascii() else value)
        base.execute(f"UPDATE games SET {', '.join(f'{name} = ?' for name in fields)} WHERE id = ?", [*values, good])
        found = {saved.id for over in (False, True) for saved in store.recent(over)}
        assert found == {good, other}, "a damaged row hides games"
        saved = store.load(good)
        assert saved is not None
        if not saved.damaged:
            Session(saved.seating, saved.actions).view()

    example = Arguments(dict(zip(fields, row, strict=True)))
    examples = [example, Arguments({**example, "setup": seating})]
    return Opened(call, one_of(examples), (BadSeating, sqlite3.IntegrityError))


_HERE: Final = "127.0.0.1:8377"


class _Server:
    """The application in this process, asked without a network."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        loader = Loader(self.store)
        loader._games = self.games = Games(self.store)
        loader.done.set()
        self.app = application(self.store, "127.0.0.1", loader=loader)
        self.loop = asyncio.new_event_loop()
        self.id = self.store.add(_seating())

    def ask(self, request: dict[str, Any]) -> int:
        """Return the status of the answer to a request."""
        sent: list[dict[str, Any]] = []
        body = request["body"]
        messages = [{"type": "http.request", "body": body, "more_body": False}, {"type": "http.disconnect"}]

        async def receive() -> Any:
            return messages.pop(0) if len(messages) > 1 else messages[0]

        async def send(message: Any) -> None:
            sent.append(message)

        path, _, query = request["path"].partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request["method"],
            "scheme": "http", "path": path, "raw_path": path.encode(errors="replace"), "root_path": "",
            "query_string": query.encode(errors="replace"), "headers": request["headers"],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8377),
        }  # fmt: skip
        self.loop.run_until_complete(self.app(scope, receive, send))
        start = next(message for message in sent if message["type"] == "http.response.start")
        return int(start["status"])


def _requests(folder: Path) -> Opened:
    server = _Server(folder)
    record = Session(_seating()).game.record()

    def example(below: Below) -> Arguments:
        at = f"/games/{server.id}"
        saved = server.store.load(server.id)
        moves = len(saved.actions) if saved else 0
        stand = Session(saved.seating, saved.actions).at if saved else ""
        name, body = [
            ("/games", _ASKED[below(2)]),
            (f"{at}/move", {"move": _first(server), "at": stand, "after": 0}),
            (f"{at}/move", {"move": "end", "at": stand, "after": 0}),
            (f"{at}/back", {"at": stand}),
            (f"{at}/advance", {"moves": moves, "after": 0, "all": False}),
            (f"{at}/delete" if below(100) == 1 else at, {}),
            (f"{at}/view?after=3", None),
            ("/", None),
            (at, None),
            (f"{at}/record", None),
            (f"{at}/again" if below(50) == 1 else "/board.css", {}),
            ("/records", record),
            (f"{at}/play_on", {"moves": 0, "seats": _ASKED[0]["seats"]}),
            (f"{at}/analysis?quick=yes&after={moves}", None),
        ][below(14)]
        headers = {
            "host": _HERE, "origin": f"http://{_HERE}", TOKEN_HEADER: server.store.token,
            "content-type": "application/json",
        }  # fmt: skip
        method = "GET" if body is None else "POST"
        return Arguments(method=method, path=name, headers=headers, body=body)

    def call(given: dict[str, Any]) -> None:
        body = given["body"]
        if body is None:
            content = b""
        elif isinstance(body, bytes):
            content = body
        else:
            content = json.dumps(body, default=repr, skipkeys=True).encode(errors="surrogatepass")
        headers = given["headers"] if isinstance(given["headers"], dict) else {}
        found = [(str(k).lower().encode(errors="replace"), str(v).encode(errors="replace")) for k, v in headers.items()]
        found.append((b"content-length", str(len(content)).encode()))
        status = server.ask(
            {
                "method": str(given["method"]),
                "path": "/" + str(given["path"]).lstrip("/"),
                "headers": found,
                "body": content,
            }
        )
        assert status in (200, 201, 307, 400, 403, 404, 405, 409, 411, 413, 415, 422), f"status {status}"
        if server.store.load(server.id) is None or str(given["path"]) in ("/games", "/records"):
            _fewer(server)

    return Opened(call, example, ())


def _first(server: _Server) -> str:
    session = server.games._at_hand.get(server.id)
    legal = session.game.legal_moves if session else ()
    return legal[0] if legal else "end"


def _fewer(server: _Server) -> None:
    """Keep one game alone, so that the store stays small."""
    with server.store._open() as base:
        base.execute("DELETE FROM games")
    server.id = server.store.add(_seating())


DOORS: Final[dict[str, Opening]] = {
    "read_seating": simple(lambda asked: read_seating(asked, _KNOWN), _ASKED, BadSeating),
    "Session": _session,
    "Session.play": _play,
    "games.sqlite3": _rows,
    "records": _record,
    "requests": _requests,
}
"""Doors of the table, by their names."""


def attempt(seed: int, folder: Path) -> Iterator[Tried]:
    """Try inputs at each of these doors."""
    yield from tried(DOORS, seed, folder)
