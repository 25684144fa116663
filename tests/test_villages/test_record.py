"""Records: the form on hand-played games, reading them back, and what is refused."""

import copy
import json
from collections.abc import Iterable
from typing import Any
from unittest.mock import Mock

import pytest

from bohemian_env import BadRecord, Game, NoRecord
from bohemian_env.villages import events
from bohemian_env.villages.dice import seeded_dice
from tests.helpers import BOARD, MISSING, SIX, VILLAGES, altered, game_at, play

HEAD: dict[str, Any] = {
    "format": "bohemian-villages/1", "players": ["Ada", "Ben"], "seed": None, "figures": 13, "special_action_tiles": 1,
    "coin_supply": 300, "max_turns": 500,
    "villages": [{key: value for key, value in VILLAGES[name].items() if key != "tile"} for name in SIX],
}  # fmt: skip
# A whole game: the one special action tile, a reroll, a turn passed, a kick, inns and the bishop, moves with three
# dice, turns stopped and turns that ended by themselves. Seat 0 has placed all its figures after turn 13.
TURNS: list[dict[str, Any]] = [
    {"seat": 0, "income": 0, "roll": [2, 3, 4, 6],
     "moves": [{"move": "3+4:glass@Nenbrad"}, {"move": "2+6:farm@Grundow", "paid": [1, 0]}]},
    {"seat": 1, "income": 0, "roll": [1, 1, 5, 6], "moves": [{"move": "1+1:bishop"}, {"move": "5+6:church@Chlumhof"}]},
    {"seat": 0, "income": 0, "roll": [6, 6, 6, 6],
     "moves": [{"move": "6+6:manor@Chlumhof", "paid": [5, 0]}, {"move": "6+6:manor@Grundow", "paid": [5, 0]}]},
    {"seat": 1, "income": 1, "roll": [2, 2, 3, 6],
     "moves": [{"move": "2+6:special"}, {"move": "reroll 2,3", "rolled": [4, 5]}, {"move": "4+5:inn@Nenbrad"}]},
    {"seat": 0, "income": 0, "roll": [1, 1, 6, 6],
     "moves": [{"move": "6+6:manor@Itschkau", "paid": [6, 0]}, {"move": "1+1:bakery@Itschkau"}]},
    {"seat": 1, "income": 1, "roll": [6, 6, 6, 6], "moves": []},
    {"seat": 0, "income": 0, "roll": [3, 4, 5, 5],
     "moves": [{"move": "3+5:farm@Nenbrad", "paid": [2, 0]}, {"move": "4+5:inn@Kunzendorf"}]},
    {"seat": 1, "income": 1, "roll": [4, 5, 6, 6],
     "moves": [{"move": "4+6:town_hall@Nenbrad"}, {"move": "5+6:church@Ebersgrun"}]},
    {"seat": 0, "income": 0, "roll": [3, 3, 4, 4],
     "moves": [{"move": "3+4:glass@Grundow"}, {"move": "3+4:glass@Kunzendorf"}]},
    {"seat": 1, "income": 3, "roll": [4, 4, 6, 6],
     "moves": [{"move": "4+6:town_hall@Chlumhof"}, {"move": "4+6:town_hall@Ebersgrun"}]},
    {"seat": 0, "income": 0, "roll": [4, 5, 6, 6],
     "moves": [{"move": "4+6:town_hall@Nenbrad", "kicked": 1}, {"move": "5+6:church@Itschkau"}]},
    {"seat": 1, "income": 3, "roll": [1, 2, 2, 3], "moves": [{"move": "2+3:tailor@Ebersgrun"}, {"move": "end"}]},
    {"seat": 0, "income": 0, "roll": [1, 2, 3, 6], "moves": [{"move": "1+2+3:mill@Grundow"}]},
    {"seat": 1, "income": 3, "roll": [1, 1, 2, 6], "moves": [{"move": "1+1:bakery@Kunzendorf"}, {"move": "end"}]},
]  # fmt: skip
TAIL = {
    "end": "no figures",
    "scoring": [
        {"coins": 19, "town_halls": 0, "shops": 1, "churches": 6, "tiles": 5, "total": 31},
        {"coins": 12, "town_halls": 0, "shops": 5, "churches": 10, "tiles": 0, "total": 27},
    ],
    "winners": [0],
}
WHOLE = HEAD | {"turns": TURNS} | TAIL


def new(**parts: Any) -> Game:
    usual: dict[str, Any] = dict(coin_supply=300, special_action_tiles=1, names=("Ada", "Ben"))
    return Game.new(players=2, villages=SIX, board=BOARD, **usual | parts)


def replay(turns: Iterable[dict[str, Any]], **parts: Any) -> Game:
    """Play the turns of a record by hand: dice and moves, nothing else."""
    game = new(**parts)
    for turn in turns:
        game = game.roll(tuple(turn["roll"]))
        for step in turn["moves"]:
            game = play(game, step["move"], *([tuple(step["rolled"])] if "rolled" in step else []))
    return game


def test_the_record_of_a_whole_game() -> None:
    """To the letter, the order of the keys included."""
    game = replay(TURNS)
    assert game.over
    assert json.dumps(game.record()) == json.dumps(WHOLE)


def test_the_dice_are_recorded_ascending() -> None:
    game = play(new(), (6, 3, 2, 2), "2+6:special", "reroll 2,3", (5, 4))
    moves = [{"move": "2+6:special"}, {"move": "reroll 2,3", "rolled": [4, 5]}]
    assert game.record()["turns"] == [{"seat": 0, "income": 0, "roll": [2, 2, 3, 6], "moves": moves}]


def test_what_every_seat_received_from_a_move() -> None:
    game = play(new(), (1, 1, 2, 4), "2+4:mill@Grundow", "end", (1, 1, 2, 4), "2+4:mill@Itschkau")
    assert game.record()["turns"][1]["moves"] == [{"move": "2+4:mill@Itschkau", "paid": [2, 2]}]


def test_a_game_cut_off() -> None:
    game = play(new(max_turns=1, seed=7), (1, 1, 5, 6), "1+1:bishop", "end")
    record = game.record()
    assert list(record) == list(WHOLE)
    assert (record["seed"], record["max_turns"], record["end"], record["winners"]) == (7, 1, "truncated", [0, 1])
    assert [row["total"] for row in record["scoring"]] == [-5, -5]


def test_a_bank_emptied_by_a_move_ends_the_turn_in_the_record() -> None:
    game = play(new(coin_supply=1, max_turns=None), (3, 5, 6, 6), "3+5:farm@Nenbrad")
    record = game.record()
    moves = [{"move": "3+5:farm@Nenbrad", "paid": [1, 0]}]
    assert record["turns"] == [{"seat": 0, "income": 0, "roll": [3, 5, 6, 6], "moves": moves}]
    assert (record["max_turns"], record["coin_supply"], record["end"]) == (None, 1, "bank empty")


def test_a_bank_emptied_by_the_income_leaves_a_turn_of_seat_and_income() -> None:
    game = play(new(coin_supply=1), (1, 1, 4, 5), "4+5:inn@Kunzendorf", "1+1:bakery@Kunzendorf")
    record = play(game, (1, 2, 2, 2), "1+2:butchery@Kunzendorf", "2+2:dairy@Kunzendorf").record()
    assert record["turns"][2:] == [{"seat": 0, "income": 1}]
    assert (record["end"], record["scoring"][0]["coins"]) == ("bank empty", 1)


UNDER_WAY: dict[str, list[Any]] = {
    "not begun": [],
    "rolled": [(2, 3, 4, 6)],
    "first move made": [(2, 3, 4, 6), "3+4:glass@Nenbrad"],
    "within a reroll": [(2, 3, 4, 6), "2+6:special", "reroll 4"],
    "dice rolled again": [(2, 3, 4, 6), "2+6:special", "reroll 4", (1,)],
    "between two turns": [(2, 3, 4, 6), "3+4:glass@Nenbrad", "2+6:farm@Grundow"],
    "second turn": [(2, 3, 4, 6), "3+4:glass@Nenbrad", "end", (1, 1, 5, 6), "1+1:bishop"],
}


@pytest.mark.parametrize("steps", UNDER_WAY.values(), ids=UNDER_WAY)
def test_a_game_under_way_has_the_present_turn_and_no_end(steps: list[Any]) -> None:
    game = play(new(), *steps)
    record = game.record()
    assert list(record) == [*HEAD, "turns"]
    if not game.needs_roll:
        present = record["turns"][-1]
        assert list(present) == ["seat", "income", "roll", "moves"]
        pushed = steps[steps.index("end") + 1 :] if "end" in steps else steps
        assert [step["move"] for step in present["moves"]] == [step for step in pushed if isinstance(step, str)]


def test_a_game_read_back_plays_on() -> None:
    game = Game.from_record(replay(TURNS[:13]).record())
    assert play(game, (1, 1, 2, 6), "1+1:bakery@Kunzendorf", "end").record() == WHOLE


def test_a_record_keeps_its_meaning_without_the_board_file() -> None:
    """The villages are written out; values and names that no board file has are read from there."""
    record = copy.deepcopy(WHOLE)
    record["villages"][0]["name"] = "Chrudim"
    record["villages"][0]["manor"] = 7
    for turn in record["turns"]:
        for step in turn.get("moves", ()):
            step["move"] = step["move"].replace("Chlumhof", "Chrudim")
    record["turns"][2]["moves"][0]["paid"] = [7, 0]
    record["scoring"][0] |= {"coins": 21, "total": 33}
    assert Game.from_record(record).record() == record


def test_a_game_from_a_position_has_no_record() -> None:
    with pytest.raises(NoRecord):
        game_at().record()


# --- what is refused ------------------------------------------------------------------------------

ALTERED = {
    "the income": (4, [("turns", 3, "income"), 2]),
    "the income of a passed turn": (6, [("turns", 5, "income"), 0]),
    "the seat": (5, [("turns", 4, "seat"), 1]),
    "a roll that its moves do not fit": (4, [("turns", 3, "roll"), [2, 2, 3, 5]]),
    "a reroll without its dice": (4, [("turns", 3, "moves", 1, "rolled"), MISSING]),
    "a move that is not legal": (9, [("turns", 8, "moves", 0, "move"), "3+4:glass@Nenbrad"]),
    "a move in a turn that passed": (6, [("turns", 5, "moves"), [{"move": "6+6:bishop"}]]),
    "a move too many": (13, [("turns", 12, "moves"), [{"move": "1+2+3:mill@Grundow"}, {"move": "end"}]]),
    "paid: another amount": (1, [("turns", 0, "moves", 1, "paid"), [2, 0]]),
    "paid: though nobody was": (1, [("turns", 0, "moves", 0, "paid"), [0, 0]]),
    "kicked: another seat": (11, [("turns", 10, "moves", 0, "kicked"), 0]),
    "a turn without a roll": (None, [("turns", 7, "roll"), MISSING]),
    "the format": (None, [("format",), "bohemian-villages/2"]),
    "the end": (None, [("end",), "truncated"]),
    "the scoring": (None, [("scoring", 1, "total"), 28]),
    "the winners": (None, [("winners",), [1]]),
    "a printed value left out": (None, [("villages", 0, "manor"), MISSING]),
    "a village twice": (None, [("villages", 1, "name"), "Chlumhof"]),
}


@pytest.mark.parametrize(("turn", "change"), ALTERED.values(), ids=ALTERED.keys())
def test_an_altered_record_is_refused_naming_the_turn(turn: int | None, change: list[Any]) -> None:
    """The turn by its place in the document, `turns[3]` for the fourth turn."""
    path, value = change
    record = altered(WHOLE, (path, value))
    with pytest.raises(BadRecord, match=None if turn is None else rf"\bturns\[{turn - 1}\]"):
        Game.from_record(record)


OTHER_TURNS = {
    "the first missing": TURNS[1:], "the last missing": TURNS[:-1], "one missing": TURNS[:5] + TURNS[6:],
    "one too many": [*TURNS, {"seat": 0, "income": 0, "roll": [1, 2, 3, 4], "moves": []}],
}  # fmt: skip


@pytest.mark.parametrize("turns", OTHER_TURNS.values(), ids=OTHER_TURNS)
def test_a_record_with_turns_too_few_or_too_many_is_refused(turns: list[dict[str, Any]]) -> None:
    with pytest.raises(BadRecord):
        Game.from_record(WHOLE | {"turns": turns})


def test_a_part_of_another_kind_is_refused_by_its_place() -> None:
    for path, told in (
        (("turns", 3), r"turns\[3\]: None is not an object with seat"),
        (("turns", 3, "seat"), r"turns\[3\].seat: None is not a whole number from 0 to 4"),
        (("turns", 3, "moves", 1), r"turns\[3\].moves\[1\]: None is not an object with move"),
    ):
        with pytest.raises(BadRecord, match=told):
            Game.from_record(altered(WHOLE, (path, None)))


def test_a_fault_in_the_rules_is_not_told_as_one_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "push", Mock(side_effect=IndexError("a mistake of ours")))
    with pytest.raises(IndexError, match="a mistake of ours"):
        Game.from_record(WHOLE)


# --- going on from a position of another game -------------------------------------------------------------------


def test_moments_are_the_game_after_every_roll_and_move() -> None:
    steps = [new()]
    for turn in TURNS[:4]:
        steps.append(steps[-1].roll(tuple(turn["roll"])))
        for step in turn["moves"]:
            steps.append(steps[-1].push(step["move"]))
            if "rolled" in step:
                steps.append(steps[-1].roll(tuple(step["rolled"])))
    moments = steps[-1].moments()
    assert moments == tuple(steps)
    assert [moment.happened for moment in moments] == [step.happened for step in steps]
    loaded = Game.from_position(steps[1].position())
    for asked in (loaded.moments, lambda: loaded.continued(["Eve", "Bob"])):
        with pytest.raises(NoRecord, match="how it began is not known"):
            asked()


def test_a_game_that_goes_on_from_another_says_so_in_its_record() -> None:
    first = replay(TURNS[:3], seed=7)
    second = first.continued(["Eve", "greedy"], seed=8)
    assert second == first
    assert second.roll().dice == first.roll(seeded_dice(8, 4, 0)).dice != first.roll().dice
    record = second.roll().record()
    assert (record["players"], record["seed"]) == (["Eve", "greedy"], 8)
    assert record["continues"] == {"moves": len(first.actions), "players": ["Ada", "Ben"], "seed": 7}
    assert record["turns"][:3] == first.record()["turns"][:3]
    assert Game.from_record(json.loads(json.dumps(record))).record() == record
    assert second.continued(["Eve", "Ada"]).record()["continues"]["players"] == ["Eve", "greedy"]


FROM = {"moves": 1, "players": ["a", "b"], "seed": 1}
NO_CONTINUED: list[tuple[Any, str]] = [
    (None, "not an object with exactly"), ({"moves": 1}, "not an object with exactly"),
    (FROM | {"moves": -1}, "moves -1"), (FROM | {"moves": 10**9}, "more than the record has"),
    (FROM | {"players": ["a"]}, "not a game of 2 players"), (FROM | {"seed": -1}, "seed -1"),
]  # fmt: skip


@pytest.mark.parametrize(("continues", "complaint"), NO_CONTINUED)
def test_a_continued_game_that_cannot_be_is_refused(continues: object, complaint: str) -> None:
    with pytest.raises(BadRecord, match=complaint):
        Game.from_record(WHOLE | {"continues": continues})
