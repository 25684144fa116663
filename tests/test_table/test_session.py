"""A game at the table: seats, moves, agents, words, and what the page is told."""

from __future__ import annotations

import itertools
import json
import random
import re
from typing import Any

import pytest

from bohemian_env import BadNotation, Game, IllegalMove
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.facts import KINDS
from table.seating import GUESTS, BadSeating, read_seating, strength
from table.session import NotYourTurn, Session
from tests.helpers import ROOT

from .conftest import KNOWN


def seats(*who: str) -> dict[str, Any]:
    """A seating: names of agents that are known, and of people."""
    asked = [{"agent": name} if name in KNOWN else {"name": name} for name in who]
    return read_seating({"seats": asked, "seed": 11}, KNOWN)


def play_out(session: Session, seed: int = 1, moves: int = 10_000) -> None:
    """Play on with random moves of the people."""
    rng = random.Random(seed)
    while not session.game.over and len(session.actions) < moves:
        if session.agent_to_move:
            session.advance()
        else:
            session.play(rng.choice([move["move"] for move in session.view()["legal"]]))


# --- seats ------------------------------------------------------------------------------------------------------


def test_names_are_given_to_those_who_have_none() -> None:
    assert [s["name"] for s in seats("", "ppo", "ppo")["seats"]] == ["You", "Student", "Student 2"]
    assert [s["name"] for s in seats("", "", " Eva  Maria ")["seats"]] == ["Orange", "Blue", "Eva Maria"]
    assert [s["name"] for s in seats("montecarlo:2000", "search:appraiser:1000")["seats"]] == ["Gambler", "Master"]


def test_agents_that_would_be_called_the_same_are_numbered() -> None:
    """Nobody could give them other names."""
    names = ["search:appraiser", "search:appraiser:1000", "montecarlo:2000", "montecarlo:500ms", "montecarlo:2000"]
    seating = read_seating({"seats": [{"agent": name} for name in names]}, names)
    assert [s["name"] for s in seating["seats"]] == ["search", "Master", "Gambler", "montecarlo", "Gambler 2"]


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ([], "described by seats"),
        ({}, "2 to 5 can sit"),
        ({"seats": [{"name": "A"}]}, "2 to 5 can sit"),
        ({"seats": [{"name": "A"}] * 6}, "2 to 5 can sit"),
        ({"seats": [{"name": "A"}, {"name": "a"}]}, "two at the table"),
        ({"seats": [{"name": "student"}, {"agent": "ppo"}]}, "two at the table"),
        ({"seats": [{"name": "random"}, {"agent": "greedy"}]}, "'random' is the name of an agent"),
        ({"seats": [{"name": "x" * 21}, {"name": ""}]}, "at most 20"),
        ({"seats": [{"name": "\x1b[0m"}, {"name": ""}]}, "at most 20"),
        ({"seats": [{"name": 3}, {"name": ""}]}, "a seat is for"),
        ({"seats": [{"agent": "/etc/passwd"}, {"name": ""}]}, "there is no agent"),
        ({"seats": [{"name": ""}, {"name": ""}], "seed": -1}, "whole number"),
        ({"seats": [{"name": ""}, {"name": ""}], "seed": True}, "whole number"),
        ({"seats": [{"name": ""}, {"name": ""}], "seed": "7.0"}, "whole number"),
        ({"seats": [{"name": ""}, {"name": ""}], "seed": 2**63}, "whole number"),
        ({"seats": [{"name": ""}, {"name": ""}], "villages": ["Nenbrad"]}, "R1"),
        ({"seats": [{"name": ""}, {"name": ""}], "villages": "random"}, "as a list"),
        ({"seats": [{"name": ""}, {"name": ""}], "cheat": 1}, "described by seats"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(asked: dict[str, Any] | list[Any], complaint: str) -> None:
    with pytest.raises(BadSeating, match=complaint):
        read_seating(asked, KNOWN)


def test_villages_and_seed_are_those_asked_for() -> None:
    villages = ["Chlumhof", "Ebersgrun", "Grundow", "Itschkau", "Kunzendorf", "Nenbrad"]
    asked = {"seats": [{"name": ""}, {"name": ""}], "villages": villages, "seed": str(2**62 + 1)}
    seating = read_seating(asked, KNOWN)
    assert seating["seed"] == 2**62 + 1
    assert list(Session(seating).game.villages) == villages


def test_agents_and_dice_have_seeds_of_their_own() -> None:
    seating = read_seating({"seats": [{"agent": "random"}, {"agent": "random"}]}, KNOWN)
    again = read_seating({"seats": [{"agent": "random"}, {"agent": "random"}]}, KNOWN)
    numbers = [seating["seed"], again["seed"], *(s["seed"] for s in seating["seats"] + again["seats"])]
    assert len(set(numbers)) == 6


def test_every_opponent_can_be_had_and_its_moves_do_not_depend_on_the_machine() -> None:
    assert not [name for name in KNOWN if name.endswith("ms")]
    Session(seats("greedy", "montecarlo:2000", "ppo", "search:appraiser:1000")).meet_agents()
    for players in (2, 3, 4, 5):
        assert re.fullmatch(r"Won \d+% of its games against .* \(among equals: \d+%\)\.", strength("ppo", players))
    assert strength("greedy", 2) == ""
    assert [o.level for o in GUESTS] == sorted(o.level for o in GUESTS)


def test_dots_rank_agents_as_the_ladder_does() -> None:
    ladder = (ROOT / "docs" / "ladder.md").read_text(encoding="utf-8")
    levels = {guest.agent: guest.level for guest in GUESTS}
    table, compared = ladder.partition("## Ratings")[2], 0
    rows = re.findall(r"^\| (\S+) \|((?: \d+ ±\d+ \|)+)$", table, re.MULTILINE)
    for column in range(4):
        ratings = {name: int(re.findall(r"(\d+) ±", numbers)[column]) for name, numbers in rows}
        for one, other in itertools.permutations(ratings.keys() & levels.keys(), 2):
            if levels[one] < levels[other]:
                compared += 1
                assert ratings[one] < ratings[other]
    assert compared > 40


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("seats", None), ("seats", 7), ("seats", [7]), ("seats", [{}]), ("seats", [{"name": 7}])),
        *(("seats", [{"name": "a", "agent": "greedy"}] * 2), ("villages", 7), ("villages", [7]), ("engine", 7)),
    ],
)
def test_a_game_of_another_form_is_refused(seating: dict[str, Any], name: str, value: Any) -> None:
    with pytest.raises(BadSeating, match="the form in which games are kept"):
        Session(seating | {name: value})


def test_a_game_of_another_board_is_not_played_on(seating: dict[str, Any]) -> None:
    with pytest.raises(BadSeating, match="another version"):
        Session(seating | {"engine": "bohemian_villages_v0 0"})


# --- play -------------------------------------------------------------------------------------------------------


def test_moves_are_taken_only_from_the_one_whose_turn_it_is(seating: dict[str, Any]) -> None:
    session = Session(seating)
    with pytest.raises(NotYourTurn, match="no agent"):
        session.advance()
    with pytest.raises(BadNotation):
        session.play("castle")
    with pytest.raises(IllegalMove):
        session.play("end")
    assert session.actions == []
    while session.agent_to_move is None:
        session.play(session.view()["legal"][0]["move"])
    with pytest.raises(NotYourTurn, match="Grabber's turn"):
        session.play("end")
    session.advance()
    play_out(session)
    for act in (session.advance, lambda: session.play("end")):
        with pytest.raises(NotYourTurn):
            act()


@pytest.mark.parametrize(
    "who", [("", "greedy"), ("Ann", "Bob", "rusher"), ("planner", "", "random", "greedy", "hoarder")]
)
def test_a_game_goes_on_after_a_restart_as_it_would_have(who: tuple[str, ...]) -> None:
    seating = seats(*who)
    session = Session(seating)
    play_out(session, moves=25)
    again = Session(json.loads(json.dumps(seating)), session.actions)
    assert again.view() == session.view()
    play_out(session)
    play_out(again)
    assert again.actions == session.actions
    assert again.game.record() == session.game.record()


def test_the_record_replays_and_names_agents(seating: dict[str, Any]) -> None:
    session = Session(seating)
    play_out(session)
    record = session.game.record()
    assert record["players"] == ["You", "greedy"]
    assert Game.from_record(record).over


def test_moves_can_be_taken_back_until_dice_fall() -> None:
    """Then all is as it was before them; other moves may follow, and the record holds those."""
    session, rng = Session(seats("Ann", "Bob")), random.Random(3)
    stood: list[dict[str, Any]] = []
    """What the page showed before each move since dice fell."""
    taken_back = 0
    while not session.game.over:
        view = session.view()
        assert view["back"] == bool(stood)
        if stood and rng.random() < 0.7:
            session.take_back()
            taken_back += 1
            assert session.view() == stood.pop()
            continue
        short = [move for move in view["legal"] if len(move["dice"]) == 2]  # after these the turn often goes on
        session.play(rng.choice(short or view["legal"])["move"])
        stood.append(view)
        news = session.view(len(view["log"]))["log"]
        if session.game.over or any(line["rolled"] or line["kind"] == "turn" for line in news):
            stood.clear()
        if not stood and not session.game.over:
            with pytest.raises(NotYourTurn, match="dice were rolled since"):
                session.take_back()
    assert taken_back > 10
    assert session.actions == list(Game.from_record(session.game.record()).actions)
    with pytest.raises(NotYourTurn):
        session.take_back()


def test_what_can_be_taken_back_is_known_after_a_restart() -> None:
    session = Session(seats("Ann", "greedy"))
    view = session.view()
    while not session.view()["back"]:
        session.play(session.view()["legal"][0]["move"])
    again = Session(session.seating, session.actions)
    again.take_back()
    assert again.view() == view


def test_what_a_move_is_said_to_do_is_what_it_does() -> None:
    session = Session(seats("Ann", "Bob", "Cid"))
    rng = random.Random(5)
    while not session.game.over:
        choice = rng.choice(session.view()["legal"])
        before, log = session.game.position(), len(session.log)
        session.play(choice["move"])
        said = session.view(log)["log"][0]["words"]
        if choice["act"] == "reroll":
            assert choice["words"].startswith("Spend")
            continue
        # beforehand it is an order to the one who moves, who goes by name afterwards
        name = session.names[before["to_move"]]
        told, wanted = said.removeprefix(f"{name} "), choice["words"].replace("you get", f"{name} get")
        told, wanted = (re.sub(r"\b(take|kick|stop|get)s\b", r"\1", words).lower() for words in (told, wanted))
        assert told == wanted
        if choice["act"] == "place":
            village = before["villages"][choice["village"]]
            (building,) = (b for b in village["buildings"] if b["kind"] == choice["kind"])
            assert choice["kicked"] == building["owner"]


def test_the_log_has_every_turn_and_move_in_words() -> None:
    session = Session(seats("", "greedy", "random"))
    play_out(session)
    log = session.view()["log"]
    assert session.view(5)["log"] == log[5:]
    assert [line["text"] for line in log if line["kind"] == "move" and "(" not in line["text"]] == [
        entry["move"] for turn in session.game.record()["turns"] for entry in turn["moves"] if "rolled" not in entry
    ]
    assert sum(line["kind"] == "turn" for line in log) == len(session.game.record()["turns"])
    assert all(line["words"].endswith(".") for line in log)
    assert log[-1]["kind"] == "end"
    wrong = re.compile(r"You (take|kick|stop|spend|get|roll|collect)s\b")
    assert not [line["words"] for line in log if wrong.search(line["words"])]


def test_no_kind_of_building_is_named_where_the_page_is_made() -> None:
    """What a kind is called, pays and allows is said by the game."""
    files = [path for path in (ROOT / "table").rglob("*") if path.suffix in (".py", ".js")]
    files.remove(ROOT / "table" / "coin_sources.py")  # which counts the coins of each
    named = re.compile(rf"""["'`]({"|".join(KINDS)})["'`]""")
    assert len(files) > 10
    assert not [path.name for path in files if named.search(path.read_text(encoding="utf-8"))]


# --- what is told -----------------------------------------------------------------------------------------------


def test_a_person_is_told_the_legal_moves_and_an_agents_turn_has_none(seating: dict[str, Any]) -> None:
    session = Session(seating)
    view = session.view()
    assert view["person"]
    assert [move["move"] for move in view["legal"]] == list(session.game.legal_moves)
    while session.agent_to_move is None:
        session.play(session.view()["legal"][0]["move"])
    assert session.view()["legal"] == []
    assert session.view()["status"] == "Grabber is thinking"


def test_the_drawing_has_no_style_sheet_and_no_script(seating: dict[str, Any]) -> None:
    svg = Session(seating).view()["svg"]
    assert svg.startswith("<svg")
    for word in ("<style", "style=", "<script", "href", "url("):
        assert word not in svg


def marked(session: Session) -> set[tuple[str, int]]:
    """The buildings that are marked as changed."""
    found = re.findall(
        r'class="building" data-kind="(\w+)" data-village="(\d+)"[^>]*><rect [^>]*class="plot s-accent"',
        session.view()["svg"],
    )
    return {(kind, int(village)) for kind, village in found}


def changed(before: Game, after: Game) -> set[tuple[str, int]]:
    """The buildings that have other owners."""
    pairs = zip(before.position()["villages"], after.position()["villages"], strict=True)
    return {
        (new["kind"], village)
        for village, (was, now) in enumerate(pairs)
        for old, new in zip(was["buildings"], now["buildings"], strict=True)
        if old["owner"] != new["owner"]
    }


def test_what_all_opponents_did_since_the_last_move_of_a_person_is_marked() -> None:
    session = Session(seats("", "greedy", "planner", "greedy"))
    before, most = session.game, 0
    while not session.game.over:
        if session.agent_to_move:
            session.advance()
        else:
            before = session.game
            session.play(session.view()["legal"][0]["move"])
            assert marked(session) == changed(before, session.game)
            if session.agent_to_move:
                before = session.game
            continue
        if not session.game.over:
            assert marked(session) == changed(before, session.game)
            most = max(most, len(marked(session)))
    assert most > 3


def test_names_are_escaped_in_the_drawing() -> None:
    svg = Session(seats("<b>&\"'", "Bob")).view()["svg"]
    assert "<b>" not in svg
    assert "&lt;b&gt;" in svg


def test_nothing_speaks_for_either_of_two_moves_that_are_level(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(seats("", "random"))
    first, second, *_ = legal_actions(session.game.states[0])
    for apart, why in ((0.004, False), (0.006, True)):
        monkeypatch.setattr("table.session.best_turns", lambda *_, apart=apart: {first: 0.5 + apart, second: 0.5})
        assert bool(session.hint()["why"]) == why


def test_advice_is_given_to_people_only() -> None:
    session = Session(seats("", "random"))
    said = session.hint()
    legal = {move["move"] for move in session.view()["legal"]}
    assert {entry["move"] for entry in said["moves"]} <= legal
    chances = [entry["chance"] for entry in said["moves"]]
    assert chances == sorted(chances, reverse=True)
    assert 0 < chances[-1] <= chances[0] < 1
    assert chances[0] - chances[1] > 0.02
    assert said["why"]
    assert session.weigh(said["moves"][0]["move"]) == {"cost": 0, "why": ""}
    costs = [session.weigh(move)["cost"] for move in legal]
    assert min(cost for cost in costs if cost) >= 0.05
    while session.agent_to_move is None:
        session.play(session.view()["legal"][0]["move"])
    with pytest.raises(NotYourTurn):
        session.hint()
    with pytest.raises(NotYourTurn):
        session.weigh("end")
