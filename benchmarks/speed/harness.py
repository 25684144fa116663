"""Timing: cases in pinned processes, one process per library, all cases once in every round.

A case is prepared once and then measured once per round, and again if it was disturbed (quiet.py). Rounds go through
the cases forwards and backwards in turn, so that a machine that becomes slower is unkind to nobody in particular.
"""

from __future__ import annotations

import gc
import importlib.util
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from statistics import median
from typing import Any, Final, Self

from .quiet import LIMIT, TRIES, Measurement, in_rounds, others_share, read

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


@dataclass(frozen=True, slots=True)
class Loop:
    """A case: ``play`` is called until the time is over; then, with the clock stopped, ``count`` counts its results."""

    play: Callable[[], Any]
    count: Callable[[list[Any]], float] = sum


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
    make: Callable[[], Loop]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """Something that was measured once a round."""

    values: tuple[float, ...]
    others: tuple[float, ...]
    """For each value, the share of its cores that others had meanwhile."""

    @classmethod
    def of(cls, taken: Sequence[Measurement[float]], **about: Any) -> Self:
        """Put the measurements of the rounds together."""
        return cls(values=tuple(one.value for one in taken), others=tuple(one.others for one in taken), **about)

    @property
    def median(self) -> float:
        """The middle of the rounds."""
        return median(self.values)

    @property
    def low(self) -> float:
        """The lowest round."""
        return min(self.values)

    @property
    def high(self) -> float:
        """The highest round."""
        return max(self.values)

    @property
    def disturbed(self) -> bool:
        """Whether any round stayed disturbed; then the figures are not to be quoted."""
        return max(self.others) > LIMIT

    def figures(self, name: str = "median") -> dict[str, Any]:
        """Return the figures in plain Python types; ``name`` is what the median is called."""
        return {
            name: self.median,
            "low": self.low,
            "high": self.high,
            "values": list(self.values),
            "others": list(self.others),
            "disturbed": self.disturbed,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Rounds):
    """What was measured of a case, in units per second."""

    case: Case

    def as_json(self) -> dict[str, Any]:
        """Return plain Python types: ``steps_per_second`` is the median of ``values``, one of each round."""
        case = self.case
        about = {"name": case.name, "players": case.players, "batch": case.batch, "threads": case.threads}
        figures = self.figures(f"{case.unit}_per_second")
        return {**about, **figures, "library": case.library, "includes": case.includes}


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


def measure(loop: Loop, seconds: float, cores: Sequence[int] = (), threads: int = 1) -> Measurement[float]:
    """Measure units per second over at least ``seconds``, on the first ``threads`` of the cores.

    Python's garbage collector is off meanwhile, as :mod:`timeit` has it.
    """
    play, clock = loop.play, time.perf_counter
    results: list[Any] = []
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
            results.append(play())
            now = clock()
        after = read(cores[:threads])
    finally:
        gc.enable()
    return Measurement(loop.count(results) / (now - start), others_share(before, after, threads, waits=threads > 1))


def _serve(connection: Connection, cores: Sequence[int]) -> None:
    """Answer ``(case, seconds)``, or ``(case, None)`` to prepare it, until None comes."""
    os.environ.update(ENVIRONMENT)
    loops: dict[str, Loop] = {}
    with pin(cores[:1]):  # before anything is imported: libraries count the cores that they may use
        while (asked := connection.recv()) is not None:
            case, seconds = asked
            try:
                with pin(cores[: case.threads]):
                    if seconds is None:
                        loops[case.id] = case.make()
                        loops[case.id].play()
                        connection.send(None)
                    else:
                        connection.send(measure(loops[case.id], seconds, cores, case.threads))
            except Exception as error:
                connection.send(WorkerError(f"{type(error).__name__}: {error}"))


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
    tries: int = TRIES,
    after_round: Callable[[], None] = lambda: None,
    progress: Callable[[str, int], None] = lambda text, planned: None,
) -> tuple[list[Row], dict[str, str]]:
    """Measure every case once a round; return their rows, and by id why the others could not be measured.

    Raises WorkerError if one of our own cases fails.

    Args:
        cores: what to pin to, as many of the first as a case has threads. Empty to pin nothing.
        tries: how often one measurement is taken at most, while something disturbs it.
        progress: told what comes next, with 1 if it was planned (``1 + rounds`` times for every case), 0 if done again.
    """
    skipped: dict[str, str] = {}
    if len({case.id for case in cases}) < len(cases):
        raise ValueError("two cases have the same id")
    with ExitStack() as ending:

        @cache
        def worker(library: str) -> _Worker:
            return ending.enter_context(closing(_Worker(library, cores)))

        def ask(case: Case, seconds: float | None = None) -> Any:
            try:
                return worker(case.library).ask(case, seconds)
            except WorkerError as error:
                if case.ours:
                    raise WorkerError(f"{case.id}: {error}") from None
                skipped[case.id] = f"failed: {error}"

        for case in cases:
            progress(f"preparing {case.id}", 1)
            if missing := [name for name in case.needs if importlib.util.find_spec(name) is None]:
                skipped[case.id] = f"not installed: {', '.join(missing)}"
            elif case.threads > max(len(cores), 1):
                skipped[case.id] = f"needs {case.threads} cores"
            else:
                ask(case)

        def take(name: str, case: Case, attempt: int) -> Measurement[float] | None:
            progress(f"{name}: {case.id}", int(attempt == 0))
            return None if case.id in skipped else ask(case, seconds)

        taken = in_rounds(cases, rounds, tries, take, after_round)
    return [Row.of(found, case=case) for case, found in taken.items() if case.id not in skipped], skipped
