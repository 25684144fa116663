"""Looking ahead from the moves that a network likes, and exact counting at the end of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from agents.network.net import PolicyNet
from agents.players.lookahead import MOVES, Found, Leaves, Search, count_rolls, play_to_leaves
from agents.players.names import Budget
from bohemian_env.envs.advice import ADVICE_SIZE
from bohemian_env.envs.observation import OBSERVATION_SIZE
from bohemian_env.envs.reward import reward_number, write_rewards
from bohemian_env.game.actions import BISHOPS, NUM_ACTIONS
from bohemian_env.game.rules import is_legal, push
from bohemian_env.game.state import STATE, copy_states
from bohemian_env.opponents.planner import WEIGHTS
from tests.helpers import openings
from tests.test_agents.test_players.endings import counted, last_turns

MIXED = reward_number("mixed")


def uniform(state: Any) -> np.ndarray:
    """A policy without an opinion."""
    legal = np.array([is_legal(state, action) for action in range(NUM_ACTIONS)], float)
    return legal / legal.sum()


def nothing_found(actions: np.ndarray) -> Found:
    """Return what is known of some actions before a search."""
    return Found(actions, np.zeros(len(actions)), np.zeros(len(actions)))


def room(leaves: int) -> Leaves:
    """Return room for so many leaves, without advice."""
    observations = np.zeros((leaves, OBSERVATION_SIZE), np.int8)
    return Leaves(observations, np.zeros((0, ADVICE_SIZE), np.float32), np.zeros(leaves, np.int64))


def scratch() -> tuple[np.ndarray, np.ndarray]:
    """Return positions and values for compiled code to write to."""
    return np.zeros(5, STATE), np.empty(NUM_ACTIONS)


def test_the_likeliest_moves_are_looked_into_and_the_best_comes_first(net: PolicyNet) -> None:
    state = next(
        state for state in openings().states if state["legal"].any() and uniform(state).astype(bool).sum() > 12
    )
    chances = uniform(state)
    legal = np.flatnonzero(chances)
    chances[legal] = np.arange(len(legal), 0, -1) / np.arange(len(legal), 0, -1).sum()
    actions, rewards = Search(net, "mixed", Budget(playouts=400), 1).look(state, chances)
    assert set(actions) == set(legal[:MOVES])
    assert rewards[0] >= rewards[1]
    assert (np.abs(rewards) <= 1).all()


def test_where_the_policy_is_sure_nothing_is_played(net: PolicyNet) -> None:
    state = openings().states[0]
    chances = np.zeros(NUM_ACTIONS)
    chances[np.flatnonzero(uniform(state))[[2, 4]]] = 0.999, 0.001
    actions, rewards = Search(net, "mixed", Budget(playouts=100)).look(state, chances)
    assert actions.tolist() == [np.flatnonzero(uniform(state))[2]]
    assert np.isnan(rewards).all()


def test_leaves_are_own_decisions_of_a_later_turn(net: PolicyNet) -> None:
    """Each leaf is what the seat sees when it has rolled four dice again; the same dice for all moves of a round."""
    state = openings().states[3]
    actions = np.flatnonzero(uniform(state))[:3].astype(np.int64)
    found, leaves = nothing_found(actions), room(60)
    n = play_to_leaves(state, WEIGHTS[0, 2], MIXED, np.uint64(5), 0, 20, found, leaves, *scratch())
    assert n + found.counts.sum() == 60
    assert n > 50
    assert (np.bincount(leaves.owners[:n], minlength=3) + found.counts == 20).all()
    again = room(60)
    play_to_leaves(state, WEIGHTS[0, 2], MIXED, np.uint64(5), 0, 20, nothing_found(actions), again, *scratch())
    assert_array_equal(leaves.observations, again.observations)


def reward_and_square(state: Any) -> np.ndarray:
    """Seat 0's."""
    rewards, totals = np.empty(5, np.float32), np.empty(5, np.int32)
    write_rewards(state, MIXED, rewards, totals)
    return np.array([rewards[0], rewards[0] ** 2], float)


@pytest.mark.parametrize("coins", [(0, 8), (3, 14)])
def test_rolls_are_counted_exactly_and_playouts_agree(coins: tuple[int, int]) -> None:
    states, w = last_turns(coins), WEIGHTS[0, 2]
    actions = np.array([a for a in range(BISHOPS) if is_legal(states[0], a)], np.int64)
    assert len(actions) == 2
    found, rounds = nothing_found(actions), 3000
    assert play_to_leaves(states[0], w, MIXED, np.uint64(9), 0, rounds, found, room(0), *scratch()) == 0
    for place, action in enumerate(actions):
        after = copy_states(states)
        push(after[0], action)
        exact, square = counted(after, reward_and_square, w, scratch()[0])
        spread_of = np.sqrt(square - exact**2)
        assert spread_of > 0.1
        assert count_rolls(states[0], action, w, MIXED, scratch()[0]) == pytest.approx(exact, abs=1e-6)
        assert found.sums[place] / found.counts[place] == pytest.approx(exact, abs=4.5 * spread_of / np.sqrt(rounds))


def test_a_search_counts_where_it_can(net: PolicyNet) -> None:
    """Whatever the network thinks: with one playout the values are those of counting."""
    states = last_turns((0, 8))
    chances = uniform(states[0])
    chances[BISHOPS:] = 0
    search = Search(net, "mixed", Budget(playouts=1))
    actions, rewards = search.look(states[0], chances / chances.sum())
    counted = [count_rolls(states[0], action, WEIGHTS[0, 2], MIXED, scratch()[0]) for action in actions]
    assert rewards.tolist() == counted


def test_where_the_game_may_go_on_nothing_is_counted() -> None:
    for state in openings().states[:5]:
        for action in np.flatnonzero(uniform(state))[:4]:
            assert np.isnan(count_rolls(state, action, WEIGHTS[0, 2], MIXED, scratch()[0]))
