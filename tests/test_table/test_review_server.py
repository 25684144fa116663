"""The server of games looked at again: analyses, records that are loaded, games that go on from a position."""

import json
import re
from typing import Any

import pytest

from bohemian_env import Game
from bohemian_env.games import rules_of
from table.guard import LARGEST_RECORD
from table.seating import BadSeating, seating_of
from table.session import Session
from table.store import Store

from .asking import SEED, Client, play_out, seated
from .test_review import bad_records, played

pytestmark = pytest.mark.slow

YOU = [{"name": ""}, {"agent": "greedy"}]


def count(client: Client) -> int:
    return len(client.store.recent(over=True, limit=99)) + len(client.store.recent(over=False, limit=99))


def test_the_page_and_the_analysis_of_a_game(client: Client, game: str) -> None:
    view = play_out(client, game, turns=9)
    page = client.get(f"{game}/review")
    assert page.status_code == 200
    assert 'data-watched="no"' in page.text
    found = client.get(f"{game}/analysis").json()
    assert (found["you"], found["over"], found["names"]) == (0, False, ["You", "Grabber"])
    assert len(found["positions"]) == view["moves"] + 1
    rest = client.get(f"{game}/analysis?quick=yes&after=3").json()
    assert len(rest["positions"]) == view["moves"] - 2
    assert rest["seats"][0]["own"] is None
    assert len(client.get(f"{game}/analysis?after=999999").json()["positions"]) == 0
    for after in ("-1", "x", "1.5", "9999999999"):
        assert client.get(f"{game}/analysis?after={after}").status_code == 400
    assert client.get("/games/0123456789/analysis").status_code == 404


def test_no_analysis_tells_the_seed_or_dice_to_come(client: Client, game: str) -> None:
    play_out(client, game, turns=9)
    client.get(f"{game}/review")
    client.get(f"{game}/analysis")
    assert client.get(f"{game}/export").status_code == 409
    client.tell(f"{game}/play_on", {"moves": 2, "seats": YOU})
    for text in client.heard:
        assert str(SEED) not in text
        assert '"seed"' not in text


def test_a_finished_game_can_be_taken_along(client: Client, game: str) -> None:
    play_out(client, game)
    answer = client.get(f"{game}/export")
    assert answer.headers["content-disposition"].endswith('.html"')
    assert "You, Grabber – Bohemian Villages" in answer.text
    assert len(answer.content) < 1_000_000


def test_who_only_watches_gets_the_page_that_replays(client: Client, game: str) -> None:
    watched = client.begin(seats=[{"agent": "greedy"}, {"agent": "random"}])
    answer = client.get(watched, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{watched}/review")
    assert 'data-watched="yes"' in client.get(watched).text
    assert client.get(game, follow_redirects=False).status_code == 200


# --- going on from a position -----------------------------------------------------------------------------------


def test_a_game_goes_on_from_any_position_and_says_so(client: Client, name: str) -> None:
    game, read = client.begin(game=name), rules_of(name).game.from_record
    play_out(client, game)
    first = read(client.get(f"{game}/record").json())
    for moves in (0, 7, len(first.actions) - 1):
        new = client.made(f"{game}/play_on", {"moves": moves, "seats": [{"agent": "random"}, {"name": "Eve"}]})
        view = client.view(new)
        assert (view["moves"], view["over"], view["seats"][1]["name"]) == (0, False, "Eve")
        assert play_out(client, new)["over"]
        record = client.get(f"{new}/record").json()
        assert (record["continues"]["moves"], record["continues"]["players"]) == (moves, ["You", "greedy"])
        assert record["players"] == ["random", "Eve"]
        second = read(record)
        assert second.actions[:moves] == first.actions[:moves]
        assert len(client.get(f"{new}/analysis?quick=yes").json()["positions"]) == len(second.actions) + 1
    assert read(client.get(f"{game}/record").json()) == first


def test_what_goes_on_from_a_running_game_does_not_tell_its_seed(client: Client, game: str) -> None:
    play_out(client, game, turns=5)
    new = client.made(f"{game}/play_on", {"moves": 1, "seats": YOU})
    play_out(client, new)
    assert client.get(f"{new}/record").json()["continues"]["seed"] is None


def test_it_is_kept_and_played_again_from_the_same_position(client: Client, game: str) -> None:
    play_out(client, game)
    new = client.made(f"{game}/play_on", {"moves": 6, "seats": YOU})
    before = play_out(client, new, turns=3)
    with Client(Store(client.store.path.parent)) as restarted:
        assert restarted.view(new) | {"log": 0, "line": 0} == before | {"log": 0, "line": 0}
    play_out(client, new)
    again = client.made(f"{new}/again", {})
    seatings = [client.kept(path).seating for path in (new, again)]
    assert seatings[0]["record"]["turns"] == seatings[1]["record"]["turns"]
    assert seatings[0]["seed"] != seatings[1]["seed"]


def test_nobody_goes_on_from_nowhere(client: Client, game: str) -> None:
    over, before = play_out(client, game)["moves"], count(client)
    wrong: list[dict[str, Any]] = [{"moves": moves} for moves in (-1, 10**5, over)]
    wrong += [{"seats": [{"name": ""}] * 3}, {"seats": [{"name": ""}, {"agent": "/etc/passwd"}]}, {"more": 1}]
    for asked in wrong:
        answer = client.tell(f"{game}/play_on", {"moves": 1, "seats": YOU} | asked)
        assert (answer.status_code, count(client)) == (400, before)
        assert answer.json()["error"]


# --- records ----------------------------------------------------------------------------------------------------


def test_a_record_is_loaded_and_looked_at(client: Client, name: str) -> None:
    recorded = played("greedy", "greedy", "random", game=name)
    new = client.made("/records", recorded.record())
    front = client.get("/").text
    assert f'href="{new}/review"' in front
    assert str(recorded.outcome().scoring[0]["total"]) in front
    assert re.search(r'<time datetime="20[0-9T:+-]+">20[0-9]{2}-[01][0-9]-[0-3][0-9]</time>', front)
    view = client.view(new)
    assert (view["over"], view["game"]) == (True, name)
    assert [seat["agent"] for seat in view["seats"]] == ["greedy", "greedy", "random"]
    assert client.get(f"{new}/record").json() == recorded.record()
    assert len(client.get(f"{new}/analysis?quick=yes").json()["positions"]) == len(recorded.actions) + 1
    assert client.store.recent(over=False) == []
    again = client.made(f"{new}/again", {})
    assert [seat["agent"] for seat in client.view(again)["seats"]] == ["greedy", "random", "greedy"]


def test_a_record_of_agents_that_are_not_here_is_loaded_as_well(client: Client) -> None:
    record = played("greedy", "random").record() | {"players": ["runs/first", "python:mine.py"]}
    new = client.made("/records", record)
    assert [seat["agent"] for seat in client.view(new)["seats"]] == [None, None]


def test_a_game_that_was_not_over_goes_on_with_chance_of_its_own(client: Client, name: str) -> None:
    begun = played("greedy", "random", moves=9, game=name)
    record = begun.record() | {"players": ["Ann", "greedy"]}
    new = client.made("/records", record)
    view = client.view(new)
    assert (view["over"], view["seat"]) == (False, begun.to_move)
    assert [seat["agent"] for seat in view["seats"]] == [None, "greedy"]
    assert play_out(client, new)["over"]


def test_a_table_before_the_first_roll_can_be_loaded(client: Client) -> None:
    new = client.made("/records", Game.new(2).record())
    assert client.view(new)["legal"]


def test_nobody_is_you_in_the_record_of_others(client: Client) -> None:
    """Players that this table does not know are nobody who sits here, unless the game goes on."""
    record = played("greedy", "random").record() | {"players": ["planner", "montecarlo:500"]}
    game = client.made("/records", record)
    assert client.get(f"{game}/analysis?quick=yes").json()["you"] is None
    mine = client.made("/records", record | {"players": ["planner", "You"]})
    assert client.get(f"{mine}/analysis?quick=yes").json()["you"] == 1
    begun = played("greedy", "random", moves=9).record() | {"players": ["greedy", "Ann"]}
    assert client.view(client.made("/records", begun))["you"] == 1


def named(*players: str) -> list[str]:
    """The names at the table of those who are called so in a record."""
    record = played(*("greedy", "random", "greedy")[: len(players)]).record() | {"players": [*players]}
    return [seat["name"] for seat in seating_of(Game.from_record(record), ())["seats"]]


def test_players_of_the_same_name_get_numbers() -> None:
    long = named("x" * 99, "x" * 99)
    assert len({*long}) == 2
    assert max(map(len, long)) <= 20
    assert named("Annabel", "Ann") == ["Annabel", "Ann"]
    assert named("A 2", "a", "A") == ["A 2", "a", "A 3"]
    assert named("", "  ") == ["Orange", "Blue"]


@pytest.mark.parametrize("name", ["\ud800", "c\x01d", "x" * 101])
@pytest.mark.parametrize("whose", ["player", "village", "earlier player"])
def test_names_that_no_page_can_show_are_refused(client: Client, name: str, whose: str) -> None:
    begun = played("greedy", "random", moves=9)
    record = begun.continued(["Ann", "Bob"], 3).record()
    if whose == "village":
        record["villages"][0]["name"] = name
    else:
        (record if whose == "player" else record["continues"])["players"][0] = name
    answer = client.send_raw("/records", json.dumps(record).encode())  # as ASCII, in which JSON can say anything
    assert answer.status_code == 400
    assert "names have at most 100 printable characters" in answer.json()["error"]
    assert client.get("/").status_code == 200


def test_what_is_no_record_changes_nothing(client: Client) -> None:
    """What is told of each kind is in test_review.py."""
    complaint, text = next(iter(bad_records().items()))
    answer = client.send_raw("/records", text)
    assert answer.status_code == 400
    assert complaint in answer.json()["error"]
    assert count(client) == 0


def test_a_record_of_10_mb_is_not_even_read(client: Client) -> None:
    assert client.tell("/records", "x" * 10_000_000).status_code == 413
    assert client.tell("/records", "x" * (LARGEST_RECORD - 2)).status_code == 400
    assert client.tell("/games", {"seats": "x" * 20_000}).status_code == 413
    assert count(client) == 0


def test_a_kept_game_with_a_bad_record_cannot_be_continued() -> None:
    seating = seated("", "greedy")
    record = played("greedy", "random", moves=9).record()
    assert Session(seating | {"record": record}).game.turn > 1
    three = played("greedy", "random", "random", moves=3).record()
    for bad in (7, {"format": 1}, record | {"winners": [0]}, three):
        with pytest.raises(BadSeating):
            Session(seating | {"record": bad})
