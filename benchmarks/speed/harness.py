"""Timing: cases in pinned processes, one process per library, all cases once in every round.

A case is prepared before its first measurement, and measured once per round. Rounds go through the cases forwards and
backwards in turn, so that a machine that becomes slower is unkind to nobody in particular. What else ran meanwhile is
seen in the range of the rounds.
"""

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
from statistics import median
from typing import Any, Final, TypeVar

WARM_SHARE: Final = 0.1  # part of the time of a measurement that is played before it, untimed
ENVIRONMENT: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}
"""What every worker sets before it imports a library: no library takes more threads than it is given."""


def figures(values: Sequence[float], name: str = "median") -> dict[str, Any]:
    """Return what was measured once a round in plain Python types; ``name`` is what the median is called."""
    return {name: median(values), "low": min(values), "high": max(values), "values": [*values]}


Task = TypeVar("Task", bound=Hashable)
Found = TypeVar("Found")


def in_rounds(tasks: Sequence[Task], rounds: int, take: Callable[[Task], Found | None]) -> dict[Task, list[Found]]:
    """Take every measurement once a round, forwards and backwards in turn; return those of each task, by round.

    ``take`` measures a task, or returns None if it cannot be done.
    """
    found: dict[Task, list[Found]] = {task: [] for task in tasks}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for task in tasks if number % 2 == 0 else tasks[::-1]:
            if (taken := take(task)) is not None:
                found[task].append(taken)
    return found


Play = Callable[[], float]  # a case under way: plays some units, and returns how many


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

    def row(self, values: Sequence[float]) -> dict[str, Any]:
        """Return what was measured of it, in units per second, in plain Python types."""
        about = {"name": self.name, "players": self.players, "batch": self.batch, "threads": self.threads}
        found = figures(values, f"{self.unit}_per_second")
        return about | found | {"library": self.library, "includes": self.includes}


class WorkerError(ValueError):
    """Something could not be prepared or measured; the message says why."""


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


def measure(play: Play, seconds: float) -> float:
    """Measure units per second over at least ``seconds``; if these are 0, once, with nothing played before.

    Python's garbage collector is off meanwhile, as :mod:`timeit` has it.
    """
    clock, units = time.perf_counter, 0.0
    gc.collect()
    gc.disable()
    try:
        end = clock() + seconds * WARM_SHARE
        while seconds and clock() < end:
            play()
        start = clock()
        while True:
            units += play()
            if (took := clock() - start) >= seconds:
                break
    finally:
        gc.enable()
    return units / took


_under_way: Final[dict[str, Play]] = {}  # in a library's process: the cases that are prepared


def _begin(cores: Sequence[int]) -> None:
    """Begin a library's process, before it imports anything: libraries count the cores that they may use."""
    os.environ.update(ENVIRONMENT)
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores[:1])


def _serve(case: Case, seconds: float, cores: Sequence[int]) -> float:
    """Measure a case, and prepare it first if that was not done; in a library's process."""
    try:
        with pin(cores[: case.threads]):
            if case.id not in _under_way:
                play = case.make()
                play()
                _under_way[case.id] = play
            return measure(_under_way[case.id], seconds)
    except Exception as error:
        raise WorkerError(f"{type(error).__name__}: {error}") from None


def run_rounds(
    cases: Sequence[Case], rounds: int, seconds: float, cores: Sequence[int]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Measure every case once a round; return their rows, and by id why the others could not be measured.

    Raises WorkerError if one of our own cases fails.

    cores: what to pin to, as many of the first as a case has threads. Empty to pin nothing.
    """
    skipped: dict[str, str] = {}
    for case in cases:
        if missing := [name for name in case.needs if importlib.util.find_spec(name) is None]:
            skipped[case.id] = f"not installed: {', '.join(missing)}"
        elif case.threads > max(len(cores), 1):
            skipped[case.id] = f"needs {case.threads} cores"
    context = multiprocessing.get_context("spawn")
    with ExitStack() as ending:
        workers = {
            library: ending.enter_context(ProcessPoolExecutor(1, context, _begin, (cores,)))
            for library in {case.library for case in cases}
        }

        def take(case: Case) -> float | None:
            if case.id in skipped:
                return None
            try:
                return workers[case.library].submit(_serve, case, seconds, cores).result()
            except (WorkerError, BrokenProcessPool) as error:
                if case.ours:
                    raise WorkerError(f"{case.id}: {error}") from None
                skipped[case.id] = f"failed: {error}"
                return None

        taken = in_rounds(cases, rounds, take)
    return [case.row(values) for case, values in taken.items() if case.id not in skipped], skipped
