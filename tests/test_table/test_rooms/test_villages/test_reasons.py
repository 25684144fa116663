"""What speaks for a move: coins by source, against another move with the same dice."""

import pytest

from bohemian_env import Game, IllegalMove
from table.room import room_of
from table.rooms.villages.coin_sources import COIN_SOURCES
from table.rooms.villages.reasons import OTHERS, Reason, reasons, told

ROOM = room_of("villages")
ENGLISH, GERMAN, ITALIAN = (ROOM.words(language) for language in ("en", "de", "it"))

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


def manor() -> str:
    return next(move for move in game().legal_moves if move.startswith("6+6:manor"))


def test_a_manor_brings_its_value_at_once_and_the_bishop_brings_less() -> None:
    found = dict(reasons(game(), manor(), "6+6:bishop", better=True))
    assert found["manors"] > 4
    assert all(coins < 0 if source == OTHERS else coins > 0 for source, coins in found.items())
    back = dict(reasons(game(), "6+6:bishop", manor(), better=False))
    assert back == pytest.approx({source: -coins for source, coins in found.items()})


def test_nothing_is_told_for_the_move_that_brings_less_on_the_whole() -> None:
    assert reasons(game(), manor(), "6+6:bishop", better=False) == []
    assert reasons(game(), "6+6:bishop", manor(), better=True) == []


def test_a_move_brings_nothing_more_than_itself() -> None:
    move = game().legal_moves[0]
    assert reasons(game(), move, move, better=True) == []
    assert told([], 2, ENGLISH) == ""


def test_they_follow_from_the_dice_alone() -> None:
    assert reasons(game(), manor(), "6+6:bishop", True, seed=5) == reasons(game(), manor(), "6+6:bishop", True, seed=5)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_in_games_all_that_is_told_speaks_for_the_advice(players: int) -> None:
    """Also against a move that is warned of; by the dice alone, and the largest first."""
    at, spoken = Game.new(players, seed=4).roll(), {True: 0, False: 0}
    while not at.over:
        if at.needs_roll:
            at = at.roll()
            continue
        if len(at.actions) % 5 == 0 and len(near := [*ROOM.best(at, 2)]) == 2:
            best, next_best = map(at.action_to_text, near)
            for move, other, better in ((best, next_best, True), (next_best, best, False)):
                found = reasons(at, move, other, better)
                assert [abs(one.coins) for one in found] == sorted((abs(one.coins) for one in found), reverse=True)
                for source, coins in found:
                    assert abs(coins) >= 0.5
                    assert source in (*COIN_SOURCES, OTHERS)
                    assert ((coins > 0) != (source == OTHERS)) is better
                spoken[better] += len(found)
        stated = ROOM.stated(at)
        at = at.push(at.action_to_text(max(stated, key=lambda action: stated[action])))
    assert min(spoken.values()) > 3


def test_the_room_speaks_for_the_move_that_has_the_better_chance() -> None:
    for move, other in ((manor(), "6+6:bishop"), ("6+6:bishop", manor())):
        chances = ROOM.worth(game(), game().text_to_action(move))
        better = chances[game().text_to_action(move)] > chances[game().text_to_action(other)]
        assert ROOM.reasons(game(), move, other, ENGLISH) == told(reasons(game(), move, other, better), 2, ENGLISH)


def test_no_more_than_three_are_told_in_the_language_asked_for() -> None:
    found = [Reason("churches", 4.06), Reason("inns", 2.0), Reason(OTHERS, -1.5), Reason("shops", 1.0)]
    assert told(found, 2, ENGLISH) == "+4.1 churches, +2.0 inns, opponent: 1.5 fewer coins"
    assert told(found[2:3], 3, GERMAN) == "jeder Gegner: 1,5 Taler weniger"
    assert told([Reason(OTHERS, 4.1), Reason("inns", -1.0)], 2, GERMAN) == "Gegner: 4,1 Taler mehr, −1,0 Wirtshäuser"
    assert told([Reason(OTHERS, 4.1)], 5, ITALIAN) == "ogni avversario: 4,1 monete in più"
    opponents = {f"{who}_{which}" for who in ("opponent", "opponents") for which in ("less", "more")}
    assert {*COIN_SOURCES, *opponents, "more"} == {*ENGLISH.part("source")}


def test_what_is_shown_as_zero_has_no_sign() -> None:
    shown = [GERMAN.number(value, "+.1f") for value in (-0.04, -0.0, 0.0, 0.04, -0.05001, 0.06)]
    assert shown == ["0,0"] * 4 + ["−0,1", "+0,1"]
    assert [GERMAN.number(value, "d") for value in (-12, 0)] == ["−12", "0"]
    assert ENGLISH.number(-0.001, ".0%") == "0%"


def test_a_game_that_never_ends_is_compared_for_500_turns() -> None:
    endless = Game.from_record(ENDLESS)
    while endless.needs_roll:
        endless = endless.roll()
    assert endless.record()["max_turns"] is None
    reasons(endless, endless.legal_moves[0], endless.legal_moves[-1], better=True)


def test_only_legal_moves_are_compared() -> None:
    with pytest.raises(IllegalMove):
        reasons(game(), "6+6:bishop", "1+1:bishop", better=True)
