"""Compile what the tests run, which is kept until the sources change: ``python -m tests.compile``.

Tests that begin together on several cores would each compile it.
"""

import contextlib
import io
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
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


def play_villages() -> None:
    """Play at the table, train and compare, each as shortly as can be."""
    warm("villages")
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        failed = train.main([*LEARNING.split(), str(Path(folder, "run"))])
        failed |= evaluate.main([*AGENTS, "--games", "2", "--jobs", "1", "--work", folder])
    if failed:
        raise SystemExit(said.getvalue())


def check_game(game: str) -> None:
    """Check a game, and let it sit down at the table."""
    for check in CHECKS:
        check(Kit(game))
    if game != "villages":
        warm(game)


def main() -> None:
    """Do both, for every game, in two processes: they compile different things."""
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        parts = [processes.submit(play_villages), *(processes.submit(check_game, game) for game in reversed(GAMES))]
        for part in parts:
            part.result()


if __name__ == "__main__":
    main()
