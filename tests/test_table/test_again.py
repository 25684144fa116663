"""Reasons to come back: a game a day, the same game by an agent, costly moves met again; and games to give away."""

import datetime
import json
import time

import pytest

from table.again import answered, proposed, remember_costly, to_find
from table.room import room_of
from table.seating import names_in, read_seating
from table.store import Saved, Store

from .asking import Client, move_of, play_out, seated

TODAY = datetime.datetime.now(datetime.UTC).date().isoformat()


def test_the_game_of_a_day_has_one_try_and_is_the_same_for_everybody(
    client: Client, name: str, tmp_path: object
) -> None:
    first, again = (client.tell("/daily", {"game": name, "date": TODAY}).json()["id"] for _ in range(2))
    assert first == again
    seating = client.store.load(first).seating
    assert seating["daily"] == TODAY
    assert 'data-over=""' in client.get(f"/?game={name}").text
    client.store.delete(first)
    other = client.store.load(client.tell("/daily", {"game": name, "date": TODAY}).json()["id"]).seating
    assert other == seating
    client.store.add(seating, over=True)
    assert f'data-over="{TODAY}"' in client.get(f"/?game={name}").text


@pytest.mark.parametrize("date", ["2001-01-01", "tomorrow", "", 7, None, TODAY.replace("-", "/")])
def test_another_day_is_refused_in_a_sentence(client: Client, date: object) -> None:
    answer = client.tell("/daily", {"game": "dorfromantik", "date": date})
    assert (answer.status_code, "today" in answer.json()["error"]) == (400, True)


@pytest.mark.slow
def test_the_master_plays_a_finished_game_again_with_the_same_chance(client: Client) -> None:
    game = client.begin(game="dorfromantik", seats=[{"name": ""}])
    assert client.tell(f"{game}/duplicate", {}).status_code == 409  # it would tell what is to come
    played = play_out(client, game)
    found = client.tell(f"{game}/duplicate", {}).json()
    assert found == client.tell(f"{game}/duplicate", {}).json()  # it is kept
    assert found["mine"] == played["score"][0]["total"]
    assert str(found["theirs"]).replace("-", "−") in found["line"]
    mine, theirs = (client.get(f"/games/{one}/record").json() for one in (game.removeprefix("/games/"), found["id"]))
    drawn = [[turn.get("tile") for turn in record["turns"]] for record in (mine, theirs)]
    landscape = [[tile for tile in row if tile and tile[0] == "L"] for row in drawn]
    assert all(a == b for a, b in zip(*landscape, strict=False))  # the k-th of a stack is the same
    review = client.get(f"/games/{found['id']}/analysis?quick=yes").json()
    beside, count = review["beside"], len(review["positions"])
    assert len(beside["course"]) == len(client.get(f"{game}/analysis?quick=yes").json()["positions"])
    assert (len(beside["totals"]), len(review["drawings"])) == (count, 2 * count)  # both boards by position
    assert (beside["name"], beside["totals"][-1]) == ("You", [found["theirs"], found["mine"]])
    assert beside["parted"] == found["parted"] != []
    assert all(0 < position < count for position, _ in found["parted"])
    later = client.get(f"/games/{found['id']}/analysis?quick=yes&after={count - 2}").json()
    assert (later["beside"]["totals"], len(later["drawings"])) == (beside["totals"][-2:], 4)
    assert found["id"] not in client.get("/").text  # nobody began it


def test_the_next_opponent_goes_by_the_last_games() -> None:
    room = room_of("villages")
    levels = {guest.agent: guest.level for guest in room.guests}
    assert proposed(room, []) == room.first_guest
    won = proposed(room, [(room.first_guest, True)])
    assert levels[won] == levels[room.first_guest] + 1
    assert proposed(room, [(room.first_guest, True), (won, False)]) == won  # one defeat is none
    assert levels[proposed(room, [(won, False), (won, False)])] == levels[won] - 1
    assert levels[proposed(room, [("appraiser", True)] * 10)] == max(levels.values())
    assert levels[proposed(room, [("random", False)] * 10)] == 1


def costly_game(store: Store) -> tuple[str, dict[str, object]]:
    """A kept game with three decisions: one of the other seat, a cheap and a costly one of the person."""
    game = store.add(seated("", "greedy"), over=True)
    costs = [(1, 0.3), (0, 0.01), (0, 0.2)]
    return game, {"after": 0, "positions": [{"seat": seat, "cost": cost} for seat, cost in costs]}


def kept(store: Store) -> dict[str, Saved]:
    return {saved.id: saved for saved in store.recent(True)}


def test_a_costly_move_is_met_again_after_1_3_and_7_days(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now, day = time.time(), 86_400.0
    monkeypatch.setattr(time, "time", lambda: now)
    game, found = costly_game(store)
    remember_costly(store, game, found, [0], 0.1)
    for days, solved in ((1, False), (1, True), (3, True), (7, True)):
        assert to_find(store, kept(store)) == []
        now += days * day - 60
        assert to_find(store, kept(store)) == []
        now += 61
        remember_costly(store, game, found, [0], 0.1)  # reviewed once more, which changes nothing
        assert to_find(store, kept(store)) == [(game, 2)]
        answered(store, game, 2, solved)
    now += 1000 * day
    assert to_find(store, kept(store)) == []  # found three times
    answered(store, game, 1, True)  # not one of them
    assert to_find(store, {}) == []


def test_one_is_led_to_the_days_position_or_to_ones_own(client: Client) -> None:
    answer = client.get("/find?game=dorfromantik", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"].endswith("/review?find=costly")) == (303, True)
    assert (
        client.get("/find?game=dorfromantik", follow_redirects=False).headers["location"] == answer.headers["location"]
    )
    game, found = costly_game(client.store)
    remember_costly(client.store, game, found, [0], 0.1)
    client.store.note(f"find:{game}:2", json.dumps([0, 0]))
    own = client.get("/find?game=villages", follow_redirects=False)
    assert own.headers["location"] == f"/games/{game}/review?find=2"
    assert client.tell(f"/games/{game}/found", {"position": 2, "found": True}).status_code == 200
    assert to_find(client.store, kept(client.store)) == []


@pytest.mark.slow
def test_games_are_given_away_without_names(client: Client, name: str) -> None:
    game = client.begin(game=name, seats=[{"name": "Somebody"}, {"agent": "random"}])
    assert client.get("/games.jsonl").text == ""  # it is not over
    play_out(client, game)
    (line,) = client.get("/games.jsonl").text.splitlines()
    record = json.loads(line)
    assert (record["players"], "Somebody" in line) == (["person 0", "random"], False)
    rules = room_of(name).rules
    assert rules.game.from_record(record).record() == record
    watched = client.begin(game=name, seats=[{"agent": "random"}, {"agent": "random"}])
    play_out(client, watched)
    assert client.get("/games.jsonl").text.splitlines() == [line]  # no person played there


def test_names_that_nobody_chose_are_told_in_the_readers_language() -> None:
    seats = [{"name": ""}, {"agent": "greedy"}, {"agent": "greedy"}, {"name": "Anna"}]
    words = {language: room_of("villages").words(language) for language in ("en", "de", "it")}
    seating = read_seating({"game": "villages", "seats": seats, "seed": 1}, (), words["de"])
    assert names_in(seating, words["de"]) == ["Orange", "Raffer", "Raffer 2", "Anna"]
    assert names_in(seating, words["en"]) == ["Orange", "Grabber", "Grabber 2", "Anna"]
    alone = read_seating({"game": "villages", "seats": seats[:2], "seed": 1}, (), words["it"])
    assert [names_in(alone, words[language])[0] for language in ("en", "de")] == ["You", "Du"]


def test_a_change_is_told_to_whoever_follows(client: Client, game: str) -> None:
    view = client.view(game)
    with client.stream("GET", f"{game}/events") as told:
        lines = (line.removeprefix("data: ") for line in told.iter_lines() if line)
        assert next(lines) == view["at"]
        client.closing.set()  # the server is to end, and the answer does
        assert list(lines) == []
    assert client.tell(f"{game}/move", move_of(view)).json()["at"] != view["at"]
