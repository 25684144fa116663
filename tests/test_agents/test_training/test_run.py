"""Training runs: what they leave, what their settings change, and that they learn."""

import json
import shlex
import shutil
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents
from agents.network.files import load_net
from agents.network.net import PolicyNet, Shape
from agents.players.policy import PolicyAgent
from agents.training import run as run_module
from agents.training.config import TrainConfig
from agents.training.panel import PANEL
from agents.training.ppo import CompactBuffer, CompactDictBuffer
from agents.training.run import Progress, TrainingRun
from benchmarks.learning.score import score
from bohemian_env import Batch, Board, Setup
from bohemian_env.villages.faces import reward_number
from bohemian_env.villages.opponents import Scripted
from bohemian_env.villages.tasks import Task
from tests.test_agents.networks import last_layer, weights
from tests.test_agents.test_training.runs import (
    FINISHED,
    SHOWN,
    UPDATE,
    Finished,
    content,
    interrupted_run,
    plays,
    samples_in,
    tiny,
)


def test_a_run_leaves_the_files_that_it_describes(finished: Finished) -> None:
    files = content(finished.folder)
    events = [name for name in files if name.startswith("tensorboard/")]
    snapshots = {f"snapshots/{2 * k * UPDATE:012d}.{end}" for k in (1, 2, 3, 4) for end in ("json", "safetensors")}
    agent = {"agent.json", "agent.safetensors", "checkpoint.safetensors", "settings.json", ".lock"}
    assert set(files) == agent | snapshots | set(events)
    assert len(events) == 1
    for tag in ("win_share_current", "samples_per_second", "value_loss", "entropy_weight", "approx_kl"):
        assert tag.encode() in files[events[0]]
    assert TrainConfig.from_json(files["settings.json"].decode()) == FINISHED


def test_the_agent_of_a_run_is_what_was_trained_and_plays(finished: Finished) -> None:
    net, description = load_net(finished.folder)
    assert torch.equal(weights(net), weights(finished.run.net))
    assert net.shape == Shape((8,), (8,), (8,), adviser="planner")
    about = description["about"]
    assert (about["players"], about["samples"], about["seed"]) == (2, 8 * UPDATE, 5)
    assert 0 <= about["seconds"] <= finished.run.seconds + 0.1
    batch, agent = Batch(50), agents.make(finished.folder)
    for _ in range(20):
        actions = agent.act_batch(batch)
        assert (batch.masks[np.arange(50), actions] == 1).all()
        batch.step(actions)


def test_training_changes_all_of_the_network(finished: Finished, tmp_path: Path) -> None:
    fresh = TrainingRun(tmp_path / "fresh", FINISHED)
    for (name, old), new in zip(fresh.net.named_parameters(), finished.run.net.parameters(), strict=True):
        assert not torch.equal(old, new), name


def test_reports_tell_where_the_run_stands(finished: Finished) -> None:
    reports = finished.reports
    assert [report.part for report in reports] == [k / 8 for k in range(1, 9)]
    assert [report.samples for report in reports] == [k * UPDATE for k in range(1, 9)]
    seconds = [report.seconds for report in reports]
    assert seconds == sorted(seconds)
    assert 0 < seconds[0] < seconds[-1] <= finished.run.seconds
    for report in reports:  # the rate is taken before what there is to save is saved
        assert report.samples / report.seconds <= report.rate
    wins = reports[-1].wins
    assert set(wins) == {"current", "snapshots", "greedy", "random"}
    assert all(0 <= share <= 1 for share in wins.values())
    assert 0 < np.mean(list(wins.values())) < 1


def test_win_shares_are_counted_by_opponent(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny())
    games, tally = run.env.games, run.tally
    tally.init_callback(run.model)
    assert run.league.win_shares() == {}
    for opponent, win in ((0, 1.0), (5, 0.0), (6, 1.0), (6, 1.0), (6, 0.5)):
        ended = games._games.tables["ended"]
        ended[:] = 0
        ended[3] = 1
        games.ended.opponent[:], games.ended.win[:] = 5, 0.25  # means nothing where no game ended
        games.ended.opponent[3], games.ended.win[3] = opponent, win
        tally.on_step()
    greedy = 0.5 - 0.5 / 21  # as if 20 games had gone before it at the fair share
    random = (20 * 0.5 + 2.5) / 23
    assert run.league.win_shares() == pytest.approx({"current": 11 / 21, "greedy": greedy, "random": random})


def test_another_seed_makes_another_agent(finished: Finished, tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(seed=6))
    assert not torch.equal(weights(run.net), weights(TrainingRun(tmp_path / "fresh", FINISHED).net))
    run.train()
    assert not torch.equal(weights(run.net), weights(finished.run.net))


def test_a_run_by_minutes_stops_when_they_are_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a sixteenth of a second whenever it is read."""
    ticks = count()
    monkeypatch.setattr(run_module, "time", SimpleNamespace(perf_counter=lambda: next(ticks) / 16))
    run = TrainingRun(tmp_path / "run", tiny(minutes=0.05, steps=0))
    reports: list[Progress] = []
    run.train(reports.append)
    assert len(reports) > 2
    assert reports[-1].part == 1.0
    assert 3 <= run.seconds < 4
    assert reports[-2].seconds < 3
    assert reports[-2].part == pytest.approx(reports[-2].seconds / 3, abs=0.1)


def test_the_budget_that_is_spent_first_ends_the_run(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(2, minutes=10.0))
    run.train()
    assert run.model.num_timesteps == 2 * UPDATE


def test_learning_rate_and_entropy_fall_along_the_run(tmp_path: Path) -> None:
    """By what is spent when the games of an update begin: the last one learns too, even if it is the only one."""
    run = TrainingRun(tmp_path / "run", tiny(4, learning_rate=0.01, entropy=0.2))
    seen = []
    run.train(lambda _: seen.append((run.model.policy.optimizer.param_groups[0]["lr"], run.model.ent_coef)))
    assert np.array(seen) == pytest.approx(np.array([(0.01, 0.2), (0.0075, 0.15), (0.005, 0.1), (0.0025, 0.05)]))


def test_games_of_training_are_far_from_those_by_which_agents_are_measured(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny())
    run.env.reset()
    assert run.env.games.seeds.min() >= 2**59


def test_the_bank_is_the_boards_unless_it_is_said(tmp_path: Path) -> None:
    """As where the agent is measured."""
    board = Board.of_villages([{"name": "Grundow", "buildings": ["farm"]}], 4, coin_supply=250, special_action_tiles=7)
    assert TrainConfig().setup(board).coin_supply == 250
    assert TrainConfig(coin_supply=40).setup(board).coin_supply == 40


def test_the_command_of_an_agent_runs_again(tmp_path: Path) -> None:
    """As it was typed, in quotes if a shell needs them."""
    for number, given in enumerate(("ppo", str(tmp_path / "my run$"))):
        if number:
            shutil.copytree(tmp_path / "0", given)
        TrainingRun(tmp_path / str(number), tiny(1, players=2, trunk="256,256", head="256"), start=given).train()
        about = json.loads((tmp_path / str(number) / "agent.json").read_text())["about"]
        assert shlex.split(about["command"])[-2:] == ["--from", given]


def test_settings_reach_the_learner(tmp_path: Path) -> None:
    s = tiny(gamma=0.9, gae_lambda=0.8, clip=0.1, entropy=0.02, value_weight=0.3, max_gradient=0.7, epochs=2, seed=4)
    model = TrainingRun(tmp_path / "run", s).model
    assert (model.gamma, model.gae_lambda, model.ent_coef, model.vf_coef) == (0.9, 0.8, 0.02, 0.3)
    assert (model.max_grad_norm, model.n_epochs, model.batch_size, model.n_steps) == (0.7, 2, 32, 8)
    assert callable(model.clip_range)
    assert model.clip_range(0.5) == 0.1
    buffer = model.rollout_buffer
    assert (buffer.gamma, buffer.gae_lambda, buffer.buffer_size, buffer.n_envs) == (0.9, 0.8, 8, 8)


def test_settings_reach_the_games(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(players=3, coin_supply=50, max_turns=33, reward="margin"))
    games = run.env.games
    assert (games.n, games.num_players) == (8, 3)
    assert games.setup == Setup.of(3, coin_supply=50, max_turns=33)
    assert games._kind == reward_number("margin")


@pytest.mark.slow
@pytest.mark.parametrize("advice", [False, True])
def test_whether_a_network_is_told_reaches_games_and_network(advice: bool, tmp_path: Path) -> None:
    """And all that the run plays with and leaves: its current policy, snapshots, panel, and the run that goes on."""
    run = TrainingRun(tmp_path / "run", tiny(4, advice=advice, imitate_samples=SHOWN, panel_games=2, snapshots=0.3))
    assert (run.env.games.advice is not None) == advice
    assert run.net.shape.adviser == ("planner" if advice else "")
    assert isinstance(run.model.rollout_buffer, CompactDictBuffer if advice else CompactBuffer)
    run.train()
    assert len(list((tmp_path / "run" / "snapshots").glob("*.safetensors"))) == 5
    for path in (tmp_path / "run", *(tmp_path / "run" / "snapshots").glob("*.safetensors")):
        assert load_net(path)[0].shape.adviser == ("planner" if advice else "")
    again = TrainingRun(tmp_path / "run", None)
    assert again.net.shape.adviser == ("planner" if advice else "")
    assert torch.equal(weights(again.net), weights(run.net))


@pytest.mark.parametrize("players", [2, 5])
def test_a_run_imitates_plays_and_compares_at_every_table(players: int, tmp_path: Path) -> None:
    compared: Any = dict(imitate_samples=2 * SHOWN, panel_games=6, panel_every=0.5)
    settings = tiny(2, players=players, scripted="planner", seed=3, **compared)
    run, reports = TrainingRun(tmp_path / "run", settings), list[Progress]()
    run.train(reports.append)
    assert [progress.samples for progress in reports] == [0, 0, UPDATE, 2 * UPDATE]
    assert [bool(progress.note) for progress in reports] == [True, True, False, False]
    assert reports[0].note.startswith("imitates planner: its best moves have 0.")
    lines = [json.loads(line) for line in (tmp_path / "run" / "panel.jsonl").read_text().splitlines()]
    assert [line["samples"] for line in lines] == [0, UPDATE, 2 * UPDATE]
    for line in lines:
        assert list(line["shares"]) == ["greedy", "planner", "rusher", "hoarder"]
        assert line["mean"] == pytest.approx(np.mean(list(line["shares"].values())), abs=1e-3)
        assert (line["players"], line["games"]) == (players, 6)
    assert (tmp_path / "run" / "snapshots" / "000000000000.safetensors").exists()
    picture = (tmp_path / "run" / "panel.svg").read_text()
    assert picture.startswith("<?xml")
    for text in ("greedy", "hoarder", "minutes of training", "win share against"):
        assert text in picture
    for folder, tags in ((".", ("panel/hoarder", "panel/mean")), ("imitation", ("imitation/loss",))):
        curves = EventAccumulator(str(tmp_path / "run" / "tensorboard" / folder)).Reload()
        assert {*tags} < {*curves.Tags()["scalars"]}


def test_the_agent_of_a_run_is_the_one_that_did_best_against_the_panel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also over an interrupt."""
    told = iter([0.3, 0.6, 0.5, 0.4, 0.2])
    nets: list[torch.Tensor] = []

    def shares(net: PolicyNet, *_: Any) -> dict[str, float]:
        nets.append(weights(net))
        return dict.fromkeys(PANEL, next(told))

    monkeypatch.setattr(run_module, "panel_shares", shares)
    interrupted_run(tmp_path / "run", 4, tiny(10, panel_games=1, panel_every=0.2, learning_rate=0.01))
    assert samples_in(tmp_path / "run") == 4 * UPDATE
    run = TrainingRun(tmp_path / "run", None)
    assert [result["mean"] for result in run.panel] == pytest.approx([0.3, 0.6])
    run.train()
    assert [result["samples"] for result in run.panel] == [k * UPDATE for k in (2, 4, 6, 8, 10)]
    assert len({tuple(net.tolist()) for net in nets}) == 5
    net, description = load_net(tmp_path / "run")
    assert torch.equal(weights(net), nets[1])
    assert description["about"]["samples"] == 4 * UPDATE
    assert description["about"]["panel"] == dict.fromkeys(PANEL, 0.6)
    again = TrainingRun(tmp_path / "run", None)
    again.train()  # nothing is left to do: no sixth comparison, which would have no result
    assert torch.equal(weights(again.net), nets[4])


def test_snapshots_of_a_run_play_in_it(finished: Finished) -> None:
    slots = finished.run.league.slots
    paths = {slot.path for slot in slots}
    assert paths == set((finished.folder / "snapshots").glob("*.safetensors"))
    assert len(paths) == 4
    newest, _ = load_net(max(paths))
    assert torch.equal(weights(newest), weights(finished.run.net))
    assert sum(slot.win.games for slot in slots) > 0


def test_the_current_policy_of_a_run_is_the_one_that_learns(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny())
    with torch.no_grad():
        last_layer(run.net).bias[17] = 1000
    current, *slots, greedy, random = run.env.games.opponents
    assert plays(current, advice=True) == 17
    assert len(slots) == 4
    assert isinstance(greedy, Scripted)
    assert isinstance(random, Scripted)
    assert (greedy.name, random.name) == ("greedy", "random")


@pytest.mark.slow
def test_some_seconds_of_training_beat_random_clearly(tmp_path: Path) -> None:
    settings = TrainConfig(
        minutes=0.0, steps=40_960, games=64, horizon=16, minibatch=256, trunk="64", head="64", learning_rate=2e-3,
        seed=1, advice=False, panel_games=0, scripted="greedy,random",
    )  # fmt: skip
    run = TrainingRun(tmp_path / "run", settings)
    among_random = Task("", 2, ("random",))
    assert score(PolicyAgent(run.net), among_random, 1000, 0).value < 0.75
    run.train()
    assert score(agents.make(str(tmp_path / "run")), among_random, 1000, 0).value > 0.9
