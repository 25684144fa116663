"""Fuzzing of every door that takes foreign data: what comes of mutated examples, in a process that may die of them.

Each input is taken and makes sense, or is refused with a named error and changes nothing, within a second and without
memory beyond a bound.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import random
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from typing import Any, Final, NamedTuple

from pages import ROOT

from . import load
from .campaign import Tried
from .odd import Below, changes, mutated

__all__ = ["Answer", "Doors", "Opened", "Opening", "fuzzed"]

INPUTS: Final = 400
"""Inputs that an attempt tries at each door."""
SLOW: Final = 1.0
"""Seconds after which an answer has taken too long, on a machine that has time; longer where it is loaded."""
SILENT: Final = 60.0
"""Seconds without an answer after which a process is taken to hang; longer likewise."""
OPENING: Final = 600.0
"""Seconds without an answer to its first input, before which whatever the door needs may be compiled."""
ROOM: Final = 256 * 2**20
"""Bytes by which the process may grow after the first tenth of the inputs."""
_MOST: Final = 4 * 2**30
"""Bytes that the process may take besides what it has."""


@dataclass(frozen=True)
class Opened:
    """A door, ready to be called."""

    call: Callable[[Any], object]
    """Takes an input; raises AssertionError where what it then sees is wrong."""
    example: Callable[[Below], Any]
    """Returns a valid input."""
    named: tuple[type[BaseException], ...]
    """The errors with which the door may refuse an input; ValueError and IndexError only by a `raise` of ours."""
    kept: Callable[[], object] | None = None
    """Returns what a refused input must not change."""


Opening = Callable[[Path], Opened]
"""Opens a door, for which it may use an empty folder."""


class Answer(NamedTuple):
    """What came of the inputs at a door."""

    tried: int
    refused: int = 0
    broken: tuple[str, ...] = ()


class _Board:
    """Where the process that tries inputs writes what it is about to try, for the one that watches it."""

    def __init__(self, tells: bool = False) -> None:
        self._shared = mmap(-1, 4096)
        self.tells = tells
        """Whether inputs are written, too, which takes longer than most doors need."""

    @property
    def number(self) -> int:
        """The number of the input that is tried, counted from 1; 0 while the door is being opened."""
        return int.from_bytes(self._shared[:8], "little")

    @property
    def text(self) -> str:
        """The last input, if it was written."""
        return self._shared[8:].rstrip(b"\0").decode(errors="replace")

    def write(self, number: int, given: str = "") -> None:
        """Note which input is next, and what it is."""
        self._shared[:8] = number.to_bytes(8, "little")
        if self.tells:
            self._shared[8:] = given.encode(errors="replace")[:4088].ljust(4088, b"\0")


class _Inputs:
    """Tries inputs at a door, and keeps what breaks: each place in the code once."""

    def __init__(self, door: Opened, board: _Board) -> None:
        self.door = door
        self.board = board
        self.tried = self.refused = 0
        self.example: Any = None
        self.broken: dict[str, str] = {}

    def try_all(self, count: int, seed: int) -> None:
        """Try inputs drawn at random, and look how the process grows meanwhile."""
        draw = random.Random(seed).random
        early = 0
        for number in range(count):
            self.try_one(lambda n: int(draw() * n))
            if number == count // 10:
                early = _peak()
        if (grown := _peak() - early) > ROOM:
            self.tell("memory", None, f"the process grew by {grown >> 20} MiB during {count} inputs")

    def try_one(self, below: Below) -> None:
        """Try an input that follows from decisions."""
        door = self.door
        self.example = door.example(below)
        given = mutated(self.example, below)
        before = door.kept() if door.kept else None
        self.tried += 1
        self.board.write(self.tried, self._shown(given) if self.board.tells else "")
        began = time.perf_counter()
        try:
            door.call(given)
        except BaseException as error:
            if isinstance(error, door.named) and _meant(error, door.named):
                self.refused += 1
                if door.kept and door.kept() != before:
                    self.tell("changed", given, "it was refused and has changed something")
            else:
                frame = traceback.extract_tb(error.__traceback__)[-1]
                place = f"{Path(frame.filename).name}:{frame.lineno}"
                self.tell(f"{type(error)} {place}", given, f"{type(error).__name__}: {str(error)[:200]} at {place}")
        if time.perf_counter() - began > SLOW and self._slow_again(given):
            self.tell("slow", given, f"no answer within {SLOW:g} s, twice")

    def _slow_again(self, given: Any) -> bool:
        """Return whether an input takes too long again: the first time the machine may have been busy."""
        began = time.perf_counter()
        with contextlib.suppress(BaseException):
            self.door.call(given)
        return time.perf_counter() - began > SLOW * load()

    def tell(self, key: str, given: Any, what: str) -> None:
        """Keep what broke."""
        self.broken.setdefault(key, f"{what}; input {self.tried}: {self._shown(given)}")

    def _shown(self, given: Any) -> str:
        return "; ".join(changes(self.example, given))[:400]


def _meant(error: BaseException, named: tuple[type[BaseException], ...]) -> bool:
    """Return whether a named error was raised on purpose: NumPy, too, has ValueError and IndexError for accidents."""
    if isinstance(error, tuple(kind for kind in named if kind not in (ValueError, IndexError))):
        return True
    frame = traceback.extract_tb(error.__traceback__)[-1]
    path = Path(frame.filename)
    ours = path.is_relative_to(ROOT) and "site-packages" not in path.parts
    return ours and (frame.line or "").startswith("raise ")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _work(pipe: int, board: _Board, opening: Opening, folder: Path, count: int, seed: int) -> None:
    """Try inputs in a forked process, and write into a pipe what came of them."""
    status = 1
    try:
        faulthandler.disable()  # what kills it is told as a finding
        # PyTorch would wait for ever for the threads of the process that was forked
        if torch := sys.modules.get("torch"):
            torch.set_num_threads(1)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nothing, stream)
        taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + _MOST, taken + _MOST))
        folder.mkdir()
        try:
            door = opening(folder)
            door.call(door.example(lambda n: 0))  # which is valid; whatever is compiled is ready then
            inputs = _Inputs(door, board)
            inputs.try_all(count, seed)
            answer: object = [inputs.tried, inputs.refused, list(inputs.broken.values())]
        except Exception:
            answer = traceback.format_exc(limit=-3)
        with open(pipe, "w", encoding="utf-8") as file:
            json.dump(answer, file)
        status = 0
    finally:
        os._exit(status)


def fuzzed(opening: Opening, folder: Path, count: int, seed: int, board: _Board | None = None) -> Answer:
    """Try inputs at a door in a process of its own, which may hang or die of them.

    Args:
        opening: opens the door.
        folder: a folder that does not exist yet.
        count: how many inputs.
        seed: the seed of the inputs.

    Raises:
        RuntimeError: the door refused its own example.
    """
    board = board or _Board()
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        _work(theirs, board, opening, folder, count, seed)
    os.close(theirs)
    text, seen, since, late = b"", -1, time.perf_counter(), False
    while not late:
        if board.number != seen:
            seen, since = board.number, time.perf_counter()
        if select.select([ours], [], [], 0.5)[0]:
            read = os.read(ours, 1 << 20)
            text += read
            if not read:
                break
        elif time.perf_counter() - since > (SILENT if seen else OPENING) * load():
            late = True
            os.kill(pid, signal.SIGKILL)
    os.close(ours)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if text and not late:
        answer = json.loads(text)
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return Answer(answer[0], answer[1], tuple(answer[2]))
    what = f"no answer within {SILENT:g} s" if late else f"the process died: exit status {status}"
    if not board.tells:  # once more, to see the input
        again = _Board(tells=True)
        fuzzed(opening, folder.with_name(f"{folder.name}-again"), count, seed, again)
        what = f"{what}; input {again.number}: {again.text}"
    return Answer(max(board.number, 1), 0, (what,))


class Doors(dict[str, Opening]):
    """Doors by their names in the table; to call them is an attempt that tries inputs at each.

    warm: whether a valid example is first tried here, so that the processes to come need not load what is compiled.
    """

    def __init__(self, doors: Mapping[str, Opening], warm: bool = False) -> None:
        super().__init__(doors)
        self.warm = warm

    def __call__(self, seed: int, folder: Path) -> Iterator[Tried]:
        """Try inputs at each of the doors."""
        for number, (name, opening) in enumerate(self.items()):
            if self.warm:
                opened = opening(folder)
                opened.call(opened.example(lambda n: 0))
            answer = fuzzed(opening, folder / f"{number}", INPUTS, seed + number)
            yield Tried(f"fuzz: {name}", answer.tried, answer.broken)
