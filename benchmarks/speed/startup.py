"""How long it takes to begin: importing, compiling, and loading what was compiled, each in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from .harness import Rounds
from .machine import ROOT
from .quiet import Measurement, Reading, Repeats, others_share

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
    clocks = "\nclocks.append((time.perf_counter(), time.process_time()))\n"
    pinning = f"os.sched_setaffinity(0, {list(cores[:1])})" if cores else ""
    start = f"import json, os, sys, time\nclocks = []\n{pinning}"
    end = "print(json.dumps([clocks, 'torch' in sys.modules]))"
    return clocks.join([start, "import bohemian_env", *parts, end])


TASKS: Final = {
    "compile": {"compile": _BATCH, "compile AEC": _AEC},
    "cached": {"cached": _BATCH},
    "cached AEC": {"cached AEC": _AEC},
}
"""Processes of a round: what they run after the import, by what is timed."""


class StartUp:
    """Collects the timings; :meth:`measure` is called once a round."""

    def __init__(self, cores: Sequence[int], tries: int) -> None:
        self.cores = cores
        self.torch_free = True
        self._repeats = Repeats(tries)
        self._taken: dict[str, list[Measurement[float]]] = {name: [] for name in NAMES}

    def _run(self, cache: str, parts: Iterable[str]) -> Measurement[list[Measurement[float]]]:
        """Return the seconds of the import and of each part, and the largest share of its core that others had."""
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
        readings = pairwise(Reading(*clock) for clock in clocks)
        found = [Measurement(after.wall - before.wall, others_share(before, after)) for before, after in readings]
        return Measurement(found, max(part.others for part in found))

    def measure(self) -> None:
        """Take one round: a process that compiles everything, and two that find it compiled."""
        with tempfile.TemporaryDirectory() as folder:

            def take(task: str, attempt: int) -> Measurement[list[Measurement[float]]]:
                number = attempt if task == "compile" else 0  # the first to compile fills it for the others
                return self._run(f"{folder}/{number}", TASKS[task].values())

            for task, process in self._repeats.round(list(TASKS), take).items():
                imported, *parts = process.value
                for name, part in zip(TASKS[task], parts, strict=True):
                    self._taken[name].append(part)
                if task == "cached":
                    self._taken["import"].append(imported)

    @property
    def timings(self) -> dict[str, Rounds]:
        """The seconds that have been measured, by name."""
        return {name: Rounds.of(found) for name, found in self._taken.items() if found}
