"""Bohemian Villages at the table: its seats, moves by buildings and dice, what happens in words, and what is marked."""

import itertools
import random
import re
from typing import Any

import pytest

from bohemian_env import Game
from bohemian_env.villages.facts import ENDS, KINDS, MAX_PLAYERS
from bohemian_env.villages.setup import DEFAULT_MAX_TURNS
from table.room import Teller, room_of
from table.seating import BadSeating, read_seating, seating_of
from table.session import Session
from tests.helpers import ROOT
from tests.test_table.asking import Client, play_on, play_out, seated

from .test_reasons import ENDLESS

ROOM = room_of("villages")
WORDS = ROOM.words("en")
VILLAGES = ["Chlumhof", "Ebersgrun", "Grundow", "Itschkau", "Kunzendorf", "Nenbrad"]


def test_villages_are_those_asked_for() -> None:
    asked = {"seats": [{"name": ""}, {"name": ""}], "options": {"villages": VILLAGES}}
    assert list(Session(read_seating(asked, ())).game.villages) == VILLAGES
    for villages, complaint in ((["Nenbrad"], "R1"), ("random", "as a list"), (7, "as a list")):
        with pytest.raises(BadSeating, match=complaint):
            read_seating(asked | {"options": {"villages": villages}}, ())


def test_a_seating_of_0_2_is_one_of_villages() -> None:
    seating = seated("Ann", "greedy")
    told = {key: value for key, value in seating.items() if key not in ("game", "options")}
    assert Session(told | {"villages": None}).view() == Session(seating).view()
    assert list(Session(told | {"villages": VILLAGES}).game.villages) == VILLAGES


def test_an_agent_is_told_by_how_it_did_among_planners() -> None:
    for players in range(2, MAX_PLAYERS + 1):
        told = ROOM.strength("ppo", players, WORDS)
        assert re.fullmatch(r"Won \d+% of its games against .* \(among equals: \d+%\)\.", told)
    assert ROOM.strength("greedy", 2, WORDS) == ""


def test_dots_rank_agents_as_their_ratings_do() -> None:
    page = (ROOT / "docs" / "villages.md").read_text(encoding="utf-8")
    levels = {guest.agent: guest.level for guest in ROOM.guests}
    table, compared = page.partition("Ratings in Elo points")[2], 0
    rows = re.findall(r"^\| (\S+) \|((?: \d+ ±\d+ \|)+)$", table, re.MULTILINE)
    for column in range(4):
        ratings = {name: int(re.findall(r"(\d+) ±", numbers)[column]) for name, numbers in rows}
        for one, other in itertools.permutations(ratings.keys() & levels.keys(), 2):
            if levels[one] < levels[other]:
                compared += 1
                assert ratings[one] < ratings[other]
    assert compared > 40


# --- moves --------------------------------------------------------------------------------------------------------


def at(seed: int = 3, dice: tuple[int, ...] = (3, 3, 6, 6)) -> tuple[Game, Teller]:
    return Game.new(2, seed=seed).roll(dice), Teller(["Ann", "Bob"], None, WORDS)


def test_a_move_is_a_building_and_dice_or_a_button_and_dice() -> None:
    game, teller = at()
    options = {option["move"]: option for option in ROOM.options(game, teller)}
    village = game.villages[0]
    placed = next(option for move, option in options.items() if move.endswith(f"@{village}"))
    assert placed["at"] == [placed["move"].partition(":")[2].replace(f"@{village}", "-0")]
    assert placed["with"] == [int(die) for die in placed["move"].partition(":")[0].split("+")]
    assert not placed["asks"]
    bishop = options["6+6:bishop"]
    assert (bishop["at"], bishop["with"], bishop["act"]) == ([], [6, 6], "bishop")
    assert [chip["value"] for chip in ROOM.chips(game, WORDS)] == [3, 3, 6, 6]
    assert ROOM.chips(game, WORDS)[3] == {
        "value": 6, "words": "Die 4 shows 6", "look": "cube n6", "html": "<i></i>" * 6,
    }  # fmt: skip
    assert ROOM.sums(game) == {"3+3": 6, "3+6": 9, "6+6": 12, "3+3+6": 12, "3+6+6": 15, "3+3+6+6": 18}


def test_what_a_move_is_said_to_do_is_what_it_does() -> None:
    """And to kick somebody out is asked about."""
    session = Session(seated("Ann", "Bob", "Cid"))
    rng = random.Random(5)
    asked = 0
    while not session.over:
        if session.held:
            session.confirm()
            continue
        choice = rng.choice(session.view()["legal"])
        before, log = session.game.position(), len(session.log)
        session.play(choice["move"])
        said = session.view(log)["log"][0]["words"]
        if choice.get("act") == "reroll":
            assert choice["words"].startswith("Spend")
            continue
        # beforehand it is an order to the one who moves, who goes by name afterwards
        name = session.names[before["to_move"]]
        told, wanted = said.removeprefix(f"{name} "), choice["words"].replace("you get", f"{name} get")
        told, wanted = (re.sub(r"\b(take|kick|stop|get)s\b", r"\1", words).lower() for words in (told, wanted))
        assert told == wanted
        if choice["at"]:
            kind, _, number = choice["at"][0].partition("-")
            (building,) = (b for b in before["villages"][int(number)]["buildings"] if b["kind"] == kind)
            assert choice["asks"] == (building["owner"] is not None)
            asked += choice["asks"]
    assert asked


def test_whose_turn_it_is_and_what_may_be_done() -> None:
    session = Session(seated("Ann", "Bob"))
    assert (session.view()["status"], session.view()["prompt"]) == (
        "Ann's turn",
        "Pick dice or click a marked building.",
    )
    short = next(move for move in session.game.legal_moves if move.count("+") == 1 and "@" in move)
    session.play(short)
    assert session.view()["status"] == "Ann's turn: move again, or stop"
    session.play("end")
    assert session.view()["status"] == "Ann's turn: confirm, or take back"


# --- what happened --------------------------------------------------------------------------------------------------


def test_the_log_has_every_turn_and_move_in_words() -> None:
    session = Session(seated("", "greedy", "random"))
    play_on(session)
    log, turns = session.view()["log"], session.game.record()["turns"]
    assert [line["text"] for line in log if line["kind"] == "move" and "(" not in line["text"]] == [
        entry["move"] for turn in turns for entry in turn["moves"] if "rolled" not in entry
    ]
    assert sum(line["kind"] == "turn" for line in log) == len(turns)
    assert all(line["words"].endswith(".") for line in log)
    assert all(line["chance"] for line in log if line["kind"] == "turn")
    wrong = re.compile(r"You (take|kick|stop|spend|get|roll|collect)s\b")
    assert not [line["words"] for line in log if wrong.search(line["words"])]


def marked(session: Session) -> set[str]:
    """The buildings that are marked as changed."""
    svg = session.view()["svg"]
    return {*re.findall(r'class="building" data-at="([\w-]+)"[^>]*><rect [^>]*class="plot s-accent"', svg)}


def changed(before: Game, after: Game) -> set[str]:
    """The buildings that have other owners."""
    pairs = zip(before.state_dict()["villages"], after.state_dict()["villages"], strict=True)
    return {
        f"{new['kind']}-{village}"
        for village, (was, now) in enumerate(pairs)
        for old, new in zip(was["buildings"], now["buildings"], strict=True)
        if old["owner"] != new["owner"]
    }


def test_what_all_opponents_did_since_the_last_move_of_a_person_is_marked() -> None:
    session = Session(seated("", "greedy", "planner", "greedy"))
    before, most = session.game, 0
    while not session.over:
        if session.agent_to_move:
            session.advance()
        else:
            before = session.game
            session.play(session.game.legal_moves[0])
            assert marked(session) == changed(before, session.game)
            if session.held:
                before = session.game
                session.confirm()
            continue
        if not session.over:
            assert marked(session) == changed(before, session.game)
            most = max(most, len(marked(session)))
    assert most > 3


def test_the_best_moves_are_of_other_turns_each() -> None:
    session = Session(seated("", "random"))
    said = session.hint()
    chances = [entry["value"] for entry in said["moves"]]
    assert 0 < chances[-1] < chances[0] < 1
    assert chances[0] - chances[1] > 0.02
    assert said["why"]
    costs: list[Any] = [session.weigh(move)["cost"] for move in session.game.legal_moves]
    assert min(cost for cost in costs if cost) >= ROOM.costly[0]


@pytest.mark.parametrize("part", ["the", "out_of", "pays"])
def test_every_kind_has_its_words(part: str) -> None:
    assert {key for key in WORDS.part(part) if key != "active_inn"} == {*KINDS}
    assert {*WORDS.part("ends")} == {end.replace(" ", "_") for end in ENDS if end}


# --- boards of others --------------------------------------------------------------------------------------------


def test_a_game_on_a_board_with_no_end_has_the_usual_one(client: Client) -> None:
    new = client.made("/records", ENDLESS)
    view = client.view(new)
    told = client.tell(f"{new}/hint", {"at": view["at"]})
    assert {move["move"] for move in told.json()["moves"]} <= {move["move"] for move in view["legal"]}
    assert client.kept(new).seating["record"]["max_turns"] == DEFAULT_MAX_TURNS
    short = client.made("/records", ENDLESS | {"max_turns": 20})
    assert play_out(client, short)["over"]
    record = client.get(f"{short}/record").json()
    assert (record["max_turns"], len(record["turns"])) == (20, 20)


def test_what_goes_on_from_late_in_a_game_without_end_can_be_replayed(client: Client) -> None:
    late = Game.from_record(ENDLESS)
    while late.turn < DEFAULT_MAX_TURNS + 10:
        late = late.roll() if late.needs_roll else late.push(late.legal_moves[-1])
    seating = seating_of(late, ())
    game = Session(seating).game  # of dice of its own: a turn in which nothing can be done is over by now
    assert seating["record"]["max_turns"] == game.turn >= late.turn
