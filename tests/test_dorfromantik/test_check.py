"""Positions from outside: what a game can come to passes, and damage in any field is refused with its name."""

import functools
import pickle
import random

import numpy as np
import pytest

from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik.check import setup_of
from bohemian_env.dorfromantik.contract import RULES
from bohemian_env.dorfromantik.faces import Batch
from bohemian_env.dorfromantik.state import STATE
from bohemian_env.engine.errors import BadPosition, BadSetup
from tests.test_dorfromantik.positions import VARIANTS, games

SET_UP = ("players", "open_tasks", "left_in_box", "window", "landscape", "tasks")


@functools.cache
def states() -> np.ndarray:
    """Positions of several games, at every kind of moment."""
    kept = [
        (*games(variant, seed)[seed::7], games(variant, seed)[-1])
        for variant in range(len(VARIANTS))
        for seed in range(2)
    ]
    return np.concatenate([game.states for row in kept for game in row])


def test_positions_of_games_pass() -> None:
    given = states()
    found = RULES.checked_states(given.copy())
    assert found.tobytes() == given.tobytes()
    assert {int(s["pending"]) for s in given} == {0, 1, 2}
    assert {int(s["end"]) for s in given} == {0, 1}
    assert found is not given


def test_the_set_up_of_a_position() -> None:
    for variant in range(len(VARIANTS)):
        for game in games(variant, 1)[::20]:
            assert setup_of(game.states[0]) == game.setup


@pytest.mark.parametrize("name", [name for name in STATE.names if STATE[name].itemsize])
def test_a_damaged_field_is_refused(name: str) -> None:
    """Where a part of the set-up changes, it can be a position of another set-up, which whoever has one refuses."""
    rng, given = random.Random(name), states()
    refused = 0
    for _ in range(60):
        some = given[(number := rng.randrange(len(given))) : number + 1].copy()
        part = np.frombuffer(some[name].tobytes(), np.uint8).copy()
        part[rng.randrange(part.size)] ^= 1 << rng.randrange(8)
        some[name] = np.frombuffer(part.tobytes(), some[name].dtype).reshape(some[name].shape)
        try:
            RULES.checked_states(some)
        except BadPosition:
            refused += 1
        else:
            assert name in SET_UP
            assert setup_of(some[0]) != setup_of(given[number])
    assert refused == 60 or name in SET_UP


@pytest.mark.parametrize("seed", range(40))
def test_arbitrary_bytes_are_refused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    some = states()[seed : seed + 1].copy()
    raw = some.view(np.uint8)
    raw[rng.integers(0, raw.size, 30)] = rng.integers(0, 256, 30, dtype=np.uint8)
    with pytest.raises(BadPosition):
        RULES.checked_states(some)


def test_fields_are_named() -> None:
    begun = Game.new(seed=3).dealt().states
    follows = {"turn": 9, "to_move": 1, "end": 1, "legal": 0, "score": 5, "frontier_size": 2}
    for name, value, told in (
        ("players", 0, "players 0"), ("window", 30, "window 30"), ("number", 3, "tile.number: no marker 3"),
        *((name, value, f"{name}: not what follows") for name, value in follows.items()),
        ("frontier", 1, "frontier: not the empty cells"), ("cells", 1, "cells: not the tiles"),
        ("markers", 0, "markers: not those"),
    ):  # fmt: skip
        some = begun.copy()
        some[name] = value
        with pytest.raises(BadPosition, match=told):
            RULES.checked_states(some)
    several = np.concatenate([begun, begun])
    several[1]["turn"] = 7
    with pytest.raises(BadPosition, match="position 1: turn"):
        RULES.checked_states(several)


def test_a_game_out_of_a_pickle_is_checked() -> None:
    game = games(0, 6)[50]
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.record() == game.record()
    make, (positions, pieces, *rest) = game.__reduce__()
    positions = positions.copy()
    positions["turn"] += 1
    with pytest.raises(BadPosition, match="turn"):
        make(positions, pieces, *rest)
    with pytest.raises(BadPosition, match="pieces of a game"):
        make(game.states, ("W1",), *rest)
    with pytest.raises(BadPosition, match="not the one that its beginning"):
        make(games(0, 6)[49].states, pieces, *rest)


def test_a_batch_does_not_go_on_from_positions_of_another_game() -> None:
    batch = Batch(8, 2)
    for _ in range(30):
        batch.step(batch.random_actions())
    with pytest.raises(BadSetup, match="expected those of 1 players"):
        Batch(8).set_state(*batch.get_state())
    with pytest.raises(BadSetup, match=r"expected those of 2 players and \{'window': 22\}"):
        Batch(8, 2, window=22).set_state(*batch.get_state())
