"""Attempts for the tests of campaigns."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from faults.ledger import Tried
from tests.helpers import ROOT


def fine(seed: int, folder: Path) -> Iterator[Tried]:
    """Nothing breaks; the attempt leaves a file."""
    (folder / "left").write_text(str(seed), encoding="utf-8")
    yield Tried("fine", 2)


def breaks(seed: int, folder: Path) -> Iterator[Tried]:
    """Something breaks in every attempt until the environment says that it is mended."""
    yield Tried("fine", 1)
    mended = os.environ.get("TESTS_MENDED")
    yield Tried("breaks", 1, 0, () if mended else (f"it broke with {seed}",))


def loses(seed: int, folder: Path) -> Iterator[Tried]:
    """Something is lost."""
    yield Tried("loses", 1, 3, ("three moves are gone",))


def dies(seed: int, folder: Path) -> Iterator[Tried]:
    """The process dies of it."""
    os.kill(os.getpid(), signal.SIGSEGV)
    yield Tried("dies", 1)


def hangs(seed: int, folder: Path) -> Iterator[Tried]:
    """It does not end."""
    time.sleep(600)
    yield Tried("hangs", 1)


def paths(seed: int, folder: Path) -> Iterator[Tried]:
    """What breaks names files, in two lines."""
    yield Tried("paths", 1, 0, (f"{folder / 'a'} is gone\n{ROOT / 'train.py'} is not",))


def raises(seed: int, folder: Path) -> Iterator[Tried]:
    """The attempt itself has a mistake."""
    yield Tried("fine", 1)
    raise ZeroDivisionError("a mistake of the campaign's own")
