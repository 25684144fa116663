"""Attempts, each made by a seed in a process of its own, which may hang or die of it, and the tally of all of them."""

import contextlib
import faulthandler
import itertools
import json
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

__all__ = ["Campaign", "Fault", "Tally", "Tried", "seed_of"]

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
    """Its name on the command line; its seeds follow from it."""
    where: str
    """Its function, as `module:function`, called with the name of a game, a seed and an empty folder of its own. It
    yields what it has tried, and follows from these but for the moments at which other processes do something."""
    game: str = ""
    """The game in which it is tried."""
    limit: float = 600.0
    """Seconds after which an attempt is taken to hang; longer on a loaded machine."""


def seed_of(campaign: int, fault: str, number: int) -> int:
    """Return the seed of an attempt, below 2**32."""
    return zlib.crc32(f"{campaign} {fault} {number}".encode())


class Tally:
    """What was tried so far, kept in a file from which another campaign goes on; without one nothing is kept.

    An attempt in which something broke is not counted, and is the first that the next campaign makes again.

    Args:
        path: the file, JSON; it need not be there yet.
        seed: the seed of the campaign; a tally of another one is not gone on with.
    """

    def __init__(self, path: Path | None, seed: int) -> None:
        self.path = path
        self.faults: dict[str, dict[str, Any]] = {}
        self._seed = seed
        if path is not None and path.exists():
            told = json.loads(path.read_text(encoding="utf-8"))
            if told["seed"] != seed:
                raise ValueError(f"{path} is the tally of a campaign with the seed {told['seed']}, not {seed}")
            self.faults = told["faults"]

    def of(self, fault: Fault) -> dict[str, Any]:
        """Return what is kept of a fault: how many attempts, the numbers of those that broke, the tries by row."""
        return self.faults.setdefault(fault.name, {"attempts": 0, "broke": [], "tries": {}})

    def numbers(self, fault: Fault) -> Iterator[int]:
        """Return the numbers of the attempts to make."""
        kept = self.of(fault)
        return itertools.chain(list(kept["broke"]), itertools.count(kept["attempts"]))

    def reached(self, fault: Fault, goal: int) -> bool:
        """Return whether every row of a fault has so many tries."""
        return min(self.of(fault)["tries"].values(), default=0) >= goal

    def add(self, fault: Fault, number: int, tried: Sequence[Tried]) -> None:
        """Take in an attempt, and keep the tally."""
        kept = self.of(fault)
        kept["attempts"] = max(kept["attempts"], number + 1)
        kept["broke"] = [one for one in kept["broke"] if one != number]
        if any(one.broken for one in tried):
            kept["broke"].append(number)
        else:
            for one in tried:
                kept["tries"][one.row] = kept["tries"].get(one.row, 0) + one.tries
        if self.path is not None:
            from agents.common.files import write_atomically  # takes a second, which few attempts need

            told = {"seed": self._seed, "faults": {name: self.faults[name] for name in sorted(self.faults)}}
            write_atomically(self.path, f"{json.dumps(told, indent=1)}\n".encode())


def _work(where: str, game: str, seed: int, folder: str, pipe: Connection) -> None:
    """Make an attempt; runs in a process of its own, with what it starts as its group."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()  # tells where it died
    module, _, function = where.partition(":")
    tried: list[Tried] = []
    try:
        attempt: Callable[[str, int, Path], Iterator[Tried]] = getattr(import_module(module), function)
        tried.extend(attempt(game, seed, Path(folder)))
    except Exception:
        tried.append(Tried("the campaign itself", 1, (traceback.format_exc(limit=-3),)))
    pipe.send(tried)


class Campaign:
    """Attempts of some faults in turn.

    Args:
        faults: what is tried.
        seed: the seed from which the seeds of all attempts follow.
        tell: called with the name of a fault, the number of an attempt, its seconds and what it tried.
        tally: where all is kept. Raises ValueError if it is of another seed.
    """

    def __init__(
        self,
        faults: Sequence[Fault],
        seed: int,
        tell: Callable[[str, int, float, Sequence[Tried]], None],
        tally: Path | None = None,
    ) -> None:
        self.faults = faults
        self.seed = seed
        self.tell = tell
        self.tally = Tally(tally, seed)
        self._at_work: set[Any] = set()
        self._telling = threading.Lock()
        self._interrupted = False

    def attempt(self, fault: Fault, number: int) -> None:
        """Make an attempt and tell of it; a process that hangs or dies is a finding."""
        began = time.perf_counter()
        ours, theirs = _SPAWN.Pipe(duplex=False)
        with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as folder:
            seed = seed_of(self.seed, fault.name, number)
            process = _SPAWN.Process(target=_work, args=(fault.where, fault.game, seed, folder, theirs))
            process.start()
            theirs.close()
            self._at_work.add(process)
            if self._interrupted:  # while it started
                _end(process)
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
            if self._interrupted:  # and killed by us
                return
            self.tally.add(fault, number, tried)
            self.tell(fault.name, number, time.perf_counter() - began, tried)

    def run(self, seconds: float, jobs: int, goal: int | None = None) -> None:
        """Make attempts, ``jobs`` at a time, each fault once and then in turn until the seconds have passed.

        goal: a fault is left out once every row of it has so many tries.
        """
        end = time.monotonic() + seconds
        numbers = {fault.name: self.tally.numbers(fault) for fault in self.faults}

        def turns() -> Iterator[tuple[Fault, int]]:
            for turn in itertools.count():
                left = [fault for fault in self.faults if goal is None or not self.tally.reached(fault, goal)]
                for fault in left:
                    if turn and time.monotonic() > end:
                        return
                    yield fault, next(numbers[fault.name])
                if not left:
                    return

        coming, taking = turns(), threading.Lock()

        def work() -> None:
            while True:
                with taking:
                    if self._interrupted or (one := next(coming, None)) is None:
                        return
                self.attempt(*one)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            self._interrupted = True
            for process in list(self._at_work):
                _end(process)
            raise


def _end(process: Any) -> None:
    """End a process, with those that it has started: they are of its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()
