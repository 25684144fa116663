"""How long it takes to begin: importing, compiling, and loading what was compiled, each in a fresh process."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any, Final

from .harness import WorkerError, figures, pin
from .machine import ROOT

NAMES: Final = {
    "import": "import bohemian_env",
    "compile": "first Batch with step, mask, observation; empty cache",
    "cached": "first Batch with step, mask, observation; from the cache",
}
"""What is timed, in seconds, and what it is."""

_SCRIPT: Final = """
import json, time
start = time.perf_counter()
import bohemian_env
imported = time.perf_counter()
batch = bohemian_env.Batch(1024)
batch.step(batch.random_actions())
batch.masks, batch.observations
print(json.dumps([imported - start, time.perf_counter() - imported]))
"""


def _run(cache: str, cores: Sequence[int]) -> list[float]:
    """Return the seconds of the import and of the batch. Raises WorkerError."""
    with pin(cores[:1]):
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-c", _SCRIPT]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise WorkerError(f"the start-up in a fresh process failed:\n{done.stderr}")
    return list(json.loads(done.stdout))


def start_up(rounds: int, cores: Sequence[int]) -> list[dict[str, Any]]:
    """Measure a process that compiles everything, and one that finds it compiled, once a round; return a row for each
    of :data:`NAMES`. Raises WorkerError."""
    taken = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            _, compiled = _run(cache, cores)
            imported, cached = _run(cache, cores)
        taken.append((imported, compiled, cached))
    columns = zip(NAMES, zip(*taken, strict=True), strict=True)
    return [{"name": name, **figures(values, "seconds")} for name, values in columns]
