"""How long it takes to begin: importing, compiling, and loading what was compiled, each in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from .harness import Rounds
from .machine import ROOT
from .quiet import Measurement, Reading, Repeats, others_share

NAMES: Final = {
    "import": "import bohemian_env",
    "compile": "first Batch with step, mask, observation; empty cache",
    "cached": "first Batch with step, mask, observation; from the cache",
}
"""What is timed, in seconds, and what it is."""

_BATCH: Final = """
batch = bohemian_env.Batch(1024)
batch.step(batch.random_actions())
batch.masks, batch.observations
"""


def _script(cores: Sequence[int]) -> str:
    """Return a program that prints the clocks before the import, after it and after the batch."""
    clocks = "\nclocks.append((time.perf_counter(), time.process_time()))\n"
    pinning = f"os.sched_setaffinity(0, {list(cores[:1])})" if cores else ""
    start = f"import json, os, time\nclocks = []\n{pinning}"
    return clocks.join([start, "import bohemian_env", _BATCH, "print(json.dumps(clocks))"])


class StartUp:
    """Collects the timings; :meth:`measure` is called once a round."""

    def __init__(self, cores: Sequence[int], tries: int) -> None:
        self.cores = cores
        self._repeats = Repeats(tries)
        self._taken: dict[str, list[Measurement[float]]] = {name: [] for name in NAMES}

    def _run(self, cache: str) -> Measurement[list[Measurement[float]]]:
        """Return the seconds of the import and of the batch, and the largest share of its core that others had."""
        result = subprocess.run(
            [sys.executable, "-c", _script(self.cores)],
            cwd=ROOT,
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise RuntimeError(f"the start-up in a fresh process failed:\n{result.stderr}")
        readings = pairwise(Reading(*clock) for clock in json.loads(result.stdout))
        found = [Measurement(after.wall - before.wall, others_share(before, after)) for before, after in readings]
        return Measurement(found, max(part.others for part in found))

    def measure(self) -> None:
        """Take one round: a process that compiles everything, and one that finds it compiled."""
        with tempfile.TemporaryDirectory() as folder:

            def take(task: str, attempt: int) -> Measurement[list[Measurement[float]]]:
                number = attempt if task == "compile" else 0  # the first to compile fills it for the other
                return self._run(f"{folder}/{number}")

            found = self._repeats.round(["compile", "cached"], take)
            for task, process in found.items():
                self._taken[task].append(process.value[1])
            self._taken["import"].append(found["cached"].value[0])

    @property
    def timings(self) -> dict[str, Rounds]:
        """The seconds that have been measured, by name."""
        return {name: Rounds.of(found) for name, found in self._taken.items() if found}
