"""What happened: every move and roll tells what it set off, and what followed of itself."""

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


DAIRY: Any = [(1, 1, 4, 5), "4+5:inn@Kunzendorf", "1+1:bakery@Kunzendorf", (1, 2, 2, 2), "1+2:butchery@Kunzendorf"]
"""After this 2+2:dairy@Kunzendorf makes the inn of seat 0 active."""
HAPPENED: dict[str, tuple[Any, list[Any], tuple[Any, ...]]] = {
    "a game begins with a turn": (new, [], (TurnBegan(0, 0),)),
    "a position tells nothing of what came before": (game_at, [], ()),
    "a roll": (new, [(6, 3, 4, 2)], (Rolled(0, (2, 3, 4, 6)),)),
    "a move within a turn": (new, [(6, 3, 4, 2), "3+4:glass@Nenbrad"], (moved(0, "3+4:glass@Nenbrad"),)),
    "a move that ends the turn begins the next one": (
        lambda: replay(TURNS[:9]), [(4, 4, 6, 6), "4+6:town_hall@Chlumhof", "4+6:town_hall@Ebersgrun"],
        (moved(1, "4+6:town_hall@Ebersgrun"), TurnBegan(0, 0)),
    ),
    "with its income": (
        lambda: replay(TURNS[:8]), [(3, 3, 4, 4), "3+4:glass@Grundow", "3+4:glass@Kunzendorf"],
        (moved(0, "3+4:glass@Kunzendorf"), TurnBegan(1, 3)),
    ),
    "a reroll": (new, [(2, 3, 4, 6), "2+6:special", "reroll 4"], (moved(0, "reroll 4"),)),
    "dice rolled again": (new, [(2, 3, 4, 6), "2+6:special", "reroll 4", (1,)], (Rolled(0, (1,)),)),
    "who is kicked out": (
        lambda: replay(TURNS[:10]), [(4, 5, 6, 6), "4+6:town_hall@Nenbrad"],
        (moved(0, "4+6:town_hall@Nenbrad", kicked=1),),
    ),
    "what is paid": (
        lambda: replay(TURNS[:2]), [(6, 6, 6, 6), "6+6:manor@Chlumhof"], (moved(0, "6+6:manor@Chlumhof", (5, 0)),),
    ),
    "the bishop taken": (new, [(1, 1, 5, 6), "1+1:bishop"], (moved(0, "1+1:bishop"),)),
    "from another": (
        new, [(1, 1, 5, 6), "1+1:bishop", "end", (1, 1, 5, 6), "1+1:bishop"], (moved(1, "1+1:bishop", bishop_from=0),),
    ),
    "an inn becomes active": (
        new, [*DAIRY, "2+2:dairy@Kunzendorf"], (moved(1, "2+2:dairy@Kunzendorf", inn_activated=True), TurnBegan(0, 1)),
    ),
    "an active inn is taken": (
        lambda: game_at(owners={("inn", "Nenbrad"): 1}, active=["Nenbrad"], dice=(1, 1, 4, 5)), ["4+5:inn@Nenbrad"],
        (moved(0, "4+5:inn@Nenbrad", kicked=1, inn_was_active=True),),
    ),
    "figures are sent home with their pay": (
        new, [(1, 1, 2, 4), "2+4:mill@Grundow", "end", (1, 1, 2, 4), "2+4:mill@Itschkau"],
        (moved(1, "2+4:mill@Itschkau", (2, 2), sent_home=True),),
    ),
    "a turn passes": (
        lambda: replay(TURNS[:5]), [(6, 6, 6, 6)], (Rolled(1, (6, 6, 6, 6)), Passed(1), TurnBegan(0, 0)),
    ),
    "a turn that ends after its first move is not passed, also where rerolled dice allow nothing (R14)": (
        lambda: game_at(dice=(1, 1), special=[0], special_supply=0, bishop=0), ["reroll 1,1", (6, 6)],
        (Rolled(0, (6, 6)), TurnBegan(1, 0)),
    ),
    "a cut-off": (
        lambda: new(max_turns=1), [(1, 1, 5, 6), "1+1:bishop", "end"], (moved(0, "end"), Ended("truncated", None)),
    ),
    "an empty bank": (
        lambda: new(coin_supply=1), [(3, 5, 6, 6), "3+5:farm@Nenbrad"],
        (moved(0, "3+5:farm@Nenbrad", (1, 0)), Ended("bank empty", None)),
    ),
    "emptied by the income": (
        lambda: new(coin_supply=1), [*DAIRY, "2+2:dairy@Kunzendorf"],
        (moved(1, "2+2:dairy@Kunzendorf", inn_activated=True), TurnBegan(0, 1), Ended("bank empty", None)),
    ),
    "a seat without figures": (lambda: replay(TURNS), [], (moved(1, "end"), Ended("no figures", 0))),
}  # fmt: skip
"""How a game begins, what is rolled and pushed, and what the last of it set off."""


@pytest.mark.parametrize(("begin", "steps", "happened"), HAPPENED.values(), ids=HAPPENED)
def test_every_roll_and_move_tells_what_it_set_off(begin: Any, steps: list[Any], happened: tuple[Any, ...]) -> None:
    assert play(begin(), *steps).happened == happened


def test_a_pickled_game_still_tells_it() -> None:
    game = Game.new(2, SIX, seed=1).roll()
    assert pickle.loads(pickle.dumps(game)).happened == game.happened


def test_actions_are_those_of_the_moves() -> None:
    game = play(new(), (2, 3, 4, 6), "3+4:glass@Nenbrad", "end")
    assert len(game.actions) == 2
    assert new().actions == ()
