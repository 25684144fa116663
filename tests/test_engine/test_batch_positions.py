"""Positions of a batch: nobody writes to them, and ``set_state`` goes on from others."""

import pickle
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadPosition, BadSetup, Batch, Game, NoRecord, Setup


def moved(n: int = 8, steps: int = 9, **parameters: Any) -> Batch:
    """A batch some random moves after its beginning."""
    batch = Batch(n, 3, **parameters)
    batch.reset(5)
    for step in range(steps):
        batch.step(batch.random_actions(step))
    return batch


def test_positions_and_seeds_cannot_be_written_to() -> None:
    batch = moved()
    for array in (batch.states, batch.seeds, batch.states["bank"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]


def test_a_batch_goes_on_from_the_positions_of_another() -> None:
    """With their dice, and shown as they are, whatever was read before."""
    there, here = moved(), Batch(8, 3)
    assert here.masks.any()
    assert here.observations.any()
    here.set_state(*there.get_state())
    for step in range(40):
        assert (here.masks == there.masks).all()
        assert (here.observations == there.observations).all()
        actions = there.random_actions(step)
        for batch in (here, there):
            batch.step(actions)
        assert (here.rewards == there.rewards).all()
    assert (here.seeds == there.seeds).all()


def test_some_games_go_on_from_one_position() -> None:
    """As a search of a tree has it: many times from there, with other dice."""
    eight = [village.name for village in Setup.of(3).start(3).villages]
    batch, rest = moved(villages=eight), moved(villages=eight)
    states, seeds = batch.get_state()
    batch.set_state(states[[2, 2, 2]], seeds[[4, 5, 6]], [0, 3, 7])
    assert (batch.states[[0, 3, 7]] == states[2]).all()
    assert batch.seeds[[0, 3, 7]].tolist() == seeds[[4, 5, 6]].tolist()
    others = [1, 2, 4, 5, 6]
    assert (batch.states[others] == rest.states[others]).all()
    assert batch.record(1) == rest.record(1)


def test_a_game_that_was_set_has_no_record_until_the_next_begins() -> None:
    there, here = moved(max_turns=12), Batch(8, 3, max_turns=12)
    here.set_state(*there.get_state())
    with pytest.raises(NoRecord, match="game 3 goes on from a position that was set"):
        here.record(3)
    set_seeds = here.seeds.copy()
    for step in range(60):
        here.step(here.random_actions(step))
    assert (here.seeds != set_seeds).all()
    assert all(Game.from_record(here.record(i)).record() == here.record(i) for i in range(8))
    here.reset(1)
    assert here.record(0)["seed"] == 1


def test_a_batch_that_was_set_is_pickled_with_its_positions() -> None:
    there, here = moved(), moved(steps=2)
    states, seeds = there.get_state()
    here.set_state(states[:4], seeds[:4], [0, 2, 4, 6])
    again = pickle.loads(pickle.dumps(here))
    assert (again.states == here.states).all()
    assert again.record(1) == here.record(1)
    with pytest.raises(NoRecord):
        again.record(2)
    for step in range(30):
        actions = here.random_actions(step)
        for batch in (again, here):
            batch.step(actions)
        assert (again.states == here.states).all()


def test_positions_that_do_not_fit_are_refused_and_change_nothing() -> None:
    batch = moved()
    states, seeds = batch.get_state()
    before = batch.states.tobytes(), batch.seeds.tobytes()
    bad, due = states.copy(), states.copy()
    bad["bank"][3] += 1
    due["pending"][1], due["legal"][1], due["dice"][1] = 4, 0, 0
    for arguments, error, told in (
        ((bad, seeds), BadSetup, "coins"),
        ((due, seeds), BadSetup, "seat 2 has to roll 4 dice"),
        ((states[:3], seeds[:3]), BadSetup, "seed|expected one for each of 8 different games"),
        ((states[:2], seeds[:2], [1, 1]), BadSetup, "expected one for each of 2 different games"),
        ((states, seeds + np.uint64(1)), BadSetup, "not that of the games of these seeds"),
        ((states, seeds, range(1, 9)), IndexError, "numbers of games"),
        ((states.tolist(), seeds), BadPosition, "not a contiguous array"),
    ):
        with pytest.raises(error, match=told):
            batch.set_state(*arguments)
        assert (batch.states.tobytes(), batch.seeds.tobytes()) == before
