"""The shapes of the drawing as pieces of SVG, of our own design: buildings, figures, tiles, coins, dice."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from .seats import SEAT_LETTERS

__all__ = ["CELL", "coin", "die", "ground", "house", "mini", "moved", "pawn", "symbol", "text"]

CELL: Final = (66, 76)
"""The width and height of a building with its ground, in its own units."""


def text(
    x: float, y: float, words: object, size: float, colour: str = "ink", *, bold: bool = False, at: str = ""
) -> str:
    """Return a line of text whose foot is at y; ``at`` is "middle" or "end" where x is not its beginning."""
    anchor = f' text-anchor="{at}"' if at else ""
    weight = ' font-weight="bold"' if bold else ""
    look = f'font-size="{size:.3g}"{weight}{anchor} class="f-{colour}"'
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(str(words))}</text>'


def moved(shape: str, x: float, y: float, scale: float = 1) -> str:
    """Return a shape drawn with its origin at x, y."""
    scaled = "" if scale == 1 else f" scale({scale:g})"
    return f'<g transform="translate({x:g} {y:g}){scaled}">{shape}</g>'


def pawn(seat: int, letter: float = 0) -> str:
    """Return a figure, 24 wide and 34 high, standing on the origin, with its seat's letter in this size."""
    return (
        f'<path class="f-seat{seat} s-line" stroke-width="1.4" '
        'd="M-12 0C-12-9-7-11-6-19A7.5 7.5 0 1 1 6-19C7-11 12-9 12 0Z"/>'
        + (text(0, -2.5, SEAT_LETTERS[seat], letter, "black", bold=True, at="middle") if letter else "")
    )


def coin(words: object = "", radius: float = 9, least: float = 0) -> str:
    """Return a coin around the origin, so large that what stands on it has a size of ``least``."""
    radius = max(radius, least / 1.3)
    inside = text(0, radius * 0.45, words, radius * 1.3, "black", bold=True, at="middle") if words != "" else ""
    return f'<circle r="{radius:g}" class="f-coin s-rim" stroke-width="1.5"/>' + inside


_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def die(number: int) -> str:
    """Return a die of 44 by 44 whose upper left corner is the origin; 0 stands for a used one, without pips."""
    if number == 0:
        return '<rect x="1" y="1" width="42" height="42" rx="8" class="f-used s-edge" stroke-dasharray="4 3"/>'
    pips = "".join(f'<circle cx="{22 + 11 * x}" cy="{22 + 11 * y}" r="4.2"/>' for x, y in _PIPS[number])
    return (
        '<rect x="1" y="1" width="42" height="42" rx="8" class="f-white s-line" stroke-width="1.5"/>'
        f'<g class="f-black">{pips}</g>'
    )


def ground() -> str:
    """Return the grass under a building."""
    return '<rect class="f-ground" x="2" y="55.5" width="62" height="4" rx="2"/>'


def mini(kind: str, lit: bool = False) -> str:
    """Return a small building, about 20 by 20 around the origin."""
    return moved(house(kind, lit), -10, -12, 0.38)


def _path(colour: str, d: str) -> str:
    return f'<path class="f-{colour}" d="{d}"/>'


def _box(colour: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="f-{colour}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def _disc(colour: str, x: float, y: float, radius: float) -> str:
    return f'<circle class="f-{colour}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def _strokes(d: str, more: str = "") -> str:
    return f'<path fill="none"{more} d="{d}"/>'


_THICK: Final = ' stroke-width="2"'

_SYMBOLS: Final = {
    "bakery": _path("crust", "M-10 6C-13-3-6-7 0-7S13-3 10 6Z") + _strokes("M-5-5L-3 0M0-6L2-1M5-5L7 0"),
    "butchery": _disc("white", 8, -8, 2.6)
    + _strokes("M4-3L8-8", _THICK)
    + _path("meat", "M5-5C10 2 3 10-4 8S-12-1-6-5S2-8 5-5Z")
    + _disc("white", -3, 1.5, 2.4),
    "dairy": _path("milk", "M-3-10H3V-5L6-1V9H-6V-1L-3-5Z") + _box("glass", -6, 1, 12, 4),
    "tailor": _path("cloth", "M-3-8Q0-5 3-8L8-6L10 1L6 2V9H-6V2L-10 1L-8-6Z"),
    "mill": _path("white", "M-4-9H4L2-6C9-2 9 9 6 9H-6C-9 9-9-2-2-6Z") + _strokes("M0 6V-1M-3-1L0 2L3-1M-3 2L0 5L3 2"),
    "glass": _path("glass", "M-6-9H6C6-3 3 0 1.2 1V6H5V9H-5V6H-1.2V1C-3 0-6-3-6-9Z"),
    "inn": _strokes("M4-3H8V4H4")
    + _path("crust", "M-6-5H4V8H-6Z")
    + _path("white", "M-7-4C-9-9-3-10-1-8C2-11 7-8 5-4Z"),
    "special": '<rect class="f-special" x="-10" y="-10" width="20" height="20" rx="4"/>'
    + _path("white", "M0-8L2.2-2.8L7.6-2.5L3.5 1.1L4.8 6.5L0 3.5L-4.8 6.5L-3.5 1.1L-7.6-2.5L-2.2-2.8Z"),
    "bishop": _path("bishop", "M-8 5C-10-2-5-9 0-12C5-9 10-2 8 5Z")
    + _box("white", -8, 5, 16, 4.5)
    + '<path fill="none" class="s-white" stroke-width="2" d="M0-8V3M-4-3H4"/>',
}


def symbol(name: str) -> str:
    """Return the wares of a kind of building, ``"special"`` or ``"bishop"``, about 20 by 20 around the origin."""
    return _drawn(_SYMBOLS[name])


def _drawn(shape: str) -> str:
    return f'<g class="s-line" stroke-width="1.2" stroke-linejoin="round">{shape}</g>'


def _sails() -> str:
    sail = _box("white", 1, -21, 6, 15) + _strokes("M0 0V-21M1-16H7M1-11H7")
    return "".join(f'<g transform="rotate({turn})">{sail}</g>' for turn in (20, 110, 200, 290))


def _awning() -> str:
    stripes = "".join(_path("cloth", f"M{9 + 12 * k} 22h6l{k - 1} 9h-8Z") for k in range(3))
    return _path("white", "M9 22H45L50 31H4Z") + stripes


def _corner_tower(x: float) -> str:
    return (
        _box("stone", x, 28, 9, 28)
        + _path("roof", f"M{x - 2:g} 29L{x + 4.5:g} 14L{x + 11:g} 29Z")
        + _box("pane", x + 3, 34, 3, 6)
    )


def _inn(pane: str) -> str:
    """Return an inn: a broad roof, a mug, and windows of this colour."""
    return (
        _box("wall", 8, 30, 38, 26)
        + _path("wood", "M3 32L12 12H42L51 32Z")
        + _box(pane, 12, 37, 9, 9)
        + _box(pane, 33, 37, 9, 9)
        + _strokes("M16.5 37V46M37.5 37V46")
        + _box(pane, 23, 41, 8, 15)
        + moved(symbol("inn"), 27, 22, 0.95)
    )


_HOUSES: Final = {
    # a gable with a chimney, and a loaf of bread
    "bakery": _box("wood", 37, 10, 6, 16)
    + _box("wall", 8, 30, 38, 26)
    + _path("roof", "M3 32L27 9L51 32Z")
    + moved(symbol("bakery"), 26, 45),
    # a stepped gable, and a ham
    "butchery": _path("wall", "M7 56V32H12V25H17V18H22V11H32V18H37V25H42V32H47V56Z")
    + _box("roof", 7, 52, 40, 4)
    + moved(symbol("butchery"), 26, 38),
    # a round roof, and a bottle of milk
    "dairy": _box("wall", 8, 32, 38, 24) + _path("slate", "M4 33A23 23 0 0 1 50 33Z") + moved(symbol("dairy"), 27, 44),
    # a flat roof with a striped awning, and a shirt
    "tailor": _box("wall", 9, 14, 36, 42) + _box("wood", 5, 10, 44, 6) + _awning() + moved(symbol("tailor"), 26, 44),
    # a tower with four sails
    "mill": _path("stone", "M15 56L19 26H35L39 56Z")
    + _path("roof", "M17 27Q27 11 37 27Z")
    + _box("wood", 23, 44, 8, 12)
    + moved(_sails(), 27, 25)
    + _disc("wood", 27, 25, 2.5),
    # saw-tooth roofs with a chimney, and a goblet
    "glass": _box("roof", 39, 8, 8, 48)
    + _box("line", 38, 8, 10, 3)
    + _path("slate", "M5 56V32L16 22V32L27 22V32L38 22V56Z")
    + moved(symbol("glass"), 22, 45, 1.05),
    # a barn with a crossed door
    "farm": _path("roof", "M6 56V33L12 21L27 12L42 21L48 33V56Z")
    + _box("white", 23, 24, 8, 8)
    + _box("white", 18, 38, 18, 18)
    + _strokes("M18 38L36 56M36 38L18 56M27 38V56"),
    "inn": _inn("pane"),
    "lit inn": _inn("lit"),
    # a hall with a clock tower in its middle
    "town_hall": _path("slate", "M3 36L9 28H45L51 36Z")
    + _box("stone", 6, 36, 42, 20)
    + _box("pane", 9, 41, 6, 9)
    + _box("pane", 39, 41, 6, 9)
    + _box("stone", 19, 16, 16, 40)
    + _path("slate", "M17 17L27 0L37 17Z")
    + _disc("white", 27, 25, 5)
    + _strokes("M27 22V25L29 26")
    + _path("wood", "M23 56V44A4 4 0 0 1 31 44V56Z"),
    # a nave, and a steeple with a cross
    "church": _box("wall", 20, 37, 30, 19)
    + _path("roof", "M18 38L24 26H46L52 38Z")
    + _box("wall", 8, 26, 15, 30)
    + _path("slate", "M6 27L15.5 9L25 27Z")
    + _strokes("M15.5 10V1M12 4.5H19", f'{_THICK} class="s-ink"')
    + _path("pane", "M12.5 36V33A3 3 0 0 1 18.5 33V36Z")
    + _path("pane", "M29 50V44A3 3 0 0 1 35 44V50Z")
    + _path("wood", "M12 56V48A3.5 3.5 0 0 1 19 48V56Z"),
    # a pediment on columns between two towers
    "manor": _box("wall", 12, 33, 30, 23)
    + _path("slate", "M10 34L27 23L44 34Z")
    + _box("wood", 25, 42, 4, 14)
    + "".join(_box("white", x, 34, 3.5, 22) for x in (15, 20.5, 30, 35.5))
    + _corner_tower(3)
    + _corner_tower(42),
}
"""The buildings, standing on y = 56, about 50 wide."""


def house(kind: str, lit: bool = False) -> str:
    """Return a building of this kind, in the upper part of a cell; ``lit``: an inn is active."""
    return _drawn(_HOUSES["lit inn" if lit and kind == "inn" else kind])
