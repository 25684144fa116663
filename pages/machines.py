"""Measure docs/machines.md: how tournaments scale over the cores of this machine, with Ray and without.

    python -m pages.machines

Takes 10 minutes on two cores, and should have them to itself. It starts Ray twice on this machine, with a token of its
own, and ends it; from 10 cores on, the figures are arithmetic.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from agents.common.cores import usable_cores
from agents.common.markdown import table
from agents.tournament import GAMES_AT_ONCE, LineUp, compare, enter
from agents.tournament.play import play_chunk, try_out
from agents.tournament.schedule import Chunk
from bohemian_env import Setup
from pages import DOCS, ROOT
from pages.program import make_files, measured_page, parser, read

PROGRAM: Final = "pages.machines"
SEED: Final = 9_500_000
QUICK: Final = ("planner", "greedy")
"""Agents whose pieces take so short a time that the first process matters most."""
SLOW: Final = ("montecarlo:120", "planner")
CORES: Final = (10, 100, 1000)
FAR: Final = "By arithmetic: cores in proportion, until the process that takes and keeps the answers is always busy:"
_BEGINS: Final = 120.0
"""Seconds that Ray may take to start."""


@dataclass(frozen=True, slots=True)
class Run:
    """One tournament, from the moment at which every process has finished a piece."""

    rate: float
    """Games a second."""
    first: float
    """Seconds of processor time of the first process a piece: it hands out, takes and keeps."""


def measured(pieces: int, jobs: int, ray: str | None) -> Run:
    """Play a tournament of quick agents in some processes here, or on as many cores of a cluster."""
    entrants = enter(QUICK, SEED)
    ended: list[tuple[float, float, int]] = []

    def progress(games: int) -> None:
        so_far = ended[-1][2] if ended else 0
        ended.append((time.perf_counter(), time.process_time(), so_far + games))

    with tempfile.TemporaryDirectory() as work:
        schedule = [(LineUp((0, 1)), pieces * GAMES_AT_ONCE)]
        compare(entrants, schedule=schedule, seed=SEED, jobs=jobs, ray=ray, work=work, progress=progress)
    begin = next(one for one in ended if one[2] >= jobs * GAMES_AT_ONCE)
    seconds, own, games = (last - start for last, start in zip(ended[-1], begin, strict=True))
    return Run(games / seconds, own / games * GAMES_AT_ONCE)


def piece(names: Sequence[str]) -> tuple[float, int, int]:
    """Return the seconds of a piece on one core, its games, and the bytes of what is sent back."""
    entrants, setup = enter(names, SEED), Setup.of()
    try_out(entrants, setup)
    games = min(GAMES_AT_ONCE, *(getattr(entrant.agent, "games_at_once", GAMES_AT_ONCE) for entrant in entrants))
    chunk = Chunk(LineUp((0, 1)), SEED, 0, max(1, games // 2), games < GAMES_AT_ONCE)
    start = time.perf_counter()
    played = play_chunk(chunk, entrants, setup)
    return time.perf_counter() - start, chunk.games, len(pickle.dumps(played))


@contextlib.contextmanager
def cluster(cores: int) -> Iterator[str]:
    """Start Ray on this machine with so many cores, and give its address. Raises ValueError if it does not start."""
    folder = Path(tempfile.mkdtemp(prefix="r"))  # short, since Ray's sockets are in it
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    words = ["--head", "--block", "--node-ip-address=127.0.0.1", f"--port={address.rpartition(':')[2]}"]
    words += [f"--num-cpus={cores}", "--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={folder}"]
    command = [str(Path(sys.executable).with_name("ray")), "start", *words, "--object-store-memory=100000000"]
    log = folder / "log"
    try:
        with (
            log.open("wb") as file,
            subprocess.Popen(command, stdout=file, stderr=file, cwd=ROOT, start_new_session=True) as process,
        ):
            try:
                give_up = time.monotonic() + _BEGINS
                while "Ray runtime started" not in (said := log.read_text(encoding="utf-8")):
                    if process.poll() is not None or time.monotonic() > give_up:
                        raise ValueError(f"Ray does not start: {said.strip().splitlines()[-1:]}")
                    time.sleep(0.1)
                yield address
            finally:
                process.terminate()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def spread(values: Sequence[float], digits: int = 0) -> str:
    """Return median, least and most."""
    return f"{median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def figure(value: float) -> str:
    """Return a number to three digits."""
    return f"{value:,.3g}" if value < 1000 else f"{round(value, 2 - math.floor(math.log10(value))):,.0f}"


def reach(seconds: float, games: int, first: float) -> list[str]:
    """Return games a second on 1, 10, 100 and 1,000 cores, and from how many on the first process has no more time."""
    most = seconds / first
    return [*(figure(min(cores, most) * games / seconds) for cores in (1, *CORES)), f"{math.floor(most):,}"]


def text(rounds: int, pieces: int) -> str:
    """Measure, and return what the page tells."""
    cores = len(usable_cores())
    runs: dict[tuple[str, int], list[Run]] = {}
    with contextlib.ExitStack() as ending:
        addresses = {jobs: ending.enter_context(cluster(jobs)) for jobs in sorted({1, cores})}
        for _ in range(rounds):
            for jobs, address in addresses.items():
                for name, ray in (("here", None), ("Ray", address)):
                    runs.setdefault((name, jobs), []).append(measured(pieces, jobs, ray))
    rows = []
    for (name, jobs), found in runs.items():
        times = [one.rate / alone.rate for one, alone in zip(found, runs[name, 1], strict=True)]
        own = spread([1e3 * one.first for one in found], 1) if name == "Ray" else ""
        rows.append([name, str(jobs), spread([one.rate for one in found]), spread(times, 2), own])
    head = ["played by", "processes", "games a second", "times one process", "ms of the first process a piece"]
    first = median(one.first for one in runs["Ray", cores])
    ahead = []
    for names in (QUICK, SLOW):
        seconds, games, size = piece(names)
        ahead.append(
            [" – ".join(names), f"{games:,}", f"{seconds:.2f}", f"{size / 1000:.0f}", *reach(seconds, games, first)]
        )
    far = [
        "agents",
        "games a piece",
        "seconds of it",
        "kB of its answer",
        "games a second on 1 core",
        *(f"on {n:,}" for n in CORES),
    ]
    return "\n\n".join(
        [
            f"`{' – '.join(QUICK)}`, {pieces} pieces of {GAMES_AT_ONCE:,} games, {rounds} rounds; median (range).",
            table(head, rows, range(1, len(head))),
            FAR,
            table([*far, "busy from … cores on"], ahead, range(1, len(far) + 1)),
        ]
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 2 if Ray cannot be started."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--rounds", type=int, default=7, help="of everything (default: 7)")
    options.add_argument("--pieces", type=int, default=24, help="of a tournament (default: 24)")
    options.add_argument("--out", type=Path, default=DOCS / "machines.md", help="where to (default: docs/machines.md)")
    o = read(options, argv)
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0"}
    os.environ |= {"OMP_NUM_THREADS": "1", "RAY_worker_niceness": "0"}
    return make_files(o, [o.out], lambda: [measured_page(o, {"tournaments": text(o.rounds, o.pieces)})])


if __name__ == "__main__":
    sys.exit(main())
