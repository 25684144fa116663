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

from .harness import Measurement, Reading, others_share, pin
from .machine import ROOT

NAMES: Final = {
    "import": "import bohemian_env",
    "compile": "first Batch with step, mask, observation; empty cache",
    "cached": "first Batch with step, mask, observation; from the cache",
}
"""What is timed, in seconds, and what it is."""

_SCRIPT: Final = """
import json, time
clocks = []
def look(): clocks.append((time.perf_counter(), time.process_time()))
look()
import bohemian_env
look()
batch = bohemian_env.Batch(1024)
batch.step(batch.random_actions())
batch.masks, batch.observations
look()
print(json.dumps(clocks))
"""


def _run(cache: str, cores: Sequence[int]) -> list[Measurement]:
    """Return the seconds of the import and of the batch. Raises RuntimeError."""
    with pin(cores[:1]):
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-c", _SCRIPT]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the start-up in a fresh process failed:\n{done.stderr}")
    readings = pairwise(Reading(*clock) for clock in json.loads(done.stdout))
    return [Measurement(after.wall - before.wall, others_share(before, after)) for before, after in readings]


def start_up(cores: Sequence[int]) -> dict[str, Measurement]:
    """Measure a process that compiles everything, and one that finds it compiled. Raises RuntimeError."""
    with tempfile.TemporaryDirectory() as cache:
        _, compiled = _run(cache, cores)
        imported, cached = _run(cache, cores)
    return {"import": imported, "compile": compiled, "cached": cached}
