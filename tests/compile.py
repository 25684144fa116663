"""Compile what the tests run, which is kept until the sources change: ``python -m tests.compile``.

Tests that begin together on several cores would each compile it.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

import evaluate
import train
from bohemian_env.check import CHECKS, Kit
from bohemian_env.games import GAMES
from table.server import warm

AGENTS = ("random", "greedy", "planner", "montecarlo:4", "search:appraiser:4", "search:ppo:4")
"""Agents that together use all that opponents are made of."""
LEARNING = "--games 8 --horizon 8 --minibatch 32 --steps 64 --imitate-samples 64 --out"
"""Settings of a training run that lasts for a moment."""


def main() -> None:
    """Play at the table, train, compare, and check every game, each as shortly as can be."""
    warm()
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        failed = train.main([*LEARNING.split(), str(Path(folder, "run"))])
        failed |= evaluate.main([*AGENTS, "--games", "2", "--jobs", "1", "--work", folder])
        for game in GAMES:
            for check in CHECKS:
                check(Kit(game))
    if failed:
        raise SystemExit(said.getvalue())


if __name__ == "__main__":
    main()
