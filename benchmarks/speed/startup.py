"""How long it takes to begin: importing, compiling, and loading what was compiled, each in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from .harness import Measurement, Rounds
from .machine import ROOT
from .quiet import Reading, Repeats, others_share

NAMES: Final = {
    "import": "import bohemian_env, Python itself not counted",
    "compile": "first Batch with a step, its mask and observation, empty cache",
    "compile AEC": "then the first game, last() and step of the PettingZoo environment, empty cache",
    "cached": "first Batch with a step, its mask and observation, from the cache",
    "cached AEC": "first game, last() and step of the PettingZoo environment, from the cache",
}
"""What is timed, in seconds, and what it is."""

_BATCH: Final = """
batch = bohemian_env.Batch(1024)
batch.step(batch.random_actions())
batch.masks, batch.observations
"""
_AEC: Final = """
env = bohemian_env.bohemian_villages_v0.env()
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
env.last()
"""


def _script(cores: Sequence[int], *parts: str) -> str:
    """Return a program that prints the clocks before the import and after it and each part, and if torch came along."""
    clocks = "clocks.append((time.perf_counter(), time.process_time()))"
    lines = ["import json, os, sys, time", "clocks = []"]
    if cores:
        lines.append(f"os.sched_setaffinity(0, {list(cores[:1])})")
    for part in ("", "import bohemian_env", *parts):
        lines += [part.strip(), clocks]
    lines.append("print(json.dumps([clocks, 'torch' in sys.modules]))")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing(Rounds):
    """Seconds of something; low is the fastest round."""

    name: str


class _Process(NamedTuple):
    """A fresh process: seconds of the import and of each part, and the largest share of its core that others had."""

    parts: list[Measurement]
    others: float


TASKS: Final = {
    "compile": ((_BATCH, _AEC), ("compile", "compile AEC")),
    "cached": ((_BATCH,), ("cached",)),
    "cached AEC": ((_AEC,), ("cached AEC",)),
}
"""Processes of a round: what they run after the import, and what the parts of that are called."""


class StartUp:
    """Collects the timings; :meth:`measure` is called once a round."""

    def __init__(self, cores: Sequence[int], tries: int) -> None:
        self.cores = cores
        self.torch_free = True
        self._repeats = Repeats(tries)
        self._taken: dict[str, list[Measurement]] = {name: [] for name in NAMES}

    def _run(self, cache: str, parts: Sequence[str]) -> _Process:
        result = subprocess.run(
            [sys.executable, "-c", _script(self.cores, *parts)],
            cwd=ROOT,
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise RuntimeError(f"the start-up in a fresh process failed:\n{result.stderr}")
        clocks, torch = json.loads(result.stdout)
        self.torch_free &= not torch
        readings = [Reading(*clock) for clock in clocks]
        found = [
            Measurement(after.wall - before.wall, others_share(before, after)) for before, after in pairwise(readings)
        ]
        return _Process(found, max(part.others for part in found))

    def measure(self) -> None:
        """Take one round: a process that compiles everything, and two that find it compiled."""
        with tempfile.TemporaryDirectory() as folder:

            def take(task: str, attempt: int) -> _Process:
                cache = (
                    f"{folder}/{attempt if task == 'compile' else 0}"  # the first to compile fills it for the others
                )
                return self._run(cache, TASKS[task][0])

            for task, process in self._repeats.round(list(TASKS), take).items():
                imported, *parts = process.parts
                for name, part in zip(TASKS[task][1], parts, strict=True):
                    self._taken[name].append(part)
                if task == "cached":
                    self._taken["import"].append(imported)

    @property
    def timings(self) -> list[Timing]:
        """What has been measured."""
        return [Timing.of(found, name=name) for name, found in self._taken.items() if found]
