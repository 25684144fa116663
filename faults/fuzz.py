"""Fuzzing of every door that takes foreign data: what comes of mutated examples, in a process that may die of them."""

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
from functools import partial
from mmap import mmap
from pathlib import Path
from typing import Any, Final

from pages import ROOT

from . import load
from .kinds import FUZZED
from .ledger import Tried
from .odd import Below, changes, mutated

__all__ = ["Answer", "Inputs", "Opened", "Opening", "fuzzed", "random_inputs", "tried"]

PARTS: Final = 400
"""Attempts after which every door has had as many inputs as it is to have."""
SLOW: Final = 1.0
"""Seconds after which an answer has taken too long, on a machine that has time; longer where it is loaded."""
SILENT: Final = 60.0
"""Seconds without an answer after which a process is taken to hang; longer likewise."""
OPENING: Final = 600.0
"""The same for its first input, before which whatever the door needs may be compiled."""
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


class _Board:
    """Where the process that tries inputs writes what it is about to try, for the one that watches it."""

    def __init__(self) -> None:
        self._shared = mmap(-1, 4096)
        self.tells = False
        """Whether inputs are written, too, which takes longer than most doors need."""

    @property
    def number(self) -> int:
        """How many inputs were tried, counted from 1; 0 while the door is being opened."""
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


class Inputs:
    """Tries inputs at a door, and keeps what breaks: each place in the code once."""

    def __init__(self, door: Opened, board: _Board, pipe: int) -> None:
        self.door = door
        self.board = board
        self.pipe = pipe
        self.tried = self.refused = 0
        self.example: Any = None
        self.error: BaseException | None = None
        self.broken: dict[str, str] = {}

    def try_one(self, below: Below) -> None:
        """Try an input that follows from decisions."""
        door = self.door
        self.example = door.example(below)
        given = mutated(self.example, below)
        before = door.kept() if door.kept else None
        self.tried += 1
        self.error = None
        self.board.write(self.tried, self._shown(given) if self.board.tells else "")
        began = time.perf_counter()
        try:
            door.call(given)
        except BaseException as error:
            if isinstance(error, door.named) and _meant(error, door.named):
                self.refused += 1
                self.error = error
                if door.kept and door.kept() != before:
                    self.tell("changed", given, "it was refused and has changed something")
            else:
                frame = traceback.extract_tb(error.__traceback__)[-1]
                place = f"{Path(frame.filename).name}:{frame.lineno}"
                self.tell(f"{type(error)} {place}", given, f"{type(error).__name__}: {str(error)[:200]} at {place}")
        if time.perf_counter() - began > SLOW and self._again(given):
            self.tell("slow", given, f"no answer within {SLOW:g} s, twice")

    @property
    def depth(self) -> int:
        """The line at which the last input was refused, since readers go from the top down; the last of all if not."""
        return 10_000 if self.error is None else traceback.extract_tb(self.error.__traceback__)[-1].lineno or 0

    def answer(self) -> dict[str, Any]:
        """Return what came of the inputs, for JSON."""
        return {"tried": self.tried, "refused": self.refused, "broken": list(self.broken.values())}

    def end(self) -> None:
        """Answer, and end the process: for what cannot return."""
        _answer(self.pipe, self.answer())
        os._exit(0)

    def _again(self, given: Any) -> bool:
        """Return whether an input takes too long again: the first time the machine may have been busy."""
        began = time.perf_counter()
        with contextlib.suppress(BaseException):
            self.door.call(given)
        return time.perf_counter() - began > SLOW * load()

    def tell(self, key: str, given: Any, what: str) -> None:
        """Keep what broke."""
        if key not in self.broken:
            self.broken[key] = f"{what}; input {self.tried}: {self._shown(given)}"

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


def random_inputs(inputs: Inputs, count: int, seed: int) -> None:
    """Try inputs drawn at random, and look how the process grows meanwhile."""
    draw = random.Random(seed).random
    early = 0
    for number in range(count):
        inputs.try_one(lambda n: int(draw() * n))
        if number == count // 10:
            early = _peak()
    if (grown := _peak() - early) > ROOM:
        inputs.tell("memory", None, f"the process grew by {grown >> 20} MiB during {count} inputs")


def _answer(pipe: int, answer: dict[str, Any]) -> None:
    with open(pipe, "w", encoding="utf-8") as file:
        json.dump(answer, file)


def _work(pipe: int, board: _Board, opening: Opening, folder: Path, drive: Callable[[Inputs], None]) -> None:
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
        answer: dict[str, Any] = {"error": "it has not ended"}
        try:
            door = opening(folder)
            door.call(door.example(lambda n: 0))  # which is valid; whatever is compiled is ready then
            drive(inputs := Inputs(door, board, pipe))
            answer = inputs.answer()
        except Exception:
            answer = {"error": traceback.format_exc(limit=-3)}
        _answer(pipe, answer)
        status = 0
    finally:
        os._exit(status)


@dataclass(frozen=True)
class Answer:
    """What came of the inputs at a door."""

    tried: int
    refused: int = 0
    broken: tuple[str, ...] = ()


def fuzzed(opening: Opening, folder: Path, drive: Callable[[Inputs], None], board: _Board | None = None) -> Answer:
    """Try inputs at a door in a process of its own, which may hang or die of them.

    Args:
        opening: opens the door.
        folder: does not exist yet.
        drive: tries the inputs, :func:`random_inputs` for one; the same each time that it is called.
    """
    board = board or _Board()
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        _work(theirs, board, opening, folder, drive)
    os.close(theirs)
    text, seen, since = b"", -1, time.perf_counter()
    late = False
    while True:
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
            break
    os.close(ours)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    seen = board.number
    answer = json.loads(text) if text and not late else None
    if answer is not None:
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return Answer(answer["tried"], answer["refused"], tuple(answer["broken"]))
    what = f"no answer within {SILENT:g} s" if late else f"the process died: exit status {status}"
    if not board.tells:  # once more, to see the input
        again = _Board()
        again.tells = True
        fuzzed(opening, folder.with_name(f"{folder.name}-again"), drive, again)
        what = f"{what}; input {again.number}: {again.text}"
    return Answer(max(seen, 1), 0, (what,))


_WARM: Final[set[str]] = set()


def tried(kind: str, doors: Mapping[str, Opening], seed: int, folder: Path, warm: bool = False) -> Iterator[Tried]:
    """Try a part of the inputs that each door of a kind is to have.

    warm: whether a valid example is first tried here, so that the processes to come need not load what is compiled.
    """
    for number, (name, opening) in enumerate(doors.items()):
        if warm and name not in _WARM:
            _WARM.add(name)
            opened = opening(folder)
            opened.call(opened.example(lambda n: 0))
        drive = partial(random_inputs, count=FUZZED[kind][name] // PARTS, seed=seed + number)
        answer = fuzzed(opening, folder / f"{number}", drive)
        yield Tried(f"fuzz: {name}", answer.tried, 0, answer.broken)
