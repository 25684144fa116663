"""A progress bar for the games of a comparison."""

from __future__ import annotations

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

__all__ = ["GamesBar"]


class GamesBar:
    """A bar with the time left, on standard error where that is a terminal, while the ``with`` block lasts.

    Its methods are what :func:`agents.tournament.compare` takes as ``begin`` and ``progress``.

    Args:
        program: that speaks when games are there from before.
        label: what is written before the bar.
    """

    def __init__(self, program: str, label: str = "games") -> None:
        self._program = program
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task(label, total=None)

    def __enter__(self) -> GamesBar:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, games: int, kept: int) -> None:
        """Say how many games there are, and how many of them are there from before."""
        if kept:
            print(f"{self._program}: {kept:,} of {games:,} games are there from before", file=sys.stderr)
        self._bar.update(self._task, total=games - kept)

    def progress(self, games: int) -> None:
        """Move the bar on by so many games that have ended."""
        self._bar.advance(self._task, games)
