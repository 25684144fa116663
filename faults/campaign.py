"""Attempts, handed to processes that may hang or die of them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from pages import ROOT

from .ledger import Ledger, Tried

__all__ = ["Attempt", "Campaign", "Fault", "reached"]

_SPAWN: Final = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Fault:
    """Something to try again and again."""

    name: str
    """What it is called on the command line."""
    where: str
    """Its function, as `module:function`, called with a seed and an empty folder of its own. It yields
    what it has tried (:class:`Tried`, once or oftener), follows from the seed but for the moments at which other
    processes do something, and takes seconds, not minutes. What it starts stays in its process group, and is ended
    with it."""
    about: str
    """What is done and what must hold, for the page."""
    aims: Mapping[str, int] = field(default_factory=dict)
    """Tries to be made of some of its rows; campaigns turn to what has not reached them first."""
    preloaded: Collection[str] = ()
    """The rows among ``aims`` that need the library of preload.py; a fault with no other is left out where it cannot be
    made."""
    share: float = 1.0
    """Its part of a campaign's time, beside the others'."""
    limit: float = 120.0
    """Seconds after which an attempt is taken to hang."""


@dataclass(frozen=True)
class Attempt:
    """One attempt: the same seed tries the same."""

    fault: Fault
    number: int
    seed: int


def seed_of(campaign: int, fault: str, number: int) -> int:
    """Return the seed of an attempt, below 2**32."""
    return zlib.crc32(f"{campaign} {fault} {number}".encode())


def _work(pipe: Connection) -> None:
    """Make attempts until the pipe is closed; runs in a process of its own, with what it starts as its group."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            where, seed, folder = pipe.recv()
        except EOFError:
            return
        module, _, function = where.partition(":")
        tried: list[Tried] = []
        try:
            attempt: Callable[[int, Path], Iterator[Tried]] = getattr(import_module(module), function)
            tried.extend(attempt(seed, Path(folder)))
        except Exception:
            tried.append(Tried("the campaign itself", 1, 0, (traceback.format_exc(limit=-3),)))
        pipe.send(tried)


class _Worker:
    """A process that makes attempts, one at a time, and a folder for each."""

    def __init__(self) -> None:
        self.attempt: Attempt | None = None
        self.started = 0.0
        self.folder = ""
        self.start()

    def start(self) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.process: Any = _SPAWN.Process(target=_work, args=(theirs,))
        self.process.start()
        theirs.close()

    def give(self, attempt: Attempt) -> None:
        if not self.process.is_alive():
            self.stop()
            self.start()
        self.attempt = attempt
        self.folder = tempfile.mkdtemp(prefix="faults-")
        self.started = time.perf_counter()
        with contextlib.suppress(BrokenPipeError):  # it dies at this moment, which `take` will see
            self.pipe.send((attempt.fault.where, attempt.seed, self.folder))

    def take(self) -> list[Tried]:
        """Return what the attempt tried; a process that died is replaced."""
        try:
            tried: list[Tried] = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            tried = self.again(f"the process died: exit status {self.process.exitcode}")
        return self.done(tried)

    def late(self) -> bool:
        return self.attempt is not None and time.perf_counter() - self.started > self.attempt.fault.limit

    def abandon(self) -> list[Tried]:
        """End an attempt that takes too long."""
        assert self.attempt is not None
        return self.done(self.again(f"no answer within {self.attempt.fault.limit:g} s"))

    def again(self, why: str) -> list[Tried]:
        assert self.attempt is not None
        self.stop()
        self.start()
        return [Tried(self.attempt.fault.name, 1, 0, (why,))]

    def done(self, tried: list[Tried]) -> list[Tried]:
        self.attempt = None
        shutil.rmtree(self.folder, ignore_errors=True)
        return [one._replace(broken=tuple(map(self.anywhere, one.broken))) for one in tried]

    def anywhere(self, text: str) -> str:
        """Return a text without the paths of this machine, which the page must not show."""
        told = {self.folder: "FOLDER", str(ROOT): "CHECKOUT", sys.prefix: "PYTHON", tempfile.gettempdir(): "TMP"}
        for path in sorted(told, key=len, reverse=True):
            text = text.replace(path, told[path])
        return text

    def stop(self) -> None:
        """End the process, with those it has started: they are of its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.pipe.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def reached(ledger: Ledger, fault: Fault) -> bool:
    """Return whether all aims of a fault are reached."""
    entry = ledger.entries.get(fault.name)
    rows = entry.rows if entry else {}
    return all(row in rows and rows[row].tries >= aim for row, aim in fault.aims.items())


class Campaign:
    """Attempts of many faults.

    Args:
        faults: what is tried.
        ledger: where it is entered, saved after each attempt.
        commit: what is tried, for the ledger.
        jobs: processes at a time.
    """

    def __init__(self, faults: Sequence[Fault], ledger: Ledger, commit: str, jobs: int = 1) -> None:
        self.faults = faults
        self.ledger = ledger
        self.commit = commit
        self.jobs = jobs
        self._under_way: dict[str, int] = {}

    def attempts(self) -> Iterator[Attempt]:
        """Yield attempts without end: first one of each fault; then of those short of their aims, of the one that has
        had least of its share.
        """
        while True:
            short = (
                self._untried() or [fault for fault in self.faults if not reached(self.ledger, fault)] or self.faults
            )
            fault = min(short, key=self._had)
            entry = self.ledger.entries.get(fault.name)
            number = max(entry.attempts if entry else 0, self._under_way.get(fault.name, -1) + 1)
            self._under_way[fault.name] = number
            yield Attempt(fault, number, seed_of(self.ledger.seed, fault.name, number))

    def _untried(self) -> list[Fault]:
        """Return the faults of which no attempt was ever begun."""
        begun = self.ledger.entries.keys() | self._under_way.keys()
        return [fault for fault in self.faults if fault.name not in begun]

    def _had(self, fault: Fault) -> tuple[float, int]:
        entry = self.ledger.entries.get(fault.name)
        begun = self._under_way.get(fault.name, -1) + 1 - (entry.attempts if entry else 0)
        return (entry.seconds if entry else 0.0) / fault.share + max(begun, 0) * 1e-3, -self.faults.index(fault)

    def run(self, seconds: float, tell: Callable[[Attempt, float, Sequence[Tried]], None]) -> None:
        """Make attempts for so long, and one of each fault at least. What is under way then is finished; an interrupt
        drops that.
        """
        until = time.perf_counter() + seconds
        self._make(self.attempts(), lambda: time.perf_counter() < until or bool(self._untried()), tell, self._enter)

    def repeat(self, attempts: Sequence[Attempt], tell: Callable[[Attempt, float, Sequence[Tried]], None]) -> None:
        """Make attempts again; those that find nothing now, at another commit, are entered as mended."""
        self._make(iter(attempts), lambda: True, tell, self._mend)

    def _enter(self, attempt: Attempt, seconds: float, tried: Sequence[Tried]) -> None:
        self.ledger.add(attempt.fault.name, attempt.number, seconds, tried, self.commit)
        self.ledger.save()

    def _mend(self, attempt: Attempt, seconds: float, tried: Sequence[Tried]) -> None:
        if attempt.fault.name in self.ledger.entries and not any(one.broken or one.lost for one in tried):
            self.ledger.mend(attempt.fault.name, attempt.number, tried, self.commit)
            self.ledger.save()

    def _make(
        self,
        attempts: Iterator[Attempt],
        time_left: Callable[[], bool],
        tell: Callable[[Attempt, float, Sequence[Tried]], None],
        enter: Callable[[Attempt, float, Sequence[Tried]], None],
    ) -> None:
        os.environ["OMP_NUM_THREADS"] = "1"
        workers = [_Worker() for _ in range(self.jobs)]
        try:
            more = True
            while True:
                for worker in workers:
                    if worker.attempt is None and more:
                        attempt = next(attempts, None) if time_left() else None
                        more = attempt is not None
                        if attempt is not None:
                            worker.give(attempt)
                busy = [worker for worker in workers if worker.attempt is not None]
                if not busy:
                    return
                ready = wait([worker.pipe for worker in busy], timeout=0.5)
                for worker in busy:
                    attempt = worker.attempt
                    assert attempt is not None
                    if worker.pipe in ready or worker.late():
                        tried = worker.take() if worker.pipe in ready else worker.abandon()
                        seconds = time.perf_counter() - worker.started
                        enter(attempt, seconds, tried)
                        tell(attempt, seconds, tried)
        finally:
            for worker in workers:
                worker.stop()
