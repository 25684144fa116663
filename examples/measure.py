"""What the examples share: a command line, and a last line that says what was reached and how fast.

As a command, ``python -m examples.measure``, it says what two policies reach that learn nothing.
"""

import argparse
import time
from typing import Any, Final

import numpy as np

from agents.tournament import compare, enter
from bohemian_env import Setup

AGAINST: Final = "greedy"
SEED: Final = 6_000_000  # of the first game that an agent is measured in; training begins elsewhere


def options(description: str | None, decisions: int | None, games: int = 2000) -> argparse.Namespace:
    """Return the command line of an example. decisions, games: the defaults, such that it takes a minute or two; where
    nothing is learned, decisions is None."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=formatter)
    if decisions is not None:
        parser.add_argument(
            "--decisions", type=_count, default=decisions, help=f"to learn from (default: {decisions:,})"
        )
    parser.add_argument("--players", type=int, choices=range(2, 6), default=2, help="2 to 5 (default: 2)")
    parser.add_argument("--seed", type=_seed, default=0, help="of all random choices (default: 0)")
    parser.add_argument("--games", type=_count, default=games, help=f"to measure it by (default: {games:,})")
    return parser.parse_args()


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10**9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 1,000,000,000")
    return int(text)


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2,147,483,647")
    return int(text)


def report(agent: Any, o: argparse.Namespace, decisions: int | None = None, seconds: float | None = None) -> None:
    """Print how an agent does among copies of ``greedy``, and how fast it was trained.

    agent: it has ``act(observations, masks)`` or ``move(game)``. o: the command line. decisions, seconds: those of the
    training, in seconds of the processor; by default those of the games that are played here.
    """
    setup, start = Setup.of(o.players), time.process_time()
    found = compare(enter([agent, AGAINST], o.seed), setup, games=o.games, seed=SEED, tables="single")
    table = found.tables[0]
    if decisions is None or seconds is None:
        decisions, seconds = int(found.decisions[0]), time.process_time() - start
    rate = decisions / max(seconds, 1e-9)
    print(
        f"win share {table.results[0].share.text()} against {AGAINST}, {o.players} players, {table.games:,} games; "
        f"{decisions:,} decisions in {seconds:.1f} s, {rate:,.0f} a second; seed {o.seed}"
    )


class Drawn:
    """Any legal action, each as likely as any other."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the actions."""
        return (self.random.random(masks.shape) * masks).argmax(1)


class First:
    """The legal action of the lowest number."""

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the actions."""
        return masks.argmax(1)


if __name__ == "__main__":
    given = options(__doc__, decisions=None)
    for policy in (Drawn(given.seed), First()):
        print(policy.__doc__)
        report(policy, given)
