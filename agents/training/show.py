"""Show the progress of a run: a bar on a terminal, a line now and then elsewhere."""

import time
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

from .run import Progress

_SECONDS_BETWEEN_LINES: Final = 30.0


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class ProgressBar(RichProgress):
    """A context manager that reports on a run while it trains."""

    def __init__(self) -> None:
        columns = TextColumn("training"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeElapsedColumn()
        console = Console(stderr=True)
        text = TextColumn("{task.fields[text]}")
        super().__init__(*columns, text, console=console, disable=not console.is_terminal)
        self._run = self.add_task("training", total=1.0, text="")
        self._last_line = 0.0

    def report(self, progress: Progress) -> None:
        """Show where the run stands."""
        left = _clock(progress.seconds * (1 - progress.part) / progress.part) if progress.part else "?"
        wins = ", ".join(f"{kind} {share:.2f}" for kind, share in progress.wins.items())
        text = f"{left} left, {progress.rate:,.0f} samples/s; {progress.note or f'wins against {wins}'}"
        if not self.disable:
            self.update(self._run, completed=progress.part, text=text)
        elif progress.part >= 1 or time.monotonic() - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            line = f"{progress.part:4.0%} {progress.samples:,} samples, {text}"
            self.console.print(line, soft_wrap=True, highlight=False)
