"""Compare the speed of two checkouts side by side: this one, and another, such as the commit before.

    git worktree add ../before HEAD~1
    python -m benchmarks.speed.versus ../before          # about a quarter of an hour
    python -m benchmarks.speed.versus ../before --rounds 20 --only 'step*/2/1024/*' 'search*'

The rows are those of `python -m benchmarks.speed --quick`; decisions of agents, alone and with 300 playouts; and
samples of training. Every round runs each group of rows in both checkouts, in fresh processes pinned to as many cores
as the rows have threads; in every second round this checkout comes last. A ratio is this checkout's speed to the
other's in the same round; the interval is Student's, of the logarithms of the ratios: wide where something disturbed.
"""

import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

from agents.common.command import ended, parser
from agents.common.cores import usable_cores
from agents.common.markdown import table
from agents.common.statistics import mean_estimate

from .harness import ENVIRONMENT, WorkerError, in_rounds, pin
from .machine import ROOT
from .ours import quick_cases
from .report import figure

QUICK_ROUNDS: Final = 3  # rounds of the quick rows within one process

DECIDING: Final = """
import time
import agents
from bohemian_env import Batch

agent = agents.make({agent!r}, seed=1)
batch = Batch({games}, {players})
batch.reset(seed=1)

def decide(times):
    spent = 0.0
    for _ in range(times):
        start = time.perf_counter()
        actions = agent.act_batch(batch)
        spent += time.perf_counter() - start
        batch.step(actions)
    return spent

decide({times} // 5)
print({times} * {games} / decide({times}))
"""
TRAINING: Final = """
import tempfile, time
import train

def run(steps, out):
    options = {"players": 2, "steps": steps, "minutes": 0, "panel-games": 0, "threads": 1, "out": out}
    if status := train.main([word for name, value in options.items() for word in (f"--{name}", str(value))]):
        raise SystemExit(status)

with tempfile.TemporaryDirectory() as folder:
    run(16384, f"{folder}/warm")
    start = time.perf_counter()
    run(65536, f"{folder}/timed")
    print(65536 / (time.perf_counter() - start))
"""
SCRIPTS: Final = {
    **{
        f"{agent}/{players}/{games}/1": DECIDING.format(agent=agent, players=players, games=games, times=times)
        for agent, players, games, times in (
            *(("search:ppo:300", 2, 1, 200), ("search:appraiser:300", 4, 1, 200), ("montecarlo:300", 4, 1, 200)),
            *(("ppo", 2, 256, 300), ("planner", 2, 256, 300)),
            *(("appraiser", 2, 256, 60), ("appraiser", 5, 256, 60)),
        )
    },
    "training/2/512/1": TRAINING,
}
"""Programs that run in a checkout of any layout and print a speed in their last line, by the id of their row."""


Speeds = dict[str, list[float]]  # what each row of a checkout reached, by its id: one speed a round


def measure(group: str, checkout: Path, only: Sequence[str], cores: Sequence[int]) -> dict[str, float]:
    """Measure a group in a fresh process: speeds by the id of the row. Raises WorkerError.

    group: a name of :data:`SCRIPTS`, or a number of threads for the quick rows that have so many.
    """
    script = SCRIPTS.get(group)
    threads = 1 if script else int(group)
    with tempfile.TemporaryDirectory() as folder, pin(cores[:threads]):
        file = Path(folder, "rows.json")
        quick = ["-m", "benchmarks.speed", "--quick", "--rounds", str(QUICK_ROUNDS), "--json", str(file)]
        words = ["-c", script] if script else [*quick, "--only", *(only or [f"*/{threads}"])]
        environment = {**os.environ, **ENVIRONMENT}
        command = [sys.executable, *words]
        done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise WorkerError(f"{checkout}: {shlex.join(words)} failed:\n{done.stderr.strip()[-2000:]}")
        if script:
            return {group: float(done.stdout.split()[-1])}
        rows = [row for row in json.loads(file.read_text(encoding="utf-8")) if row["threads"] == threads]
        return {"{name}/{players}/{batch}/{threads}".format(**row): row["steps_per_second"] for row in rows}


def groups(only: Sequence[str], cores: int) -> list[str]:
    """List the groups that have a row which fits one of the patterns; all if there is no pattern."""

    def fits(name: str) -> bool:
        return not only or any(fnmatchcase(name, pattern) for pattern in only)

    quick = {case.threads for case in quick_cases() if case.threads <= cores and fits(case.id)}
    return [*map(str, sorted(quick)), *filter(fits, SCRIPTS)]


def measured(checkouts: Sequence[Path], rounds: int, only: Sequence[str]) -> list[Speeds]:
    """Measure two checkouts in turn; the second begins in every second round. Raises WorkerError."""
    for checkout in checkouts:  # before a script runs there: elsewhere it would find what is installed
        if not (checkout / "benchmarks/speed/__main__.py").is_file():
            raise WorkerError(f"{checkout} cannot be measured: it has no benchmarks/speed/__main__.py")
    cores = usable_cores()
    tasks = [(group, checkout) for group in groups(only, max(len(cores), 1)) for checkout in checkouts]
    found: dict[Path, Speeds] = {checkout: {} for checkout in checkouts}
    for (_, checkout), taken in in_rounds(tasks, rounds, lambda task: measure(*task, only, cores)).items():
        found[checkout] |= {row: [speeds[row] for speeds in taken] for row in taken[0]}
    return list(found.values())


def interval(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the 95 % interval: Student's, of the mean logarithm; 0 and infinity for a single round."""
    estimate = mean_estimate(np.log(ratios))
    return math.exp(estimate.low), math.exp(estimate.high)


def page(this: Mapping[str, Sequence[float]], other: Mapping[str, Sequence[float]]) -> str:
    """Return the comparison as a Markdown table, and the rows that only one checkout has."""
    rows = []
    for row in this:
        if row in other:
            ratios = [mine / theirs for mine, theirs in zip(this[row], other[row], strict=True)]
            low, high = interval(ratios)
            speeds = (figure("rate", median(speeds[row])) for speeds in (this, other))
            rows.append([row, figure("ratio", median(ratios)), f"{low:.3f} – {high:.3f}", *speeds])
    head = ["row", "this : other, median", "95 % interval", "this, per second", "other, per second"]
    alone = [f"{row}: only in this" for row in this if row not in other]
    alone += [f"{row}: only in the other" for row in other if row not in this]
    return "\n".join([table(head, rows, range(1, 5)), "", *alone])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 2 if a checkout could not be measured."""
    options = parser("python -m benchmarks.speed.versus", __doc__)
    options.add_argument("checkout", type=Path, help="folder of the other checkout")
    options.add_argument("--rounds", type=int, default=10, metavar="N", help="at least 2 (default: 10)")
    options.add_argument("--only", nargs="+", default=[], metavar="GLOB", help="rows whose id fits")
    args = options.parse_args(argv)
    checkouts = [ROOT, args.checkout.resolve()]
    if checkouts[0] == checkouts[1]:
        options.error(f"{args.checkout} is this checkout")
    if args.rounds < 2:
        options.error(f"--rounds {args.rounds}: at least 2")
    return ended("benchmarks.speed.versus", lambda: print(page(*measured(checkouts, args.rounds, args.only))))


if __name__ == "__main__":
    sys.exit(main())
