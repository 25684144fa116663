"""Tiles, signs, badges and flags as pieces of SVG, of our own design, around the origin.

A tile has the radius RADIUS, and a point at the top. The fields of its land are areas; trees, ears and houses stand
upright on them, however the tile is turned.
"""

import functools
from collections.abc import Iterator
from math import cos, hypot, radians, sin
from typing import Final, TypeAlias

from ...engine.drawing import element, moved, text

RADIUS: Final = 50.0
"""From the middle of a tile to its corners."""
_LAND: Final = {"W": ("forest", "tree"), "G": ("grain", "ear"), "V": ("village", "roof")}
"""The colours of the ground of each kind of land, and of the signs on it."""
_BEND: Final = 0.22  # how near the side of a field towards the middle comes to it: 0 very near, 1 not at all
_WAYS: Final = {
    "T": (("bed", 17, None), ("rail", 9.6, None), ("bed", 5.4, None), ("rail", 14, "2 4.2")),
    "S": (("bed", 17, None), ("stream", 12.5, None)),
}
"""The strokes of tracks and streams: colour, width and dashes; the last of a track are the sleepers."""
_Point: TypeAlias = tuple[float, float]


def _polar(radius: float, degrees: float) -> _Point:
    """A point by its distance from the middle and its angle, clockwise from the east."""
    return radius * cos(radians(degrees)), radius * sin(radians(degrees))


def _corner(direction: int) -> _Point:
    return _polar(RADIUS, 60 * direction - 90)


def _middle(direction: int, radius: float = RADIUS * cos(radians(30))) -> _Point:
    """The middle of the edge in a direction, or a point between there and the middle of the tile."""
    return _polar(radius, 60 * direction - 60)


def _d(*parts: str | _Point) -> str:
    """The data of a path: letters, and points."""
    return "".join(part if isinstance(part, str) else f"{part[0]:.1f} {part[1]:.1f} " for part in parts)


def _path(d: str, look: str, **more: object) -> str:
    return element("path", class_=look, d=d, **more)


_OUTLINE: Final = _d("M", *map(_corner, range(6))) + "Z"


def hexagon(look: str, **more: object) -> str:
    """Return the outline of a tile. look: its classes; more: its attributes."""
    return _path(_OUTLINE, look, **more)


@functools.cache  # there are few
def land(letters: str, signs: bool = True) -> str:
    """Return a tile by its edges in directions 0 to 5. signs: whether trees, ears and houses stand on it.

    Fields of one kind are one area, also where they do not lie side by side: a tile belongs with all of them to one
    territory (D14). Tracks and streams go from edge to edge, or end in the middle.
    """
    drawn = hexagon("f-meadow")
    for kind in "WGVST":
        edges = [direction for direction in range(6) if letters[direction] == kind]
        if edges and kind in _LAND:
            ground, sign = _LAND[kind]
            drawn += _path(_field(edges), f"f-{ground} s-{sign}", stroke_width=1.1, stroke_linejoin="round")
            drawn += _signs(kind, sorted(_places(kind, edges), key=lambda point: point[1])) if signs else ""
        elif edges:
            drawn += _way(kind, edges)
    return drawn + hexagon("s-seam", fill="none", stroke_width=1.6, stroke_linejoin="round")


def _field(edges: list[int]) -> str:
    """The area of a kind of land: along its edges, and from each run of them to the next in a bend by the middle."""
    if len(edges) == 6:
        return _OUTLINE
    at = first = next(direction for direction in edges if (direction - 1) % 6 not in edges)
    parts: list[str | _Point] = ["M", _corner(first)]
    while at < first + 6:
        while at % 6 in edges:
            at += 1
            parts += ["L", _corner(at)]
        begin = _corner(at)
        while at % 6 not in edges:
            at += 1
        end = _corner(at)
        parts += ["C", *((_BEND * x, _BEND * y) for x, y in (begin, end)), end]
    return _d(*parts) + "Z"


def _places(kind: str, edges: list[int]) -> Iterator[_Point]:
    """Where the signs of a kind of land stand: on each edge, where two edges meet, and in the middle."""
    houses = kind == "V"
    for direction in edges:
        angle = 60 * direction - 60
        yield from {_polar(33, angle + turn) for turn in ((0,) if houses else (-13, 13))}
        if (direction + 1) % 6 in edges:
            yield _polar(37 if houses else 22, angle + 30)
            if houses and len(edges) > 2:
                yield _polar(17, angle + 30)
    runs = sum((direction + 1) % 6 not in edges for direction in edges)
    if len(edges) == 6 or runs > 1 or (len(edges) > 3 and not houses):
        yield 0, 0


def _signs(kind: str, points: list[_Point]) -> str:

    def path(d: str, look: str, **more: object) -> str:
        return _path("".join(f"{_d('M', point)}{d}" for point in points), look, **more)

    if kind == "W":
        return path("m0-8l5 8.5h-3l4.5 6.5h-13l4.5-6.5h-3z", "f-tree s-forest", stroke_width=0.8)
    if kind == "G":
        ear = "m0 7v-12.5m-4-1.5l4 4 4-4m-8 4.6l4 4 4-4m-8 4.6l4 4 4-4"
        return path(ear, "s-ear", fill="none", stroke_width=1.7)
    walls = path("m-5.5-1h11v8h-11z", "f-wall s-roof", stroke_width=1)
    return walls + path("m-8-.5l8-8 8 8z", "f-roof") + path("m-1.5 7v-4.5h3v4.5z", "f-roof")


def _way(kind: str, edges: list[int]) -> str:
    """A track or a stream: from edge to edge, or from its only edge to the middle."""
    ends = len(edges) == 1
    begin, end = _middle(edges[0]), (0.0, 0.0) if ends else _middle(edges[-1])
    x, y = begin[0] + end[0], begin[1] + end[1]
    sharp = edges[-1] - edges[0] in (1, 5)  # side by side: the bend keeps away from the land about
    inwards = 14 / hypot(x, y) if sharp else 0.5 * ends
    bend = x * inwards, y * inwards
    d = _d("M", begin, "Q", bend, end)
    bed, *strokes = (
        _path(d, f"s-{name}", fill="none", stroke_width=width, stroke_dasharray=dashes)
        for name, width, dashes in _WAYS[kind]
    )
    if kind == "T":
        stop = {"x": -8.5, "y": -3, "width": 17, "height": 6, "transform": f"rotate({60 * edges[0] + 30})"}
        return bed + "".join(strokes) + (element("rect", class_="f-rail", **stop) if ends else "")
    spring = element("circle", r=10, class_="f-stream s-bed", stroke_width=2.3) if ends else ""
    ripples = ""
    for t in (0.25, 0.8) if ends else (0.14, 0.38, 0.62, 0.86):
        x, y = ((1 - t) ** 2 * p + 2 * t * (1 - t) * q + t**2 * r for p, q, r in zip(begin, bend, end, strict=True))
        ripples += f"{_d('M', (x - 4, y))}q2-3.4 4 0t4 0"
    waves = _path(ripples, "s-wave", fill="none", stroke_width=1.6, stroke_linecap="round")
    return bed + spring + strokes[0] + waves


def icon(kind: str) -> str:
    """Return the sign of a kind of territory, about 20 by 20."""
    if kind in _LAND:
        return moved(_signs(kind, [(0, 0)]), 0, 0, 1.25)
    if kind == "S":
        waves = "M-9-4q3-4.5 6 0t6 0 6 0M-9 4q3-4.5 6 0t6 0 6 0"
        return _path(waves, "s-stream", fill="none", stroke_width=2.6)
    return _path("M-4-8V8M4-8V8M-7-5H7M-7 0H7M-7 5H7", "s-rail", fill="none", stroke_width=2)


def badge(kind: str = "", told: object = "") -> str:
    """Return a marker, 54 by 36, with the sign of a kind of territory and a number; a blank one without."""
    place = {"x": -27, "y": -18, "width": 54, "height": 36, "rx": 18}
    blank = element("rect", **place, class_="f-badge s-black", stroke_width=2.6)
    if not kind:
        return blank
    size = 30 if len(str(told)) < 2 else 22
    return blank + moved(icon(kind), -12, 0, 1.05) + text(11, 0.36 * size, told, size, "black", bold=True, at="middle")


def flag(kind: str = "", points: int | None = None) -> str:
    """Return a flag, about 42 by 46: with the sign of its kind, or with the points that it counted; or a blank one."""
    look, inside = "f-flag s-badge", ""
    if points is not None:
        inside = text(2, -0.5, f"+{points}", 21 if points < 10 else 16, "badge", bold=True, at="middle")
    elif kind:
        look, inside = "f-badge s-flag", moved(icon(kind), 1, -8)
    pole = _path("M-17-24V22", "s-badge", stroke_width=6, stroke_linecap="round")
    pole += _path("M-17-24V22", "s-black", stroke_width=3.4, stroke_linecap="round")
    return pole + _path("M-15-23H25L19-8L25 7H-15Z", look, stroke_width=2.5, stroke_linejoin="round") + inside
