"""Try to break the project in every way, and print what was tried and what broke.

    python -m tests.faults --minutes 30 --jobs 2
    python -m tests.faults --only kill-table,http --minutes 5
    python -m tests.faults --repeat kill-table:17

Attempts follow from the seed, but for the moments at which programs are killed and requests meet: with another --seed
others are made, and --repeat makes one again. The exit status is 1 where something broke.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final

from .campaign import Campaign, Fault, Tried

FAULTS: Final = (
    Fault("kill-training", "tests.faults.kills:kill_training", 600),
    Fault("kill-tournament", "tests.faults.kills:kill_tournament", 600),
    Fault("kill-table", "tests.faults.kills:kill_table", 600),
    Fault("http", "tests.faults.web:hostile"),
    Fault("beside", "tests.faults.steps:beside"),
    Fault("steps", "tests.faults.steps:steps"),
    Fault("fuzz-game", "tests.faults.doors_game:DOORS"),
    Fault("fuzz-envs", "tests.faults.doors_envs:DOORS"),
    Fault("fuzz-files", "tests.faults.doors_files:DOORS"),
    Fault("fuzz-agents", "tests.faults.doors_agents:DOORS"),
    Fault("fuzz-table", "tests.faults.doors_table:DOORS"),
)
"""What a campaign tries."""


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; exit with status 2 if that is not possible."""
    known = {fault.name: fault for fault in FAULTS}

    def named(text: str) -> list[Fault]:
        if unknown := [name for name in text.split(",") if name not in known]:
            raise argparse.ArgumentTypeError(f"unknown fault {unknown[0]!r}; known are {', '.join(known)}")
        return [known[name] for name in text.split(",")]

    def numbered(text: str) -> tuple[Fault, int]:
        name, _, number = text.partition(":")
        if not number.isdecimal():
            raise argparse.ArgumentTypeError(f"expected NAME:NUMBER, got {text!r}")
        return named(name)[0], int(number)

    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__, formatter_class=formatter)
    add = parser.add_argument
    add("--minutes", type=float, default=0.0, help="how long; every fault is tried once in any case")
    add("--seed", type=int, default=0, metavar="N", help="the seed of the campaign (default: 0)")
    add("--jobs", type=int, default=1, metavar="N", help="attempts at a time (default: 1)")
    add("--only", type=named, default=FAULTS, metavar="NAME,...", help=f"faults to try (default: {', '.join(known)})")
    add("--repeat", type=numbered, metavar="NAME:NUMBER", help="make one attempt again")
    options = parser.parse_args(argv)
    if options.jobs < 1:
        parser.error(f"--jobs: expected at least 1, got {options.jobs}")
    return options


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0, 1 where something broke, 2 for bad input, 130 interrupted."""
    options = arguments(argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    tries, broken = Counter[str](), list[str]()

    def tell(name: str, number: int, seconds: float, tried: Sequence[Tried]) -> None:
        found = [f"{name}:{number}: {one.row}: {what}" for one in tried for what in one.broken]
        for one in tried:
            tries[one.row] += one.tries
        broken.extend(found)
        print(f"{name}:{number}: {sum(one.tries for one in tried):,} tries in {seconds:.1f} s", *found, sep="\n    ")
        sys.stdout.flush()

    campaign, status = Campaign(options.only, options.seed, tell), 0
    try:
        if options.repeat:
            campaign.attempt(*options.repeat)
        else:
            campaign.run(60 * options.minutes, options.jobs)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        status = 130
    print("\n".join(f"{count:>12,}  {row}" for row, count in sorted(tries.items())))
    for what in broken:  # last, where the end of a log shows it
        print(f"broken: {what}")
    return status or int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
