"""Pickles of games, set-ups and boards: they are checked when they are loaded, however they were made."""

import pickle
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadPosition, BadSetup, BohemianError, Game, Setup
from bohemian_env.villages.board import Board, TableSize, Village
from tests.helpers import FROZEN, SIX

PARTS = ("states", "villages", "start", "seed", "actions", "rolls", "happened")
"""Of the pickle of a game, in their order."""


def played(steps: int = 12) -> Game:
    """A game of two after some steps."""
    game = Game.new(2, SIX, seed=5, board=FROZEN)
    for _ in range(steps):
        game = game.roll() if game.needs_roll else game.push(game.legal_moves[0])
    return game


@pytest.mark.parametrize("name", ["seed", "happened", "states", "actions"])
def test_a_game_does_not_change(name: str) -> None:
    """Else its record would tell another one."""
    game = played()
    with pytest.raises(AttributeError):
        setattr(game, name, None)


def rebuilt(game: Game, **parts: Any) -> Game:
    """The game as it comes out of a pickle in which some parts are others."""
    make, given = game.__reduce__()
    return make(*(dict(zip(PARTS, given, strict=True)) | parts).values())


def test_a_pickled_game_is_checked() -> None:
    game, other = played(), played(14)
    loaded = Game.from_position((game.roll() if game.needs_roll else game).position())
    own = dict(zip(PARTS, game.__reduce__()[1], strict=True))
    assert rebuilt(game) == game == pickle.loads(pickle.dumps(game))
    for players in (0, 1, 6, 255):
        for one in (game, loaded):
            states = one.states.copy()
            states["players"] = players
            with pytest.raises(BadPosition, match="players"):
                rebuilt(one, states=states)
    for parts in (
        {"states": other.states}, {"actions": other.actions}, {"actions": (*game.actions, 241)},
        {"actions": [*game.actions]}, {"rolls": (255,)}, {"rolls": own["rolls"][:-1]}, {"seed": 6}, {"start": 7},
        {"happened": ("rolled",)}, {"villages": own["villages"][:-1]}, {"villages": "Nenbrad"},
        {"states": np.concatenate([game.states, game.states])},
    ):  # fmt: skip
        with pytest.raises(BohemianError):
            rebuilt(game, **parts)
    for name, wrong, last in (("actions", 241, 240), ("rolls", 210, 209)):
        with pytest.raises(BadPosition, match=rf"^{name} of a game: \(.*{wrong},?\) .* from 0 to {last}$"):
            rebuilt(game, **{name: (*own[name], wrong)})
    with pytest.raises(BadPosition, match="a game has one position, not 2"):
        rebuilt(loaded, states=np.concatenate([loaded.states, loaded.states]))
    for parts in ({"seed": -1}, {"villages": ()}, {"villages": (7,)}, {"villages": loaded.__reduce__()[1][1][::-1]}):
        with pytest.raises(BohemianError):
            rebuilt(loaded, **parts)


def test_boards_set_ups_and_beginnings_are_checked_however_they_are_made() -> None:
    """Their tables are not in the pickle: they are made anew."""
    setup = Setup.of(3, board=FROZEN)
    start = setup.start(4)
    assert FROZEN.tables is FROZEN.tables
    for whole in (FROZEN, setup, start):
        again = pickle.loads(pickle.dumps(whole))
        assert (type(again), again) == (type(whole), whole)
    assert b"numpy" not in pickle.dumps(FROZEN)
    fields = FROZEN.__reduce__()[1]
    sizes = fields[1]
    wrong_boards: list[tuple[Any, ...]] = [
        ((), *fields[1:]),
        (fields[0] * 2, *fields[1:]),
        (tuple(Village(f"V{k}", ("bakery",), {}, f"V{k}") for k in range(10)), *fields[1:]),
        (tuple(Village(f"V{k}", ("bakery",), {}, "V") for k in range(3)), *fields[1:]),
        ((Village("V", ("butchery", "bakery"), {}, "V"),), *fields[1:]),
        ((Village("V", ("castle",), {}, "V"),), *fields[1:]),
        ((Village("V", ("manor",), {"manor": 300}, "V"),), *fields[1:]),
        (fields[0], {}, *fields[2:]),
        (fields[0], {**sizes, 2: TableSize(127, ())}, *fields[2:]),
        (fields[0], {**sizes, 2: TableSize(9, ("Nowhere",))}, *fields[2:]),
        (*fields[:2], 10_000, 7),
    ]
    for parts in wrong_boards:
        with pytest.raises(BohemianError):
            Board(*parts)
    make_setup, good = setup.__reduce__()
    wrong: list[tuple[int, Any]] = [(0, 6), (1, SIX), (3, 0), (4, -1), (5, 0)]
    for place, value in wrong:
        with pytest.raises(BadSetup):
            make_setup(*good[:place], value, *good[place + 1 :])
    make_start, begun = start.__reduce__()
    wrong = [(0, None), (1, begun[1] ^ 1), (1, -1), (1, 2**64), (2, -1), (2, "4"), (3, ("a",)), (3, "abc")]
    for place, value in wrong:
        with pytest.raises(BadSetup):
            make_start(*begun[:place], value, *begun[place + 1 :])
