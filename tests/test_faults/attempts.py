"""Attempts for the tests of campaigns."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from tests.faults.campaign import Tried


def fine(game: str, seed: int, folder: Path) -> Iterator[Tried]:
    """Nothing breaks; the attempt leaves a file."""
    (folder / "left").write_text(str(seed), encoding="utf-8")
    yield Tried("fine", 2)


def breaks(game: str, seed: int, folder: Path) -> Iterator[Tried]:
    """Something breaks in every attempt."""
    yield Tried("fine", 1)
    yield Tried("breaks", 1, (f"it broke with {seed}",))


def dies(game: str, seed: int, folder: Path) -> Iterator[Tried]:
    """The process dies of it."""
    os.kill(os.getpid(), signal.SIGSEGV)
    yield Tried("dies", 1)


def hangs(game: str, seed: int, folder: Path) -> Iterator[Tried]:
    """It does not end."""
    time.sleep(600)
    yield Tried("hangs", 1)


def raises(game: str, seed: int, folder: Path) -> Iterator[Tried]:
    """The attempt itself has a mistake."""
    yield Tried("fine", 1)
    raise ZeroDivisionError("a mistake of the campaign's own")
