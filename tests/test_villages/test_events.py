"""What happened: every move and roll tells what it set off, and what followed of itself."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from bohemian_env import Game
from bohemian_env.villages.events import Ended, Moved, Passed, Rolled, TurnBegan
from bohemian_env.villages.notation import parse_move
from tests.helpers import SIX, game_at, play

from .test_record import TURNS, new, replay


def moved(seat: int, text: str, paid: tuple[int, ...] = (0, 0), **more: Any) -> Moved:
    return Moved(seat, parse_move(text), paid, **more)


def test_a_game_begins_with_a_turn() -> None:
    assert new().happened == (TurnBegan(0, 0),)


def test_a_position_tells_nothing_of_what_came_before() -> None:
    assert game_at().happened == ()


def test_a_roll_and_a_move_within_a_turn() -> None:
    game = new().roll((6, 3, 4, 2))
    assert game.happened == (Rolled(0, (2, 3, 4, 6)),)
    assert game.push("3+4:glass@Nenbrad").happened == (moved(0, "3+4:glass@Nenbrad"),)


def test_a_move_that_ends_the_turn_begins_the_next_one_with_its_income() -> None:
    game = replay(TURNS[:9]).roll((4, 4, 6, 6)).push("4+6:town_hall@Chlumhof").push("4+6:town_hall@Ebersgrun")
    assert game.happened == (moved(1, "4+6:town_hall@Ebersgrun"), TurnBegan(0, 0))
    game = replay(TURNS[:8]).roll((3, 3, 4, 4)).push("3+4:glass@Grundow").push("3+4:glass@Kunzendorf")
    assert game.happened[1:] == (TurnBegan(1, 3),)


def test_dice_rolled_again() -> None:
    game = play(new(), (2, 3, 4, 6), "2+6:special", "reroll 4")
    assert game.happened == (moved(0, "reroll 4"),)
    assert game.roll((1,)).happened == (Rolled(0, (1,)),)


def test_who_is_kicked_out_and_what_is_paid() -> None:
    game = replay(TURNS[:10]).roll((4, 5, 6, 6)).push("4+6:town_hall@Nenbrad")
    assert game.happened == (moved(0, "4+6:town_hall@Nenbrad", kicked=1),)
    game = replay(TURNS[:2]).roll((6, 6, 6, 6)).push("6+6:manor@Chlumhof")
    assert game.happened == (moved(0, "6+6:manor@Chlumhof", (5, 0)),)


def test_from_whom_the_bishop_is_taken() -> None:
    first = play(new(), (1, 1, 5, 6), "1+1:bishop")
    assert first.happened == (moved(0, "1+1:bishop"),)
    second = play(first, "end", (1, 1, 5, 6), "1+1:bishop")
    assert second.happened == (moved(1, "1+1:bishop", bishop_from=0),)


def test_an_inn_becomes_active_and_is_taken_when_it_is() -> None:
    game = play(new(), (1, 1, 4, 5), "4+5:inn@Kunzendorf", "1+1:bakery@Kunzendorf")
    game = play(game, (1, 2, 2, 2), "1+2:butchery@Kunzendorf", "2+2:dairy@Kunzendorf")
    assert game.happened == (moved(1, "2+2:dairy@Kunzendorf", inn_activated=True), TurnBegan(0, 1))
    owners = {("inn", "Nenbrad"): 1}
    taken = game_at(villages=["Nenbrad"], owners=owners, active=["Nenbrad"], dice=(1, 1, 4, 5)).push("4+5:inn@Nenbrad")
    assert taken.happened == (moved(0, "4+5:inn@Nenbrad", kicked=1, inn_was_active=True),)


def test_figures_that_are_sent_home_with_their_pay() -> None:
    game = play(new(), (1, 1, 2, 4), "2+4:mill@Grundow", "end", (1, 1, 2, 4), "2+4:mill@Itschkau")
    assert game.happened == (moved(1, "2+4:mill@Itschkau", (2, 2), sent_home=True),)


def test_a_turn_that_passes() -> None:
    game = replay(TURNS[:5]).roll((6, 6, 6, 6))
    assert game.happened == (Rolled(1, (6, 6, 6, 6)), Passed(1), TurnBegan(0, 0))


def test_a_turn_that_ends_after_its_first_move_is_not_passed() -> None:
    """Also where the dice rolled again allow nothing (R14)."""
    game = game_at(villages=["Nenbrad"], dice=(1, 1), special=[0], special_supply=0, bishop=0)
    assert game.push("reroll 1,1").roll((6, 6)).happened == (Rolled(0, (6, 6)), TurnBegan(1, 0))


@pytest.mark.parametrize(
    ("steps", "parts", "ended"),
    [
        ([(1, 1, 5, 6), "1+1:bishop", "end"], {"max_turns": 1}, Ended("truncated", None)),
        ([(3, 5, 6, 6), "3+5:farm@Nenbrad"], {"coin_supply": 1}, Ended("bank empty", None)),
    ],
)
def test_the_end(steps: list[Any], parts: dict[str, int], ended: Ended) -> None:
    assert play(new(**parts), *steps).happened[1:] == (ended,)


def test_the_end_for_want_of_figures_names_the_seat() -> None:
    assert replay(TURNS).happened == (moved(1, "end"), Ended("no figures", 0))


def test_the_end_by_the_income() -> None:
    game = play(new(coin_supply=1), (1, 1, 4, 5), "4+5:inn@Kunzendorf", "1+1:bakery@Kunzendorf")
    game = play(game, (1, 2, 2, 2), "1+2:butchery@Kunzendorf", "2+2:dairy@Kunzendorf")
    assert game.happened[1:] == (TurnBegan(0, 1), Ended("bank empty", None))


def test_a_pickled_game_still_tells_it() -> None:
    game = Game.new(2, SIX, seed=1).roll()
    assert pickle.loads(pickle.dumps(game)).happened == game.happened


def test_actions_are_those_of_the_moves() -> None:
    game = play(new(), (2, 3, 4, 6), "3+4:glass@Nenbrad", "end")
    assert len(game.actions) == 2
    assert new().actions == ()
