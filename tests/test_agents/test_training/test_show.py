"""How a run shows its progress."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from agents.training import show
from agents.training.run import Progress


def shown(monkeypatch: pytest.MonkeyPatch, terminal: bool, *reports: Progress, every: float = 0.0) -> str:
    """What the progress bar writes when it gets these reports, so many seconds apart."""
    out, now = io.StringIO(), [1000.0]
    monkeypatch.setattr(show, "Console", lambda **_: Console(file=out, force_terminal=terminal, width=150))
    monkeypatch.setattr(show, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with show.ProgressBar() as bar:
        for report in reports:
            now[0] += every
            bar.report(report)
    return out.getvalue()


HALF = Progress(0.5, 90.0, 123_456, 4567.8, {"greedy": 0.254, "random": 1.0})
END = Progress(1.0, 180.0, 250_000, 4600.0, {"greedy": 0.5})


@pytest.mark.parametrize(("every", "lines"), [(0, 1), (16, 3), (31, 6)])
def test_elsewhere_than_on_a_terminal_progress_is_lines(
    every: float, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first, then one when 30 seconds are over, and the last."""
    line = " 50% 123,456 samples, 1:30 left, 4,568 samples/s; wins against greedy 0.25, random 1.00\n"
    last = "100% 250,000 samples, 0:00 left, 4,600 samples/s; wins against greedy 0.50\n"
    assert shown(monkeypatch, False, *[HALF] * 6, END, every=every) == line * lines + last


def test_before_any_of_the_budget_is_spent_nobody_knows_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As while a run by decisions imitates."""
    told = shown(monkeypatch, False, Progress(0.0, 90.0, 0, 4567.8, {}, "imitates planner"))
    assert told == "  0% 0 samples, ? left, 4,568 samples/s; imitates planner\n"


def test_on_a_terminal_progress_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    told = shown(monkeypatch, True, HALF, END)
    assert "100%" in told
    assert "0:00 left, 4,600 samples/s; wins against greedy 0.50" in told
