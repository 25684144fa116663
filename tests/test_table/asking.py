"""A browser without a browser: it asks the server what the page asks. And games at the table without a server."""

import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from bohemian_env.games import GAMES
from table.guard import TOKEN_HEADER
from table.room import room_of
from table.seating import known_agents, read_seating
from table.server import application
from table.session import Session
from table.store import Saved, Store

__all__ = ["ASKED", "GAMES", "HERE", "SEED", "Client", "locked", "move_of", "play_on", "play_out", "seated", "write"]

HERE = "http://127.0.0.1:8377"
SEED = 4611686018427387905
ASKED = {"game": "villages", "seats": [{"name": ""}, {"agent": "greedy"}], "options": {}, "seed": str(SEED)}


class Client(TestClient):
    """A browser with a page of ours open; every answer it was ever given is kept."""

    def __init__(self, store: Store, extra_agents: Sequence[str] = ()) -> None:
        guard = application(store, extra_agents=extra_agents)
        super().__init__(guard, base_url=HERE, raise_server_exceptions=False)
        assert guard.closing
        self.closing = guard.closing
        self.store = store
        self.heard: list[str] = []

    def request(self, *args: Any, **kwargs: Any) -> Any:
        answer = super().request(*args, **kwargs)
        self.heard.append(answer.text + str(answer.headers))
        return answer

    def tell(self, path: str, body: object, **headers: str | bytes) -> Any:
        known: dict[str, Any] = {"origin": HERE, TOKEN_HEADER: self.store.token}
        return self.post(path, json=body, headers=known | headers)

    def send_raw(self, path: str, content: Any, **headers: str) -> Any:
        """Send what need be no JSON as if it were."""
        known = {"origin": HERE, TOKEN_HEADER: self.store.token, "content-type": "application/json"}
        return self.post(path, content=content, headers=known | headers)

    def made(self, path: str, body: object) -> str:
        """The path of the game that is made by this."""
        answer = self.tell(path, body)
        assert answer.status_code == 201, answer.text
        return f"/games/{answer.json()['id']}"

    def begin(self, **more: object) -> str:
        return self.made("/games", ASKED | more)

    def view(self, game: str) -> Any:
        return self.get(f"{game}/view").json()

    def kept(self, game: str) -> Saved:
        """A game as the store has it."""
        saved = self.store.load(game.rpartition("/")[2])
        assert saved is not None
        return saved


def write(path: Path, statement: str, *values: object) -> None:
    """Carry out a statement in a database behind the back of whoever else has it."""
    with closing(sqlite3.connect(path)) as base, base:
        base.execute(statement, values)


@contextmanager
def locked(path: Path, how: str = "EXCLUSIVE") -> Iterator[None]:
    """A time in which somebody else has locked a database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"BEGIN {how}")
        yield
        other.execute("ROLLBACK")


def move_of(view: dict[str, Any], number: int = 0) -> dict[str, Any]:
    """What the page sends to make a legal move."""
    return {"move": view["legal"][number]["move"], "at": view["at"], "after": 0, "instead": False}


def play_out(client: Client, game: str, turns: int = 10_000) -> dict[str, Any]:
    """Play on by what the server says is legal, for so many requests; a held move is confirmed at once."""
    view = client.view(game)
    for _ in range(turns):
        if view["over"]:
            break
        after = view["line"] + len(view["log"])
        if view["person"]:
            answer = client.tell(f"{game}/move", move_of(view) | {"after": after})
        else:
            answer = client.tell(f"{game}/advance", {"moves": view["moves"], "after": after, "all": True})
        assert answer.status_code == 200, answer.text
        view = answer.json()
        if view["held"]:
            view = client.tell(f"{game}/done", {"at": view["at"], "after": 0}).json()
    return view


def seated(*who: str, game: str = "villages", seed: int = 11) -> dict[str, Any]:
    """A seating: names of agents that are known, and of people."""
    known = known_agents(room_of(game), ())
    asked = [{"agent": name} if name in known else {"name": name} for name in who]
    return read_seating({"game": game, "seats": asked, "seed": seed}, ())


def play_on(session: Session, moves: int = 10_000, seed: int = 1, choose: Callable[[Any], str] | None = None) -> None:
    """Play on, each move confirmed at once, to the end or for so many moves; people move at random unless told how."""
    rng = random.Random(seed)
    while not session.over and len(session.actions) < moves:
        if session.agent_to_move:
            session.advance()
        else:
            session.play(choose(session.game) if choose else rng.choice(session.game.legal_moves))
        if session.held:
            session.confirm()
