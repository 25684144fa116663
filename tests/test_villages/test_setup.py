"""The parameters of a game: checked once, and given one way at a time."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadSetup, Batch, Game, Setup, bohemian_villages_v0
from bohemian_env.engine.checks import check_seed
from tests.helpers import FROZEN, SIX


def test_a_setup_is_what_games_environments_and_batches_hold() -> None:
    setup = Setup.of(2, SIX, board=FROZEN, coin_supply=50, special_action_tiles=3, max_turns=40)
    assert Setup.of(setup) is setup
    assert Game.new(setup, seed=1).setup == setup
    assert Batch(2, setup).setup == setup
    assert bohemian_villages_v0.raw_env(setup).setup == setup
    assert Setup.of(2, SIX[::-1], board=FROZEN).villages == Setup.of(2, SIX, board=FROZEN).villages


@pytest.mark.parametrize(
    "more", [{"villages": SIX}, {"board": FROZEN}, {"coin_supply": 5}, {"special_action_tiles": 1}, {"max_turns": 9}]
)
def test_a_setup_is_given_alone(more: dict[str, Any]) -> None:
    with pytest.raises(BadSetup, match="give it alone"):
        Batch(2, Setup.of(2), **more)


WRONG = dict(players=6, board="board.toml", coin_supply=0, special_action_tiles=True, max_turns=0, villages=SIX[1:])


@pytest.mark.parametrize(("name", "value"), WRONG.items())
def test_a_setup_made_otherwise_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(BadSetup) as refused:
        dataclasses.replace(Setup.of(2, SIX, board=FROZEN), **{name: value})
    assert name in str(refused.value)
    assert str(value) in str(refused.value) or name == "villages"
    assert dataclasses.replace(Setup.of(2, SIX, board=FROZEN), villages=SIX[::-1]) == Setup.of(2, SIX, board=FROZEN)


def test_a_setup_made_of_numpys_numbers_has_plain_ones() -> None:
    numbers: dict[str, Any] = dict(players=np.int8(2), coin_supply=np.int64(300), max_turns=np.int32(9))
    setup = dataclasses.replace(Setup.of(2), **numbers)
    assert {type(setup.players), type(setup.coin_supply), type(setup.max_turns)} == {int}
    assert json.dumps(Game.new(setup, seed=1).record())


@pytest.mark.parametrize("villages", [np.array(["a", "b"]), ["random"]])
def test_a_setup_and_an_array_are_told_in_a_sentence(villages: Any) -> None:
    with pytest.raises(BadSetup, match="give it alone"):
        Setup.of(Setup.of(2), villages)


def test_a_start_has_a_text_for_each_seat() -> None:
    start = Setup.of(2).start(5)
    wrong: list[Any] = [("Ada",), ("Ada", None), (1, 2), ["Ada"], "AB"]
    assert dataclasses.replace(start, names=["Ada", "Bo"]).names == ("Ada", "Bo")  # type: ignore[arg-type]
    for names in wrong:
        with pytest.raises(BadSetup, match="are not 2 texts, one for each seat"):
            dataclasses.replace(start, names=names)


def test_seeds_are_whole_numbers_of_63_bits() -> None:
    for seed in (0, 1, 2**63 - 1, np.uint64(7)):
        assert check_seed(seed) == int(seed)
        assert type(check_seed(seed)) is int
    for wrong in (-1, 2**63, -(2**63), 1.0, "1", True, None, np.int64(-1)):
        with pytest.raises(BadSetup, match="not a whole number from 0 to 9223372036854775807"):
            check_seed(wrong)


def test_the_limit_of_turns_fits_a_position() -> None:
    for most in (1, 10**9):
        setup = Setup.of(2, max_turns=most)
        assert setup.max_turns == setup.start(1).new_state()["max_turns"][0] == most
    for wrong in (0, -1, 10**9 + 1, 1.0, True):
        with pytest.raises(BadSetup, match="max_turns"):
            Setup.of(2, max_turns=wrong)  # type: ignore[arg-type]
