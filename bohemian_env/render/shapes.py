"""The shapes of the drawing as pieces of SVG: buildings, figures, tiles, coins, dice. Our own design."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from .seats import SEAT_LETTERS

__all__ = ["CELL", "coin", "die", "house", "pawn", "text"]

CELL: Final = (66, 76)
"""Width and height of a building with its ground, in its own units."""


def text(x: float, y: float, words: object, size: int, colour: str = "ink", *, bold: bool = False, at: str = "") -> str:
    """A line of text with its foot at y; ``at`` is "middle" or "end" where x is not its beginning."""
    anchor = f' text-anchor="{at}"' if at else ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}"{weight}{anchor} class="f-{colour}">{escape(str(words))}</text>'
    )


def moved(shape: str, x: float, y: float, scale: float = 1) -> str:
    """A shape drawn with its origin at x, y."""
    scaled = "" if scale == 1 else f" scale({scale:g})"
    return f'<g transform="translate({x:g} {y:g}){scaled}">{shape}</g>'


def pawn(seat: int) -> str:
    """A figure with its seat's letter, 24 wide and 34 high, standing on the origin."""
    return (
        f'<path class="f-seat{seat} s-line" stroke-width="1.4" '
        'd="M-12 0C-12-9-7-11-6-19A7.5 7.5 0 1 1 6-19C7-11 12-9 12 0Z"/>'
        + text(0, -2.5, SEAT_LETTERS[seat], 13, f"letter{seat}", bold=True, at="middle")
    )


def coin(words: object = "", radius: float = 9) -> str:
    """A coin around the origin."""
    inside = text(0, radius * 0.43, words, round(radius * 1.2), "black", bold=True, at="middle") if words != "" else ""
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
    """A die of 44 by 44, its upper left corner at the origin; 0: used, without pips."""
    if number == 0:
        return '<rect x="1" y="1" width="42" height="42" rx="8" class="f-used s-edge" stroke-dasharray="4 3"/>'
    pips = "".join(f'<circle cx="{22 + 11 * x}" cy="{22 + 11 * y}" r="4.2"/>' for x, y in _PIPS[number])
    return (
        '<rect x="1" y="1" width="42" height="42" rx="8" class="f-white s-line" stroke-width="1.5"/>'
        f'<g class="f-black">{pips}</g>'
    )


def house(kind: str, lit: bool) -> str:
    """A building of this kind, standing on y = 56 of its cell."""
    return (
        f'<path class="f-wall s-line" d="M10 56V30H46V56Z"/><path class="f-roof s-line" d="M6 30L28 8L50 30Z"/>'
        f'<rect x="22" y="38" width="10" height="10" class="f-{"lit" if lit else "pane"}"/>'
    )
