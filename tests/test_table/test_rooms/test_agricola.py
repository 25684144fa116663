"""Agricola's room: all that can be done is offered, named on the board, and told, in three languages."""

import functools
import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

import agents
from bohemian_env.agricola.faces import Game
from bohemian_env.agricola.pieces import CARDS, SPACES
from bohemian_env.engine.words import LANGUAGES
from table.room import Teller, room_of
from table.rooms.agricola import ROOM
from table.rooms.agricola.measure import GAMES as GAMES_MEASURED
from table.rooms.agricola.measure import measured, results
from table.rooms.agricola.reasons import reasons
from table.rooms.agricola.telling import Deed
from tests.test_table.test_review import played

NAMES = ["Ada", "Ben", "Cyd", "Dora", "Eva"]
GAMES = [*itertools.product((1, 2, 3, 4, 5), ("random", "planner"))]
games = pytest.mark.parametrize(("players", "who"), GAMES)


@functools.cache
def moments(players: int, who: str) -> tuple[Game, ...]:
    """A whole game of one kind of players."""
    return played(*[who] * players, seed=7, game="agricola").moments()


def decisions(game: tuple[Game, ...], each: int) -> Iterator[Game]:
    """One in so many of the decisions of a game, and the first of each kind."""
    seen = set[str | None]()
    for number, moment in enumerate(moment for moment in game if moment.decision):
        if number % each == 0 or moment.decision not in seen:
            seen.add(moment.decision)
            yield moment


def teller(game: Game, language: str, you: int | None) -> Teller:
    return Teller(NAMES[: game.players], you, ROOM.words(language))


@games
def test_every_legal_move_is_offered_once_and_where_it_is_made(players: int, who: str) -> None:
    for game in decisions(moments(players, who), 25):
        seat = game.to_move
        options = ROOM.options(game, teller(game, "de", seat))
        assert tuple(option["move"] for option in options) == game.legal_moves
        board = ROOM.draw(game, NAMES[:players], None, ROOM.words("de"))
        parts = {group.attrib["id"] for group in ET.fromstring(board).iter() if "id" in group.attrib}
        chips = [chip["value"] for chip in ROOM.chips(game, ROOM.words("de"))]
        acts = {act["act"] for act in ROOM.acts(ROOM.words("de"))}
        assert set().union(*(option["with"] for option in options)) == {*chips}
        for option in options:
            assert {*option["at"]} <= parts
            assert not option["at"] or "act" not in option
            assert option.get("act", "stop") in acts
        # What is clicked and picked tells the move; if it is neither, its words do.
        told = [(tuple(sorted(one["at"])), *one["with"]) if one["at"] else one["words"] for one in options]
        assert len({*told}) == len(told)


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_decision_is_asked_for_and_every_move_said_as_an_order(players: int, who: str, language: str) -> None:
    game = moments(players, who)
    for moment in decisions(game, 25):
        asked = teller(moment, language, moment.to_move)
        assert ROOM.prompt(moment, asked)
        assert ROOM.seen(moment, asked.words)
        for option in ROOM.options(moment, asked):
            assert re.fullmatch(r"[A-ZÀ-Þ].*[^.]\.", option["words"])
        for option in ROOM.options(
            moment, teller(moment, language, None if players == 1 else (moment.to_move + 1) % players)
        ):
            assert players == 1 or option["words"].startswith(NAMES[moment.to_move])


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_tells_every_move_of_a_game_once(players: int, who: str, language: str) -> None:
    game = moments(players, who)
    lines = ROOM.lines(game)
    done = [line for line in lines if isinstance(line.event, Deed)]
    happened = [event for moment in game for event in moment.happened]
    told = [f"{line.seat} {move}" for line in done for move in line.event.moves]
    assert told == [text for event in happened for what, text in event.items() if what != "card"]
    placed = [line for line in done if line.event.moves[0].startswith("to ")]
    assert len(placed) == sum(
        text.split()[1] == "to" for event in happened for what, text in event.items() if what == "work"
    )
    entries = [ROOM.entry(line, teller(game[-1], language, 0)) for line in lines]
    assert all(entry["words"] and not {"{", "}"} & {*entry["words"]} for entry in entries)
    assert sum(entry["chance"] for entry in entries) == 14  # the cards
    assert [entry["kind"] for entry in entries].count("end") == 1
    assert [line.moment for line in lines] == sorted(line.moment for line in lines)
    assert all(0 < line.moment < len(game) for line in lines)


def test_the_log_only_grows_while_a_game_goes_on() -> None:
    game, before = moments(3, "planner"), 0
    whole = ROOM.lines(game)
    for number in range(1, len(game), 5):
        lines = ROOM.lines(game[:number])
        assert lines == whole[: len(lines)]
        assert len(lines) >= before
        before = len(lines)


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_panels_and_lines_beside_the_board_are_there_at_any_moment(players: int, who: str, language: str) -> None:
    game = moments(players, who)
    for moment in (game[0], *decisions(game, 40), game[-1]):
        told = teller(moment, language, 0)
        panels = ET.fromstring(
            f"<div>{ROOM.panels(moment, told).replace('class=none', '').replace('&nbsp;', ' ')}</div>"
        )
        assert len(panels.findall(".//tbody/tr")) == players
        assert panels.find("p[@id='need']").text
        board = ROOM.draw(moment, NAMES[:players], game[0], told.words)
        parts = {group.attrib["id"] for group in ET.fromstring(board).iter() if "id" in group.attrib}
        lit = {name for one in panels.iter() for name in one.attrib.get("data-lights", "").split()}
        assert {name for name in lit if not name.startswith("space-")} <= parts
        assert len(ROOM.strip(moment, told)) == players
        assert ROOM.middle(moment, told)
        about = ROOM.about(moment, told.words)
        assert {name for name in parts if name.startswith(("space-", "major-", "round-"))} <= {*about}


def test_the_need_is_that_of_the_next_harvest() -> None:
    """Two people need 4 food in the harvest after round 4 (A18, A61), alone 6; who begins has 2 (A4)."""
    game = Game.new(2).deal("fences")
    assert "Ernte in 3 Runden: brauche 4, habe 2" in ROOM.panels(game, teller(game, "de", 0))
    assert "Ernte in 3 Runden: brauche 4, habe 3" in ROOM.panels(game, teller(game, "de", 1))
    alone = Game.new(1).deal("fences")
    assert "Harvest in 3 rounds: need 6, have 0" in ROOM.panels(alone, teller(alone, "en", 0))
    feeding = next(moment for moment in moments(2, "planner") if moment.decision == "feed")
    assert "Erntezeit: brauche" in ROOM.panels(feeding, teller(feeding, "de", feeding.to_move))


def test_two_things_at_one_place_are_told_apart_by_chips() -> None:
    both = next(game for game in moments(2, "planner") if ROOM.chips(game, ROOM.words("en")))
    options = ROOM.options(both, teller(both, "en", both.to_move))
    where = [tuple(option["at"]) for option in options if option["with"]]
    assert len({*where}) < len(where)


def test_begging_is_asked_about() -> None:
    short = [
        game
        for who in ("random", "planner")
        for game in moments(4, who)
        if game.decision == "feed" and game.states[0]["goods"][game.to_move, 0] < 4
    ]
    for game in short:
        (done,) = (one for one in ROOM.options(game, teller(game, "en", game.to_move)) if one["move"] == "done")
        assert done["asks"] == ("begging card" in done["words"])
    assert short


def test_cards_to_come_are_told_by_their_rounds() -> None:
    about = ROOM.about(Game.new(1), ROOM.words("en"))
    assert about["round-12"] == about["round-13"] == "One of these comes here: Plow, sow, Family growth without room"
    assert "Renovation, fences" in about["round-14"]
    assert len([name for name in about if name.startswith("round-")]) == 14
    assert {f"space-{name}" for name in SPACES[CARDS:]} <= {*about}


def test_room_is_found_by_the_game_and_its_guests_play_it() -> None:
    assert room_of("agricola") is ROOM
    game = Game.new(2, seed=1).dealt()
    for guest in ROOM.guests:
        assert agents.make(guest.agent, seed=3, game="agricola").move(game) in game.legal_moves
        assert guest.name(ROOM.words("de"))
        assert guest.line(ROOM.words("it"))


def test_advice_is_in_points_for_all_legal_moves_and_reasons_speak_for_the_move() -> None:
    game = moments(2, "planner")[60]
    worth, best = ROOM.worth(game), ROOM.best(game, 3)
    assert {*worth} == {*ROOM.stated(game)} == {*game.legal_actions}
    assert [*best.values()] == sorted(best.values(), reverse=True)
    assert max(worth.values()) == max(best.values())
    assert len(ROOM.standing(game)) == len(ROOM.expected(game)) == 2
    first, *_, last = sorted(worth, key=lambda action: -worth[action])
    told = ROOM.reasons(game, game.action_to_text(first), game.action_to_text(last), ROOM.words("de"))
    assert re.fullmatch(r"([+−]\d+,\d [^,(]+( \(([+−]\d+ \w+(, )?)+\))?(, )?)+", told)


@pytest.mark.slow
def test_reasons_come_to_more_than_nothing_and_nearly_every_leading_move_has_some() -> None:
    leading = [
        (game, [game.action_to_text(action) for action in best])
        for game in [*decisions(moments(1, "planner"), 6), *decisions(moments(3, "planner"), 30)]
        if len(best := ROOM.best(game, 2)) == 2 and max(best.values()) - min(best.values()) >= ROOM.level
    ]
    told = [reasons(game, *pair) for game, pair in leading]
    assert all(sum(one.points.values()) > 0 for one in told if one.points)
    assert len(leading) > 20
    assert sum(bool(one.points) for one in told) >= 0.95 * len(told)


def test_in_the_last_round_a_move_is_worth_what_it_comes_to() -> None:
    """There is no chance any more: a seat that takes the best gets it, where all go on as values does."""
    game = next(game for game in moments(1, "planner") if game.turn == 14 and game.decision == "place")
    best, value = next(iter(ROOM.best(game, 1).items()))
    here, player = game.push(best), agents.make("values", seed=0, game="agricola")
    while not here.over:
        here = here.push(player.move(here))
    assert value == here.scores[0]["total"]


# --- the set-up, and the guests -----------------------------------------------------------------------------------


def test_alone_the_storehouse_can_be_filled() -> None:
    """A10."""
    found = [
        {entry["space"]: entry for entry in Game.begin(ROOM.setup(1, options).start(1)).dealt().state_dict()["spaces"]}
        for options in ({"storehouse_solo": True}, {"storehouse_solo": False}, {})
    ]
    assert [spaces["start-player"]["goods"] for spaces in found] == [1, 0, 0]


@pytest.mark.parametrize("players", [1, 2, 5])
def test_guests_say_how_they_did_when_they_were_measured(players: int) -> None:
    assert [*measured()] == [guest.agent for guest in ROOM.guests] == [*GAMES_MEASURED]
    for agent, games in GAMES_MEASURED.items():
        kept = measured()[agent][str(players)]
        assert kept["games"] >= games
        for language in LANGUAGES:
            words = ROOM.words(language)
            told = ROOM.strength(agent, players, words)
            assert words.number(kept["mean"], ".0f") in told
            assert "share" not in kept or words.number(kept["share"], ".0%") in told
    assert ROOM.strength("runs/mine", players, ROOM.words("en")) == ""


@pytest.mark.slow
def test_what_was_measured_is_what_the_agents_do() -> None:
    assert results("greedy", 5, GAMES_MEASURED["greedy"]) == measured()["greedy"]["5"]
    assert results("planner", 1, GAMES_MEASURED["planner"]) == measured()["planner"]["1"]
    assert results("values", 2, GAMES_MEASURED["values"]) == measured()["values"]["2"]


def test_the_end_is_told() -> None:
    game = moments(2, "planner")
    totals = [row["total"] for row in game[-1].scores]
    end = ROOM.entry(ROOM.lines(game)[-1], teller(game[-1], "en", None))["words"]
    assert f"wins with {max(totals)} points" in end or "share" in end.lower()
    alone = moments(1, "planner")
    end = ROOM.entry(ROOM.lines(alone)[-1], teller(alone[-1], "de", 0))["words"]
    assert str(alone[-1].scores[0]["total"]) in end


@pytest.mark.parametrize("language", LANGUAGES)
def test_guide_and_rules_have_their_words(language: str) -> None:
    words = ROOM.words(language)
    pages = ROOM.pages(words)
    assert len(pages["majors"]) == 10
    assert {*pages["points"]} <= {*words.part("rules")}
    assert all(major["effect"] and major["price"] for major in pages["majors"])
