"""Measure how fast the environment is, beside others where they are installed (`make bench` installs them).

    python -m benchmarks.speed                           # all of it, about seven minutes
    python -m benchmarks.speed --quick --json quick.json # this environment alone, under 40 seconds
    python -m benchmarks.speed --only 'aec_*' '*_raw/*' --seconds 0.2
    python -m benchmarks.speed --json speed.json --markdown speed.md

`python -m pages.speed` measures all of it for docs/speed.md, and training besides.
With --quick, the JSON is a list of rows; without, an object whose "rows" is one.
"""

import argparse
import json
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from agents.common.command import ended, parser
from agents.common.cores import usable_cores
from agents.common.files import whole_files

from . import ours, peers
from .harness import Case, run_rounds
from .machine import describe
from .report import compare, page
from .startup import start_up

QUICK_SECONDS: Final = 0.1


def all_cases() -> list[Case]:
    """List every case, with what is compared close together."""
    ways = ours.loop_cases, peers.loop_cases, ours.other_cases, ours.game_cases, ours.batch_cases, peers.other_cases
    return [case for cases in ways for case in cases()]


def run(args: argparse.Namespace, typed: str) -> dict[str, Any]:
    """Measure; return all of it in plain Python types. Raises WorkerError if this environment itself fails."""
    began = time.monotonic()
    cores = usable_cores()
    machine = describe(cores)
    cases = [
        case
        for case in (ours.quick_cases() if args.quick else all_cases())
        if not args.only or any(fnmatchcase(case.id, pattern) for pattern in args.only)
    ]
    rows, skipped = run_rounds(cases, args.rounds, args.seconds, cores)
    started = [] if args.quick or args.only else start_up(args.rounds, cores)
    return {
        "command": typed,
        "machine": machine,
        "rounds": args.rounds,
        "seconds": args.seconds,
        "took": time.monotonic() - began,
        **told(rows, skipped, started),
    }


def told(
    rows: Sequence[Mapping[str, Any]], skipped: Mapping[str, str], started: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return what was measured, what was compared, and what was not measured, in plain Python types."""
    return {
        "rows": rows,
        "comparisons": compare({"{name}/{players}/{batch}/{threads}".format(**row): row for row in rows}),
        "start_up": started,
        "skipped": [{"name": name, "reason": reason} for name, reason in skipped.items()],
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 2 if this environment or its start-up could not be measured."""
    options = parser("python -m benchmarks.speed", __doc__)
    options.add_argument("--quick", action="store_true", help="this environment alone, in less than 40 seconds")
    text = f"of one measurement in one round (default: 1; with --quick {QUICK_SECONDS:g})"
    options.add_argument("--seconds", type=float, metavar="S", help=text)
    options.add_argument("--rounds", type=int, default=5, metavar="N", help="(default: 5)")
    text = "rows whose name/players/batch/threads fits, as in 'step*/2/1024/1'; no start-up times then"
    options.add_argument("--only", nargs="+", metavar="PATTERN", help=text)
    options.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    options.add_argument("--markdown", type=Path, metavar="FILE", help="write a page there")
    args = options.parse_args(argv)
    if args.seconds is None:
        args.seconds = QUICK_SECONDS if args.quick else 1.0
    if not args.seconds > 0 or args.rounds < 1:
        options.error("--seconds must be above 0, --rounds at least 1")
    typed = shlex.join(["python", "-m", "benchmarks.speed", *(sys.argv[1:] if argv is None else argv)])

    def work() -> None:
        with whole_files([args.json, args.markdown]) as (figures_file, page_file):
            data = run(args, typed)
            if figures_file is not None:
                content = data["rows"] if args.quick else data
                figures_file.write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
            if page_file is not None:
                page_file.write(page(data))
        print(page(data), end="")

    return ended("benchmarks.speed", work)


if __name__ == "__main__":
    sys.exit(main())
