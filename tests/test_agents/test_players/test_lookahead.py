"""Looking ahead from the moves that a network likes, and exact counting at the end of a game."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from agents.network.net import PolicyNet
from agents.players.lookahead import MOVES, Found, Leaves, Search, count_rolls, play_to_leaves
from agents.players.names import Budget
from bohemian_env import observation_parts
from bohemian_env.chance import mix
from bohemian_env.envs.advice import ADVICE_SIZE, AdviceRoom, advice_room, advise
from bohemian_env.envs.observation import OBSERVATION_SIZE
from bohemian_env.envs.reward import reward_number, write_rewards
from bohemian_env.game.actions import BISHOPS, NUM_ACTIONS
from bohemian_env.game.dice import handful
from bohemian_env.game.rules import deal, deal_seeded, is_legal, push
from bohemian_env.game.state import STATE, copy_states
from bohemian_env.opponents.planner import WEIGHTS, planner_action
from tests.helpers import game_at, openings, spread

MIXED = reward_number("mixed")


def nothing_found(actions: np.ndarray) -> Found:
    """Of these actions, before the first playout."""
    return Found(actions, np.zeros(len(actions)), np.zeros(len(actions)))


def room(leaves: int, advice: bool = False) -> tuple[Leaves, np.ndarray, AdviceRoom]:
    """Room for so many leaves, and to play in."""
    size = leaves if advice else 0
    rows = np.zeros((leaves, OBSERVATION_SIZE), np.int8), np.zeros((size, ADVICE_SIZE), np.float32)
    return Leaves(*rows, np.zeros(leaves, np.int64)), np.zeros(5, STATE), advice_room()


def uniform(state: Any) -> np.ndarray:
    """A policy without an opinion."""
    legal = np.array([is_legal(state, action) for action in range(NUM_ACTIONS)], float)
    return legal / legal.sum()


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


@pytest.mark.parametrize("players", [2, 5])
def test_leaves_are_own_decisions_of_a_later_turn(players: int) -> None:
    """Each leaf is what the seat sees when it has rolled four dice again; the same dice for all moves of a round."""
    state = openings(players=players).states[3]
    actions = np.flatnonzero(uniform(state))[:3].astype(np.int64)
    found = nothing_found(actions)
    leaves, scratch, adviser = room(60, advice=True)
    given = state, WEIGHTS[0, players], MIXED, np.uint64(5), 0, 20
    n = play_to_leaves(*given, found, leaves, scratch, adviser)
    assert n + found.counts.sum() == 60
    assert n > 50
    assert (np.bincount(leaves.owners[:n], minlength=3) + found.counts == 20).all()
    seen = observation_parts(leaves.observations[:n])
    assert (seen["to_move"][:, 0] == 1).all()
    assert (seen["turn"] == state["turn"] + players).all()
    assert (seen["dice"].sum(axis=(1, 2)) == 4).all()
    assert leaves.advice[:n].any(axis=1).all()
    again, scratch, adviser = room(60)
    assert play_to_leaves(*given, nothing_found(actions), again, scratch, adviser) == n
    assert_array_equal(leaves.observations, again.observations)  # whether or not there is advice
    assert_array_equal(leaves.owners, again.owners)


def test_leaves_are_advised_as_decisions_are() -> None:
    """A game played on by hand from each move of a round, to the leaf: there the seat is told what a batch tells."""
    w, scratch, agreed = WEIGHTS[0, 3], np.zeros(2, STATE), 0
    for state in openings(players=3).states:
        found = nothing_found(np.flatnonzero(uniform(state))[:4].astype(np.int64))
        leaves, work, adviser = room(4, advice=True)
        n = play_to_leaves(state, w, MIXED, np.uint64(8), 0, 1, found, leaves, work, adviser)
        for row in range(n):
            on = np.array([state], STATE)
            push(on[0], found.actions[leaves.owners[row]])
            deal_seeded(on[0], mix(np.uint64(8)))
            while on[0]["to_move"] != state["to_move"] or on[0]["turn"] == state["turn"]:
                push(on[0], planner_action(on[0], w, scratch))
                deal_seeded(on[0], mix(np.uint64(8)))
            assert_array_equal(leaves.advice[row], advise(on)[0])
            agreed += 1
    assert agreed > 60


def last_turns(coins: tuple[int, int]) -> np.ndarray:
    """Seat 0 has one figure left for its second move; seat 1 has one for its turn, and nobody to kick out.

    So the game is over after that turn if seat 0 places its figure: it gets none back.
    """
    two = ("Mirschau", "Nenbrad")
    owners = spread(two, church=(1, 0), town_hall=(1, 0), tailor=(1, 0), dairy=(0, 1), farm=(0, 1), inn=(0, 1))
    return game_at(villages=two, owners=owners, active=["Mirschau"], dice=(1, 2), coins=coins, each=4).states


def reward_of(state: Any) -> float:
    rewards, totals = np.empty(5, np.float32), np.empty(5, np.int32)
    write_rewards(state, MIXED, rewards, totals)
    return float(rewards[0])


def counted(states: np.ndarray, w: np.ndarray, scratch: np.ndarray) -> np.ndarray:
    """Means of seat 0's reward and of its square over all rolls, where the planner decides; a reroll is a roll too."""
    s = states[0]
    if s["end"]:
        return np.array([reward_of(s), reward_of(s) ** 2])
    if s["pending"] == 0:
        after = copy_states(states)
        push(after[0], planner_action(after[0], w, scratch))
        return counted(after, w, scratch)
    rolls = Counter(handful(dice) for dice in itertools.product(range(1, 7), repeat=int(s["pending"])))
    total = np.zeros(2)
    for rolled, ways in rolls.items():
        after = copy_states(states)
        deal(after[0], rolled)
        total += ways * counted(after, w, scratch)
    return total / sum(rolls.values())


@pytest.mark.parametrize("coins", [(0, 8), (3, 14)])
def test_rolls_are_counted_exactly_and_playouts_agree(coins: tuple[int, int]) -> None:
    states, scratch = last_turns(coins), np.zeros(5, STATE)
    w = WEIGHTS[0, 2]
    actions = np.array([a for a in range(BISHOPS) if is_legal(states[0], a)], np.int64)
    assert len(actions) == 2
    found, rounds = nothing_found(actions), 3000
    assert play_to_leaves(states[0], w, MIXED, np.uint64(9), 0, rounds, found, *room(rounds * 2)) == 0
    for place, action in enumerate(actions):
        after = copy_states(states)
        push(after[0], action)
        exact, square = counted(after, w, scratch)
        spread_of = np.sqrt(square - exact**2)
        assert spread_of > 0.1
        assert count_rolls(states[0], action, w, MIXED, scratch) == pytest.approx(exact, abs=1e-6)
        assert found.sums[place] / found.counts[place] == pytest.approx(exact, abs=4.5 * spread_of / np.sqrt(rounds))


def test_a_search_counts_where_it_can(net: PolicyNet) -> None:
    """Whatever the network thinks: with one playout the values are those of counting."""
    states = last_turns((0, 8))
    chances = uniform(states[0])
    chances[BISHOPS:] = 0
    search = Search(net, "mixed", Budget(playouts=1))
    actions, rewards = search.look(states[0], chances / chances.sum())
    counted = [count_rolls(states[0], action, WEIGHTS[0, 2], MIXED, np.zeros(5, STATE)) for action in actions]
    assert rewards.tolist() == counted


def test_where_the_game_may_go_on_nothing_is_counted() -> None:
    for state in openings().states[:5]:
        for action in np.flatnonzero(uniform(state))[:4]:
            assert np.isnan(count_rolls(state, action, WEIGHTS[0, 2], MIXED, np.zeros(5, STATE)))
