"""Signs, people and cells as pieces of SVG, of our own design.

Signs are about 20 by 20 around the origin. A cell has the side CELL, and its origin in its upper left corner.
"""

from collections.abc import Sequence
from typing import Final

from ...engine.drawing import element, moved, text
from .scene import LETTERS, Land, Side

CELL: Final = 50


def _path(d: str, look: str, **more: object) -> str:
    return element("path", class_=look, d=d, **more)


def _line(d: str, colour: str, width: float = 1.3, **more: object) -> str:
    """A stroke without area."""
    return _path(d, f"s-{colour}", fill="none", stroke_width=width, stroke_linecap="round", **more)


def _area(d: str, colour: str) -> str:
    """An area with a dark outline."""
    return _path(d, f"f-{colour} s-black", stroke_width=1.3, stroke_linejoin="round")


_EAR: Final = "M0 9V-6m-4-2l4 4 4-4m-8 4.6l4 4 4-4m-8 4.6l4 4 4-4"
_WOOL: Final = "M-7 4a4 4 0 0 1-1-7a4 4 0 0 1 6-3a4 4 0 0 1 6 1a4 4 0 0 1 1 8q-2 3-5 1q-3 3-7 0Z"
_SIGNS: Final = {
    "wood": _area("M-6-5H8A2.6 5 0 0 1 8 5H-6Z", "log")
    + element("ellipse", cx=-6, rx=3, ry=5, class_="f-badge s-black", stroke_width=1.3)
    + _line("M-1-1.5H6M0 2H8", "black", 1),
    "clay": _area("M-9-7H9V7H-9Z", "brick") + _line("M-9 0H9M-1-7V0M4 0V7M-5 0V7", "black"),
    "reed": _line("M-6 9Q-6 2-5-3M0 9V-5M6 9Q6 2 5-3", "black", 1.8) + _line("M-5-3V-8M0-4V-9M5-3V-8", "reed", 4.2),
    "stone": _area("M-9 6L-7-3L-1-8L6-5L9 3L6 7Z", "rock") + _line("M-7-3L0 0L6-5M0 0L-1 7", "black", 1.1),
    "food": _area("M-9-1H9Q8 8 3 8H-3Q-8 8-9-1Z", "bowl") + _line("M-4-4q2-2 0-5M1-4q2-2 0-5M6-4q2-2 0-5", "black"),
    "grain": _line(_EAR, "ear", 2),
    "vegetable": _line("M0-4V-10M0-4L-5-9M0-4L5-9", "reed", 2) + _area("M-5-4Q0-7 5-4Q5 4 0 10Q-5 4-5-4Z", "carrot"),
    "sheep": _line("M-4 4V9M2 4V9", "black", 2) + _area(_WOOL, "wool")
    + element("ellipse", cx=7, cy=-1, rx=3, ry=4, class_="f-black"),
    "boar": _line("M-6 4V8M3 4V8", "black", 2.4) + _area("M-9 2Q-9-7 0-7Q5-7 7-3L10 0V3L5 5H-7Z", "bristle")
    + _line("M-6-6l-1-3M-2-7.5V-10M2-7.5l1-3", "black") + _line("M8 2Q10-1 9-4", "badge", 1.6),
    "cattle": _line("M-4-5Q-9-4-9-10M4-5Q9-4 9-10", "black", 2) + _area("M-5-5H5L4 3Q5 9 0 9Q-5 9-4 3Z", "hide")
    + _area("M-4 4H4V6Q4 9 0 9Q-4 9-4 6Z", "badge") + _line("M-2-1V0M2-1V0", "black", 1.8),
    "begging": _area("M-6-9H6V9H-6Z", "badge") + _line("M-3 0H3", "accent", 3),
}  # fmt: skip


def sign(good: str) -> str:
    """Return the sign of a good, or of a begging card, on a light badge 24 wide."""
    return element("circle", r=12, class_="f-badge s-edge") + _SIGNS[good]


def person(seat: int, where: str = "home") -> str:
    """Return a person with the letter of its seat, 26 wide. where: "home"; "placed", drawn as a gap; or "newborn"."""
    if where == "placed":
        gap = element("circle", r=11, fill="none", class_="s-muted", stroke_width=1.5, stroke_dasharray="3 3")
        return gap + text(0, 5, LETTERS[seat], 14, "muted", at="middle")
    drawn = element("circle", r=12, class_=f"f-seat{seat} s-black", stroke_width=2)
    drawn += text(0, 5.5, LETTERS[seat], 15.5, "black", bold=True, at="middle")
    return moved(drawn, 0, 3, 0.75) if where == "newborn" else drawn


_BRICKS: Final = "M0 12.5H50M0 25H50M0 37.5H50M12 0V12.5M37 0V12.5M25 12.5V25M12 25V37.5M37 25V37.5M25 37.5V50"
_PATTERNS: Final = {
    "wood": (
        "timber",
        "M10 0V50M20 0V50M30 0V50M40 0V50M5 4v0M15 4v0M25 4v0M35 4v0M45 4v0M5 46v0M15 46v0M25 46v0M35 46v0M45 46v0",
    ),
    "clay": ("clay", _BRICKS),
    "stone": ("stone", "M0 18L18 14L34 20L50 15M18 14L22 0M34 20L30 36L50 34M30 36L12 33L0 38M12 33L15 50M30 36L36 50"),
    "field": ("soil", "".join(f"M4 {y}q5-4 10.5 0t10.5 0 10.5 0 10.5 0" for y in (8, 17, 26, 35, 44))),
    "pasture": ("pasture", "M10 40l-2-5m2 5v-6m0 6l2-5M40 14l-2-5m2 5v-6m0 6l2-5M38 43l-2-5m2 5v-6m0 6l2-5"),
    "unused": ("wild", ""),
}
"""The ground of each kind of cell, and the lines on it."""
_HOUSES: Final = ("wood", "clay", "stone")


def cell(land: Land) -> str:
    """Return a cell and what is on it but fences."""
    ground, lines = _PATTERNS[land.kind]
    drawn = element("rect", width=CELL, height=CELL, class_=f"f-{ground} s-grass", stroke_width=0.8)
    if lines:
        drawn += _line(
            lines, "grass" if land.kind == "pasture" else "seam", 1.2, opacity=None if land.kind in _HOUSES else 0.7
        )
    if land.stable:
        barn = "M-14 14V-2L0-14L14-2V14Z"
        drawn += moved(_area(barn, "barn") + _line("M-6 14V2H6V14M-6 2L6 14M6 2L-6 14", "badge", 2), 25, 24)
    if land.crop:
        drawn += element("rect", x=5, y=13, width=40, height=24, rx=12, class_="f-badge s-black", stroke_width=1.2)
        drawn += moved(_SIGNS[land.crop], 17, 25) + text(33, 32, land.number, 19, "black", bold=True, at="middle")
    return drawn


def fence(sides: Sequence[Side], scale: float) -> str:
    """Return fences: a rail on each side, and a post at both of its ends; as thick in cells of every scale."""
    rails = "".join(f"M{CELL * x} {CELL * y}{'v' if upright else 'h'}{CELL}" for x, y, upright in sides)
    ends = {end for x, y, upright in sides for end in ((x, y), (x, y + 1) if upright else (x + 1, y))}
    posts = "".join(f"M{CELL * x} {CELL * y}h0" for x, y in sorted(ends))
    lines = ((rails, "badge", 8.5), (rails, "fence", 5), (posts, "fence", 11))
    return "".join(_line(d, colour, round(width / scale, 2)) for d, colour, width in lines) if sides else ""
