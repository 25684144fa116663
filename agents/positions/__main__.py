"""Draw positions from games of many agents, and roll out every move in them: the file that agents are measured by.

    python -m agents.positions --count 500 --work runs/positions

What is finished lies in the work folder, so that the same command goes on after an interrupt. Takes about 3 core-hours.
"""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from agents.common.cores import usable_cores
from agents.common.files import make_folder, write_atomically
from agents.tournament.versions import versions
from bohemian_env import Batch, Setup
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS

from .book import BOOK, Book, Position
from .draw import PLAYERS, draw
from .rollout import CERTAINTY, ROUNDS, judge

_TOGETHER = 10
"""Positions between two writings of what is finished."""
_SEED = 9_000_000


def rolled_out(players: int, count: int, work: Path, jobs: int) -> list[Position]:
    """Return positions of one number of players with what their moves cost; those in the work folder are taken."""
    drawn = draw(players, count, _SEED)
    batch = Batch(count, Setup.of(players), autoreset=False)
    batch.replay([seed for seed, _ in drawn], [moves for _, moves in drawn])
    path = work / f"{players}-of-{count}.json"
    found = list(Book.load(path).positions(players)) if path.exists() else []
    with ThreadPoolExecutor(jobs) as pool:
        while (done := len(found)) < count:
            numbers = range(done, min(done + _TOGETHER, count))
            for number, judged in zip(
                numbers, pool.map(lambda n: judge(batch.states[n : n + 1], _SEED + n), numbers), strict=True
            ):
                pairs = zip(judged.losses.tolist(), judged.errors.tolist(), strict=True)
                found.append(Position(*drawn[number], dict(zip(judged.actions, pairs, strict=True))))
            write_atomically(path, json.dumps(Book({}, {players: found}).to_json()).encode())
            print(f"{players} players: {len(found)} of {count}", flush=True)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 130 after an interrupt."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.positions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=500, help="positions of each number of players (default: 500)")
    parser.add_argument("--jobs", type=int, default=len(usable_cores()), help="threads (default: the usable cores)")
    parser.add_argument("--work", type=Path, default=Path("runs/positions"), help="folder for what is finished")
    parser.add_argument("--out", type=Path, default=BOOK, help="the file (default: that of the project)")
    argv = sys.argv[1:] if argv is None else argv
    o = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    make_folder(o.work)
    try:
        found = {n: rolled_out(n, o.count, o.work, o.jobs) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    errors = [error for rows in found.values() for one in rows for loss, error in one.losses.values() if loss < 0.05]
    about = {
        "command": shlex.join(["python", "-m", "agents.positions", *argv]),
        "versions": versions(),
        "drawn from games of": PLAYERS,
        "rolled out by": "appraiser",
        "rounds": ROUNDS,
        "certainty": CERTAINTY,
        "largest error of a loss below .05": float(np.max(errors)),
    }
    write_atomically(o.out, json.dumps(Book(about, found).to_json(), separators=(",", ":")).encode())
    print(o.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
