"""Show the progress of a run: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

from .run import Progress, TrainingRun

_SECONDS_BETWEEN_LINES: Final = 30.0


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class ProgressBar:
    """A context manager that reports on a run while it trains."""

    def __init__(self, run: TrainingRun) -> None:
        self._console = Console(stderr=True)
        self._bar: RichProgress | None = None
        self._last_line = 0.0
        self._run = run

    def __enter__(self) -> ProgressBar:
        if self._console.is_terminal:
            self._bar = RichProgress(
                TextColumn("training"),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f}%"),
                TimeElapsedColumn(),
                TextColumn("{task.fields[text]}"),
                console=self._console,
            )
            self._task = self._bar.add_task("training", total=1.0, text="")
            self._bar.start()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, progress: Progress) -> None:
        """Show where the run stands."""
        left = _clock(progress.seconds * (1 - progress.part) / progress.part) if progress.part else "?"
        wins = ", ".join(f"{kind} {share:.2f}" for kind, share in progress.wins.items())
        text = f"{left} left, {progress.rate:,.0f} samples/s; {progress.note or f'wins against {wins}'}"
        if self._bar is not None:
            self._bar.update(self._task, completed=progress.part, text=text)
        elif progress.part >= 1 or time.monotonic() - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._console.print(
                f"{progress.part:4.0%} {progress.samples:,} samples, {text}", soft_wrap=True, highlight=False
            )
