"""Figures as text: rates, ratios and seconds with three figures, marked where something disturbed the measurement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .quiet import LIMIT

MARK: Final = "†"
LEGEND: Final = (
    f"{MARK} stayed disturbed: in some round something else had more than {LIMIT:.0%} of its cores, however often it "
    "was taken again. Do not quote these figures."
)
"""What the mark behind a figure means."""


def figure(kind: str, value: float) -> str:
    """Return a figure with its unit; ``kind`` is "rate", "ratio" or "seconds"."""
    if kind == "ratio":
        return f"{_three(value)} ×"
    if kind == "seconds":
        return f"{value:.2f} s"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{_three(value / size)} {unit}"
    return _three(value)


def _three(value: float) -> str:
    """Three figures."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def middle(kind: str, found: Mapping[str, Any], name: str = "median") -> str:
    """Return the median, marked if any round stayed disturbed. found: as :meth:`.harness.Rounds.figures` has it."""
    return figure(kind, found[name]) + f" {MARK}" * found["disturbed"]


def span(kind: str, found: Mapping[str, Any]) -> str:
    """Return the range; a unit that both ends have is said once."""
    first, last = figure(kind, found["low"]), figure(kind, found["high"])
    number, _, unit = first.partition(" ")
    return f"{number if unit == last.partition(' ')[2] else first}–{last}"
