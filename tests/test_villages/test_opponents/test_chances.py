"""Chances of winning in any position."""

import numpy as np
import pytest

from bohemian_env import Batch, Game, GameOver, NoRollNeeded, Setup
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.faces import choose_all
from bohemian_env.villages.opponents import Scripted, new_scratch
from bohemian_env.villages.opponents.appraiser import appraise, appraiser_values, load_weights, new_room, of_size
from bohemian_env.villages.opponents.chances import action_chances, chances_of, expected_chances
from bohemian_env.villages.rules import push
from bohemian_env.villages.state import STATE, copy_states
from bohemian_env.villages.verbs import set_up


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_chances_sum_to_one_and_are_the_result_at_the_end(players: int) -> None:
    batch, greedy, scratch = Batch(20, players, autoreset=False), Scripted("greedy", 1), new_scratch()
    everyone = np.arange(20)
    while not batch.over.all():
        found = chances_of(batch.states, everyone)
        assert found.shape == (20, players)
        assert np.allclose(found.sum(axis=1), 1)
        assert ((found >= 0) & (found <= 1)).all()
        actions = np.zeros(20, np.int64)
        choose_all(greedy.number, everyone, batch.states, batch.seeds, np.uint64(1), scratch, actions)
        batch.step(actions)
    best = batch.totals == batch.totals.max(axis=1, keepdims=True)
    assert np.allclose(chances_of(batch.states, everyone), best / best.sum(axis=1, keepdims=True))


def test_positions_that_there_are_not_and_tables_of_other_sizes_are_refused() -> None:
    states = np.concatenate([Game.new(2, seed=1).roll().states, Game.new(3, seed=1).roll().states])
    with pytest.raises(IndexError):
        chances_of(states[:1], np.array([1]))
    with pytest.raises(ValueError, match="same number of players"):
        chances_of(states, np.array([0]))


def test_where_nothing_is_rolled_there_is_no_mean_over_rolls() -> None:
    deciding = Game.new(2, seed=1).roll()
    with pytest.raises(NoRollNeeded, match="seat 0 decides"):
        expected_chances(deciding.states[0])
    over = copy_states(deciding.states)
    over[0]["end"] = 1
    with pytest.raises(GameOver):
        expected_chances(over[0])


def test_before_a_roll_they_are_the_networks_own() -> None:
    states = np.zeros(1, STATE)
    set_up(states[0], np.uint64(3), Setup.of(3).common()[0])
    assert states[0]["pending"]
    found = np.zeros(3)
    appraise(states[0], of_size(load_weights(), 3), new_room(), found)
    assert np.array_equal(chances_of(states, np.zeros(1, np.int64))[0], found)


def test_where_somebody_decides_they_are_those_after_the_best_turn() -> None:
    for seed in range(5):
        states = copy_states(Game.new(4, seed=seed).roll().states)
        by_action = action_chances(states[0])
        assert [*by_action] == legal_actions(states[0])
        found = chances_of(states, np.zeros(1, np.int64))[0]
        assert found[0] == max(by_action.values())
        # the best turn, carried out: its end is judged the same
        weights, room, values = of_size(load_weights(), 4), new_room(), np.zeros(NUM_ACTIONS)
        while not states[0]["pending"]:
            push(states[0], appraiser_values(states[0], weights, room, values))
        assert np.allclose(chances_of(states, np.zeros(1, np.int64))[0], found, atol=1e-6)


def test_games_do_not_change_each_others_chances() -> None:
    """In the first turn many games look alike, but for what their villages are worth."""
    batch = Batch(300, 2)
    batch.reset(0)
    together = chances_of(batch.states, np.arange(300))
    assert np.array_equal(together, [chances_of(batch.states, np.array([game]))[0] for game in range(300)])


@pytest.mark.parametrize("due", [4, 2])
def test_before_a_roll_they_are_expected_as_their_mean_over_all_rolls(due: int) -> None:
    game = Game.new(3, seed=2)
    if due < 4:  # a reroll
        game = game.roll((1, 1, 2, 6)).push("2+6:special").push("reroll 1,1")
    assert game.dice_to_roll == due
    everywhere = np.zeros(1, np.int64)
    after = [(chance, chances_of(game.roll(dice).states, everywhere)[0]) for dice, chance in game.chance_outcomes()]
    mean = sum(chance * chances for chance, chances in after)
    assert np.allclose(expected_chances(game.states[0]), mean)
    assert np.ptp([chances[0] for _, chances in after]) > 0.01  # the dice matter
