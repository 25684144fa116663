"""What the parts of one SVG drawing share: the position, the names, and how a shape says what it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from ...engine.contract import Outcome
from ..words import Words
from .seats import SEAT_LETTERS

__all__ = ["GAP", "HEIGHT", "SIDE", "WIDTH", "Scene", "cut", "quoteattr"]

WIDTH: Final = 1200
HEIGHT: Final = 800
GAP: Final = 10
"""Between cards, and around all of them."""
LEAST: Final = 16.5
"""Size of the smallest text, 12 pixels where the drawing is 873 wide, as beside the dice on a small laptop."""
SIDE: Final = 300
"""Width of the column with the turn and the seats."""

_LEAST: Final = 0.53  # width of a narrow letter
_NARROW: Final = frozenset(" !'()*,-./:;I[]`fijlrt|")
_WIDE: Final = frozenset("%&@MWmw—…©®¼½¾ÆæĦŒœŴŵ")


@dataclass(frozen=True, slots=True)
class Scene:
    """One drawing."""

    position: Mapping[str, Any]
    names: Sequence[str]
    """The names of the seats, in full."""
    last: frozenset[tuple[str, int]]
    """Buildings that have just changed: kind and number of the village."""
    ids: bool
    """Whether shapes say what they mean."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""
    words: Words

    def group(
        self,
        name: str,
        inside: str,
        label: str,
        x: float = 0,
        y: float = 0,
        scale: float = 1,
        *,
        role: str = "img",
        **data: object,
    ) -> str:
        """Shapes that mean one thing, moved to x, y: of class ``name``, with a label and ``data-…`` attributes."""
        place = f' transform="translate({x:g} {y:g}){"" if scale == 1 else f" scale({scale:g})"}"'
        meaning = ""
        if self.ids:
            values = "".join(f" data-{key}={quoteattr(str(value))}" for key, value in data.items())
            meaning = f' class="{name}"{values} role="{role}" aria-label={quoteattr(label)}'
        return f"<g{meaning}{place}>{inside}</g>"

    def mute(self, inside: str) -> str:
        """Shapes that a label has told of already."""
        return f'<g aria-hidden="true">{inside}</g>' if self.ids else inside

    def who(self, seat: int) -> str:
        """A seat in words."""
        return f"{SEAT_LETTERS[seat]} ({self.names[seat]})"


def _letter(c: str) -> float:
    """Width of a bold letter as a part of its size, rather too much than too little."""
    if c in _NARROW:
        return _LEAST
    if "\u0180" <= c <= "\u024f":  # rare Latin letters, some of them two in one
        return 1.57
    if c in _WIDE or c > "\u02ff":  # far away alphabets may be square
        return 1.18
    if c in "ħŉ":
        return 0.99
    return 0.75 if c.islower() or c.isdigit() else 0.86


def cut(name: str, width: float, size: float) -> str:
    """As much of a name as fits into the width in bold letters of this size."""

    def fits(part: str) -> bool:
        return size * sum(map(_letter, part)) <= width

    if fits(name):
        return name
    end = min(len(name), int(width / (size * _LEAST)))  # of a name without end no more than can fit is looked at
    while end and not fits(name[:end] + "…"):
        end -= 1
    return name[:end].rstrip() + "…"
