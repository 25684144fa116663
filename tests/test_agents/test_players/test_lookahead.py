"""Looking ahead from the moves that a network likes, and exact counting at the end of a game."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import agents
from agents.players.lookahead import MOVES, Leaves, count_rolls, play_to_leaves
from bohemian_env import observation_parts
from bohemian_env.engine.chance import mix
from bohemian_env.engine.legal import is_legal
from bohemian_env.villages.actions import BISHOPS, NUM_ACTIONS
from bohemian_env.villages.advice import ADVICE_SIZE, AdviceRoom, advice_room
from bohemian_env.villages.faces import advise, deal_seeded, reward_number, write_rewards
from bohemian_env.villages.observation import OBSERVATION_SIZE
from bohemian_env.villages.opponents.halving import CANDIDATE
from bohemian_env.villages.opponents.planner import WEIGHTS, planner_action
from bohemian_env.villages.rules import push
from bohemian_env.villages.state import STATE, copy_states
from tests.helpers import openings
from tests.test_agents.test_players.endings import counted, last_turns

MIXED, WIN = map(reward_number, ("mixed", "win"))


def nothing_found(actions: np.ndarray) -> np.ndarray:
    """Of these actions, before the first playout."""
    candidates = np.zeros(len(actions), CANDIDATE)
    candidates["action"] = actions
    return candidates


def look(trained: Path, playouts: int, state: Any, chances: np.ndarray, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The actions that an agent looks into where its policy has these chances, the best first, and their rewards."""
    agent: Any = agents.make(f"search:{trained}:{playouts}", seed)
    agent._probabilities = chances
    assert agent._search(state) == agent._candidates["action"][0]
    found = agent._candidates[: agent._looked]
    return found["action"].copy(), found["sum"] / np.where(found["count"], found["count"], np.nan)


def room(leaves: int, advice: bool = False) -> tuple[Leaves, np.ndarray, AdviceRoom]:
    """Room for so many leaves, and to play in."""
    size = leaves if advice else 0
    rows = np.zeros((leaves, OBSERVATION_SIZE), np.int8), np.zeros((size, ADVICE_SIZE), np.float32)
    return Leaves(*rows, np.zeros(leaves, np.int64)), np.zeros(5, STATE), advice_room()


def uniform(state: Any) -> np.ndarray:
    """A policy without an opinion."""
    legal = np.array([is_legal(state, action) for action in range(NUM_ACTIONS)], float)
    return legal / legal.sum()


def test_the_likeliest_moves_are_looked_into_and_the_best_comes_first(trained: Path) -> None:
    state = next(state for state in openings().states if np.count_nonzero(uniform(state)) > 12)
    chances = uniform(state)
    legal = np.flatnonzero(chances)
    chances[legal] = np.arange(len(legal), 0, -1) / np.arange(len(legal), 0, -1).sum()
    actions, rewards = look(trained, 400, state, chances)
    assert set(actions) == set(legal[:MOVES])
    assert rewards[0] >= rewards[1]
    assert (np.abs(rewards) <= 1).all()


def test_where_the_policy_is_sure_nothing_is_played(trained: Path) -> None:
    state = openings().states[0]
    chances = np.zeros(NUM_ACTIONS)
    chances[np.flatnonzero(uniform(state))[[2, 4]]] = 0.999, 0.001
    actions, rewards = look(trained, 100, state, chances)
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
    assert n + found["count"].sum() == 60
    assert n > 50
    assert (np.bincount(leaves.owners[:n], minlength=3) + found["count"] == 20).all()
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
            push(on[0], found["action"][leaves.owners[row]])
            deal_seeded(on[0], mix(np.uint64(8)))
            while on[0]["to_move"] != state["to_move"] or on[0]["turn"] == state["turn"]:
                push(on[0], planner_action(on[0], w, scratch))
                deal_seeded(on[0], mix(np.uint64(8)))
            assert_array_equal(leaves.advice[row], advise(on)[0])
            agreed += 1
    assert agreed > 60


def reward_and_square(state: Any) -> np.ndarray:
    """Seat 0's reward at the end of a game, and its square."""
    rewards, totals = np.empty(5, np.float32), np.empty(5, np.int32)
    write_rewards(state, MIXED, rewards, totals)
    return np.array([float(rewards[0]), float(rewards[0]) ** 2])


@pytest.mark.parametrize("coins", [(0, 8), (3, 14)])
def test_rolls_are_counted_exactly_and_playouts_agree(coins: tuple[int, int]) -> None:
    states, scratch, w = last_turns(coins), np.zeros(5, STATE), WEIGHTS[0, 2]
    actions = np.array([a for a in range(BISHOPS) if is_legal(states[0], a)], np.int64)
    assert len(actions) == 2
    found, rounds = nothing_found(actions), 3000
    assert play_to_leaves(states[0], w, MIXED, np.uint64(9), 0, rounds, found, *room(rounds * 2)) == 0
    for place, action in enumerate(actions):
        after = copy_states(states)
        push(after[0], action)
        exact, square = counted(after, reward_and_square, w, scratch)
        spread_of = np.sqrt(square - exact**2)
        assert spread_of > 0.1
        assert count_rolls(states[0], action, w, MIXED, scratch) == pytest.approx(exact, abs=1e-6)
        error = 4.5 * spread_of / np.sqrt(rounds)
        assert found["sum"][place] / found["count"][place] == pytest.approx(exact, abs=error)


def test_the_head_start_of_a_move_stays_with_it(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where playouts turn the order of moves round and then say nothing any more, it is the policy's again."""
    state = next(state for state in openings().states if np.count_nonzero(uniform(state)) >= 2 * MOVES)
    liked = np.flatnonzero(uniform(state))[[3, 0, 6, 4, 1, 7, 2, 5]]
    chances = np.zeros(NUM_ACTIONS)
    chances[liked] = [0.3, 0.2, 0.15, 0.1, 0.08, 0.07, 0.06, 0.04]
    said = dict(zip(liked.tolist(), [1e3, 2e3, 3e3, 4e3, -1e3, -1e3, -1e3, -1e3], strict=True))

    def play(*given: Any) -> int:
        found = given[6]
        found["sum"] = [0.0 if count else said[a] for a, count in zip(found["action"], found["count"], strict=True)]
        found["count"] += 1
        return 0

    monkeypatch.setattr("agents.players.search.play_to_leaves", play)
    actions, _ = look(trained, 8, state, chances)
    assert actions[:4].tolist() == liked[:4].tolist()


def test_a_search_counts_where_it_can(trained: Path) -> None:
    """Whatever the network thinks: with one playout the values are those of counting."""
    states = last_turns((0, 8))
    chances = uniform(states[0])
    chances[BISHOPS:] = 0
    actions, rewards = look(trained, 1, states[0], chances / chances.sum())
    counted = [count_rolls(states[0], action, WEIGHTS[0, 2], WIN, np.zeros(5, STATE)) for action in actions]
    assert rewards.tolist() == counted


def test_where_the_game_may_go_on_nothing_is_counted() -> None:
    for state in openings().states[:5]:
        for action in np.flatnonzero(uniform(state))[:4]:
            assert np.isnan(count_rolls(state, action, WEIGHTS[0, 2], MIXED, np.zeros(5, STATE)))
