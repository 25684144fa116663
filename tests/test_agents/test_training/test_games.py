"""Training by PPO in every game: settings, files, and runs that were killed; and several runs by one command."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import train
from agents.common.files import BadAgent
from agents.network.files import load_net, read_tensors, save_net
from agents.network.net import PolicyNet, Shape
from agents.players.policy import PolicyAgent, load_agent
from agents.training.config import TrainConfig, preset
from agents.training.panel import panel_shares, picture
from agents.training.run import TrainingRun
from agents.training.values import ValueRun
from bohemian_env.games import GAMES, faces_of, rules_of
from tests.helpers import ROOT
from tests.test_agents.networks import net_of, weights
from tests.test_agents.test_training.runs import Says, command, interrupted_run, samples_in
from tests.waiting import until

every_game = pytest.mark.parametrize("game", GAMES)
SMALL: dict[str, Any] = dict(
    minutes=0.0, steps=256, games=8, horizon=8, minibatch=32, trunk="8", head="8", pool=2, panel_games=4
)  # fmt: skip


def small(game: str, **changed: Any) -> TrainConfig:
    """The settings of a run of four updates."""
    told = {**json.loads(preset("quick", game).to_json()), "game": game}
    return TrainConfig(**told | SMALL | changed)


def words_of(settings: dict[str, Any]) -> list[str]:
    """Settings as a command line has them."""
    return [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", str(value))]


def saved(folder: Path, game: str) -> PolicyNet:
    """A small network of a game, whose files are in a folder."""
    net = net_of(0, Shape((8,), (6,), (4,), game=game))
    board = getattr(rules_of(game).setup(), "board", None)
    save_net(net, folder / "agent.safetensors", board, {"players": 1, "reward": "end"})
    return net


@every_game
def test_settings_are_kept_and_commanded(game: str) -> None:
    settings = preset("quick", game)
    assert TrainConfig.from_json(settings.to_json()) == settings
    told = json.loads(settings.to_json())
    assert ("game" in told) == (game != GAMES[0])  # version 0.2.0 reads runs of its game
    assert settings.command() == "python train.py" + f" --game {game} --learner ppo" * (game != GAMES[0])
    assert set(settings.scripted_names) <= {*rules_of(game).opponents}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (dict(players=7), "players 7 is not from 1 to 6"),
        (dict(reward="mixed"), "reward 'mixed' is not one of steady, end"),
        (dict(advice=True), "dorfromantik has no adviser"),
        (dict(coin_supply=5), "coin_supply 5: a game of dorfromantik has none"),
        (dict(variant='{"window": 99}'), "window 99"),
        (dict(against="greedy"), "nobody plays against each other"),
    ],
)
def test_settings_that_a_game_does_not_have_are_refused(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        small("dorfromantik", **changed)


@every_game
def test_an_agent_says_its_game_and_is_refused_in_others(game: str, tmp_path: Path) -> None:
    net = saved(tmp_path, game)
    found, description = load_net(tmp_path, game=game)
    assert torch.equal(weights(found), weights(net))
    assert description["environment"] == rules_of(game).env_name
    assert description["num_actions"] == rules_of(game).verbs.NUM_ACTIONS
    for other in GAMES:
        if other != game:
            with pytest.raises(BadAgent, match=f"environment is .*: it plays {game}, not {other}"):
                load_net(tmp_path, game=other)


@every_game
def test_an_agent_plays_its_game_in_all_ways_alike(game: str, tmp_path: Path) -> None:
    saved(tmp_path, game)
    agent = load_agent(tmp_path, game=game)
    batch = faces_of(game).Batch(3)
    batch.reset(5)
    actions = agent.act_batch(batch)
    assert batch.masks[np.arange(3), actions].all()
    states, seeds = batch.arrays
    assert agent.decide(states, seeds, np.arange(3)).tolist() == actions.tolist()
    assert agent.choose(batch.observations, batch.masks).tolist() == actions.tolist()
    thoughts = agent.think(batch.arrays[0][:1])
    assert max(thoughts.values, key=thoughts.values.__getitem__) == actions[0]
    assert (thoughts.chances is None) == (game != GAMES[0])
    assert agent.sizes == rules_of(game).players


@every_game
def test_the_panel_measures_what_a_result_is(game: str) -> None:
    net = net_of(1, Shape((8,), (8,), (8,), game=game))
    settings = small(game, advice=False)
    board = getattr(rules_of(game).setup(), "board", None)
    found = panel_shares(net, settings, board)
    assert found == panel_shares(net, settings, board)
    assert ([*found] == ["total"]) == (not settings.rivals)
    if settings.rivals:
        assert all(0 <= share <= 1 for share in found.values())
    else:
        play = faces_of(game).SelfPlay(4, [], seed=2**61, autoreset=False)
        agent = PolicyAgent(net)
        while not play.over.all():
            play.step(agent.choose(play.observations, np.maximum(play.masks, play.over[:, None].view(np.int8))))
        assert found["total"] == play.ended.total.mean()
    told = [{"samples": 1, "seconds": 1.0, "players": settings.players, "shares": found}]
    assert (b"mean total" in picture(told)) == (not settings.rivals)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "changed"),
    [*((game, {}) for game in GAMES), ("dorfromantik", dict(players=2)), ("agricola", dict(players=1))],
)
def test_a_run_that_was_stopped_goes_on_and_comes_to_its_end(
    game: str, changed: dict[str, Any], tmp_path: Path
) -> None:
    settings = small(game, **changed)
    first = interrupted_run(tmp_path / "run", 2, settings)
    before = weights(first.net).clone()
    run = TrainingRun(tmp_path / "run", None)
    assert run.config == settings
    assert torch.equal(weights(run.net), before)
    reports: list[Any] = []
    run.train(reports.append)
    assert samples_in(tmp_path / "run") in (64, 128, 192, 256)  # the best by the panel
    assert run.model.num_timesteps == 256
    assert load_agent(tmp_path / "run", game=game).learned_with == settings.players
    assert (tmp_path / "run" / "panel.svg").exists()
    assert bool([*(tmp_path / "run").glob("snapshots/*.safetensors")]) == settings.rivals
    again = TrainingRun(tmp_path / "other", settings, start=tmp_path / "run")
    assert again.net.shape == run.net.shape
    again.close()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "learner"), [*((game, "ppo") for game in GAMES), *((g, "td") for g in GAMES[1:])])
def test_a_killed_run_goes_on_from_its_last_checkpoint(game: str, learner: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    endless = {**SMALL, "steps": 2**40, "checkpoint_seconds": 0.01} if learner == "ppo" else {"minutes": 30}
    words = [*command()[:2], "--game", game, "--learner", learner, "--out", str(out), *words_of(endless)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    try:
        until(lambda: process.poll() is not None or _progress(out, learner) > 0, "checkpoint", 300)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    kept = _progress(out, learner)
    assert kept > 0
    if learner == "td":
        run = ValueRun(out, None)
        assert run.games == kept
        run._own.release()
    else:
        own = TrainingRun(out, None)
        assert own.model.num_timesteps == kept
        own.close()


def _progress(out: Path, learner: str) -> int:
    """The games or decisions of a run's checkpoint; 0 if there is none."""
    if not (out / "checkpoint.safetensors").exists():
        return 0
    told, tensors = read_tensors(out / "checkpoint.safetensors")
    return int(tensors["progress"][1]) if learner == "td" else int(json.loads(told["run"])["state"]["samples"])


@pytest.mark.slow
@every_game
def test_several_seeds_are_trained_one_after_the_other_and_gone_on_with(
    game: str, main: Callable[..., int], says: Says, tmp_path: Path
) -> None:
    out = tmp_path / "runs"
    given = ["--game", game, "--learner", "ppo", "--out", out, *words_of(SMALL | {"steps": 128}), "--seed", "3"]
    assert main(*given, "--seeds", "2") == 0
    seeds = [json.loads((out / f"s{k}" / "settings.json").read_text())["seed"] for k in range(2)]
    assert seeds == [3, 4]
    nets = [load_agent(out / f"s{k}", game=game).net for k in range(2)]
    assert not torch.equal(*map(weights, nets))
    times = [(out / f"s{k}" / "agent.safetensors").stat().st_mtime_ns for k in range(2)]
    assert main(*given, "--seeds", "3") == 0  # what is there is kept
    assert [(out / f"s{k}" / "agent.safetensors").stat().st_mtime_ns for k in range(2)] == times
    assert samples_in(out / "s2") in (64, 128)  # the best by the panel
    told = says(2, *given, "--seeds", "3", "--gamma", "0.5")
    assert "s0 already holds something" in told
    for wrong in ("0", "x", "5000"):
        assert f"--seeds {wrong}: 1 to 1,000" in says(2, *given, "--seeds", wrong)


@pytest.mark.slow
def test_several_seeds_are_trained_by_td_too(tmp_path: Path) -> None:
    given = ["--game", GAMES[1], "--out", str(tmp_path / "runs"), "--minutes", "0.02", "--seed", "3"]
    for count in (1, 2):
        assert train.main([*given, "--seeds", str(count)]) == 0
    kept = [ValueRun(tmp_path / "runs" / f"s{k}", None) for k in range(2)]
    assert [run.settings["seed"] for run in kept] == [3, 4]
    assert all(run.games for run in kept)


@pytest.mark.slow
def test_what_goes_on_is_of_the_game_and_the_learner_that_it_has(says: Says, tmp_path: Path) -> None:
    interrupted_run(tmp_path / "run", 1, small("agricola"))
    told = says(2, "--resume", "--game", "villages", "--out", tmp_path / "run")
    assert "is a run of agricola, not of villages" in told
    assert says(0, "--resume", "--out", tmp_path / "run").count("256 samples") == 1
