"""Measure docs/ablations.md: what each part of the training is worth.

    python -m pages.ablations

Trains an agent with each variant of the settings and each of several seeds, for the same number of minutes, as many at
a time as there are cores, each on one thread. Takes about 20 minutes on two cores. Finished runs are kept in the work
folder, so that after an interrupt the same command goes on; delete the folder to train anew.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from agents.common.markdown import table

from .trainings import arguments, interval, make_page, samples, train_all, win_shares

PROGRAM: Final = "pages.ablations"
SEED: Final = 4_000_000
"""The first seed of the games that compare."""
OPPONENTS: Final = ("planner", "hoarder", "greedy")
VARIANTS: Final = {
    "the defaults": "",
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    o = arguments(PROGRAM, __doc__, {"minutes": 1.0, "seeds": 3, "players": 4}, argv)

    def blocks() -> dict[str, str]:
        runs = train_all(list(VARIANTS.values()), o)
        rows = []
        for name, options in VARIANTS.items():
            of_seeds = [win_shares(folder, OPPONENTS, SEED, o) for folder in runs[options]]
            cells = [interval(column) for column in zip(*of_seeds, strict=True)]
            rows.append([name, f"`{options}`" if options else "–", samples(runs[options]), *cells])
        head = ["variant", "options", "decisions, thousands", *(f"v `{name}`" for name in OPPONENTS)]
        return {"variants": table(head, rows, range(2, len(head)))}

    return make_page(o, blocks)


if __name__ == "__main__":
    sys.exit(main())
