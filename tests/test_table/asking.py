"""A browser without a browser: it asks the server what the page asks."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from table.guard import TOKEN_HEADER
from table.server import application
from table.store import Store

HERE = "http://127.0.0.1:8377"
SEED = 4611686018427387905
ASKED = {"seats": [{"name": ""}, {"agent": "greedy"}], "villages": None, "seed": str(SEED)}


class Client(TestClient):
    """A browser with a page of ours open; every answer it was ever given is kept."""

    def __init__(self, store: Store) -> None:
        super().__init__(application(store), base_url=HERE, raise_server_exceptions=False)
        self.store = store
        self.heard: list[str] = []

    def request(self, *args: Any, **kwargs: Any) -> Any:
        answer = super().request(*args, **kwargs)
        self.heard.append(answer.text + str(answer.headers))
        return answer

    def tell(self, path: str, body: object, **headers: str | bytes) -> Any:
        known: dict[str, Any] = {"origin": HERE, TOKEN_HEADER: self.store.token}
        return self.post(path, json=body, headers=known | headers)

    def begin(self, **more: object) -> str:
        answer = self.tell("/games", ASKED | more)
        assert answer.status_code == 201, answer.text
        return f"/games/{answer.json()['id']}"


def move_of(view: dict[str, Any]) -> dict[str, Any]:
    """What the page sends to make the first legal move."""
    return {"move": view["legal"][0]["move"], "at": view["at"], "after": 0}


def play_out(client: Client, game: str, turns: int = 10_000) -> dict[str, Any]:
    """Play on by what the server says is legal."""
    view = client.get(f"{game}/view").json()
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
    return view
