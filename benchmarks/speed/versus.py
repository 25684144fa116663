"""Compare the speed of two checkouts side by side: this one, and another, such as the commit before.

    git worktree add ../before HEAD~1
    python -m benchmarks.speed.versus ../before          # about a quarter of an hour
    python -m benchmarks.speed.versus ../before --rounds 20 --only 'step*/2/1024/*' 'search*' --json versus.json

The rows are those of `python -m benchmarks.speed --quick`; decisions of agents, alone and with 300 playouts; and
samples of training. Every round runs each group of rows in both checkouts, in fresh
processes pinned to as many cores as the rows have threads; in every second round this checkout comes last. A process
that something else disturbed is run again. A ratio is this checkout's speed to the other's in the same round; the
interval is Student's, of the logarithms of the ratios.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.cores import usable_cores
from agents.common.files import BadOutput, whole_files
from agents.common.markdown import table
from agents.common.statistics import mean_estimate

from . import command
from .comparisons import LEGEND, Compared, divided, figure, middle
from .harness import ENVIRONMENT, Rounds, pin
from .machine import ROOT, commit, describe
from .ours import quick_cases
from .quiet import Measurement, in_rounds, others_share, read_children

QUICK: Final = ["-m", "benchmarks.speed", "--quick", "--tries", "1"]
"""What measures the quick rows of a checkout; whole processes are repeated here."""
QUICK_ROUNDS: Final = 3
"""Rounds of the quick rows within one process."""

SEARCH: Final = """
import time
import agents
from bohemian_env import bohemian_villages_v0

agent = agents.make({agent!r}, seed=1)
env = bohemian_villages_v0.raw_env({players})

def decide(count, seed):
    spent = 0.0
    while count:
        env.reset(seed=seed)
        while count and not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            start = time.perf_counter()
            action = agent.act(env)
            spent += time.perf_counter() - start
            env.step(action)
            count -= 1
        seed += 1
    return spent

decide(10, 1)
print(200 / decide(200, 2))
"""
FORWARD: Final = """
import time
import agents
from bohemian_env import Batch

agent = agents.make({agent!r}, seed=1)
batch = Batch(256, {players})
batch.reset(seed=1)

def decide(times):
    spent = 0.0
    for _ in range(times):
        start = time.perf_counter()
        actions = agent.act_batch(batch)
        spent += time.perf_counter() - start
        batch.step(actions)
    return spent

decide(50)
print({times} * 256 / decide({times}))
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
        f"{agent}/{players}/1/1": SEARCH.format(agent=agent, players=players)
        for agent, players in (("search:ppo:300", 2), ("search:appraiser:300", 4), ("montecarlo:300", 4))
    },
    **{
        f"{agent}/{players}/256/1": FORWARD.format(agent=agent, players=players, times=times)
        for agent, players, times in (("ppo", 2, 300), ("planner", 2, 300), ("appraiser", 2, 60), ("appraiser", 5, 60))
    },
    "training/2/512/1": TRAINING,
}
"""Programs that run in a checkout of any layout and print a speed in their last line, by the id of their row."""


class CheckoutError(RuntimeError):
    """A checkout cannot be measured; the message says why."""


@dataclass(frozen=True)
class Group:
    """Rows that one process measures in a checkout: a script's, or the quick ones with so many threads."""

    checkout: Path
    threads: int = 1
    script: str = ""

    def run(self, only: Sequence[str], cores: Sequence[int]) -> Measurement[dict[str, float]]:
        """Measure in a fresh process: speeds by the id of the row. Raises CheckoutError."""
        cores = cores[: self.threads]
        with tempfile.TemporaryDirectory() as folder, pin(cores):
            file = Path(folder, "rows.json")
            quick = [*QUICK, "--rounds", str(QUICK_ROUNDS), "--json", str(file)]
            quick += ["--only", *(only or [f"*/{self.threads}"])]
            words = ["-c", SCRIPTS[self.script]] if self.script else quick
            before = read_children(cores)
            done = subprocess.run(
                [sys.executable, *words],
                cwd=self.checkout,
                env={**os.environ, **ENVIRONMENT},
                capture_output=True,
                text=True,
                check=False,
            )
            others = others_share(before, read_children(cores), self.threads, waits=True)
            if done.returncode:
                raise CheckoutError(f"{self.checkout}: {shlex.join(words)} failed:\n{done.stderr.strip()[-2000:]}")
            if self.script:
                return Measurement({self.script: float(done.stdout.split()[-1])}, others)
            return Measurement(quick_speeds(json.loads(file.read_text(encoding="utf-8")), self.threads), others)


def check(checkout: Path) -> None:
    """Raise CheckoutError unless the folder is a checkout that can be measured."""
    if not (checkout / "benchmarks/speed/__main__.py").is_file():
        raise CheckoutError(f"{checkout} cannot be measured: it has no benchmarks/speed/__main__.py")


def quick_speeds(rows: Sequence[dict[str, Any]], threads: int) -> dict[str, float]:
    """Return the speeds of those rows of a ``--quick --json`` file that have so many threads, by id."""
    wanted = (row for row in rows if row["threads"] == threads)
    return {"{name}/{players}/{batch}/{threads}".format(**row): row["steps_per_second"] for row in wanted}


def groups(checkout: Path, only: Sequence[str], cores: int) -> list[Group]:
    """List the groups that have a row which fits one of the patterns; all if there is no pattern."""
    quick = {case.threads for case in quick_cases() if case.threads <= cores and command.fits(case.id, only)}
    found = [Group(checkout, threads) for threads in sorted(quick)]
    return found + [Group(checkout, script=name) for name in SCRIPTS if command.fits(name, only)]


Speeds = dict[str, Rounds]
"""What each row of a checkout reached, by the id of the row."""


def measured(checkouts: Sequence[Path], rounds: int, tries: int, only: Sequence[str]) -> list[Speeds]:
    """Measure two checkouts in turn; the second begins in every second round. Raises CheckoutError."""
    for checkout in checkouts:
        check(checkout)  # before a script runs there: elsewhere it would find what is installed
    cores = usable_cores()
    pairs = zip(*(groups(checkout, only, max(len(cores), 1)) for checkout in checkouts), strict=True)

    def take(name: str, group: Group, attempt: int) -> Measurement[dict[str, float]]:
        rows = group.script or f"quick rows, threads: {group.threads}"
        print(f"{name}: {group.checkout.name}, {rows}", file=sys.stderr)
        return group.run(only, cores)

    found: dict[Path, Speeds] = {checkout: {} for checkout in checkouts}
    for group, taken in in_rounds([group for pair in pairs for group in pair], rounds, tries, take).items():
        for row in taken[0].value:
            found[group.checkout][row] = Rounds.of([Measurement(one.value[row], one.others) for one in taken])
    return list(found.values())


def compare(this: Speeds, other: Speeds) -> list[Compared]:
    """Divide the speeds of the rows that both checkouts have, round by round."""
    return [divided(this[row], {row: other[row]}, ours=row) for row in this if row in other]


def interval(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the 95 % interval: Student's, of the mean logarithm; 0 and infinity for a single round."""
    estimate = mean_estimate(np.log(ratios))
    return math.exp(estimate.low), math.exp(estimate.high)


def page(this: Speeds, other: Speeds) -> str:
    """Return the comparison as a Markdown table, and the rows that only one checkout has."""
    rows = []
    for one in compare(this, other):
        low, high = interval(one.values)
        speeds = (figure("rate", speeds[one.ours].median) for speeds in (this, other))
        rows.append([one.ours, middle("ratio", one.figures()), f"{low:.3f} – {high:.3f}", *speeds])
    head = ["row", "this : other, median", "95 % interval", "this, per second", "other, per second"]
    alone = [f"{row}: only in this" for row in this if row not in other]
    alone += [f"{row}: only in the other" for row in other if row not in this]
    return "\n".join([table(head, rows, range(1, 5)), "", *alone, LEGEND])


def as_json(checkouts: Sequence[Path], this: Speeds, other: Speeds) -> dict[str, Any]:
    """Return all of it in plain Python types."""
    return {
        "commits": [commit(checkout) for checkout in checkouts],
        "machine": asdict(describe(usable_cores())),
        "rows": [{"row": one.ours, **one.figures(), "interval": interval(one.values)} for one in compare(this, other)],
        "this": {row: taken.figures() for row, taken in this.items()},
        "other": {row: taken.figures() for row, taken in other.items()},
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if a checkout could not be measured."""
    parser = command.parser("benchmarks.speed.versus", __doc__, rounds=10, least=2)
    parser.add_argument("checkout", type=Path, help="folder of the other checkout")
    parser.add_argument("--only", nargs="+", default=[], metavar="GLOB", help="rows whose id fits")
    args = parser.parse_args(argv)
    checkouts = [ROOT, args.checkout.resolve()]
    if checkouts[0] == checkouts[1]:
        parser.error(f"{args.checkout} is this checkout")
    try:
        with whole_files([args.json]) as (file,):
            this, other = measured(checkouts, args.rounds, args.tries, args.only)
            if file is not None:
                file.write(json.dumps(as_json(checkouts, this, other), indent=1) + "\n")
    except BadOutput as error:
        parser.error(str(error))
    except CheckoutError as error:
        print(f"benchmarks.speed.versus: {error}", file=sys.stderr)
        return 1
    print(page(this, other))
    return 0


if __name__ == "__main__":
    sys.exit(main())
