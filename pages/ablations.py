"""Make docs/ablations.md: what each part of the training is worth.

    python -m pages.ablations

Trains an agent with each variant of the settings and each of several seeds, for the same number of minutes, as many at
a time as there are cores, each on one thread. Takes about 20 minutes on two cores. Finished runs are kept in the work
folder, so that after an interrupt the same command goes on; delete the folder to train anew.
"""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Sequence
from typing import Final, TextIO

from .trainings import arguments, conditions, interval, make_page, samples, train_all, win_shares

SCRIPT: Final = "pages.ablations"
SEED: Final = 4_000_000
"""Of the games that compare."""
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

HEAD: Final = """\
# What makes agents stronger

Each line is a way of training, {minutes:g} minutes on one core, with {seeds} seeds. The number is the win share of the
agent's likeliest moves alone among copies of an opponent, with {players} players (equals: {fair:.3f}), {games:,} games
for each seed: the mean over the seeds, and its {level} interval by Student's t, which covers both what another seed of
training would change and the luck of the games. `hoarder` was never trained against.

| variant | options | decisions, thousands | {opponents} |
|---|---|--:|{rules}|
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    o = arguments(SCRIPT, __doc__, "ablations.md", {"minutes": 1.0, "seeds": 3, "players": 4}, argv)

    def write(file: TextIO) -> None:
        runs = train_all(list(VARIANTS.values()), o)
        file.write(HEAD.format(**conditions(OPPONENTS, o)))
        for name, options in VARIANTS.items():
            of_seeds = [win_shares(folder, OPPONENTS, SEED, o) for folder in runs[options]]
            cells = [interval(column) for column in zip(*of_seeds, strict=True)]
            told = f"`{options}`" if options else "–"
            file.write(f"| {' | '.join([name, told, samples(runs[options]), *cells])} |\n")
        file.write(f"\nMade by `{shlex.join(['python', SCRIPT, *argv])}`.\n")

    return make_page(SCRIPT, o, write)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
