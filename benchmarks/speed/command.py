"""What the commands here have in common: how they are called, and which rows are chosen."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from .quiet import TRIES


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text}: at least {least}")
        return int(text)

    return number


def parser(module: str, about: str | None, rounds: int = 5, least: int = 1) -> argparse.ArgumentParser:
    """Return the parser of a command, with the options of all; ``rounds`` is its default, ``least`` what it takes."""
    formatter = argparse.RawDescriptionHelpFormatter
    found = argparse.ArgumentParser(prog=f"python -m {module}", description=about, formatter_class=formatter)
    text = f"at least {least} (default: %(default)s)"
    found.add_argument("--rounds", type=_at_least(least), default=rounds, metavar="N", help=text)
    text = "how often one measurement is taken at most, while something disturbs it (default: %(default)s)"
    found.add_argument("--tries", type=_at_least(1), default=TRIES, metavar="N", help=text)
    found.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    return found


def typed(module: str, argv: Sequence[str] | None) -> str:
    """Return a command as it was typed; ``argv`` is None for what the process was called with."""
    return shlex.join(["python", "-m", module, *(sys.argv[1:] if argv is None else argv)])


def fits(name: str, patterns: Sequence[str] | None) -> bool:
    """Return whether a name fits one of the patterns; without patterns, every name does."""
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
