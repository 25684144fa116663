"""Search with a network, as an agent: its name, its budget and its dice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agents
from agents.players.explanation import EXPECTED_REWARD
from agents.players.names import Budget
from agents.players.search import DEFAULT_BUDGET, SearchAgent
from bohemian_env import Batch, bohemian_villages_v0
from tests.helpers import openings


@pytest.mark.parametrize(
    ("ending", "budget"), [("", DEFAULT_BUDGET), (":64", Budget(64, 0)), (":2.5ms", Budget(0, 2.5))]
)
def test_the_name_says_the_network_and_the_budget(trained: Path, ending: str, budget: Budget) -> None:
    agent = agents.make(f"search:{trained}{ending}", 1)
    assert isinstance(agent, SearchAgent)
    assert agent.budget == budget
    assert agent.name == f"search:{trained}{ending}"
    assert agent.files == (trained / "agent.safetensors",)


def test_the_default_is_a_time_that_one_waits_gladly() -> None:
    assert DEFAULT_BUDGET.playouts == 0
    assert DEFAULT_BUDGET.milliseconds <= 25


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("search", "search takes a trained agent"),
        ("search:", "search takes a trained agent"),
        ("search:nowhere", "nowhere: a trained agent is"),
        ("search:nowhere:0", "from 1 to 1,000,000"),
        ("search:nowhere:5s", "neither playouts a move"),
    ],
)
def test_other_names_are_refused(name: str, reason: str) -> None:
    with pytest.raises(agents.UnknownAgent, match=reason):
        agents.make(name)


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
        action = agent.act(env)
        assert agent.act_batch(batch)[0] == agent.act_batch(batch, np.array([0]))[0] == action
        said = agent.explain(env)
        assert said.kind == EXPECTED_REWARD
        assert sorted(said.values) == np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
        assert said.values[action] == max(said.values.values())
        assert said.chance is said.chances is None  # it was not calibrated


def test_chances_are_those_that_values_stand_for() -> None:
    agent, policy = agents.make("search:ppo:40", 5), agents.make("ppo")
    for seed in range(6):
        env = bohemian_villages_v0.env(num_players=2)
        env.reset(seed=seed)
        action, said, before = agent.act(env), agent.explain(env), policy.explain(env)
        assert said.chances is not None
        assert said.chances.keys() == said.values.keys()
        assert said.chance == said.chances[action]
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
