"""Timing: cases in pinned processes, one process per library, all cases once in every round.

A case is prepared once and then measured once per round. Rounds go through the cases forwards and backwards in turn,
so that a machine that becomes slower is unkind to nobody in particular.
"""

from __future__ import annotations

import gc
import importlib.util
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from statistics import median
from typing import Any, Final

__all__ = ["Case", "Key", "Loop", "Row", "Skipped", "WorkerError", "measure", "missing_modules", "pin", "run_rounds"]

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

Key = tuple[str, int, int, int]
"""Name, players, batch, threads: what tells cases apart."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A prepared case: ``play`` is called until the time is over, then ``count`` says how much its results amount to.

    What ``play`` returns is kept, so that counting may wait until the clock has stopped.
    """

    play: Callable[[], Any]
    count: Callable[[list[Any]], float] = sum


@dataclass(frozen=True, slots=True)
class Case:
    """Something to be timed.

    Attributes:
        name: of the row; with players, batch and threads it is unique.
        library: cases of one library share a process, and no process has two.
        make: prepares the case, in that process: imports what it needs, warms it up. It is pickled, so it is a
            function of a module, or a ``functools.partial`` of one.
        includes: what is inside one step, in words.
        unit: what is counted.
        needs: modules without which the case is skipped.
        ours: whether it is this environment; if it fails then, so does the run.
    """

    name: str
    library: str
    make: Callable[[], Loop]
    includes: str
    players: int = 2
    batch: int = 1
    threads: int = 1
    unit: str = "steps"
    needs: tuple[str, ...] = ()
    ours: bool = False

    @property
    def key(self) -> Key:
        """Name, players, batch, threads."""
        return self.name, self.players, self.batch, self.threads

    @property
    def id(self) -> str:
        """The key as one word: ``step+mask/2/1024/1``."""
        return "/".join(map(str, self.key))


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of a case: one value per round, in units per second."""

    case: Case
    values: tuple[float, ...]
    cpu: tuple[float, ...] = field(default=())
    """Processor seconds per second of each measurement: below 1 with one thread, something else took the core."""

    @property
    def median(self) -> float:
        """The middle of the rounds."""
        return median(self.values)

    @property
    def low(self) -> float:
        """The slowest round."""
        return min(self.values)

    @property
    def high(self) -> float:
        """The fastest round."""
        return max(self.values)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A case that was not measured, and why."""

    case: Case
    reason: str


class WorkerError(RuntimeError):
    """A case could not be prepared or measured."""


def missing_modules(case: Case) -> list[str]:
    """What the case needs and is not installed."""
    return [name for name in case.needs if importlib.util.find_spec(name) is None]


@contextmanager
def pin(cores: Sequence[int]) -> Iterator[None]:
    """Keep this thread, and threads that it starts meanwhile, on some cores. Where the system cannot, nothing."""
    if not cores or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measure(loop: Loop, seconds: float) -> tuple[float, float]:
    """Units per second, and processor seconds per second, over at least ``seconds``.

    Python's garbage collector is off meanwhile, as :mod:`timeit` has it.
    """
    play, clock = loop.play, time.perf_counter
    results: list[Any] = []
    gc.collect()
    collecting = gc.isenabled()
    gc.disable()
    try:
        end = clock() + seconds * WARM_SHARE
        while clock() < end:
            play()
        cpu = time.process_time()
        start = now = clock()
        end = start + seconds
        while now < end:
            results.append(play())
            now = clock()
        cpu = time.process_time() - cpu
    finally:
        if collecting:
            gc.enable()
    return loop.count(results) / (now - start), cpu / (now - start)


def _serve(connection: Connection, cores: Sequence[int]) -> None:
    """A worker: answers ``(case, seconds)``, or ``(case, None)`` to prepare it, until None comes."""
    os.environ.update(ENVIRONMENT)
    loops: dict[Key, Loop] = {}
    with pin(cores[:1]):  # before anything is imported: libraries count the cores that they may use
        while (asked := connection.recv()) is not None:
            case, seconds = asked
            try:
                with pin(cores[: case.threads]):
                    if case.key not in loops:
                        loops[case.key] = case.make()
                    answer = measure(loops[case.key], seconds) if seconds is not None else None
            except Exception as error:
                connection.send(WorkerError(f"{type(error).__name__}: {error}"))
            else:
                connection.send(answer)


class _Worker:
    """A process of its own for the cases of a library."""

    def __init__(self, library: str, cores: Sequence[int]) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, cores), name=f"bench-{library}", daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, case: Case, seconds: float | None) -> Any:
        """Prepare a case, or measure it. Raises WorkerError."""
        try:
            self._connection.send((case, seconds))
            answer = self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            raise WorkerError(f"its process ended with status {self._process.exitcode}") from None
        if isinstance(answer, WorkerError):
            raise answer
        return answer

    def close(self) -> None:
        """End the process."""
        with suppress(OSError):
            self._connection.send(None)
        self._process.join()


def run_rounds(
    cases: Sequence[Case],
    rounds: int,
    seconds: float,
    cores: Sequence[int],
    *,
    after_round: Callable[[], None] = lambda: None,
    progress: Callable[[str], None] = lambda text: None,
) -> tuple[list[Row], list[Skipped]]:
    """Measure every case once a round: their rows, and the cases that could not be measured.

    Args:
        cores: what to pin to: the first for one thread, the first two for two. Empty to pin nothing.
        after_round: called at the end of every round.
        progress: told what comes next, ``1 + rounds`` times for every case.

    Raises:
        WorkerError: one of our own cases failed.
    """
    skipped: dict[Key, Skipped] = {}
    values: dict[Key, list[tuple[float, float]]] = {case.key: [] for case in cases}
    if len(values) < len(cases):
        raise ValueError("two cases have the same key")
    workers: dict[str, _Worker] = {}

    def skip(case: Case, reason: str) -> None:
        skipped[case.key] = Skipped(case, reason)

    def ask(case: Case, seconds: float | None) -> Any:
        if case.library not in workers:
            workers[case.library] = _Worker(case.library, cores)
        try:
            return workers[case.library].ask(case, seconds)
        except WorkerError as error:
            if case.ours:
                raise WorkerError(f"{case.id}: {error}") from None
            skip(case, f"failed: {error}")

    try:
        for case in cases:
            progress(f"preparing {case.id}")
            if missing := missing_modules(case):
                skip(case, f"not installed: {', '.join(missing)}")
            elif case.threads > max(len(cores), 1):
                skip(case, f"needs {case.threads} cores")
            else:
                ask(case, None)
        for number in range(rounds):
            for case in cases if number % 2 == 0 else reversed(cases):
                progress(f"round {number + 1} of {rounds}: {case.id}")
                if case.key not in skipped and (answer := ask(case, seconds)):
                    values[case.key].append(answer)
            after_round()
    finally:
        for worker in workers.values():
            worker.close()
    rows = [
        Row(case, tuple(value for value, _ in values[case.key]), tuple(cpu for _, cpu in values[case.key]))
        for case in cases
        if case.key not in skipped
    ]
    return rows, list(skipped.values())
