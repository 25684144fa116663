"""What every agent owes: the same choice for the same seed, whoever asks, and an explanation of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from pettingzoo import AECEnv

import agents
from bohemian_env import Batch, Game, GameOver, RollNeeded, bohemian_villages_v0
from bohemian_env.opponents import SCRIPTED
from tests.helpers import game_at

MONTE_CARLO = "montecarlo:8"
every_agent = pytest.mark.parametrize("each", [*SCRIPTED, MONTE_CARLO, "trained", "ppo"], indirect=True)


@pytest.fixture
def each(request: pytest.FixtureRequest, trained: Path) -> str:
    """The name of one of the agents: a scripted one's, or the trained one's path."""
    return str(trained if request.param == "trained" else request.param)


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
        for i in np.flatnonzero(~batch.over).tolist():
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


def begun(players: int = 2, moves: int = 12) -> Game:
    """The game of seed 4 after some random moves; a player is to decide."""
    game, agent = Game.new(players, seed=4).roll(), agents.make("random", 1)
    for _ in range(moves):
        game = game.push(agent.move(game))
        while game.needs_roll:
            game = game.roll()
    return game


@every_agent
@pytest.mark.parametrize("players", [2, 5])
def test_the_move_in_a_game_is_the_action_in_the_environment(each: str, players: int) -> None:
    agent, game = agents.make(each, 3), Game.new(players, seed=9).roll()
    env = bohemian_villages_v0.raw_env(players)
    env.reset(seed=9)
    for _ in range(15):
        move = agent.move(game)
        assert env.text_to_action(move) == agent.act(env)
        env.step(env.text_to_action(move))
        game = game.push(move)
        while game.needs_roll:
            game = game.roll()
        assert_array_equal(env.states, game.states)


@every_agent
@pytest.mark.parametrize("players", [2, 5])
def test_an_explanation_has_a_number_for_each_legal_move(each: str, players: int) -> None:
    game = begun(players)
    agent = agents.make(each, 3)
    before = game.states.copy()
    said = agent.explain(game)
    assert tuple(said.values) == game.legal_moves
    assert_array_equal(game.states, before)
    assert said.kind in ("probability", "coins ahead", "chance of winning")
    if said.kind == "probability":
        assert sum(said.values.values()) == pytest.approx(1, abs=1e-5)
    if said.kind == "chance of winning":
        assert said.chances == said.values
        assert all(0 <= chance <= 1 for chance in said.values.values())
    if each != "random":  # which takes any
        assert said.values[agent.move(game)] == max(said.values.values())


@every_agent
def test_there_is_nothing_to_decide_before_a_roll_and_after_the_end(each: str) -> None:
    agent = agents.make(each, 0)
    for ask in (agent.move, agent.explain):
        with pytest.raises(RollNeeded, match="seat 0 has to roll 4 dice first"):
            ask(Game.new(2))
        with pytest.raises(GameOver, match="the game is over"):
            ask(game_at(dice=(1, 2), max_turns=1).push("end"))
