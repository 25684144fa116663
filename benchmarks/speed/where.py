"""Where the nanoseconds of a step go: instructions by stage, counted by valgrind's callgrind.

    python -m benchmarks.speed.where                # needs valgrind; a few minutes

Counts do not depend on what else the machine does. valgrind does not know AVX-512, so the code is compiled for an older
processor (Haswell, AVX2) here: spreading bits to bytes takes more instructions then than on newer ones. Each stage is
run a few and many times over the same positions; what one run takes follows from the difference, whatever it takes to
start Python.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from typing import Final

from agents.common import markdown

from .machine import ROOT

GAMES: Final = 1024
STEPS: Final = 20
"""Steps of every game in one run of a stage."""
STAGES: Final = {
    "choice": "a random legal action",
    "step": "checks, move, dice, restarts",
    "masks": "241 bytes a game",
    "observations": "686 bytes a game",
}
PLAYERS: Final = (2, 5)
FEW, MANY = 2, 42


def run_stage(stage: str, players: int, runs: int) -> None:
    """Play, and do one stage ``runs`` times as often; this is what the counted process does."""
    from bohemian_env import Batch

    batch = Batch(GAMES, players)
    for step in range(STEPS):
        actions = batch.random_actions(step)
        if stage == "choice":
            for _ in range(runs - 1):
                batch.random_actions(step)
        elif stage in ("masks", "observations"):
            for _ in range(runs):
                batch._masks_fresh = batch._observations_fresh = False  # or nothing would be written again
                getattr(batch, stage)
                batch._masks_read = batch._observations_read = False
        batch.step(actions)
    if stage == "step":
        for _ in range((runs - 1) * STEPS):
            batch.step(batch.random_actions())


def count(stage: str, players: int, runs: int) -> int:
    """Count the instructions of a process that runs a stage so many times."""
    environment = {**os.environ, "NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "benchmarks.speed.where", stage, str(players), str(runs)]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)  # compiles, for the cache
    with tempfile.TemporaryDirectory() as folder:
        grind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *command]
        done = subprocess.run(grind, check=True, cwd=ROOT, env=environment, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise RuntimeError(f"valgrind said no count: {done.stderr[-500:]}")
    return int(found[1])


def main() -> int:
    """Count every stage and print a table."""
    if len(sys.argv) not in (1, 4):
        print(__doc__)
        return 2
    if len(sys.argv) == 4:
        run_stage(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
        return 0
    counts: dict[tuple[str, int], float] = {}
    for players in PLAYERS:
        for stage in STAGES:
            more = count(stage, players, MANY) - count(stage, players, FEW)
            counts[stage, players] = more / (MANY - FEW) / GAMES / STEPS
        counts["step", players] -= counts["choice", players]  # each more step chose an action too
    head = ["stage", "what", *(f"instructions, {players} players" for players in PLAYERS)]
    rows = ((stage, what, *(f"{counts[stage, n]:.0f}" for n in PLAYERS)) for stage, what in STAGES.items())
    print(markdown.table(head, rows, (2, 3)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
