"""Timing: cases in pinned processes, one process per library, all cases once in every round.

A case is prepared once and then measured once per round. Rounds go through the cases forwards and backwards in turn, so
that a machine that becomes slower is unkind to nobody in particular. No shared machine is quiet for as long as a page
takes. So each measurement is judged by itself, one that was disturbed is taken again after all others, and the least
disturbed of its tries counts.

Two clocks tell what else had the cores of a measurement. A thread that never waits should get all of the time as
processor time; what it does not get, others had. And Linux counts how long each core was busy: what exceeds our own
processor time, others had, and so they had what the hypervisor stole. The second clock also judges threads that wait
for each other, but it counts in hundredths of a second, so it only sees what lasts longer.
"""

from __future__ import annotations

import gc
import importlib.util
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple, TypeVar

LIMIT: Final = 0.03
"""The share of its cores that others may have during a measurement that counts as undisturbed."""
TRIES: Final = 3
"""How often one measurement is taken at most."""
SLACK: Final = 0.01
"""Seconds by which the count of a core's busy time may be off: it is sampled and rounded to hundredths."""
WARM_SHARE: Final = 0.1
"""Part of the time of a measurement that is played before it, untimed."""
ENVIRONMENT: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}
"""What every worker sets before it imports a library: no library takes more threads than it is given."""


# --- clocks ---


class Reading(NamedTuple):
    """What the clocks showed at one moment, all in seconds."""

    wall: float
    own: float
    """Processor time of what is measured."""
    busy: float | None = None
    """The time that its cores worked for anybody here; None where the system does not say."""
    stolen: float = 0.0
    """The time of its cores that the hypervisor gave to other machines."""


def read(cores: Sequence[int]) -> Reading:
    """Read the clocks for this process, which runs on these cores."""
    return Reading(time.perf_counter(), time.process_time(), *_core_times(cores))


def _core_times(cores: Sequence[int], file: Path = Path("/proc/stat")) -> tuple[float | None, float]:
    """Busy and stolen seconds of all these cores since the system started."""
    try:
        lines = [line.split() for line in file.read_text(encoding="ascii").splitlines()]
        ticks = os.sysconf("SC_CLK_TCK")
        counts = {line[0]: [int(count) / ticks for count in line[1:]] for line in lines if line[0].startswith("cpu")}
        rows = [counts[f"cpu{core}"] for core in cores]
    except (OSError, KeyError):
        return None, 0.0
    # user, nice, system, idle, waiting for a disk, interrupts (two kinds), stolen; guests are counted under user
    return sum(sum(row[:3]) + sum(row[5:7]) for row in rows), sum(row[7] for row in rows)


def others_share(before: Reading, after: Reading, threads: int = 1) -> float:
    """Return the share of its cores, one a thread, that others had between two readings, 0 or more."""
    wall, own = after.wall - before.wall, after.own - before.own
    lost = wall - own if threads == 1 else 0.0  # threads wait for each other
    if before.busy is not None and after.busy is not None:
        seen = max(after.busy - before.busy - own, 0.0) + after.stolen - before.stolen
        lost = max(lost, seen - SLACK * threads)
    return max(lost, 0.0) / (wall * threads)


# --- rounds ---


class Measurement(NamedTuple):
    """What one measurement gave, and the share of its cores that others had meanwhile."""

    value: float
    others: float


def figures(taken: Sequence[Measurement], name: str = "median") -> dict[str, Any]:
    """Return what was measured once a round in plain Python types; ``name`` is what the median is called.

    Where any round stayed disturbed, the figures are not to be quoted.
    """
    values, others = ([float(each) for each in column] for column in zip(*taken, strict=True))
    about = {name: median(values), "low": min(values), "high": max(values)}
    return about | {"values": values, "others": others, "disturbed": max(others) > LIMIT}


Task = TypeVar("Task", bound=Hashable)


def in_rounds(
    tasks: Sequence[Task],
    rounds: int,
    take: Callable[[Task], Measurement | None],
    after_round: Callable[[], None] = lambda: None,
) -> dict[Task, list[Measurement]]:
    """Take every measurement once a round, forwards and backwards in turn; return those of each task, by round.

    ``take`` measures a task, or returns None if it cannot be done. What was disturbed is taken again.
    """
    found: dict[Task, list[Measurement]] = {task: [] for task in tasks}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        waiting = tasks if number % 2 == 0 else tasks[::-1]
        for attempt in range(TRIES):
            for task in waiting:
                if (taken := take(task)) is not None:
                    again = [found[task].pop()] if attempt else []
                    found[task].append(min([*again, taken], key=lambda one: one.others))
            waiting = [task for task in waiting if len(found[task]) > number and found[task][-1].others > LIMIT]
        after_round()
    return found


# --- cases ---


Play = Callable[[], float]
"""A case under way: plays some units, and returns how many."""


@dataclass(frozen=True, slots=True)
class Case:
    """Something to be timed.

    Attributes:
        name: unique with players, batch and threads.
        library: cases of one library share a process, and no process has two.
        make: prepares the case, in that process. It is pickled: a function of a module, or a partial of one.
        includes: what is inside one step, in words.
        unit: what is counted.
        needs: modules without which the case is skipped.
        ours: whether it is this environment; if it fails then, so does the run.
    """

    name: str
    library: str
    make: Callable[[], Play]
    includes: str
    players: int = 2
    batch: int = 1
    threads: int = 1
    unit: str = "steps"
    needs: tuple[str, ...] = ()
    ours: bool = False

    @property
    def id(self) -> str:
        """What tells cases apart, name/players/batch/threads: ``step+mask/2/1024/1``."""
        return f"{self.name}/{self.players}/{self.batch}/{self.threads}"

    def row(self, taken: Sequence[Measurement]) -> dict[str, Any]:
        """Return what was measured of it, in units per second, in plain Python types."""
        about = {"name": self.name, "players": self.players, "batch": self.batch, "threads": self.threads}
        found = figures(taken, f"{self.unit}_per_second")
        return about | found | {"library": self.library, "includes": self.includes}


class WorkerError(RuntimeError):
    """A case could not be prepared or measured."""


@contextmanager
def pin(cores: Sequence[int]) -> Iterator[None]:
    """Keep this thread, and what it starts meanwhile, on some cores; do nothing where the system cannot."""
    if not cores or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measure(play: Play, seconds: float, cores: Sequence[int] = (), threads: int = 1) -> Measurement:
    """Measure units per second over at least ``seconds``, on the first ``threads`` of the cores.

    Python's garbage collector is off meanwhile, as :mod:`timeit` has it.
    """
    clock, units = time.perf_counter, 0.0
    gc.collect()
    gc.disable()
    try:
        end = clock() + seconds * WARM_SHARE
        while clock() < end:
            play()
        before = read(cores[:threads])
        start = now = clock()
        end = start + seconds
        while now < end:
            units += play()
            now = clock()
        after = read(cores[:threads])
    finally:
        gc.enable()
    return Measurement(units / (now - start), others_share(before, after, threads))


_under_way: Final[dict[str, Play]] = {}
"""In a library's process: the cases that are prepared."""


def _begin(cores: Sequence[int]) -> None:
    """Begin a library's process, before it imports anything: libraries count the cores that they may use."""
    os.environ.update(ENVIRONMENT)
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores[:1])


def _serve(case: Case, seconds: float | None, cores: Sequence[int]) -> Measurement | None:
    """Measure a case, or prepare it if there are no seconds; in a library's process."""
    try:
        with pin(cores[: case.threads]):
            if seconds is not None:
                return measure(_under_way[case.id], seconds, cores, case.threads)
            _under_way[case.id] = case.make()
            _under_way[case.id]()
            return None
    except Exception as error:
        raise WorkerError(f"{type(error).__name__}: {error}") from None


def run_rounds(
    cases: Sequence[Case],
    rounds: int,
    seconds: float,
    cores: Sequence[int],
    after_round: Callable[[], None] = lambda: None,
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Measure every case once a round; return their rows, and by id why the others could not be measured.

    Raises WorkerError if one of our own cases fails.

    Args:
        cores: what to pin to, as many of the first as a case has threads. Empty to pin nothing.
    """
    skipped: dict[str, str] = {}
    context = multiprocessing.get_context("spawn")
    with ExitStack() as ending:

        @cache
        def worker(library: str) -> ProcessPoolExecutor:
            return ending.enter_context(ProcessPoolExecutor(1, context, _begin, (cores,)))

        def ask(case: Case, seconds: float | None = None) -> Measurement | None:
            if case.id in skipped:
                return None
            try:
                return worker(case.library).submit(_serve, case, seconds, cores).result()
            except (WorkerError, BrokenProcessPool) as error:
                if case.ours:
                    raise WorkerError(f"{case.id}: {error}") from None
                skipped[case.id] = f"failed: {error}"
                return None

        print("preparing", file=sys.stderr)
        for case in cases:
            if missing := [name for name in case.needs if importlib.util.find_spec(name) is None]:
                skipped[case.id] = f"not installed: {', '.join(missing)}"
            elif case.threads > max(len(cores), 1):
                skipped[case.id] = f"needs {case.threads} cores"
            else:
                ask(case)
        taken = in_rounds(cases, rounds, lambda case: ask(case, seconds), after_round)
    return [case.row(found) for case, found in taken.items() if case.id not in skipped], skipped
