"""The command `train.py`: its options, what it prints and what it refuses."""

import dataclasses
import re
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch

from agents.network.files import load_net, save_net
from agents.network.net import PolicyNet, Shape
from agents.training import run as run_module
from agents.training.config import PRESETS, TrainConfig
from agents.training.folder import BadRun
from agents.training.run import TrainingRun
from bohemian_env import Board
from tests.helpers import ROOT, run_python
from tests.test_agents.networks import weights
from tests.test_agents.test_training.runs import (
    FINISHED,
    SHOWN,
    UPDATE,
    Finished,
    Says,
    command,
    content,
    options,
    samples_in,
    tiny,
)

SMALL = ("--steps", str(UPDATE), "--games", "8", "--horizon", "8", "--minibatch", "32", "--panel-games", "0")


@pytest.mark.slow
def test_the_same_seed_makes_the_same_agent_also_from_the_command_line(finished: Finished, tmp_path: Path) -> None:
    """A run by steps, that is; and only on the same machine."""
    out = tmp_path / "a" / "run"
    words = command("--out", out, *options(FINISHED))
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    trained = rf"Trained: {re.escape(str(out))}/agent\.safetensors after 512 decisions in \d+ s\n"
    assert re.fullmatch(trained, done.stdout)
    last = r"^100% 512 samples, 0:00 left, [\d,]+ samples/s; wins against current [01]\.\d\d"
    assert re.search(last, done.stderr, re.M)
    assert "Warning" not in done.stderr
    assert torch.equal(weights(load_net(out)[0]), weights(finished.run.net))
    first, second = content(finished.folder), content(out)
    same = [name for name in first if name.startswith("snapshots") or name == "settings.json"]
    assert len(same) == 9
    for name in same:
        assert first[name] == second[name], name


def test_options_become_settings(main: Callable[..., int], tmp_path: Path) -> None:
    """Steps alone are the budget: without --minutes its default does not count."""
    others = dict[str, Any](players=3, reward="win", bfloat16=False, gamma=0.99, coin_supply=50, seed=9)
    wanted = tiny(1, minutes=1.5, snapshot_every=0.5, **others)
    for settings, first in ((wanted, 0), (tiny(2), 2)):
        out, given = tmp_path / str(first), options(settings)
        assert given[0] == "--minutes"
        assert main("--out", out, *given[first:]) == 0
        assert TrainConfig.from_json((out / "settings.json").read_text()) == settings
        assert samples_in(out) == settings.steps


@pytest.mark.parametrize("held", ["a file", "a folder", "a run", "is a file", "checkpoint.safetensors", "notes.txt"])
def test_an_output_folder_that_holds_something_is_refused_and_left_alone(
    held: str, says: Says, tmp_path: Path, finished: Finished
) -> None:
    out = finished.folder if held == "a run" else tmp_path / "out"
    if held == "is a file":
        out.write_text("mine")
    elif held == "a file":
        out.mkdir()
        (out / "notes.txt").write_text("mine")
    elif held == "a folder":
        (out / "inside").mkdir(parents=True)
    elif held != "a run":  # beside what a run leaves that was killed at its beginning
        TrainingRun(out, tiny(1)).close()
        (out / held).touch()
    before, names = content(out.parent), sorted(out.parent.rglob("*"))
    said = says(2, "--out", out, *options(FINISHED))
    assert said.startswith(f"train.py: {out} already holds something; give another --out, or --resume to go on")
    assert (content(out.parent), sorted(out.parent.rglob("*"))) == (before, names)


BAD = [
    ("--players", "6", "players 6 is not from 2 to 5"),
    ("--head", "256,5000", "head '256,5000' is not of widths from 1 to 4096"),
    ("--snapshot-every", "0", "snapshot_every 0.0 is not above 0 and at most 1"),
    ("--current", "0.9", "current 0.9 and snapshots 0.2 are more than 1 together"),
    ("--scripted", "greedy,chess", "unknown scripted opponent 'chess'"),
    ("--teacher", "search:ppo:20", "search:appraiser:N with N playouts"),
    ("--from", "nowhere", "nowhere: a trained agent is"),
    ("--device", "abacus", "no device 'abacus' here: Expected one of cpu, "),
    ("--trunk", ",".join(["1"] * 33), "network: trunk has 33 layers; at most 32 are possible"),
    ("--threads", "100000000000", "--threads 100000000000: 1 to 1024"),
    ("--against", "greedy", "leave out scripted, current, snapshots, pool, focus, floor, mixed"),
]


@pytest.mark.parametrize(("option", "value", "message"), BAD)
def test_a_bad_setting_is_refused_by_name(option: str, value: str, message: str, says: Says, tmp_path: Path) -> None:
    assert message in says(2, "--out", tmp_path / "run", *options(tiny(1)), option, value)
    assert not (tmp_path / "run").exists()


RUNS_AWAY = {
    "playing": tiny(30), "saved": tiny(4, snapshot_every=0.25, checkpoint_seconds=0.001),
    "imitation": tiny(1, imitate_samples=SHOWN, imitate_rate=1e30, teacher="greedy", advice=False),
}  # fmt: skip


@pytest.mark.parametrize("settings", RUNS_AWAY.values(), ids=RUNS_AWAY)
def test_training_that_runs_away_is_told_in_a_sentence_and_not_saved(
    settings: TrainConfig, says: Says, tmp_path: Path
) -> None:
    wild = ("--learning-rate", "1e30", "--max-gradient", "1e30")
    said = says(1, "--out", tmp_path / "run", *options(settings), *wild)
    assert "training has run away; try a lower learning rate, in a new folder" in said
    load_net(tmp_path / "run")  # the one that was before


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_a_folder_whose_name_has_a_space_stays_one_word_in_make() -> None:
    done = subprocess.run(["make", "-n", "train", "RUN=runs/my run"], cwd=ROOT, capture_output=True, text=True)
    assert "--out 'runs/my run'\n" in done.stdout
    assert done.stdout.count("evaluate.py 'runs/my run' greedy") == 2


def test_it_can_be_called_in_a_thread(main: Callable[..., int], tmp_path: Path) -> None:
    """As by what runs notebooks: only the main thread may say what signals do."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(main, "--out", tmp_path / "run", *options(tiny(1))).result() == 0


def test_help_tells_every_setting_without_loading_torch() -> None:
    """Torch reads its thread settings from the environment when it is loaded: train.py sets them first."""
    code = "import sys, train\ntry: train.main(['--help'])\nfinally: print('torch' in sys.modules)"
    told = run_python("-c", code)
    assert told.returncode == 0, told.stderr
    assert told.stdout.endswith("\nFalse\n")
    for setting in dataclasses.fields(TrainConfig):
        assert f"--{setting.name.replace('_', '-')}" in told.stdout


def test_a_run_can_begin_with_an_agent(main: Callable[..., int], finished: Finished, tmp_path: Path) -> None:
    """Its network is taken whatever the widths in the settings; it imitates nobody unless it is told to."""
    begun = TrainingRun(tmp_path / "begun", tiny(1, trunk="16,4", seed=8), start=finished.folder)
    assert torch.equal(weights(begun.net), weights(load_net(finished.folder)[0]))
    assert (begun.config.trunk, begun.config.head) == ("8", "8")
    for told, seconds in (((), 0.0), (("--imitate", "0.1"), 0.1)):
        out = tmp_path / f"run {seconds}"
        assert main("--out", out, "--from", finished.folder, *SMALL, *told) == 0
        kept = TrainConfig.from_json((out / "settings.json").read_text())
        assert (kept.trunk, kept.head, kept.imitate, kept.imitate_samples) == ("8", "8", seconds, 0)
        assert load_net(out)[0].shape == Shape((8,), (8,), (8,), adviser="planner")
        assert samples_in(out) == UPDATE
        assert bool(list((out / "snapshots").glob("*00000.safetensors"))) == bool(seconds)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--trunk", "16,4"], "trunk '16,4'"),
        (["--head", "9"], "head '9'"),
        (["--no-advice"], "advice False"),
        (["--preset", "hour", "--trunk", "256,256"], "trunk '256,256'"),
    ],
    ids=lambda given: given[-1] if isinstance(given, list) else "",
)
def test_from_refuses_another_network_than_the_agent_has(
    option: list[str], said: str, says: Says, finished: Finished, tmp_path: Path
) -> None:
    """What a preset says of the network is no choice."""
    out = tmp_path / "run"
    network = "{'trunk': [8], 'policy': [8], 'value': [8], 'advice': 'planner/1'}"
    assert says(2, "--out", out, "--from", finished.folder, *SMALL, *option) == (
        f"train.py: {said} is not what the agent has, whose network is taken: {network}; leave it out\n"
    )
    assert not out.exists()
    same = ("--preset", "hour", "--trunk", "8,", "--head", " 8", "--advice")
    says(0, "--out", out, "--from", finished.folder, *SMALL, *same)


def test_from_refuses_another_width_of_the_value_than_the_agent_has(tmp_path: Path) -> None:
    save_net(PolicyNet(Shape((8,), (8,), (4,))), tmp_path / "agent.safetensors", Board.standard(), {})
    for chosen in (("head",), ("trunk", "head")):
        with pytest.raises(BadRun, match=r"^head '8' is not what the agent has, .*'value': \[4\]"):
            TrainingRun(tmp_path / "run", tiny(1), start=tmp_path, chosen=chosen)
    TrainingRun(tmp_path / "run", tiny(1), start=tmp_path, chosen=("trunk", "games"))


@pytest.mark.parametrize("preset", [None, "quick", "hour", "full", "strong"])
def test_presets_are_settings_that_options_override(
    preset: str | None, main: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[TrainConfig] = []

    def refuse(out: Path, settings: TrainConfig, device: str, start: str | None, chosen: object, ranks: object) -> None:
        taken.append(settings)
        raise BadRun("enough")

    monkeypatch.setattr(run_module, "TrainingRun", refuse)
    chosen, base = ["--preset", preset] if preset else [], PRESETS[preset or "quick"]
    assert main("--out", tmp_path, *chosen) == 2
    assert main("--out", tmp_path, *chosen, "--seed", "4", "--minutes", "7") == 2
    assert main("--out", tmp_path, *chosen, "--steps", "1000") == 2
    others: list[dict[str, Any]] = [dict(seed=4, minutes=7.0), dict(steps=1000, minutes=0.0)]
    assert taken == [base, *(dataclasses.replace(base, **changed) for changed in others)]
