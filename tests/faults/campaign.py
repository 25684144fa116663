"""Attempts, each made by a seed in a process of its own, which may hang or die of it."""

from __future__ import annotations

import contextlib
import faulthandler
import itertools
import multiprocessing
import os
import signal
import tempfile
import threading
import time
import traceback
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NamedTuple

from . import load

__all__ = ["Campaign", "Fault", "Tried", "seed_of"]

_SPAWN: Final = multiprocessing.get_context("spawn")


class Tried(NamedTuple):
    """What an attempt tried, in a row of the table."""

    row: str
    """The name of the row."""
    tries: int
    broken: tuple[str, ...] = ()
    """What should not have happened, a sentence each."""


@dataclass(frozen=True)
class Fault:
    """Something to try again and again."""

    name: str
    """Its name on the command line."""
    where: str
    """Its function, as `module:function`, called with a seed and an empty folder of its own. It yields what it has
    tried, and follows from the seed but for the moments at which other processes do something."""
    limit: float = 300.0
    """Seconds after which an attempt is taken to hang; longer on a loaded machine."""


def seed_of(campaign: int, fault: str, number: int) -> int:
    """Return the seed of an attempt, below 2**32."""
    return zlib.crc32(f"{campaign} {fault} {number}".encode())


def _work(where: str, seed: int, folder: str, pipe: Connection) -> None:
    """Make an attempt; runs in a process of its own, with what it starts as its group."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()  # tells where it died
    module, _, function = where.partition(":")
    tried: list[Tried] = []
    try:
        attempt: Callable[[int, Path], Iterator[Tried]] = getattr(import_module(module), function)
        tried.extend(attempt(seed, Path(folder)))
    except Exception:
        tried.append(Tried("the campaign itself", 1, (traceback.format_exc(limit=-3),)))
    pipe.send(tried)


class Campaign:
    """Attempts of some faults in turn.

    Args:
        faults: what is tried.
        seed: the seed from which the seeds of all attempts follow.
        tell: called with the name of a fault, the number of an attempt, its seconds and what it tried.
    """

    def __init__(
        self, faults: Sequence[Fault], seed: int, tell: Callable[[str, int, float, Sequence[Tried]], None]
    ) -> None:
        self.faults = faults
        self.seed = seed
        self.tell = tell
        self._at_work: set[Any] = set()
        self._telling = threading.Lock()

    def attempt(self, fault: Fault, number: int) -> None:
        """Make an attempt and tell of it; a process that hangs or dies is a finding."""
        began = time.perf_counter()
        ours, theirs = _SPAWN.Pipe(duplex=False)
        with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as folder:
            seed = seed_of(self.seed, fault.name, number)
            process = _SPAWN.Process(target=_work, args=(fault.where, seed, folder, theirs))
            process.start()
            theirs.close()
            self._at_work.add(process)
            try:
                late = not ours.poll(fault.limit * load())
                tried = [Tried(fault.name, 1, (f"no answer within {fault.limit:g} s",))] if late else ours.recv()
            except EOFError:
                process.join()
                tried = [Tried(fault.name, 1, (f"the process died: exit status {process.exitcode}",))]
            finally:
                self._at_work.discard(process)
                _end(process)
                ours.close()
        with self._telling:
            self.tell(fault.name, number, time.perf_counter() - began, tried)

    def run(self, seconds: float, jobs: int) -> None:
        """Make attempts, ``jobs`` at a time, each fault once and then in turn until the seconds have passed."""
        end, numbers = time.monotonic() + seconds, itertools.count()

        def work() -> None:
            for n in numbers:
                if n >= len(self.faults) and time.monotonic() > end:
                    return
                self.attempt(self.faults[n % len(self.faults)], n // len(self.faults))

        threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            for process in list(self._at_work):
                _end(process)
            raise


def _end(process: Any) -> None:
    """End a process, with those that it has started: they are of its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()
