"""Ours beside the peers, with ratios taken within each round; and figures as text, marked where they were disturbed."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from statistics import median
from typing import Any, Final

from .harness import LIMIT, Measurement, figures

MASKED: Final = "step+mask/2/1024/1"
ONE_MASKED: Final = "step+mask/2/1/1"

ASKED: Final = {
    "step + mask, batch 1,024": (MASKED, ""),
    "AEC raw, compiled choice": ("aec_raw/2/1/1", ""),
    # many games at once against the best that a peer offers
    "step + mask to OpenSpiel backgammon, C++ playout": (MASKED, "openspiel_backgammon_rollouts/2/1/1"),
    "step + mask to Catanatron, 2 players": (MASKED, "catanatron/2/1/1"),
    "with observation to pgx backgammon, best batch": ("step+mask+int8/2/1024/1", "pgx_backgammon/2/*/1"),
    # a single game on both sides
    "one game: step + mask to OpenSpiel backgammon, Python": (ONE_MASKED, "openspiel_backgammon_python/2/1/1"),
    "one game: step + mask to Catanatron": (ONE_MASKED, "catanatron/2/1/1"),
    "one game: with observation to pgx backgammon": ("step+mask+int8/2/1/1", "pgx_backgammon/2/1/1"),
    # AEC, the same loop around each
    "AEC raw to connect_four raw": ("aec_raw/2/1/1", "connect_four_raw/2/1/1"),
    "AEC wrapped to connect_four wrapped": ("aec_wrapped/2/1/1", "connect_four_wrapped/2/1/1"),
    "AEC wrapped to the do-nothing loop, wrapped": ("aec_wrapped/2/1/1", "null_aec_wrapped/2/1/1"),
}
"""By label: the id of the row that is compared, and what the ratio is to, as a pattern of ids: the one with the highest
median. Empty for a rate alone.
"""

Found = Mapping[str, Mapping[str, Any]]
"""Rows as :func:`.harness.figures` has them, by id."""


def compare(rows: Found, asked: Mapping[str, tuple[str, str]] = ASKED) -> list[dict[str, Any]]:
    """Compare what was found as far as both sides were measured, in plain Python types.

    A ratio is disturbed where its own row is, or any of those that might be the highest.
    """
    compared = []
    for label, (ours, to) in asked.items():
        others = [name for name in rows if fnmatchcase(name, to)]
        if ours not in rows or (to and not others):
            continue
        best = max(others, key=lambda name: median(rows[name]["values"]), default="")
        values = rows[ours]["values"]
        if best:
            values = [mine / theirs for mine, theirs in zip(values, rows[best]["values"], strict=True)]
        disturbed = map(max, zip(*(rows[name]["others"] for name in (ours, *others)), strict=True))
        taken = [Measurement(*one) for one in zip(values, disturbed, strict=True)]
        about = {"label": label, "kind": "ratio" if to else "rate", "ours": ours, "against": best}
        compared.append(about | figures(taken))
    return compared


# --- figures as text ---

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
    """Return the median, marked if any round stayed disturbed. found: as :func:`.harness.figures` has it."""
    return figure(kind, found[name]) + f" {MARK}" * found["disturbed"]


def span(kind: str, found: Mapping[str, Any]) -> str:
    """Return the range; a unit that both ends have is said once."""
    first, last = figure(kind, found["low"]), figure(kind, found["high"])
    number, _, unit = first.partition(" ")
    return f"{number if unit == last.partition(' ')[2] else first}–{last}"
