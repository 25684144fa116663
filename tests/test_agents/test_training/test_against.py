"""Training against one frozen agent: an exploiter."""

import shlex
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agents
import evaluate
from agents.common.files import BadAgent
from agents.network.files import load_net, save_net
from agents.network.net import PolicyNet, Shape
from agents.players.names import UnknownAgent
from agents.training.config import OF_THE_LEAGUE, PRESETS
from agents.training.league import frozen
from agents.training.panel import panel_shares
from agents.training.run import TrainingRun
from bohemian_env import Batch, Board
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.opponents import Scripted
from tests.test_agents.networks import net_of, weights
from tests.test_agents.test_training.runs import Says, finished_against, net_for, plays, tiny

pytestmark = pytest.mark.slow


def test_a_trained_agent_is_frozen_and_takes_its_likeliest_action(tmp_path: Path) -> None:
    save_net(net_for(7), tmp_path / "agent.safetensors", Board.standard(), {})
    opponent = frozen(str(tmp_path), tiny(), Board.standard(), "cpu")
    assert plays(opponent) == 7
    batch, legal = Batch(4), np.ones((4, NUM_ACTIONS), np.int8)
    legal[:, 7] = 0
    assert len(set(opponent.act(batch.observations, legal).tolist())) == 1  # type: ignore[union-attr]
    assert isinstance(frozen("greedy", tiny(), Board.standard(), "cpu"), Scripted)


def test_every_game_is_against_it_and_so_is_the_panel(tmp_path: Path) -> None:
    run = finished_against("greedy", tmp_path / "run", panel_games=20, players=3)
    assert run.league.shares() == [0.0] * 5 + [1.0]
    assert set(run.league.win_shares()) == {"greedy"}
    assert [set(result["shares"]) for result in run.panel] == [{"greedy"}] * len(run.panel)
    assert (tmp_path / "run" / "panel.svg").exists()


@pytest.mark.parametrize("name", ["selftaught", "montecarlo:2"])
def test_whoever_has_a_name_can_have_all_the_games(name: str, tmp_path: Path) -> None:
    run = finished_against(name, tmp_path / "run", panel_games=4, players=3, advice=False)
    assert [set(result["shares"]) for result in run.panel] == [{name}] * len(run.panel)
    batch = Batch(4, 3)
    seats = np.arange(4)
    chosen = run.league.against.act_batch(batch, seats)  # type: ignore[union-attr]
    np.testing.assert_array_equal(chosen, agents.make(name, run.config.seed + 3).act_batch(batch, seats))
    assert TrainingRun(tmp_path / "run", None).config.against == name


def test_a_run_against_a_trained_agent_goes_on(tmp_path: Path) -> None:
    """Against the same, whatever became of its files."""
    first = finished_against("random", tmp_path / "first")
    path = str(tmp_path / "first")
    run = finished_against(path, tmp_path / "second", stopped_after=6)
    net = load_net(tmp_path / "first")[0]
    shutil.rmtree(tmp_path / "first")
    again = TrainingRun(tmp_path / "second", None)
    assert again.config.against == path
    assert torch.equal(weights(again.league.against.net), weights(net))  # type: ignore[union-attr]
    assert again.league.state()["scripted"][path][0] > 0
    again.train()
    assert again.model.num_timesteps == first.model.num_timesteps > run.model.num_timesteps


def test_a_run_that_was_killed_before_it_trained_begins_again(tmp_path: Path) -> None:
    finished_against("random", tmp_path / "first")
    for _ in range(2):
        TrainingRun(tmp_path / "second", tiny(against=str(tmp_path / "first"))).close()


def test_the_command_leaves_out_what_says_nothing_beside_it() -> None:
    words = shlex.split(replace(PRESETS["hour"], against="ppo").command())
    assert words[words.index("--against") + 1] == "ppo"
    assert not {f"--{name}" for name in OF_THE_LEAGUE} & {*words}


def test_an_exploiter_learns_what_beats_it(tmp_path: Path) -> None:
    """Against a network that has learned nothing."""
    weak = str(tmp_path / "weak.safetensors")
    save_net(net_of(0, Shape((8,), (8,), (8,))), tmp_path / "weak.safetensors", Board.standard(), {})
    options: dict[str, Any] = dict(updates=40, games=64, horizon=16, minibatch=256, trunk="64", advice=True)
    run = finished_against(weak, tmp_path / "run", panel_games=100, **options)
    before = panel_shares(PolicyNet(Shape((8,), (8,), (8,))), run.config, run.board, against=run.league.against)[weak]
    assert run.panel[-1]["shares"][weak] > max(before, 0.6)


def test_an_agent_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownAgent, match="nobody"):
        frozen(str(tmp_path / "nobody"), tiny(), Board.standard(), "cpu")
    with pytest.raises(BadAgent, match="no trained agent in this folder"):
        frozen(str(tmp_path), tiny(), Board.standard(), "cpu")
    with pytest.raises(UnknownAgent, match="'program:cat' is a program, which cannot have all the games"):
        frozen("program:cat", tiny(), Board.standard(), "cpu")
    told = PolicyNet(Shape((8,), (8,), (8,), adviser="planner"))
    save_net(told, tmp_path / "told.safetensors", Board.standard(), {"samples": 1})
    with pytest.raises(ValueError, match="--advice"):
        frozen(str(tmp_path / "told.safetensors"), tiny(advice=False), Board.standard(), "cpu")


def test_the_command(says: Says, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert "nobody" in says(2, "--against", "nobody", "--out", str(out))
    assert not (out / "settings.json").exists()
    options = ["--steps", "512", "--games", "8", "--horizon", "8", "--minibatch", "32", "--panel-games", "4"]
    says(0, "--against", "ppo", "--from", "ppo", "--threads", "1", "--out", str(out), *options)
    assert evaluate.main([str(out), "ppo", "--games", "2", "--jobs", "1", "--work", str(tmp_path / "work")]) == 0
