"""The shapes of the drawing as pieces of SVG, of our own design: buildings, figures, tiles, coins, dice."""

from functools import cache
from typing import Final

from ...engine.drawing import element, moved, text
from .seats import SEAT_LETTERS

CELL: Final = (66, 76)
"""The width and height of a building with its ground, in its own units."""


def pawn(seat: int, letter: float = 0) -> str:
    """Return a figure, 24 wide and 34 high, standing on the origin, with its seat's letter in this size."""
    outline = "M-12 0C-12-9-7-11-6-19A7.5 7.5 0 1 1 6-19C7-11 12-9 12 0Z"
    inside = text(0, -2.5, SEAT_LETTERS[seat], letter, "black", bold=True, at="middle") if letter else ""
    return element("path", class_=f"f-seat{seat} s-line", stroke_width=1.4, d=outline) + inside


def coin(words: object = "", radius: float = 9, least: float = 0) -> str:
    """Return a coin around the origin, so large that what stands on it has a size of ``least``."""
    radius = max(radius, least / 1.3)
    inside = text(0, radius * 0.45, words, radius * 1.3, "black", bold=True, at="middle") if words != "" else ""
    return element("circle", r=radius, class_="f-coin s-rim", stroke_width=1.5) + inside


_DIE: Final = {"x": 1, "y": 1, "width": 42, "height": 42, "rx": 8}
_PIPS: Final = ("", "5", "19", "159", "1379", "13579", "134679")
"""Where the pips of each number are, by the keys of a telephone in these places."""


def die(number: int) -> str:
    """Return a die of 44 by 44 whose upper left corner is the origin; 0 stands for a used one, without pips."""
    if number == 0:
        return element("rect", **_DIE, class_="f-used s-edge", stroke_dasharray="4 3")
    places = (divmod(int(key) - 1, 3) for key in _PIPS[number])
    pips = "".join(element("circle", cx=11 + 11 * x, cy=11 + 11 * y, r=4.2) for y, x in places)
    return element("rect", **_DIE, class_="f-white s-line", stroke_width=1.5) + element("g", pips, class_="f-black")


@cache
def mini(kind: str, lit: bool = False) -> str:
    """Return a small building, about 20 by 20 around the origin."""
    return moved(house(kind, lit), -10, -12, 0.38)


_FORMS: Final = {1: ("path", "d"), 3: ("circle", "cx", "cy", "r"), 4: ("rect", "x", "y", "width", "height")}


def _shapes(told: str) -> str:
    """Return shapes that are told one after the other: each by its colour, ``none`` for one that is not filled, and by
    the data of its path, or by x, y and radius of a disc, or by x, y, width and height of a box.
    """
    drawn = ""
    for colour, _, data in (shape.partition(" ") for shape in told.split("; ")):
        values = [data] if data[0] == "M" else data.split()
        tag, *names = _FORMS[len(values)]
        look = {"fill": "none"} if colour == "none" else {"class_": f"f-{colour}"}
        drawn += element(tag, **look, **dict(zip(names, values, strict=True)))
    return drawn


_SYMBOLS: Final = {
    "bakery": _shapes("crust M-10 6C-13-3-6-7 0-7S13-3 10 6Z; none M-5-5L-3 0M0-6L2-1M5-5L7 0"),
    "butchery": _shapes("white 8 -8 2.6")
    + element("path", fill="none", stroke_width=2, d="M4-3L8-8")
    + _shapes("meat M5-5C10 2 3 10-4 8S-12-1-6-5S2-8 5-5Z; white -3 1.5 2.4"),
    "dairy": _shapes("milk M-3-10H3V-5L6-1V9H-6V-1L-3-5Z; glass -6 1 12 4"),
    "tailor": _shapes("cloth M-3-8Q0-5 3-8L8-6L10 1L6 2V9H-6V2L-10 1L-8-6Z"),
    "mill": _shapes("white M-4-9H4L2-6C9-2 9 9 6 9H-6C-9 9-9-2-2-6Z; none M0 6V-1M-3-1L0 2L3-1M-3 2L0 5L3 2"),
    "glass": _shapes("glass M-6-9H6C6-3 3 0 1.2 1V6H5V9H-5V6H-1.2V1C-3 0-6-3-6-9Z"),
    "inn": _shapes("none M4-3H8V4H4; crust M-6-5H4V8H-6Z; white M-7-4C-9-9-3-10-1-8C2-11 7-8 5-4Z"),
    "special": element("rect", class_="f-special", x=-10, y=-10, width=20, height=20, rx=4)
    + _shapes("white M0-8L2.2-2.8L7.6-2.5L3.5 1.1L4.8 6.5L0 3.5L-4.8 6.5L-3.5 1.1L-7.6-2.5L-2.2-2.8Z"),
    "bishop": _shapes("bishop M-8 5C-10-2-5-9 0-12C5-9 10-2 8 5Z; white -8 5 16 4.5")
    + element("path", fill="none", class_="s-white", stroke_width=2, d="M0-8V3M-4-3H4"),
}


@cache
def symbol(name: str) -> str:
    """Return the wares of a kind of building, ``"special"`` or ``"bishop"``, about 20 by 20 around the origin."""
    return _drawn(_SYMBOLS[name])


def _drawn(shape: str) -> str:
    return element("g", shape, class_="s-line", stroke_width=1.2, stroke_linejoin="round")


_SAIL: Final = _shapes("white 1 -21 6 15; none M0 0V-21M1-16H7M1-11H7")
_SAILS: Final = "".join(element("g", _SAIL, transform=f"rotate({turn})") for turn in (20, 110, 200, 290))
_HOUSES: Final = {
    # a gable with a chimney, and a loaf of bread
    "bakery": _shapes("wood 37 10 6 16; wall 8 30 38 26; roof M3 32L27 9L51 32Z") + moved(symbol("bakery"), 26, 45),
    # a stepped gable, and a ham
    "butchery": _shapes("wall M7 56V32H12V25H17V18H22V11H32V18H37V25H42V32H47V56Z; roof 7 52 40 4")
    + moved(symbol("butchery"), 26, 38),
    # a round roof, and a bottle of milk
    "dairy": _shapes("wall 8 32 38 24; slate M4 33A23 23 0 0 1 50 33Z") + moved(symbol("dairy"), 27, 44),
    # a flat roof with a striped awning, and a shirt
    "tailor": _shapes("wall 9 14 36 42; wood 5 10 44 6; white M9 22H45L50 31H4Z")
    + _shapes("cloth M9 22h6l-1 9h-8Z; cloth M21 22h6l0 9h-8Z; cloth M33 22h6l1 9h-8Z")
    + moved(symbol("tailor"), 26, 44),
    # a tower with four sails
    "mill": _shapes("stone M15 56L19 26H35L39 56Z; roof M17 27Q27 11 37 27Z; wood 23 44 8 12")
    + moved(_SAILS, 27, 25)
    + _shapes("wood 27 25 2.5"),
    # saw-tooth roofs with a chimney, and a goblet
    "glass": _shapes("roof 39 8 8 48; line 38 8 10 3; slate M5 56V32L16 22V32L27 22V32L38 22V56Z")
    + moved(symbol("glass"), 22, 45, 1.05),
    # a barn with a crossed door
    "farm": _shapes("roof M6 56V33L12 21L27 12L42 21L48 33V56Z; white 23 24 8 8; white 18 38 18 18")
    + _shapes("none M18 38L36 56M36 38L18 56M27 38V56"),
    # a broad roof, a mug, and windows
    "inn": _shapes("wall 8 30 38 26; wood M3 32L12 12H42L51 32Z; pane 12 37 9 9; pane 33 37 9 9")
    + _shapes("none M16.5 37V46M37.5 37V46; pane 23 41 8 15")
    + moved(symbol("inn"), 27, 22, 0.95),
    # a hall with a clock tower in its middle
    "town_hall": _shapes("slate M3 36L9 28H45L51 36Z; stone 6 36 42 20; pane 9 41 6 9; pane 39 41 6 9")
    + _shapes("stone 19 16 16 40; slate M17 17L27 0L37 17Z; white 27 25 5; none M27 22V25L29 26")
    + _shapes("wood M23 56V44A4 4 0 0 1 31 44V56Z"),
    # a nave, and a steeple with a cross
    "church": _shapes("wall 20 37 30 19; roof M18 38L24 26H46L52 38Z; wall 8 26 15 30; slate M6 27L15.5 9L25 27Z")
    + element("path", fill="none", stroke_width=2, class_="s-ink", d="M15.5 10V1M12 4.5H19")
    + _shapes("pane M12.5 36V33A3 3 0 0 1 18.5 33V36Z; pane M29 50V44A3 3 0 0 1 35 44V50Z")
    + _shapes("wood M12 56V48A3.5 3.5 0 0 1 19 48V56Z"),
    # a pediment on columns between two towers
    "manor": _shapes("wall 12 33 30 23; slate M10 34L27 23L44 34Z; wood 25 42 4 14; white 15 34 3.5 22")
    + _shapes("white 20.5 34 3.5 22; white 30 34 3.5 22; white 35.5 34 3.5 22")
    + _shapes("stone 3 28 9 28; roof M1 29L7.5 14L14 29Z; pane 6 34 3 6")
    + _shapes("stone 42 28 9 28; roof M40 29L46.5 14L53 29Z; pane 45 34 3 6"),
}
"""The buildings, standing on y = 56, about 50 wide."""


@cache
def house(kind: str, lit: bool = False) -> str:
    """Return a building of this kind, in the upper part of a cell; ``lit``: an inn is active."""
    drawn = _drawn(_HOUSES[kind])
    return drawn.replace("f-pane", "f-lit") if lit and kind == "inn" else drawn
