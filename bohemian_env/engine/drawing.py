"""What the drawings of all games share: colours by theme, the frame, pieces of SVG, texts that fit, names of seats."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from .checks import check_truth, printable
from .contract import Outcome
from .errors import BadSetup, brief
from .setup import checked_names

__all__ = [
    "COMMON", "FONTS", "GAP", "HEIGHT", "SIDE", "WIDTH", "Palette", "card", "check_outcome", "cut", "element", "escape",
    "join", "moved", "names_of", "shortened", "text", "written",
]  # fmt: skip

WIDTH: Final = 1200
HEIGHT: Final = 800
GAP: Final = 10
"""Between cards, and around all of them."""
SIDE: Final = 300
"""Width of the column beside the board."""
COMMON: Final = {
    "table": "#e9e2d3 #14171b",
    "card": "#fffcf5 #242a31",
    "edge": "#b9ac93 #4c5662",
    "ink": "#29241d #f4efe4",
    "muted": "#62594b #bcb4a5",
}
"""The colours of all games' drawings, as :class:`Palette` takes them."""
FONTS: Final = "'DejaVu Sans',Verdana,sans-serif"

_LEAST: Final = 0.53  # width of a narrow letter
_NARROW: Final = frozenset(" !'()*,-./:;I[]`fijlrt|")
_WIDE: Final = frozenset("%&@MWmw—…©®¼½¾ÆæĦŒœŴŵ")


class Palette:
    """The colours of a game's drawings. The class ``f-NAME`` fills with a colour, ``s-NAME`` strokes with it.

    prefix: what the names of its classes and CSS variables begin with. colours: by name, one for both themes, or a
    light and a dark one with a space between. strokes: the names of the colours of outlines; all by default.
    """

    def __init__(self, prefix: str, colours: Mapping[str, str], strokes: Collection[str] | None = None) -> None:
        self.prefix = prefix
        self.strokes = colours if strokes is None else strokes
        self.themes = {
            theme: {name: told.split()[place] for name, told in colours.items()}
            for theme, place in (("light", 0), ("dark", -1))
        }
        """The colours by theme and name."""

    def root(self, dark: bool | None) -> str:
        """Return the class of a drawing in this theme, which lets drawings of several themes share a page. Raises
        BadSetup for what is no theme.
        """
        if dark is not None:
            check_truth("dark", dark)
        return f"{self.prefix}-{'auto' if dark is None else 'dark' if dark else 'light'}"

    def css(self, dark: bool | None) -> str:
        """Return the style sheet inside a drawing, the same for all of a theme. Raises BadSetup for what is no theme.

        dark: True and False fix the theme; None follows the reader's by CSS variables ``--PREFIX-NAME``.
        """
        root, colours, rules = self.root(dark), self.themes["dark" if dark else "light"], ""
        if dark is None:
            variables = {name: f"--{self.prefix}-{name}" for name in colours}
            light, night = (
                "".join(f"{variables[name]}:{colour};" for name, colour in theme.items())
                for theme in self.themes.values()
            )
            rules = f".{root}{{{light}}}@media (prefers-color-scheme:dark){{.{root}{{{night}}}}}"
            colours = {name: f"var({variable})" for name, variable in variables.items()}
        for name, colour in colours.items():
            rules += f".{root} .f-{name}{{fill:{colour}}}"
            if name in self.strokes:
                rules += f".{root} .s-{name}{{stroke:{colour}}}"
        return rules

    def drawing(self, inside: str, dark: bool | None, ids: bool, head: str = "", **attributes: object) -> str:
        """Return a whole drawing of WIDTH by HEIGHT units. Raises BadSetup for what is no theme.

        ids: whether its parts say what they mean; without, it is one picture. head: what stands before the style sheet.
        """
        frame = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {HEIGHT}"}
        look = {"class_": self.root(dark), "role": "group" if ids else "img", **attributes, "font_family": FONTS}
        size = {"width": WIDTH, "height": HEIGHT}
        inside = f"{head}<style>{self.css(dark)}</style>{element('rect', **size, class_='f-table')}{inside}"
        return element("svg", inside, **frame, **size, **look) + "\n"


# --- pieces of SVG ------------------------------------------------------------------------------------------------


def element(tag: str, inside: str | None = None, /, **attributes: object) -> str:
    """Return an element, an empty one without ``inside``.

    attributes: those that are None are left out. An underscore stands for a hyphen, at the end for nothing.
    """
    told = "".join(_attribute(name, value) for name, value in attributes.items() if value is not None)
    return f"<{tag}{told}/>" if inside is None else f"<{tag}{told}>{inside}</{tag}>"


@lru_cache(2**12, typed=True)  # most come again and again, and to write one is most of the work
def _attribute(name: str, value: object) -> str:
    told = f"{value or 0:g}" if isinstance(value, float) else str(value)  # without -0, which is equal to 0
    return f" {name.rstrip('_').replace('_', '-')}={quoteattr(told)}"


def card(width: float, height: float, look: str = "f-card s-edge") -> str:
    """Return a rectangle with round corners. look: its classes."""
    return element("rect", width=width, height=height, rx=10, class_=look)


def moved(shape: str, x: float, y: float, scale: float = 1, **attributes: object) -> str:
    """Return a shape drawn with its origin at x, y. attributes: those of its group."""
    scaled = "" if scale == 1 else f" scale({scale:g})"
    return element("g", shape, **attributes, transform=f"translate({x:g} {y:g}){scaled}")


def text(
    x: float, y: float, words: object, size: float, colour: str = "ink", *, bold: bool = False, at: str | None = None
) -> str:
    """Return a line of text whose foot is at y; ``at`` is "middle" or "end" where x is not its beginning."""
    look = {"font_weight": "bold" if bold else None, "text_anchor": at, "class_": f"f-{colour}"}
    return element("text", escape(str(words)), x=x, y=y, font_size=f"{size:.3g}", **look)


def written(lines: str, dark: bool | None = None) -> str:
    """Return lines of text as a drawing. dark: whether it has a dark ground; None for none. Raises BadSetup."""
    ink, rows = COMMON["ink"].split()[bool(dark)], lines.splitlines()
    if dark is not None:
        check_truth("dark", dark)
    size = {"width": 10 * max(map(len, rows), default=1) + 16, "height": 20 * len(rows) + 12}
    drawn = "" if dark is None else element("rect", **size, fill=COMMON["table"].split()[bool(dark)])
    for number, row in enumerate(rows, 1):
        drawn += element("text", escape(row).replace(" ", "\u00a0"), x=8, y=20 * number)
    look = {"font_family": "monospace", "font_size": 16, "fill": None if dark is None else ink}
    frame = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {size['width']} {size['height']}"}
    return element("svg", drawn, **frame, **look)


# --- texts that fit -----------------------------------------------------------------------------------------------


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
    """Return as much of a name as fits into the width in bold letters of this size."""

    def fits(part: str) -> bool:
        return size * sum(map(_letter, part)) <= width

    if fits(name):
        return name
    end = min(len(name), int(width / (size * _LEAST)))  # of a name without end no more than can fit is looked at
    while end and not fits(name[:end] + "…"):
        end -= 1
    return name[:end].rstrip() + "…"


def shortened(name: str, longest: int) -> str:
    """Return a name with so many letters at most, a tilde in place of those that are left out."""
    return name if len(name) <= longest else name[: longest - 1] + "~"


def join(blocks: Iterable[Iterable[str]]) -> str:
    """Return blocks of lines with an empty line between them, without spaces at the ends of lines."""
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)


# --- what is asked for --------------------------------------------------------------------------------------------


def names_of(names: Iterable[str] | None, players: int) -> list[str]:
    """Return the names of the seats as they can be shown, ``seat 0`` and so on by default. Raises BadSetup if there is
    not a text for each.
    """
    told = [f"seat {seat}" for seat in range(players)] if names is None else names
    return [*map(printable, checked_names(told, players))]


def check_outcome(outcome: object) -> None:
    """Raise BadSetup unless this is how a game ended, or None."""
    if not isinstance(outcome, Outcome | None):
        raise BadSetup(f"outcome {brief(outcome)} is not one that Game.outcome() gives")
