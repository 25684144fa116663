"""Run a campaign of faults, or go on with one, and print its table.

    python -m faults --minutes 30
    python -m faults --hours 8 --jobs 2 --page
    python -m faults --only kill-table,disk --minutes 5
    python -m faults --repeat kill-table:17
    python -m faults --recheck

Attempts follow from the seed, but for the moments at which programs are killed, a disk fails and requests meet.
--repeat makes one again, --recheck all that broke something; what they no longer find at a later commit is noted as
mended. The exit status is 1 where something broke that is not mended.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from filelock import FileLock, Timeout

from agents.common.files import make_folder, reason
from pages import ROOT

from . import preload
from .campaign import Attempt, Campaign, Fault, seed_of
from .kinds import FAULTS
from .ledger import BadLedger, Ledger, Tried, commit
from .page import BadPage, table_of, write_page


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m faults", description=__doc__, formatter_class=formatter)
    add = parser.add_argument
    add("--minutes", type=float, default=0.0, help="how long")
    add("--hours", type=float, default=0.0, help="how long, besides")
    add("--seed", type=int, default=0, metavar="N", help="of the campaign (default: 0)")
    add("--jobs", type=int, default=1, metavar="N", help="processes that try, at a time (default: 1)")
    add("--out", type=Path, default=ROOT / "runs" / "faults", metavar="FOLDER", help="of its ledger (runs/faults)")
    add("--only", metavar="NAME,...", help=f"faults to try (default: all): {', '.join(f.name for f in FAULTS)}")
    add("--repeat", metavar="NAME:NUMBER", help="make one attempt again")
    add("--recheck", action="store_true", help="make all attempts again that found something")
    add("--page", action="store_true", help="write docs/reliability.md from the ledger")
    options = parser.parse_args(argv)
    if options.jobs < 1:
        parser.error(f"--jobs {options.jobs}: at least 1")
    return options


def chosen(names: str | None) -> list[Fault]:
    """Return the named faults, all by default; raises ValueError for an unknown name."""
    known = {fault.name: fault for fault in FAULTS}
    if names is None:
        return list(FAULTS)
    if unknown := [name for name in names.split(",") if name not in known]:
        raise ValueError(f"unknown fault {unknown[0]!r}; known are {', '.join(known)}")
    return [known[name] for name in names.split(",")]


def possible(faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults that can be tried on this machine, with the aims that they can reach on it; raises ValueError
    if there is none.
    """
    if any(fault.preloaded for fault in faults) and preload.library() is None:
        left = [{row: aim for row, aim in fault.aims.items() if row not in fault.preloaded} for fault in faults]
        faults = [replace(f, aims=aims) for f, aims in zip(faults, left, strict=True) if aims or not f.preloaded]
    if not faults:
        raise ValueError("nothing is left to try")
    return list(faults)


def attempt_of(text: str, seed: int) -> Attempt:
    """Return the attempt that `NAME:NUMBER` means."""
    name, _, number = text.partition(":")
    if not number.isdecimal():
        raise ValueError(f"--repeat takes NAME:NUMBER, not {text!r}")
    return Attempt(possible(chosen(name))[0], int(number), seed_of(seed, name, int(number)))


def command_of(argv: Sequence[str]) -> str:
    """Return the command for the page; without --out, which means something on this machine alone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out")
    return shlex.join(["python", "-m", "faults", *parser.parse_known_args(argv)[1]])


def tell(attempt: Attempt, seconds: float, tried: Sequence[Tried]) -> None:
    """Print a line for an attempt, and one for everything it found."""
    tries, lost, broken = sum(t.tries for t in tried), sum(t.lost for t in tried), sum(len(t.broken) for t in tried)
    found = f", {lost} lost, {broken} broken" if broken else ""
    print(f"{attempt.fault.name}:{attempt.number}: {tries:,} tries in {seconds:.1f} s{found}", flush=True)
    for one in tried:
        for what in one.broken[:3]:
            print(f"    {one.row}: {what}", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0, 1 where something is broken, 2 for bad input, 130 interrupted."""
    options = arguments(argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    ledger: Ledger | None = None
    status = 0
    lock = FileLock(options.out / ".lock", timeout=0)
    try:
        make_folder(options.out)
        lock.acquire()
        ledger = Ledger(options.out / "ledger.json", options.seed)
        faults = possible(chosen(options.only))
        campaign = Campaign(faults, ledger, commit(), options.jobs)
        if options.repeat:
            campaign.repeat([attempt_of(options.repeat, options.seed)], tell)
        elif options.recheck:
            found = [(fault, number) for fault in faults for name, number in ledger.open() if name == fault.name]
            campaign.repeat([Attempt(f, number, seed_of(options.seed, f.name, number)) for f, number in found], tell)
        else:
            campaign.run(60 * options.minutes + 3600 * options.hours, tell)
        if options.page:
            left = write_page(ledger, options.out, command_of(sys.argv[1:] if argv is None else argv), possible(FAULTS))
            if left:
                print(f"faults: as they were on the page: {', '.join(left)}", file=sys.stderr)
    except Timeout:
        print(f"faults: {options.out} is in use by another campaign; wait for its end, or give --out", file=sys.stderr)
        return 2
    except (BadLedger, BadPage, ValueError, OSError) as error:
        print(f"faults: {reason(error) if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        status = 130
    finally:
        lock.release()
    if ledger is None:
        return status
    print(table_of(ledger))
    broken = [(name, row) for name, entry in ledger.entries.items() for row in entry.rows.values() if row.open]
    for name, row in broken:  # last, where the end of a log shows it
        for one in row.findings:
            if not one.mended:
                print(f"open: {name}:{one.attempt}: {one.what}")
    return status or int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
