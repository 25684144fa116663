"""How long it takes to begin: importing, compiling, and loading what was compiled, each in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

__all__ = ["NAMES", "StartUp", "Timing"]

ROOT: Final = Path(__file__).resolve().parents[2]

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
    """A program that prints the seconds of importing and of each part, and whether torch came along."""
    lines = ["import json, os, sys, time"]
    if cores:
        lines.append(f"os.sched_setaffinity(0, {list(cores[:1])})")
    lines += ["seconds = []", "start = time.perf_counter()"]
    for part in ("import bohemian_env", *parts):
        lines += [part.strip(), "now = time.perf_counter()", "seconds.append(now - start)", "start = now"]
    lines.append("print(json.dumps([seconds, 'torch' in sys.modules]))")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of something, one value per round."""

    name: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle of the rounds."""
        return median(self.values)

    @property
    def low(self) -> float:
        """The fastest round."""
        return min(self.values)

    @property
    def high(self) -> float:
        """The slowest round."""
        return max(self.values)


@dataclass
class StartUp:
    """Collects the timings; :meth:`measure` is called once a round."""

    cores: Sequence[int]
    torch_free: bool = True
    _values: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in NAMES})

    def _run(self, cache: str, *parts: str) -> list[float]:
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
        seconds, torch = json.loads(result.stdout)
        self.torch_free &= not torch
        return list(seconds)

    def measure(self) -> None:
        """One round: a process that compiles everything, and two that find it compiled."""
        with tempfile.TemporaryDirectory() as cache:
            _, batch, aec = self._run(cache, _BATCH, _AEC)
            self._values["compile"].append(batch)
            self._values["compile AEC"].append(aec)
            first, batch = self._run(cache, _BATCH)
            second, aec = self._run(cache, _AEC)
            self._values["cached"].append(batch)
            self._values["cached AEC"].append(aec)
            self._values["import"].append((first + second) / 2)

    @property
    def timings(self) -> list[Timing]:
        """What has been measured."""
        return [Timing(name, tuple(values)) for name, values in self._values.items() if values]
