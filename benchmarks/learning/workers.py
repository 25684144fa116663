"""Runs shared out among the cores of this machine, a process for each, or among the machines of a Ray cluster."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Final

from agents.common.cluster import on_cluster
from agents.common.versions import rooms_hash
from agents.positions.book import BadBook
from bohemian_env import BadSetup

from .cells import BadCell, Cell, Plan, book, run_cell
from .rows import finished, write_cell

_ROOT: Final = Path(__file__).resolve().parents[2]


def run_here(cell: Cell, plan: Plan, out: Path, work: Path) -> dict[str, Any]:
    """Run a cell in this process, write it down, and return its row.

    Raises BadCell: whatever its algorithm raises, as if it ran in another process. BadBook or OSError.
    """
    try:
        row, content = run_cell(cell, plan)
    except (BadBook, BadCell, BadSetup, OSError):
        raise
    except Exception as error:
        raise BadCell(f"{type(error).__name__}: {error}") from error
    write_cell(cell, row, content, out, work)
    return row


def run_cells(
    cells: Sequence[Cell], plan: Plan, out: Path, work: Path, jobs: int, ray: str | None, tell: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Run all cells that are not finished, and give each row as it comes; those that are finished come first.

    out: folder of the rows. work: folder of the agents. jobs: processes of this machine. ray: HOST:PORT of a cluster
    that runs them instead. tell: called with a sentence when a machine of it is lost.

    Raises BadCell: a run failed, or a file that should hold a row does not. BadBook: the rolled-out positions are
    missing or damaged. BadCluster: no machine of the cluster can run.
    """
    missing = []
    for cell in cells:
        row = finished(cell, plan, out)
        if row is None:
            missing.append(cell)
        else:
            yield row
    if ray is not None:
        make = partial(_learner, plan, sources_digest())
        for number, (row, content) in on_cluster(dict(enumerate(missing)), ray, make, tell):
            write_cell(missing[number], row, content, out, work)
            yield row
    elif jobs == 1 and len(missing) == 1:
        yield run_here(missing[0], plan, out, work)
    else:
        yield from _in_processes(missing, plan, out, work, jobs)


def _in_processes(cells: Sequence[Cell], plan: Plan, out: Path, work: Path, jobs: int) -> Iterator[dict[str, Any]]:
    """Run each cell in a process of its own, which one thread computes in and nothing is left of."""
    running: set[subprocess.Popen] = set()
    lock, stopped = Lock(), False

    def run(cell: Cell) -> dict[str, Any]:
        words = [*shlex.split(cell.command)[1:], "--out", str(out.resolve()), "--work", str(work.resolve())]
        words += ["--settings", json.dumps(dict(cell.settings)), "--plan", json.dumps(asdict(plan)), "--jobs", "1"]
        with lock:
            if stopped:
                raise BadCell(f"{cell.name}: interrupted")
            process = subprocess.Popen(
                [sys.executable, *words],
                cwd=_ROOT,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            running.add(process)
        _, said = process.communicate()
        running.discard(process)
        row = finished(cell, plan, out)
        if process.returncode or row is None:
            told = [line for line in (said or "").splitlines() if line.strip()][-1:]
            raise BadCell(f"{cell.command}: status {process.returncode}: {''.join(told) or 'it said nothing'}")
        return row

    pool = ThreadPoolExecutor(jobs)
    try:
        for future in as_completed([pool.submit(run, cell) for cell in cells]):
            yield future.result()
    finally:
        with lock:
            stopped = True
            for process in list(running):
                process.terminate()
        pool.shutdown(cancel_futures=True)


def sources_digest() -> str:
    """Return digests of the positions and the sources of the benchmark, which machines of a cluster must have too.

    Raises BadBook or OSError.
    """
    return f"{book().digest} {rooms_hash(('algorithms', 'learning'), 'benchmarks')}"


def _learner(plan: Plan, digest: str) -> Callable[[Cell], tuple[dict[str, Any], bytes]]:
    """Return what runs cells in a process of a cluster. Raises BadCell where the benchmark is another one."""
    if digest != sources_digest():
        raise BadCell("that machine has other files in benchmarks/ or other rolled-out positions")
    return partial(run_cell, plan=plan)
