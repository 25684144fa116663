"""Measure docs/ablations.md: what each part of the training is worth.

    python -m pages.ablations

Trains an agent by train.py with each variant of the settings and each of several seeds, for the same number of minutes,
and a network for positions by agents.training.td with each of its variants, on so many games that they take about as
long as each other: as many at a time as there are cores, each on one thread. Takes about an hour on two cores. Finished
runs are kept in the work folder, so that after an interrupt the same command goes on; delete the folder to train anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from agents.common.markdown import table
from agents.training.td import learned, strength

from .trainings import arguments, interval, make_page, rounds_of_games, samples, train_all, train_networks, win_shares

PROGRAM: Final = "pages.ablations"
SEED: Final = 4_000_000
"""The first seed of the games that compare."""
OPPONENTS: Final = ("planner", "hoarder", "greedy")
VARIANTS: Final = {
    "the defaults": "",
    "advice of appraiser": "--adviser appraiser",
    "no advice": "--no-advice",
    "no advice, imitation of planner first": "--no-advice --imitate 30",
    "self-play alone": "--current 0.5 --snapshots 0.5",
    "scripted opponents alone": "--current 0 --snapshots 0",
    "reward: the win alone": "--reward win",
    "reward: the margin alone": "--reward margin",
    "larger network": "--trunk 512,256",
    "learning rate 0.0003": "--learning-rate 0.0003",
}
"""What is changed, as options of train.py."""
_MIXED: Final = "--lessons 40000 --among 0.6"
NETWORKS: Final = {
    "games against itself": "--games 30000",
    "after games of planner": "--games 60000 --lessons 40000",
    "then also among planners": f"--games 80000 {_MIXED}",
    "λ = 0.5": f"--games 80000 {_MIXED} --lam 0.5",
    "λ = 1": f"--games 80000 {_MIXED} --lam 1",
    "learning rate 0.0003": f"--games 80000 {_MIXED} --rate 0.0003",
    "some decisions searched": f"--games 56000 {_MIXED} --searched 0.15",
    "twice as many units in the first layer": f"--games 70000 {_MIXED} --width 128",
}
"""Options of agents.training.td. With four players all take about as long; searches do, so there are fewer games."""
_NARROW: Final = "--width 64"
"""What all of them have that say nothing else."""


def policies(o: argparse.Namespace) -> str:
    """Return the table of agents that train.py has trained."""
    runs = train_all(list(VARIANTS.values()), o)
    rows = []
    for name, options in VARIANTS.items():
        of_seeds = [win_shares(folder, OPPONENTS, SEED, o) for folder in runs[options]]
        cells = [interval(column) for column in zip(*of_seeds, strict=True)]
        rows.append([name, f"`{options}`" if options else "–", samples(runs[options]), *cells])
    head = ["variant", "options", "decisions, thousands", *(f"v `{name}`" for name in OPPONENTS)]
    return table(head, rows, range(2, len(head)))


def networks(o: argparse.Namespace) -> str:
    """Return the table of networks that agents.training.td has learned."""
    runs = train_networks([f"{_NARROW} {options}" for options in NETWORKS.values()], o)
    rows = []
    for name, options in NETWORKS.items():
        found = [learned(folder) for folder in runs[f"{_NARROW} {options}"]]
        minutes = sum(seconds for _, seconds in found) / 60 / len(found)
        shares = [strength(weights, o.players, rounds_of_games(o), SEED).value for weights, _ in found]
        rows.append([name, f"`{options}`", f"{minutes:.1f}", interval(shares)])
    head = ["variant", "options", "core-minutes", "v `planner`"]
    return table(head, rows, range(2, len(head)))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    o = arguments(PROGRAM, __doc__, {"minutes": 1.0, "seeds": 3, "players": 4}, argv)

    return make_page(o, SEED, lambda: {"variants": policies(o), "networks": networks(o)})


if __name__ == "__main__":
    sys.exit(main())
