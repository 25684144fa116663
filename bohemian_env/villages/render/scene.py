"""What the parts of one SVG drawing share: the position, the names, and how a shape says what it means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...engine.contract import Outcome
from ...engine.drawing import element, moved
from ..words import Words
from .seats import SEAT_LETTERS

LEAST: Final = 16.5
"""Size of the smallest text, 12 pixels where the drawing is 873 wide, as beside the dice on a small laptop."""


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
        x: float,
        y: float,
        scale: float = 1,
        role: str = "img",
        **data: object,
    ) -> str:
        """Shapes that mean one thing, moved to x, y: of class ``name``, with a label and ``data-…`` attributes."""
        meaning: dict[str, object] = {"class": name, **{f"data-{key}": value for key, value in data.items()}}
        meaning |= {"role": role, "aria-label": label}
        return moved(inside, x, y, scale, **(meaning if self.ids else {}))

    def mute(self, *shapes: str) -> str:
        """Shapes that a label has told of already."""
        inside = "".join(shapes)
        return element("g", inside, aria_hidden="true") if self.ids else inside

    def who(self, seat: int) -> str:
        """A seat in words."""
        return f"{SEAT_LETTERS[seat]} ({self.names[seat]})"
