"""A progress bar for the games of a comparison."""

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class GamesBar(Progress):
    """A bar with the time left, on standard error where that is a terminal, while the ``with`` block lasts.

    :func:`agents.tournament.compare` takes :meth:`begin`, :meth:`progress` and :meth:`tell` by these names.
    ``program`` speaks when games are there from before; ``label`` stands before the bar.
    """

    def __init__(self, program: str, label: str = "games") -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        super().__init__(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
        self._program = program
        self._games = self.add_task(label, total=None)

    def begin(self, games: int, kept: int) -> None:
        """Say how many games there are, and how many of them are there from before."""
        if kept:
            self.tell(f"{kept:,} of {games:,} games are there from before")
        self.update(self._games, total=games - kept)

    def tell(self, sentence: str) -> None:
        """Say something beside the bar."""
        print(f"{self._program}: {sentence}", file=sys.stderr)

    def progress(self, games: int) -> None:
        """Move the bar on. games: how many have ended since the last call."""
        self.advance(self._games, games)
