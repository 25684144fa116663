"""Measure docs/libraries.md: run every example, and write down what it reached and how fast.

    python -m pages.libraries --others .venv-examples/bin/python

Takes some 20 minutes on one core. What an example said is kept in the work folder: one that is finished is not run
again until its file or the seed changes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from agents.common.files import make_folder, write_atomically
from agents.common.markdown import fenced, table
from benchmarks.speed.machine import describe
from examples.measure import LAST_LINE, SEED
from pages import DOCS, ROOT
from pages.program import make_files, measured_page, parser, read

PROGRAM: Final = "pages.libraries"
EXAMPLES: Final = ROOT / "examples"
CHECK: Final = "python -m examples.measure"
OTHERS: Final = {
    "openspiel_mcts": "pyspiel", "rllib_ppo": "tree", "tianshou_dqn": "tianshou", "torchrl_ppo": "torchrl",
}  # fmt: skip
"""The examples whose libraries are not all among ours, with a module that each needs: `make examples` brings them."""


class BadExample(ValueError):
    """An example that cannot be run, or did not say what it reached."""


def names() -> list[str]:
    """Return the names of all examples."""
    return sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in ("__init__", "measure"))


def command_of(name: str) -> str:
    """Return the command of an example: its first line."""
    first = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix('"""')


def run(command: str, python: str, options: Sequence[str] = ()) -> tuple[str, re.Match[str]]:
    """Run an example; return what it said, and its last line, taken apart.

    python: what stands for ``python`` in the command. Raises BadExample if it fails or its last line is another one.
    """
    words = [python, *command.split()[1:], *options]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(words, cwd=ROOT, env=one_thread, text=True, capture_output=True, check=False)
    said = done.stdout.strip().splitlines()
    match = LAST_LINE.fullmatch(said[-1]) if said and done.returncode == 0 else None
    if match is None:
        told = [*said, *done.stderr.strip().splitlines()][-1:] or ["it said nothing"]
        raise BadExample(f"{command}: status {done.returncode}: {told[0]}")
    return done.stdout.strip(), match


def reached(name: str, o: argparse.Namespace) -> re.Match[str]:
    """Return the last line of an example, taken apart, now or as it was kept."""
    python = o.others if name in OTHERS else sys.executable
    parts = [(EXAMPLES / f"{part}.py").read_bytes() for part in (name, "measure")]
    digest = hashlib.sha256(b"\0".join([*parts, str(o.seed).encode()])).hexdigest()[:16]
    kept = Path(o.work) / f"{name}-{digest}.txt"
    if kept.exists() and (match := LAST_LINE.fullmatch(kept.read_text(encoding="utf-8"))):
        return match
    _, match = run(command_of(name), python, ["--seed", str(o.seed)])
    write_atomically(kept, match[0].encode())
    return match


def row(name: str, match: re.Match[str]) -> list[str]:
    """Return an example's line of the table."""
    share = f"{match['share']} ({match['low']} to {match['high']})"
    return [
        f"[`{command_of(name)}`](../examples/{name}.py)", match["decisions"], match["seconds"], match["rate"], share,
        match["games"],
    ]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    others = "Python that has the libraries of `make examples` (default: this one)"
    options.add_argument("--others", default=sys.executable, metavar="PYTHON", help=others)
    options.add_argument("--seed", type=int, default=0, help="of all examples (default: 0)")
    options.add_argument(
        "--out", type=Path, default=DOCS / "libraries.md", help="where to (default: docs/libraries.md)"
    )
    options.add_argument("--work", default=f"runs/{PROGRAM}", help="folder for what is finished")
    o = read(options, argv)

    def texts() -> list[str]:
        make_folder(Path(o.work))
        head = ("example", "decisions", "seconds", "a second", "win share against `greedy` (95 %)", "games")
        rows = [row(name, reached(name, o)) for name in names()]
        blocks = {"examples": table(head, rows, range(1, 6)), "check": fenced(run(CHECK, sys.executable)[0])}
        machine, load = describe([]), os.getloadavg()[2]
        blocks["conditions"] = (
            f"Seed {o.seed}; one thread of {machine.cpu}, {machine.cores} cores, on which other programs ran (load "
            f"{load:.0f} at the end): seconds are those that the processor gave to the training. Games on the seeds "
            f"from {SEED:,} on, one agent among `greedy`, every seat in turn; {machine.date}."
        )
        return [measured_page(o, blocks)]

    return make_files(o, [o.out], texts, "what is finished is kept, and the same command goes on")


if __name__ == "__main__":
    sys.exit(main())
