"""The server: pages, games, and what it refuses. After every refusal the game is as it was."""

import asyncio
import itertools
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast
from unittest.mock import AsyncMock, Mock

import pytest

from bohemian_env.games import rules_of
from table.guard import TOKEN_HEADER, allowed_hosts
from table.room import total_of
from table.session import NotYourTurn, Session
from table.store import Store

from .asking import ASKED, HERE, SEED, Client, locked, move_of, play_out, seated, write

# --- pages ------------------------------------------------------------------------------------------------------


def test_the_first_page_sets_up_a_game(client: Client) -> None:
    page = client.get("/").text
    while 'http-equiv="refresh"' in page:
        page = client.get("/").text
    for text in ("Players", "search:appraiser:1000", "Nenbrad", client.store.token):
        assert text in page


def test_every_game_has_its_pages(client: Client, name: str) -> None:
    """With nothing inline but data, and nothing foreign."""
    game = client.begin(game=name)
    for path in (f"/?game={name}", game, f"{game}/review"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert f'data-room="{name}"' in answer.text
        assert not re.search(r"<script(?![^>]*(?:src=|json))|<style|style=|\son\w+=|https?://", answer.text)
    for other in ("/?game=chess", "/board.css?game=chess"):
        assert client.get(other).status_code == 404
    assert client.get(f"/board.css?game={name}").headers["content-type"].startswith("text/css")


def test_pages_escape_what_people_write(client: Client) -> None:
    game = client.begin(seats=[{"name": "<i>&\"'"}, {"name": "Bob"}])
    for page in (client.get("/").text, client.get(game).text):
        assert "<i>" not in page
        assert "&lt;i&gt;" in page


def test_the_games_that_are_kept_are_listed(client: Client, game: str) -> None:
    assert game in client.get("/").text
    assert client.tell(f"{game}/delete", {}).status_code == 200
    assert game not in client.get("/").text
    assert client.get(game).status_code == 404


@pytest.mark.parametrize("over", [False, True])
def test_all_games_that_are_kept_can_be_listed(client: Client, over: bool) -> None:
    seating = client.store.load(client.begin().removeprefix("/games/")).seating
    games = {client.store.add(seating, over=over) for _ in range(12)}
    front, whole = client.get("/").text, client.get("/?all=yes").text
    assert len([game for game in games if game in front]) == 10
    assert 'href="/?all=yes"' in front
    assert all(game in whole for game in games)
    assert "?all=yes" not in whole
    for game in sorted(games)[:2]:
        assert client.tell(f"/games/{game}/delete", {}).status_code == 200
    assert ("?all=yes" in client.get("/").text) != over  # the game that was begun is one more under way


def test_the_rules_lie_open_for_somebody_new(client: Client) -> None:
    assert '<details class="rules" open>' in client.get("/").text
    client.begin()
    front = client.get("/").text
    assert '<details class="rules">' in front
    assert '<details class="rules" open>' not in front


def test_every_answer_has_a_strict_policy(client: Client, game: str) -> None:
    answers = [client.get(path) for path in ("/", game, f"{game}/view", "/static/page.css", "/board.css", "/nothing")]
    answers += [client.tell("/games", {}), client.post("/games")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers


# --- a game -----------------------------------------------------------------------------------------------------


def test_a_game_is_played_to_its_end_and_its_record_replays(client: Client, name: str) -> None:
    game = client.begin(game=name)
    view = play_out(client, game)
    assert view["over"]
    record = client.get(f"{game}/record")
    assert "attachment" in record.headers["content-disposition"]
    replayed = rules_of(name).game.from_record(record.json())
    assert list(replayed.outcome().scoring) == view["score"]
    assert list(replayed.outcome().winners) in ([], view["leading"])
    front = client.get("/").text
    assert f'href="{game}/review"' in front
    assert all(f" {total_of(row)}".replace("-", "−") in front for row in view["score"])


def test_nothing_secret_leaves_the_server_before_the_end(client: Client, name: str) -> None:
    game = client.begin(game=name)
    play_out(client, game, turns=12)
    client.get(game)
    client.get("/")
    client.tell(f"{game}/hint", {"at": client.view(game)["at"]})
    client.tell(f"{game}/move", {"move": "end", "at": "", "after": 0, "instead": False})
    assert client.get(f"{game}/record").status_code == 409
    seating = client.kept(game).seating
    assert seating["seed"] == SEED
    for text in client.heard:
        assert str(SEED) not in text
        assert str(seating["seats"][1]["seed"]) not in text
        assert '"seed":' not in text


@pytest.mark.slow
def test_a_restart_loses_nothing(client: Client, name: str) -> None:
    game = client.begin(game=name)
    before = play_out(client, game, turns=9)
    with Client(Store(client.store.path.parent)) as restarted:
        assert restarted.view(game) | {"log": 0, "line": 0} == before | {"log": 0, "line": 0}
        assert play_out(restarted, game)["over"]


def test_a_game_that_0_2_kept_is_played_on(client: Client) -> None:
    """It says no game, since there was one, and villages in place of options."""
    seating = {key: value for key, value in seated("Ann", "greedy").items() if key not in ("game", "options")}
    seating["seats"][1]["seed"] = 3745062171221921  # with which what follows a confirmed move ends the game
    game = f"/games/{client.store.add(seating | {'villages': None})}"
    assert f'href="{game}"' in client.get("/").text
    assert play_out(client, game)["over"]
    assert f'href="{game}/review"' in client.get("/").text
    assert client.tell(f"{game}/again", {}).status_code == 201


def test_a_kept_game_of_which_nobody_knows_the_rules_hides_no_other(client: Client, game: str) -> None:
    asked, unknown = seated("Ann", "Bob"), itertools.product(("chess", 7), (False, True))
    kept = [client.store.add(asked | {"game": other}, over) for other, over in unknown]
    front = client.get("/")
    assert front.status_code == 200
    assert all(f'data-delete="{one}"' in front.text for one in kept)
    assert f'href="{game}"' in front.text
    for one in kept:
        answer = client.get(f"/games/{one}/view")
        assert answer.status_code == 409
        assert "this game" in answer.text or "there is no game 'chess'" in answer.text


def test_a_move_that_ends_a_turn_waits_to_be_confirmed(client: Client, name: str) -> None:
    """Another may take its place, and a page that does not know of it changes nothing."""
    game = client.begin(game=name)
    view = client.view(game)
    assert client.tell(f"{game}/done", {"at": view["at"], "after": 0}).status_code == 409
    while not view["held"]:
        before, view = view, client.tell(f"{game}/move", move_of(view, -1)).json()
    assert (view["person"], view["back"], view["moves"]) == (False, True, before["moves"] + 1)
    assert client.tell(f"{game}/done", {"at": before["at"], "after": 0}).status_code == 409
    move = move_of(before) | {"at": view["at"]}
    assert client.tell(f"{game}/move", move).json()["error"] == "your turn is not confirmed yet"
    other = client.tell(f"{game}/move", move | {"instead": True}).json()
    assert (other["moves"], other["line"]) == (view["moves"], 0)
    assert client.tell(f"{game}/back", {"at": other["at"]}).json() == before
    again = client.tell(f"{game}/move", move_of(before, -1)).json()
    assert again["held"]
    assert client.tell(f"{game}/advance", {"moves": 0, "after": 0, "all": True}).json()["held"]
    done = client.tell(f"{game}/done", {"at": again["at"], "after": 0}).json()
    assert (done["held"], done["back"], done["moves"]) == (False, False, view["moves"])
    again = client.tell(f"{game}/done", {"at": done["at"], "after": 0}).json()
    assert again["error"] == "nothing waits to be confirmed"


def test_two_servers_never_both_play_on(client: Client, game: str) -> None:
    with Client(Store(client.store.path.parent)) as other:
        view = client.view(game)
        assert other.view(game) == view
        body = move_of(view)
        assert other.tell(f"{game}/move", body).status_code == 200
        assert client.tell(f"{game}/move", body).status_code == 409
        assert client.view(game) == other.view(game)


def test_a_game_that_is_deleted_while_somebody_moves_is_not_there(
    client: Client, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, write = move_of(client.view(game)), client.store.write

    def late(game: str, *rest: Any) -> bool:
        assert client.store.delete(game)
        return write(game, *rest)

    monkeypatch.setattr(client.store, "write", late)
    assert client.tell(f"{game}/move", body).status_code == 404


def test_a_move_is_taken_back_once_and_not_from_a_page_that_knows_another(client: Client, game: str) -> None:
    """Two moves of the same turn, one of them taken back elsewhere: as many moves as before, and others."""
    before = client.view(game)
    assert client.tell(f"{game}/back", {"at": before["at"]}).status_code == 409
    moved = client.tell(f"{game}/move", move_of(before, 0)).json()
    back = {"at": moved["at"]}
    assert client.tell(f"{game}/back", back).json() == before
    assert client.tell(f"{game}/back", back).status_code == 409
    assert client.tell(f"{game}/move", move_of(before, 1)).json()["moves"] == moved["moves"]
    answer = client.tell(f"{game}/move", move_of(before, 0) | {"at": moved["at"]})
    assert (answer.status_code, answer.json()["error"]) == (409, "the game has changed in another tab or window")


def test_asking_twice_for_an_agents_move_moves_once(client: Client) -> None:
    game = client.begin(seats=[{"agent": "greedy"}, {"name": ""}])
    body = {"moves": 0, "after": 0, "all": False}
    first = client.tell(f"{game}/advance", body).json()
    assert client.tell(f"{game}/advance", body).json() == first
    assert first["moves"] == 1


def test_agents_alone_can_be_watched(client: Client) -> None:
    game = client.begin(seats=[{"agent": "random"}, {"agent": "greedy"}, {"agent": "rusher"}])
    assert play_out(client, game)["over"]


def test_another_game_of_the_same_seats(client: Client) -> None:
    game = client.begin(seats=[{"name": "Ann"}, {"agent": "greedy"}, {"agent": "greedy"}])
    new = client.made(f"{game}/again", {})
    assert new != game
    who = [[(seat["name"].rstrip(" 2"), seat["agent"]) for seat in client.view(g)["seats"]] for g in (game, new)]
    assert who[1] == [*who[0][1:], who[0][0]]  # everybody one seat further: who began has had the best of it
    seatings = [client.kept(g).seating for g in (game, new)]
    assert seatings[0]["seed"] != seatings[1]["seed"]


def test_the_pages_of_a_game_do_not_wait_for_an_agent_that_thinks(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks, thought = threading.Event(), threading.Event()
    in_time: list[bool] = []

    def think(_: Session) -> None:
        thinks.set()
        in_time.append(thought.wait(30))
        raise NotYourTurn("over")

    monkeypatch.setattr(Session, "advance", think)
    with Client(store) as client:
        game = client.begin(seats=[{"agent": "greedy"}, {"name": "Ann"}])
        asked = threading.Thread(target=client.tell, args=(f"{game}/advance", {"moves": 0, "after": 0, "all": False}))
        asked.start()
        assert thinks.wait(60)
        for page in (game, f"{game}/review"):
            assert "Ann" in client.get(page).text
        thought.set()
        asked.join()
    assert in_time == [True]  # it thought until the pages had come


def test_an_agent_of_ones_own_may_sit_down_only_where_it_was_let_in(store: Store) -> None:
    """Also in another game of the same seats, after the server was started without it."""
    asked = ASKED | {"seats": [{"name": ""}, {"agent": "montecarlo:3"}]}
    with Client(store, ["montecarlo:3"]) as client:
        assert "montecarlo:3" in client.get("/").text
        game = client.made("/games", asked)
    with Client(store) as client:
        assert client.tell("/games", asked).status_code == 400
        assert client.view(game)["seats"][1]["name"] == "montecarlo"
        assert client.tell(f"{game}/again", {}).status_code == 400


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.fixture
def unchanged(client: Client, game: str) -> Iterator[dict[str, Any]]:
    """The game must be the same after the test."""
    before = client.view(game)
    yield before
    assert client.view(game) == before
    assert client.kept(game).actions == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        *(({"host": host}, 400) for host in ("villages.example", "127.0.0.1.example:8377", "192.168.0.7:8377")),
        *(({"origin": origin}, 403) for origin in ("http://villages.example", "http://127.0.0.1:9999", "null")),
        *(({TOKEN_HEADER: token}, 403) for token in ("guess", "", "ü")),
        *(({"content-type": kind}, 415) for kind in ("text/plain", "application/x-www-form-urlencoded")),
    ],
)
def test_requests_of_other_pages_are_refused(
    client: Client, game: str, unchanged: dict[str, Any], headers: dict[str, str], status: int
) -> None:
    encoded = {key: value.encode() for key, value in headers.items()}
    answer = client.tell(f"{game}/move", move_of(unchanged), **encoded)
    assert answer.status_code == status
    assert "error" in answer.json()


def test_foreign_names_cannot_read_either(client: Client, game: str) -> None:
    for path in ("/", game, f"{game}/view", "/static/table.js"):
        answer = client.get(path, headers={"host": "villages.example"})
        assert answer.status_code == 400
        assert "--host NAME" in answer.text
        assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_refused(client: Client, game: str, unchanged: dict[str, Any], method: str) -> None:
    headers = {"origin": HERE, TOKEN_HEADER: client.store.token}
    assert client.request(method, f"{game}/move", headers=headers).status_code == 405


@pytest.mark.parametrize(
    ("body", "status"),
    [
        *(({"move": move}, 422) for move in ("castle", "end", "6+6:manor@Nowhere")),
        *((wrong, 400) for wrong in ({"move": "x" * 101}, {"after": -1}, {"after": True}, {"seat": 0})),
        *((stale, 409) for stale in ({"at": ""}, {"instead": True})),
    ],
)
def test_moves_that_are_none_are_refused(
    client: Client, game: str, unchanged: dict[str, Any], body: dict[str, Any], status: int
) -> None:
    answer = client.tell(f"{game}/move", move_of(unchanged) | body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 5000, b'{"move": NaN, "at": "", "after": 0}']
)
def test_what_is_no_json_object_is_refused(
    client: Client, game: str, unchanged: dict[str, Any], content: bytes
) -> None:
    assert client.send_raw(f"{game}/move", content).status_code == 400


def test_what_is_too_long_is_refused(client: Client, game: str, unchanged: dict[str, Any]) -> None:
    assert client.tell(f"{game}/move", {"move": "x" * 20_000}).status_code == 413
    assert client.send_raw(f"{game}/move", iter([b"{}"])).status_code == 411
    both = {"content-length": "2", "transfer-encoding": "chunked"}  # the second counts, and has no bound
    assert client.send_raw(f"{game}/move", iter([b"{}"]), **both).status_code == 411


def test_a_request_that_breaks_off_is_no_mishap(client: Client, game: str, unchanged: dict[str, Any]) -> None:
    known = {"host": HERE.removeprefix("http://"), "origin": HERE, TOKEN_HEADER: client.store.token}
    known |= {"content-type": "application/json", "content-length": "200"}
    scope = {"type": "http", "method": "POST", "path": f"{game}/move", "query_string": b""}
    scope["headers"] = [(key.encode(), value.encode()) for key, value in known.items()]
    receive, send, app = AsyncMock(return_value={"type": "http.disconnect"}), AsyncMock(), cast(Any, client.app)
    asyncio.run(app(scope, receive, send))
    assert send.call_args_list[0].args[0]["status"] == 400


def test_a_person_cannot_move_for_an_agent(client: Client) -> None:
    game = client.begin(seats=[{"agent": "greedy"}, {"name": ""}])
    before = client.view(game)
    answer = client.tell(f"{game}/move", {"move": "1+1:bishop", "at": before["at"], "after": 0, "instead": False})
    assert (answer.status_code, answer.json()["error"]) == (409, "it is Grabber's turn")
    assert client.tell(f"{game}/hint", {"at": before["at"]}).status_code == 409
    assert client.tell(f"{game}/weigh", {"at": before["at"], "move": "1+1:bishop"}).status_code == 409
    assert client.view(game) == before


def test_advice_is_for_the_game_that_the_page_shows(client: Client, game: str) -> None:
    view = client.view(game)
    best = client.tell(f"{game}/hint", {"at": view["at"]}).json()["moves"][0]["move"]
    assert client.tell(f"{game}/weigh", {"at": view["at"], "move": best}).json() == {"cost": 0, "why": ""}
    assert client.tell(f"{game}/weigh", {"at": view["at"], "move": "6+6:inn@Nowhere"}).status_code == 422
    client.tell(f"{game}/move", move_of(view) | {"move": best})
    for path, body in (("hint", {}), ("weigh", {"move": best})):
        answer = client.tell(f"{game}/{path}", {"at": view["at"], **body})
        assert (answer.status_code, answer.json()["error"]) == (409, "the game has changed in another tab or window")


def test_every_answer_is_in_the_language_of_whoever_asks(client: Client, game: str) -> None:
    """The one set on the page, or else the browser's first that is known."""
    for headers, said in (
        ({}, "Your turn"),
        ({"accept-language": "fr-FR,de-AT;q=0.8,en;q=0.5"}, "Du bist am Zug"),
        ({"accept-language": "en,de;q=nonsense,it;q=0.1"}, "Your turn"),
        ({"accept-language": "en ; q=0.3 , de; q = 0.9"}, "Du bist am Zug"),
        ({"accept-language": "de", "cookie": "language=it"}, "Tocca a te"),
        ({"accept-language": "it", "cookie": "language=../x"}, "Tocca a te"),
    ):
        assert client.get(f"{game}/view", headers=headers).json()["status"] == said
    german = {"accept-language": "de"}
    assert '<html lang="de">' in client.get(game, headers=german).text
    assert client.get("/games/0123456789ab/view", headers=german).json()["error"] == "dieses Spiel gibt es nicht"
    assert '"Noch einmal"' in client.get(game, headers=german).text
    assert client.get("/nowhere", headers=german).json()["error"] == "diese Seite gibt es nicht"
    assert "Zug" in client.get("/picture/villages.svg", headers=german).text
    bare = client.post(f"{game}/back", json={}, headers=german | {"origin": HERE})
    assert bare.json()["error"] == "der Anfrage fehlt das Kennwort dieses Servers; lade die Seite neu"


def test_a_person_is_not_moved_for(client: Client, game: str, unchanged: dict[str, Any]) -> None:
    for everything in (False, True):
        answer = client.tell(f"{game}/advance", {"moves": 0, "after": 0, "all": everything})
        assert answer.json() == unchanged
    assert client.tell(f"{game}/advance", {"moves": 3, "after": 0, "all": False}).status_code == 409
    assert client.tell(f"{game}/advance", {"moves": 0, "after": 0, "all": 1}).status_code == 400


@pytest.mark.parametrize("path", ["/games/x", "/games/..%2f..", "/games/" + "a" * 22, "/static/../play.py", "/static/"])
def test_what_is_not_there_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("after", ["-1", "x", "9" * 30, "0.5"])
def test_lines_are_counted_by_whole_numbers(client: Client, game: str, after: str) -> None:
    assert client.get(f"{game}/view?after={after}").status_code == 400


def test_a_damaged_game_is_listed_and_says_so(client: Client, game: str) -> None:
    other = client.begin()
    write(client.store.path, "UPDATE games SET setup = '{', over = 1 WHERE id = ?", game.rpartition("/")[2])
    page = client.get("/").text
    assert f"{game}/review" not in page
    assert "A game that cannot be read" in page
    assert f'href="{other}"' in page
    assert f'href="{game}"' not in page
    for answer in (client.get(game), client.get(f"{game}/view"), client.tell(f"{game}/hint", {"at": ""})):
        assert (answer.status_code, answer.json()["error"][:30]) == (409, "this game cannot be read: what")
    assert client.get(f"{other}/view").status_code == 200
    assert client.tell(f"{game}/delete", {}).status_code == 200
    assert "A game that cannot be read" not in client.get("/").text


def test_a_locked_store_is_told_in_a_sentence(
    client: Client, game: str, unchanged: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.store._PATIENCE", 0.05)
    with locked(client.store.path):
        move = move_of(unchanged)
        for answer in (client.tell(f"{game}/move", move), client.tell("/games", ASKED), client.get("/")):
            assert answer.status_code == 503
            assert "cannot be used now, try again: database is locked; no game has changed" in answer.text
        assert "<p>The file games.sqlite3 " in client.get("/", headers={"accept": "text/html"}).text
        told = client.get("/", headers={"accept-language": "de"}).json()["error"]
        assert told == (
            "die Datei games.sqlite3 ist gerade nicht zu benutzen, versuche es noch einmal: database is locked; "
            "kein Spiel hat sich geändert"
        )


def test_a_locked_store_keeps_nobody_waiting_for_the_others(
    client: Client, game: str, unchanged: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They share what the first was told; asked again, the store is tried again."""
    monkeypatch.setattr("table.store._PATIENCE", 0.3)
    tries = Mock(side_effect=client.store.load)
    monkeypatch.setattr(client.store, "load", tries)
    with locked(client.store.path):
        for times in (1, 2):
            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda _: client.get(f"{game}/view").status_code, range(8)))
            assert answers == [503] * 8
            assert len(tries.call_args_list) < 8 * times


def test_a_seating_that_cannot_be_is_refused(client: Client) -> None:
    seatings: list[dict[str, Any]] = [{"seats": []}, {"seats": [{"agent": "../../etc/passwd"}, {"name": ""}]}]
    seatings += [{"options": {"villages": 3}}, {"game": "chess"}, {"game": None}, {"seed": "x"}]
    for asked in seatings:
        assert client.tell("/games", ASKED | asked).status_code == 400
    assert client.store.recent(over=False) == []


def test_names_of_the_server() -> None:
    assert allowed_hosts("127.0.0.1")("localhost")
    assert not allowed_hosts("127.0.0.1")("10.0.0.2")
    assert allowed_hosts("box.local")("box.local")
    assert allowed_hosts("0.0.0.0")("10.0.0.2")
    assert not allowed_hosts("0.0.0.0")("villages.example")
