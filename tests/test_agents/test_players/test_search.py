"""Search with a network, as an agent: its name, its budget and its dice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agents
from agents.players.explanation import EXPECTED_REWARD
from agents.players.names import Budget
from agents.players.search import SearchAgent
from bohemian_env import Batch, Game, bohemian_villages_v0
from tests.helpers import openings


def test_it_says_its_name_its_budget_and_its_files(trained: Path) -> None:
    agent = agents.make(f"search:{trained}:64", 1)
    assert isinstance(agent, SearchAgent)
    assert (agent.name, agent.budget) == (f"search:{trained}:64", Budget(64))
    assert agent.files == (trained / "agent.safetensors",)


@pytest.mark.parametrize("players", [2, 5])
def test_the_choice_follows_from_position_and_seed_and_not_from_the_game(trained: Path, players: int) -> None:
    batch = Batch(12, players)
    batch.reset(7)
    batch.states[:] = batch.states[:1]
    chosen = agents.make(f"search:{trained}:50", 5).act_batch(batch)
    assert len(set(batch.seeds)) == 12
    assert len(set(chosen)) == 1


def test_all_forms_of_the_question_have_the_same_answer(trained: Path) -> None:
    agent = agents.make(f"search:{trained}:40", 5)
    for seed in range(6):
        env = bohemian_villages_v0.env(num_players=3)
        env.reset(seed=seed)
        batch = Batch(2, 3)
        batch.reset(seed)
        game = Game.new(3, seed=seed).roll()
        action, move = agent.act(env), agent.move(game)
        assert agent.act_batch(batch)[0] == agent.act_batch(batch, np.array([0]))[0] == action
        assert env.unwrapped.text_to_action(move) == action
        said = agent.explain(game)
        assert said.kind == EXPECTED_REWARD
        assert tuple(said.values) == game.legal_moves
        assert said.values[move] == max(said.values.values())
        assert said.chance is said.chances is None  # it was not calibrated


def test_chances_are_those_that_values_stand_for() -> None:
    agent, policy = agents.make("search:ppo:40", 5), agents.make("ppo")
    for seed in range(6):
        game = Game.new(2, seed=seed).roll()
        move, said, before = agent.move(game), agent.explain(game), policy.explain(game)
        assert said.chances is not None
        assert said.chances.keys() == said.values.keys()
        assert said.chance == said.chances[move]
        order = sorted(said.values, key=said.values.__getitem__)
        assert np.all(np.diff([said.chances[a] for a in order]) >= 0)
        assert said.chance == pytest.approx(before.chance, abs=0.15)


def test_a_time_budget_plays_legal_moves(trained: Path) -> None:
    batch = openings(3, 3)
    agent = agents.make(f"search:{trained}:1ms", 1)
    for _ in range(10):
        actions = agent.act_batch(batch)
        assert (batch.masks[np.arange(3), actions] | batch.over).all()
        batch.step(actions)
