"""Try to break the project in every way, and print what was tried and what broke.

    python -m tests.faults --minutes 30 --jobs 2
    python -m tests.faults --only kill-table,http --games agricola --minutes 5
    python -m tests.faults --only steps --minutes 600 --tries 100000000 --tally docs/reliability.json
    python -m tests.faults --repeat kill-table/agricola:17

Attempts follow from the seed, but for the moments at which programs are killed and requests meet: with another --seed
others are made, and --repeat makes one again. With --tally the next campaign goes on where this one ended, whatever
ends it. The exit status is 1 where something broke.
"""

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bohemian_env.games import known_games
from tests.reference.beside import PLAIN

from .campaign import Campaign, Fault, Tried

FAULTS: Final = {
    "kill-training": "kills:kill_training",
    "kill-tournament": "kills:kill_tournament",
    "kill-table": "kills:kill_table",
    "http": "web:hostile",
    "beside": "steps:beside",
    "steps": "steps:steps",
    **{f"fuzz-{of}": f"doors_{of}:DOORS" for of in ("game", "envs", "files", "agents", "table")},
}
"""What a campaign tries in every game, and where that stands here."""


def faults_of(names: Sequence[str], games: Sequence[str]) -> list[Fault]:
    """Return the faults of these names, each in every one of these games that it is for."""
    pairs = [(name, game) for name in names for game in games if name != "beside" or game in PLAIN]
    return [Fault(f"{name}/{game}", f"tests.faults.{FAULTS[name]}", game) for name, game in pairs]


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; exit with status 2 if that is not possible."""
    faults, games = [*FAULTS], [*known_games()]

    def listed(kind: str, known: Sequence[str]) -> Callable[[str], list[str]]:
        def read(text: str) -> list[str]:
            if unknown := [name for name in text.split(",") if name not in known]:
                raise argparse.ArgumentTypeError(f"unknown {kind} {unknown[0]!r}; known are {', '.join(known)}")
            return text.split(",")

        return read

    def numbered(text: str) -> tuple[Fault, int]:
        known = {fault.name: fault for fault in faults_of(faults, games)}
        name, _, number = text.partition(":")
        if name not in known or not number.isdecimal():
            raise argparse.ArgumentTypeError(f"expected NAME/GAME:NUMBER, got {text!r}")
        return known[name], int(number)

    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__, formatter_class=formatter)
    add = parser.add_argument
    add("--minutes", type=float, default=0.0, help="how long; every fault is tried once in any case")
    add("--tries", type=int, metavar="N", help="leave a fault out once all that it tries has so many tries")
    add("--seed", type=int, default=0, metavar="N", help="the seed of the campaign (default: 0)")
    add("--jobs", type=int, default=1, metavar="N", help="attempts at a time (default: 1)")
    add("--only", type=listed("fault", faults), default=faults, help=f"some faults (default: {','.join(faults)})")
    add("--games", type=listed("game", games), default=games, help=f"some games (default: {','.join(games)})")
    add("--tally", type=Path, metavar="FILE", help="keep what was tried in a file, and go on with what is there")
    add("--repeat", type=numbered, metavar="NAME/GAME:NUMBER", help="make one attempt again")
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
            tries[f"{one.row} ({name.rpartition('/')[2]})"] += one.tries
        broken.extend(found)
        print(f"{name}:{number}: {sum(one.tries for one in tried):,} tries in {seconds:.1f} s", *found, sep="\n    ")
        sys.stdout.flush()

    try:
        campaign = Campaign(faults_of(options.only, options.games), options.seed, tell, options.tally)
    except ValueError as error:
        print(f"--tally: {error}", file=sys.stderr)
        return 2
    status = 0
    try:
        if options.repeat:
            campaign.attempt(*options.repeat)
        else:
            campaign.run(60 * options.minutes, options.jobs, options.tries)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        status = 130
    print("\n".join(f"{count:>12,}  {row}" for row, count in sorted(tries.items())))
    for what in broken:  # last, where the end of a log shows it
        print(f"broken: {what}")
    return status or int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
