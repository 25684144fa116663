"""What speaks for a move: coins by source, against another move with the same dice."""

from __future__ import annotations

import pytest

from bohemian_env import Game, IllegalMove
from table.room import room_of
from table.rooms.villages.coin_sources import COIN_SOURCES
from table.rooms.villages.reasons import Reason, reasons, told


WORDS = room_of("villages").words("en")

ENDLESS = {
    "format": "bohemian-villages/1",
    "players": ["Ann", "greedy"],
    "seed": 5,
    "figures": 13,
    "special_action_tiles": 7,
    "coin_supply": 300,
    "max_turns": None,
    "villages": [{"name": "Bare", "buildings": ["bakery", "butchery", "town_hall"], "town_hall": 8}],
    "turns": [{"seat": 0, "income": 0}],
}
"""The record of a game on so few buildings that those who play well place no figure more."""


def game() -> Game:
    """Two players, and dice that make a 12: a manor, which pays at once (R19)."""
    return Game.new(2, seed=3).roll((3, 3, 6, 6))


def test_a_manor_brings_its_value_at_once() -> None:
    manor = next(move for move in game().legal_moves if move.startswith("6+6:manor"))
    found = dict(reasons(game(), manor, "6+6:bishop"))
    assert found["manors"] > 4
    assert found["bishop"] < 0  # which the other move brings
    back = dict(reasons(game(), "6+6:bishop", manor))
    assert back == pytest.approx({source: -coins for source, coins in found.items()})


def test_a_move_brings_nothing_more_than_itself() -> None:
    move = game().legal_moves[0]
    assert reasons(game(), move, move) == []
    assert told([], WORDS) == ""


def test_they_follow_from_the_dice_alone_and_are_told_by_the_largest() -> None:
    moves = game().legal_moves
    found = reasons(game(), moves[0], moves[-1], seed=5)
    assert found == reasons(game(), moves[0], moves[-1], seed=5)
    assert [abs(one.coins) for one in found] == sorted((abs(one.coins) for one in found), reverse=True)
    assert all(abs(one.coins) >= 0.5 and one.source in (*COIN_SOURCES, "others") for one in found)


def test_no_more_than_three_are_told_in_the_language_asked_for() -> None:
    found = [Reason("churches", 4.06), Reason("inns", -2.0), Reason("others", 1.5), Reason("shops", 1.0)]
    assert told(found, WORDS) == "+4.1 churches, −2.0 inns, +1.5 for each opponent"
    assert told(found[:1], room_of("villages").words("it")) == "+4,1 chiese"
    assert told(found[1:2], room_of("villages").words("de")) == "−2,0 Wirtshäuser"
    assert {*COIN_SOURCES, "others", "more"} == {*WORDS.part("source")}


def test_a_game_that_never_ends_is_compared_for_500_turns() -> None:
    endless = Game.from_record(ENDLESS)
    while endless.needs_roll:
        endless = endless.roll()
    assert endless.record()["max_turns"] is None
    reasons(endless, endless.legal_moves[0], endless.legal_moves[-1])


def test_only_legal_moves_are_compared() -> None:
    with pytest.raises(IllegalMove):
        reasons(game(), "6+6:bishop", "1+1:bishop")
