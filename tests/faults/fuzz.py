"""Fuzzing of every door that takes foreign data: what comes of mutated examples.

Each input is taken and makes sense, or is refused with a named error and changes nothing, within a second and without
memory beyond a bound. What kills the process, or lets it hang, the campaign tells.
"""

import contextlib
import io
import random
import resource
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from pages import ROOT

from . import load
from .campaign import Tried
from .odd import Below, changes, mutated

__all__ = ["Answer", "Doors", "Opened", "Opening", "fuzzed"]

INPUTS: Final = 1000
"""Inputs that an attempt tries at each door."""
SLOW: Final = 1.0
"""Seconds after which an answer has taken too long, on a machine that has time; longer where it is loaded."""
ROOM: Final = 256 * 2**20
"""Bytes by which the process may grow after the first tenth of a door's inputs."""
_MOST: Final = 4 * 2**30
"""Bytes that the process may take besides what it has at first."""


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


class _Inputs:
    """Tries inputs at a door, and keeps what breaks: each place in the code once."""

    def __init__(self, door: Opened) -> None:
        self.door = door
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
                early = _memory()[1]
        if (grown := _memory()[1] - early) > ROOM:
            self.tell("memory", None, f"the process grew by {grown >> 20} MiB during {count} inputs")

    def try_one(self, below: Below) -> None:
        """Try an input that follows from decisions."""
        door = self.door
        self.example = door.example(below)
        given = mutated(self.example, below)
        before = door.kept() if door.kept else None
        self.tried += 1
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


def _memory() -> list[int]:
    """Return the bytes of memory that this process has asked for, and those that it uses."""
    words = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return [int(word) * resource.getpagesize() for word in words[:2]]


def fuzzed(opening: Opening, folder: Path, count: int, seed: int) -> Answer:
    """Try inputs at a door, which may end this process.

    Args:
        opening: opens the door.
        folder: an empty folder.
        count: how many inputs.
        seed: the seed of the inputs.
    """
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        door = opening(folder)
        door.call(door.example(lambda n: 0))  # which is valid; whatever is compiled is ready then
        inputs = _Inputs(door)
        inputs.try_all(count, seed)
    return Answer(inputs.tried, inputs.refused, tuple(inputs.broken.values()))


class Doors:
    """The doors of a kind, which ``of`` returns for a game by their names. To call them is an attempt at each."""

    def __init__(self, of: Callable[[str], Mapping[str, Opening]]) -> None:
        self.of = of

    def __call__(self, game: str, seed: int, folder: Path) -> Iterator[Tried]:
        """Try inputs at each of the doors of a game."""
        most = _memory()[0] + _MOST
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        for number, (name, opening) in enumerate(self.of(game).items()):
            own = folder / f"{number}"
            own.mkdir()
            answer = fuzzed(opening, own, INPUTS, seed + number)
            yield Tried(f"fuzz: {name}", answer.tried, answer.broken)
