"""Measure how fast the environment is, beside others where they are installed (`make bench` installs them).

    python -m benchmarks.speed                           # all of it, about seven minutes
    python -m benchmarks.speed --quick --json quick.json # this environment alone, under 40 seconds
    python -m benchmarks.speed --only 'aec_*' '*_raw/*' --seconds 0.2
    python -m benchmarks.speed --json speed.json --markdown speed.md

`python -m pages.speed` measures all of it for docs/speed.md, and training besides.
What something else disturbed is measured again, so on a busy machine it takes up to twice as long; what stayed
disturbed is marked. With --quick, the JSON is a list of rows; without, an object whose "rows" is one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from agents.common.cores import usable_cores
from agents.common.files import write_atomically

from . import command, ours, peers
from .comparisons import compare
from .harness import Case, Rounds, Row, WorkerError, run_rounds
from .machine import describe
from .report import page, print_report
from .startup import StartUp

QUICK_SECONDS: Final = 0.1


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; exit with status 2 if that cannot be done."""
    parser = command.parser("benchmarks.speed", __doc__)
    parser.add_argument("--quick", action="store_true", help="this environment alone, in less than 40 seconds")
    text = f"of one measurement in one round (default: 1; with --quick {QUICK_SECONDS:g})"
    parser.add_argument("--seconds", type=float, metavar="S", help=text)
    text = "rows whose name/players/batch/threads fits, as in 'step*/2/1024/1'; no start-up times then"
    parser.add_argument("--only", nargs="+", metavar="PATTERN", help=text)
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a page there")
    args = parser.parse_args(argv)
    if args.seconds is None:
        args.seconds = QUICK_SECONDS if args.quick else 1.0
    if not args.seconds > 0:
        parser.error("--seconds must be above 0")
    for path in (args.json, args.markdown):
        if path is not None and not path.resolve().parent.is_dir():
            parser.error(f"{path}: there is no such folder")
        if path is not None and path.is_dir():
            parser.error(f"{path} is a folder, not a file")
    return args


def all_cases() -> list[Case]:
    """List every case, with what is compared close together."""
    ways = ours.loop_cases, peers.loop_cases, ours.other_cases, ours.batch_cases, peers.other_cases
    return [case for cases in ways for case in cases()]


def run(args: argparse.Namespace, typed: str) -> dict[str, Any]:
    """Measure; return all of it in plain Python types. Raises WorkerError if this environment itself fails."""
    began = time.monotonic()
    cores = usable_cores()
    machine = describe(cores)
    cases = [case for case in (ours.quick_cases() if args.quick else all_cases()) if command.fits(case.id, args.only)]
    start_up = StartUp(cores, args.tries)
    measured = not (args.quick or args.only)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    # auto_refresh would draw ten times a second, on a core that is being measured perhaps
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task("", total=len(cases) * (1 + args.rounds))

        def tell(text: str, planned: int) -> None:
            progress.update(task, description=text, advance=planned, refresh=True)

        def after_round() -> None:
            if measured:
                tell("start-up in fresh processes", 0)
                start_up.measure()

        rows, skipped = run_rounds(
            cases, args.rounds, args.seconds, cores, tries=args.tries, after_round=after_round, progress=tell
        )
    return {
        "command": typed,
        "machine": asdict(machine),
        "rounds": args.rounds,
        "seconds": args.seconds,
        "took": time.monotonic() - began,
        **told(rows, skipped, start_up.timings),
    }


def told(rows: Sequence[Row], skipped: Mapping[str, str], timings: Mapping[str, Rounds]) -> dict[str, Any]:
    """Return what was measured, what was compared, and what was not measured, in plain Python types."""
    return {
        "rows": [row.as_json() for row in rows],
        "comparisons": [one.as_json() for one in compare({row.case.id: row for row in rows})],
        "start_up": [{"name": name, **one.figures("seconds")} for name, one in timings.items()],
        "skipped": [{"name": name, "reason": reason} for name, reason in skipped.items()],
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if this environment or its start-up could not be measured."""
    args = arguments(argv)
    try:
        data = run(args, command.typed("benchmarks.speed", argv))
    except (WorkerError, RuntimeError) as error:
        print(f"benchmarks.speed: {error}", file=sys.stderr)
        return 1
    print_report(data)
    if args.json:
        content = data["rows"] if args.quick else data
        write_atomically(args.json, (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())
    if args.markdown:
        write_atomically(args.markdown, page(data).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
