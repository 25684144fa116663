"""What every agent owes: the same choice for the same seed, whoever asks, and an explanation of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from pettingzoo import AECEnv

import agents
from bohemian_env import Batch, bohemian_villages_v0
from bohemian_env.opponents import SCRIPTED

MONTE_CARLO = "montecarlo:8"
every_agent = pytest.mark.parametrize("each", [*SCRIPTED, MONTE_CARLO, "trained", "ppo"], indirect=True)


@pytest.fixture
def each(request: pytest.FixtureRequest, trained: Path) -> str:
    """The name of one of the agents: a scripted one's, or the trained one's path."""
    return str(trained) if request.param == "trained" else request.param


def games_of(name: str, seed: int = 0, n: int = 16, players: int = 2, steps: int = 60) -> np.ndarray:
    """The actions of an agent that plays all seats of a batch: shape (steps, n)."""
    batch = Batch(n, players)
    agent = agents.make(name, seed)
    actions = []
    for _ in range(steps):
        actions.append(agent.act_batch(batch))
        batch.step(actions[-1])
    return np.array(actions)


@every_agent
def test_the_same_seed_plays_the_same(each: str) -> None:
    assert_array_equal(games_of(each, seed=7), games_of(each, seed=7))


@pytest.mark.parametrize("name", ["random", "greedy", MONTE_CARLO])
def test_another_seed_plays_otherwise(name: str) -> None:
    played = [games_of(name, seed=seed) for seed in (7, 8, 2**63 - 1)]
    assert not np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])


def test_without_a_seed_each_agent_has_its_own_chances() -> None:
    batch = Batch(64)
    first, second = (agents.make("random").act_batch(batch) for _ in range(2))
    assert not np.array_equal(first, second)


@every_agent
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_act_on_both_environments_is_act_batch_and_legal(each: str, players: int) -> None:
    first = 1000 * players
    batch = Batch(3, players, autoreset=False, max_turns=60)
    batch.reset(first)
    worlds: list[AECEnv] = []
    for i in range(batch.n):
        for make in (bohemian_villages_v0.env, bohemian_villages_v0.raw_env):
            worlds.append(make(players, max_turns=60))
            worlds[-1].reset(seed=first + i)
    by_batch, by_env = agents.make(each, 5), agents.make(each, 5)
    decisions = 0
    while not batch.over.all():
        actions = by_batch.act_batch(batch)
        for i in np.flatnonzero(~batch.over):
            assert batch.masks[i, actions[i]] == 1
            for env in worlds[2 * i : 2 * i + 2]:
                env.last()  # the wrappers want to have shown what is acted on
                assert by_env.act(env) == actions[i]
                env.step(int(actions[i]))
            decisions += 1
        assert_array_equal(actions[batch.over], 0)
        batch.step(actions)
    assert decisions > 100
    assert all(all(env.terminations.values()) or all(env.truncations.values()) for env in worlds)


@every_agent
def test_act_batch_decides_the_games_it_is_asked_for(each: str) -> None:
    batch = Batch(20, 3)
    for actions in games_of("random", 1, 20, 3, steps=20):
        batch.step(actions)
    asked = np.array([13, 2, 2, 19])
    assert_array_equal(agents.make(each, 3).act_batch(batch, asked), agents.make(each, 3).act_batch(batch)[asked])


@every_agent
def test_an_agent_does_not_change_the_games(each: str) -> None:
    batch = Batch(8, 3)
    before = batch.states.copy()
    agents.make(each, 3).act_batch(batch)
    assert_array_equal(batch.states, before)


def environment(players: int = 2, moves: int = 12) -> AECEnv:
    """An environment some random moves into the game of seed 4."""
    env = bohemian_villages_v0.raw_env(players)
    env.reset(seed=4)
    agent = agents.make("random", 1)
    for _ in range(moves):
        env.step(agent.act(env))
    return env


@every_agent
@pytest.mark.parametrize("players", [2, 5])
def test_an_explanation_has_a_number_for_each_legal_action(each: str, players: int) -> None:
    env = environment(players)
    agent = agents.make(each, 3)
    before = env.states.copy()
    said = agent.explain(env)
    assert_array_equal(sorted(said.values), np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))
    assert_array_equal(env.states, before)
    assert said.kind in ("probability", "coins ahead", "chance of winning")
    if said.kind == "probability":
        assert sum(said.values.values()) == pytest.approx(1, abs=1e-5)
    if said.kind == "chance of winning":
        assert said.chances == said.values
        assert all(0 <= chance <= 1 for chance in said.values.values())
    if each != "random":  # which takes any
        assert said.values[agent.act(env)] == max(said.values.values())


@every_agent
def test_there_is_nothing_to_explain_before_and_after_a_game(each: str) -> None:
    env = bohemian_villages_v0.env()
    agent = agents.make(each, 0)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        agent.explain(env)
    raw = environment(moves=0)
    walker = agents.make("random", 1)
    while not any(raw.terminations.values()):
        raw.step(walker.act(raw))
    with pytest.raises(ValueError, match="the game is over"):
        agent.explain(raw)
