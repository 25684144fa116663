"""Tiny training runs, and what the tests of training ask of one."""

import dataclasses
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.network.net import PolicyNet
from agents.training.config import TrainConfig
from agents.training.run import Progress, TrainingRun
from bohemian_env import Batch
from bohemian_env.villages.actions import NUM_ACTIONS
from tests.helpers import ROOT, fails_at
from tests.test_agents.networks import net_that_says

SHOWN = 16_384
"""Decisions that are imitated at a time."""

UPDATE = 64
"""Decisions of an update of a tiny run."""

Says = Callable[..., str]
"""A command that has to end with the status that is given first: what it says."""


def tiny(updates: int = 8, **changed: Any) -> TrainConfig:
    """TrainConfig of a run with this number of updates, each a few milliseconds."""
    small: dict[str, Any] = dict(
        minutes=0.0, steps=UPDATE * updates, games=8, horizon=8, minibatch=32, trunk="8", head="8", max_turns=40,
        snapshot_every=0.25, scripted="greedy,random", pool=4, imitate=0.0, panel_games=0,
    )  # fmt: skip
    return TrainConfig(**small | changed)


def options(settings: TrainConfig) -> list[str]:
    """The command line that gives these settings."""
    found = []
    for name, value in dataclasses.asdict(settings).items():
        option = name.replace("_", "-")
        if isinstance(value, bool):
            found.append(f"--{option}" if value else f"--no-{option}")
        else:
            found += [f"--{option}", str(value)]
    return found


def command(*arguments: str | Path) -> list[str]:
    """`python train.py` with these arguments, on one thread."""
    return [sys.executable, str(ROOT / "train.py"), "--threads", "1", *map(str, arguments)]


def content(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by their paths in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def samples_in(folder: Path) -> int:
    """The number of decisions from which the agent in a folder has learnt."""
    return int(json.loads((folder / "agent.json").read_text())["about"]["samples"])


def stop_after(updates: int) -> Callable[[Progress], None]:
    """A report that presses Ctrl-C after some updates."""
    return fails_at(updates, lambda progress: None)


def interrupted_run(folder: Path, updates: int, settings: TrainConfig) -> TrainingRun:
    """A run that was stopped after some updates."""
    run = TrainingRun(folder, settings)
    with pytest.raises(KeyboardInterrupt):
        run.train(stop_after(updates))
    return run


FINISHED = tiny(8, seed=5, current=0.25, snapshots=0.25)


@dataclasses.dataclass
class Finished:
    """A run with the settings FINISHED that came to its end."""

    folder: Path
    run: TrainingRun
    reports: list[Progress]


def net_for(action: int) -> PolicyNet:
    """A network that is for one action, whatever it sees."""
    return net_that_says(100 * np.eye(NUM_ACTIONS)[action])


def plays(policy: Any, n: int = 3, *, advice: bool = False) -> int:
    """The action that an opponent plays where everything is legal, told what the planner thinks or not."""
    batch = Batch(n)
    told = [batch.advise()] if advice else []
    actions = set(policy.act(batch.observations, np.ones((n, NUM_ACTIONS), np.int8), *told).tolist())
    assert len(actions) == 1
    return actions.pop()


def finished_against(name: str, folder: Path, stopped_after: int = 0, updates: int = 8, **changed: Any) -> TrainingRun:
    """A run against one agent that came to its end, or was stopped after some updates."""
    settings = tiny(updates, against=name, **changed)
    if stopped_after:
        return interrupted_run(folder, stopped_after, settings)
    run = TrainingRun(folder, settings)
    run.train()
    return run
