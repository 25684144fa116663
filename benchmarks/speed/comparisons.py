"""Ours beside the peers, with ratios taken within each round; and figures as text, marked where they were disturbed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from .harness import Rounds
from .quiet import LIMIT


@dataclass(frozen=True, slots=True)
class Asked:
    """A comparison to make.

    Attributes:
        ours: the id of the row that is compared.
        to: what the ratio is to, as a pattern of ids: the one with the highest median. Empty for a rate alone.
    """

    label: str
    ours: str
    to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Rounds):
    """A comparison that could be made."""

    label: str = ""
    kind: str
    """``"rate"`` in steps per second, or ``"ratio"``."""
    ours: str
    against: str = ""
    """What the ratio is to."""

    def as_json(self) -> dict[str, Any]:
        """Return plain Python types."""
        about = {"label": self.label, "kind": self.kind, "ours": self.ours, "against": self.against}
        return about | self.figures()


MASKED: Final = "step+mask/2/1024/1"
SEEN: Final = "step+mask+int8/2/1024/1"
ONE_MASKED: Final = "step+mask/2/1/1"
BACKGAMMON: Final = "openspiel_backgammon_rollouts/2/1/1"

ASKED: Final = (
    Asked("step + mask, batch 1,024", MASKED),
    Asked("AEC raw, compiled choice", "aec_raw/2/1/1"),
    # many games at once against the best that a peer offers
    Asked("step + mask to OpenSpiel backgammon, C++ playout", MASKED, BACKGAMMON),
    Asked("step + mask to Catanatron, 2 players", MASKED, "catanatron/2/1/1"),
    Asked("with observation to pgx backgammon, best batch", SEEN, "pgx_backgammon/2/*/1"),
    # a single game on both sides
    Asked("one game: step + mask to OpenSpiel backgammon, Python", ONE_MASKED, "openspiel_backgammon_python/2/1/1"),
    Asked("one game: step + mask to Catanatron", ONE_MASKED, "catanatron/2/1/1"),
    Asked("one game: with observation to pgx backgammon", "step+mask+int8/2/1/1", "pgx_backgammon/2/1/1"),
    # AEC, the same loop around each
    Asked("AEC raw to connect_four raw", "aec_raw/2/1/1", "connect_four_raw/2/1/1"),
    Asked("AEC wrapped to connect_four wrapped", "aec_wrapped/2/1/1", "connect_four_wrapped/2/1/1"),
    Asked("AEC wrapped to the do-nothing loop, wrapped", "aec_wrapped/2/1/1", "null_aec_wrapped/2/1/1"),
)


def divided(ours: Rounds, others: Mapping[str, Rounds], /, **about: Any) -> Compared:
    """Divide round by round by the one of the others with the highest median.

    The ratio is disturbed where its own row is, or any of those that might be the highest.
    """
    against = max(others, key=lambda name: others[name].median)
    return Compared(
        values=tuple(mine / theirs for mine, theirs in zip(ours.values, others[against].values, strict=True)),
        others=tuple(map(max, zip(*(rounds.others for rounds in (ours, *others.values())), strict=True))),
        kind="ratio",
        against=against,
        **about,
    )


def compare(found: Mapping[str, Rounds], asked: Sequence[Asked] = ASKED) -> list[Compared]:
    """Compare what was found, by id, as far as both sides were measured."""
    compared = []
    for one in asked:
        if (ours := found.get(one.ours)) is None:
            continue
        if not one.to:
            compared.append(
                Compared(values=ours.values, others=ours.others, kind="rate", label=one.label, ours=one.ours)
            )
        elif others := {name: rounds for name, rounds in found.items() if fnmatchcase(name, one.to)}:
            compared.append(divided(ours, others, label=one.label, ours=one.ours))
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
    """Return the median, marked if any round stayed disturbed. found: as :meth:`.harness.Rounds.figures` has it."""
    return figure(kind, found[name]) + f" {MARK}" * found["disturbed"]


def span(kind: str, found: Mapping[str, Any]) -> str:
    """Return the range; a unit that both ends have is said once."""
    first, last = figure(kind, found["low"]), figure(kind, found["high"])
    number, _, unit = first.partition(" ")
    return f"{number if unit == last.partition(' ')[2] else first}–{last}"
