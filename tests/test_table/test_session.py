"""A game at the table, of any game: seats, moves that are held, agents, and what the page is told."""

import json
import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

import agents
from bohemian_env import BadNotation, IllegalMove
from bohemian_env.games import game_of_record
from table.room import room_of
from table.seating import BadSeating, read_seating
from table.session import NotYourTurn, Session
from table.words import LANGUAGES

from .asking import GAMES, play_on, seated

# --- seats ------------------------------------------------------------------------------------------------------


def test_names_are_given_to_those_who_have_none() -> None:
    assert [s["name"] for s in seated("", "ppo", "ppo")["seats"]] == ["You", "Student", "Student 2"]
    assert [s["name"] for s in seated("", "", " Eva  Maria ")["seats"]] == ["Orange", "Blue", "Eva Maria"]
    assert [s["name"] for s in seated("montecarlo:2000", "search:appraiser:1000")["seats"]] == ["Gambler", "Master"]


def test_agents_that_would_be_called_the_same_are_numbered() -> None:
    """Nobody could give them other names."""
    names = ["search:appraiser", "search:appraiser:1000", "montecarlo:2000", "montecarlo:500ms", "montecarlo:2000"]
    seating = read_seating({"seats": [{"agent": name} for name in names]}, names)
    assert [s["name"] for s in seating["seats"]] == ["search", "Master", "Gambler", "montecarlo", "Gambler 2"]


TWO = [{"name": ""}, {"name": ""}]


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        *(({"seats": [{"name": "A"}] * seats}, r"\d to \d can sit") for seats in (0, 7)),
        ({"seats": [{"name": "A"}, {"name": "a"}]}, "two at the table"),
        ({"seats": [{"name": "random"}, {"agent": "greedy"}]}, "'random' is the name of an agent"),
        *(({"seats": [{"name": name}, {"name": ""}]}, "at most 20") for name in ("x" * 21, "\x1b[0m")),
        ({"seats": [{"name": "A", "agent": "greedy"}, {"name": ""}]}, "a seat is for"),
        ({"seats": [{"agent": "/etc/passwd"}, {"name": ""}]}, "there is no agent"),
        *(({"seed": seed}, "whole number") for seed in (-1, True, 2**63)),
        ({"options": {"cheat": 1}}, "options of this game are not such"),
        ({"options": 10**5000}, "a whole number of 16,610 bits is no object"),
        ({"options": np.array([None, "x"], object)}, "options of this game are not such"),
        ({"cheat": 1}, "described by game, seats, options and seed"),
        ({"game": "chess"}, "there is no game 'chess' here; there are villages, dorfromantik, agricola"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(name: str, asked: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadSeating, match=complaint):
        read_seating({"game": name, "seats": TWO} | asked, ())


@pytest.mark.parametrize("asked", [[], None, "villages", {"game": ["villages"]}])
def test_what_describes_no_game_is_refused(asked: Any) -> None:
    with pytest.raises(BadSeating, match="described by game, seats, options and seed"):
        read_seating(asked, ())


def test_agents_and_chance_have_seeds_of_their_own(name: str) -> None:
    seatings = [read_seating({"game": name, "seats": [{"agent": "random"}] * 2}, ()) for _ in range(2)]
    assert len({seed for one in seatings for seed in (one["seed"], *(seat["seed"] for seat in one["seats"]))}) == 6
    assert read_seating({"game": name, "seats": TWO, "seed": str(2**62 + 1)}, ())["seed"] == 2**62 + 1


def test_every_guest_can_be_had_and_its_moves_do_not_depend_on_the_machine(name: str) -> None:
    room = room_of(name)
    known = [guest.agent for guest in room.guests]
    assert {room.first_guest, room.learns_with or "random"} <= {*known}
    assert not [agent for agent in known if agent.endswith("ms")]
    levels = [guest.level for guest in room.guests if guest.level]
    assert levels == sorted(levels)
    for agent in known:
        Session(seated("", agent, game=name)).meet_agents()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("seats", None), ("seats", 7), ("seats", [7]), ("seats", [{}]), ("seats", [{"name": 7}]), ("game", 7)),
        *(("seats", [{"name": "a", "agent": "greedy"}] * 2), ("options", 7), ("options", None), ("engine", 7)),
    ],
)
def test_a_game_of_another_form_is_refused(name: str, key: str, value: Any) -> None:
    with pytest.raises(BadSeating, match="the form in which games are kept"):
        Session(seated("", "greedy", game=name) | {key: value})


def test_a_game_with_options_that_have_no_names_is_refused(name: str) -> None:
    with pytest.raises(BadSeating, match=r"options|villages are given"):
        Session(seated("", "greedy", game=name) | {"options": {None: 7}})


def test_a_game_of_other_rules_is_not_played_on(name: str) -> None:
    seating = seated("", "greedy", game=name)
    for other in ({"engine": "another 0"}, {"game": next(one for one in GAMES if one != name)}):
        with pytest.raises(BadSeating, match="another version of the rules"):
            Session(seating | other)
    with pytest.raises(BadSeating, match="there is no game 'chess' here"):
        Session(seating | {"game": "chess"})


# --- play -------------------------------------------------------------------------------------------------------


def test_moves_are_taken_only_from_the_one_whose_turn_it_is(name: str) -> None:
    session = Session(seated("", "random", game=name))
    with pytest.raises(NotYourTurn, match="no agent"):
        session.advance()
    with pytest.raises(BadNotation):
        session.play("castle")
    assert session.actions == []
    while not session.agent_to_move:
        play_on(session, len(session.actions) + 1)
    with pytest.raises(NotYourTurn, match=f"it is {session.names[1]}'s turn"):
        session.play(session.game.legal_moves[0])
    play_on(session)
    for act in (session.advance, session.confirm, session.take_back, lambda: session.play("end")):
        with pytest.raises(NotYourTurn):
            act()


def test_a_move_that_ends_a_turn_is_held_until_it_is_confirmed(name: str) -> None:
    """Till then nothing comes after it: chance does not speak, and nobody else moves."""
    session, held = Session(seated("Ann", "random", game=name)), 0
    while not session.over:
        if session.agent_to_move:
            session.advance()
            assert not session.held
            continue
        before = session.view()
        assert before["person"]
        session.play(session.game.legal_moves[-1])
        view = session.view()
        game = session.game
        assert view["held"] == session.held == (game.over or game.needs_chance or game.to_move != before["seat"])
        assert (view["back"], view["seat"], view["over"]) == (True, before["seat"], False)
        if not session.held:
            continue
        held += 1
        assert (view["person"], view["legal"], session.agent_to_move) == (False, [], None)
        for act in (session.advance, session.hint, lambda: session.weigh("end"), lambda: session.play("end")):
            with pytest.raises(NotYourTurn):
                act()
        assert session.view() == view
        moments = len(session.moments)
        session.confirm()
        assert not session.view()["back"]
        assert len(session.moments) > moments or not game.needs_chance
        for act in (session.confirm, session.take_back):
            with pytest.raises(NotYourTurn):
                act()
    assert held > 3


def test_moves_can_be_taken_back_until_they_are_confirmed(name: str) -> None:
    """Then all is as it was before them; other moves may follow, and the record holds those."""
    session, rng = Session(seated("Ann", "Bob", game=name)), random.Random(3)
    stood: list[dict[str, Any]] = []
    """What the page showed before each move that can be taken back."""
    taken_back = 0
    while not session.over:
        view = session.view()
        assert view["back"] == bool(stood)
        if stood and rng.random() < 0.3:
            session.take_back()
            taken_back += 1
            assert session.view() == stood.pop()
        elif session.held:
            session.confirm()
            stood.clear()
        else:
            session.play(rng.choice(session.game.legal_moves))
            stood.append(view)
    assert taken_back > 5
    assert session.actions == list(session.room.rules.game.from_record(session.game.record()).actions)


def test_a_move_can_take_the_place_of_the_one_before(name: str) -> None:
    """As if that had been taken back; what is no move changes nothing."""
    session, other = chosen(name), chosen(name)
    with pytest.raises(NotYourTurn, match="no move can be taken back"):
        session.play(session.game.legal_moves[0], instead=True)
    before = session.actions
    first, second, *_ = session.game.legal_moves
    session.play(first)
    view = session.view()
    for wrong, error in (("castle", BadNotation), ("", BadNotation), (illegal(session), IllegalMove)):
        with pytest.raises(error):
            session.play(wrong, instead=True)
        assert session.view() == view
    session.play(second, instead=True)
    other.play(second)
    assert session.view() == other.view()
    session.take_back()
    assert session.actions == before


def chosen(name: str) -> Session:
    """A game of people in which somebody has begun a turn and has a choice."""
    session = Session(seated("Ann", "Bob", game=name))
    while len(session.game.legal_moves) < 2 or session.view()["back"]:
        play_on(session, len(session.actions) + 1)
    return session


def illegal(session: Session) -> str:
    """A move in the notation of the game that was not legal before the last one."""
    legal, later = session.moments[-2].legal_moves, Session(session.seating)
    while all(move in legal for move in later.game.legal_moves):
        play_on(later, len(later.actions) + 1)
    return next(move for move in later.game.legal_moves if move not in legal)


@pytest.mark.parametrize("who", [("", "greedy"), ("Ann", "Bob", "random"), ("greedy", "", "random", "greedy")])
def test_a_game_goes_on_after_a_restart_as_it_would_have(name: str, who: tuple[str, ...]) -> None:
    """Also what can be taken back is known."""
    session = Session(seated(*who, game=name))
    for moves in (9, 25):
        play_on(session, moves)
        again = Session(json.loads(json.dumps(session.seating)), session.actions)
        assert again.view() == session.view()
    play_on(session)
    play_on(again)
    assert again.actions == session.actions
    assert again.game.record() == session.game.record()


def test_the_record_replays_and_names_agents(name: str) -> None:
    session = Session(seated("", "greedy", game=name))
    play_on(session)
    record = session.game.record()
    assert (game_of_record(record), record["players"]) == (name, ["You", "greedy"])
    assert session.room.rules.game.from_record(record) == session.game


# --- what is told -----------------------------------------------------------------------------------------------


def test_a_person_is_told_the_legal_moves_by_parts_and_chips_that_there_are(name: str) -> None:
    session = Session(seated("", "greedy", game=name))
    while not session.over:
        view = session.view()
        assert view["person"] == (not session.agent_to_move)
        told = [option["move"] for option in view["legal"]]
        assert sorted(told) == (sorted(session.game.legal_moves) if view["person"] else [])
        parts = {*re.findall(r'(?:id|data-at)="([^"]+)"', view["svg"] + view["panels"])}
        values, acts = Counter(chip["value"] for chip in view["chips"]), session.room.acts(session.room.words("en"))
        for option in view["legal"]:
            assert {*option["at"]} <= parts
            assert not Counter(option["with"]) - values
            assert option.get("act") in (None, *(act["act"] for act in acts))
            assert option["words"]
        if not view["person"] and not session.game.over:
            assert view["status"] == f"{session.names[1]} is thinking"
        play_on(session, len(session.actions) + 3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_can_be_told_in_every_language(name: str, language: str) -> None:
    session = Session(seated("", "greedy", game=name))
    words = session.room.words(language)
    while not session.over:
        assert session.view(words=words)["status"]
        play_on(session, len(session.actions) + 5)
    view = session.view(words=words)
    log = view["log"]
    assert {line["kind"] for line in log} <= {"turn", "move", "pass", "end"}
    assert [line["kind"] for line in log].index("end") == len(log) - 1
    assert all(line["words"] and line["text"] for line in log)
    assert session.view(5, words)["log"] == log[5:]
    assert (view["status"], view["seat"]) == (log[-1]["words"], None)
    assert view["score"] == list(session.game.outcome().scoring)


def test_the_drawing_has_no_style_sheet_and_no_script(name: str) -> None:
    """Nor has what stands beside it: the page's policy forbids them."""
    view = Session(seated("", "greedy", game=name)).view()
    assert view["svg"].startswith("<svg")
    for word in ("<style", "style=", "<script", "href=", "url("):
        assert word not in view["svg"] + view["panels"] + "".join(chip["html"] for chip in view["chips"])


def test_names_are_escaped(name: str) -> None:
    view = Session(seated("<b>&\"'", "Bob", game=name)).view()
    assert "<b>" not in view["svg"] + view["panels"]


def test_advice_is_given_to_people_only(name: str) -> None:
    session = Session(seated("", "random", game=name))
    said = session.hint()
    legal = {option["move"] for option in session.view()["legal"]}
    assert {entry["move"] for entry in said["moves"]} <= legal
    values = [entry["value"] for entry in said["moves"]]
    assert values == sorted(values, reverse=True)
    for move in [entry["move"] for entry in said["moves"]][:1] or [*legal][:1]:
        assert session.weigh(move) == {"cost": 0, "why": ""}
    while not session.agent_to_move:
        play_on(session, len(session.actions) + 1)
    for act in (session.hint, lambda: session.weigh("end")):
        with pytest.raises(NotYourTurn):
            act()


def test_nothing_speaks_for_either_of_two_moves_that_are_level(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = chosen(name)
    first, second = map(session.game.text_to_action, session.game.legal_moves[:2])
    monkeypatch.setattr(type(session.room), "reasons", lambda *_: "why")
    for apart, why in ((0.9, ""), (1.1, "why")):
        best = {first: 0.5 + apart * session.room.level, second: 0.5}
        monkeypatch.setattr(type(session.room), "best", lambda *_, best=best: best)
        assert session.hint()["why"] == why


@pytest.mark.parametrize("name", ["villages", "agricola"])
def test_the_end_is_explained_by_the_score(name: str) -> None:
    """By what the person has less of than the winner, or more of than the next one, most first."""
    for agent, best in (("planner", False), ("random", True)):
        session, mover = Session(seated("Ada", agent, game=name)), agents.make("planner", seed=0, game=name)
        play_on(session, choose=mover.move if best else lambda game: str(game.legal_moves[-1]))
        view = session.view()
        assert view["leading"] == [0 if best else 1]
        mine, theirs = view["score"]
        gaps = [(mine[column] - theirs[column]) * (1 if best else -1) for column in list(mine)[:-1]]
        told = re.findall(r"\((−?\d+) to (−?\d+)\)", view["verdict"])
        shown = [(int(a.replace("−", "-")) - int(b.replace("−", "-"))) * (1 if best else -1) for a, b in told]
        assert shown == sorted([gap for gap in gaps if gap > 0], reverse=True)[:3]
        assert f"{'ahead of' if best else 'behind'} {session.names[1]}" in view["verdict"]


@pytest.mark.parametrize("name", ["dorfromantik", "agricola"])
def test_who_played_alone_is_told_what_agents_reach(name: str) -> None:
    session = Session(seated("Ada", game=name))
    play_on(session)
    assert re.search(r"Averages: .*Planner \d+", session.view()["verdict"])
