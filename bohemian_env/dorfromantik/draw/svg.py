"""A position as an SVG drawing: the landscape, and beside it the tile to place, the score and what is still open.

One text without script or references to anything outside. Every tile has a title for a pointer, such as ``+3-1 L33
r2``. With ids, a page finds its parts, of one drawing at a time:

- ``cell-Q-R`` for the tile in a cell, with ``data-tile`` and ``data-rotation``: ``cell-3--1`` lies at +3-1; and
  ``empty-Q-R`` for an empty cell beside tiles;
- ``marker-W1`` for an open marker and ``flag-L33`` for a flag, on the tile of this name;
- ``hand`` for the tile to place; ``stacks``; ``score``; ``line-W1`` for the line about an open task or a flag
  beside the landscape; ``seat-0`` and so on for the seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any, Final, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from ...engine.checks import check_truth
from ...engine.contract import Outcome
from .palette import css, root_class
from .scene import Cell, Scene, Stake, caption, description, flag_of, letters_of, task_of, title
from .shapes import RADIUS, badge, flag, hexagon, icon, land, moved, text

__all__ = ["HEIGHT", "WIDTH", "draw_svg"]

WIDTH: Final = 1200
HEIGHT: Final = 800
_GAP: Final = 10
"""Between cards, and around all of them."""
_SIDE: Final = 300
"""Width of the column beside the landscape."""
_LINE: Final = 44
"""Height of the line of the seats."""
_LARGEST: Final = 1.7
"""Scale of tiles where there is much room."""
_SMALL: Final = 0.62
"""Scale of tiles up to which coordinates stand only in titles."""
_FONTS: Final = "'DejaVu Sans',Verdana,sans-serif"
_LEFT: Final = WIDTH - _SIDE - _GAP
"""Where that column begins."""
_NARROW: Final = 0.53
"""Width of the narrowest letters."""
_ROWS: Final = 6
"""Lines about tasks and flags that fit into it."""
_Group: TypeAlias = Callable[..., str]


def draw_svg(
    position: Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    outcome: Outcome | None = None,
    dark: bool | None = None,
    ids: bool = True,
) -> str:
    """Return a position as an SVG drawing of WIDTH by HEIGHT units.

    Args:
        position: the JSON that ``Game.position()`` gives (D32), or ``Game.state_dict()`` where a tile or a marker is to
            be revealed.
        names: of the players, one per seat; ``seat 0`` and so on by default. Long ones are cut.
        outcome: how the game ended, as ``Game.outcome()`` gives it; the position tells all that is drawn of it.
        dark: whether the theme is dark; None follows the reader's (``prefers-color-scheme``).
        ids: give parts their ids; without, several drawings can stand in one page.

    Raises:
        BadSetup: not a name for each seat, or another value than above.
        BadPosition: not a position's JSON; the message names the field.
    """
    check_truth("ids", ids)
    look = root_class(dark)
    scene = Scene.of(position, names, outcome)
    group = partial(_group, ids)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'class="{look}" role="{"group" if ids else "img"}" font-family="{_FONTS}">'
        f"<title>{escape(title(scene))}</title><desc>{escape(description(scene))}</desc><style>{css(dark)}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" class="f-table"/>'
        f"{_landscape(scene, group)}{_seats(scene, group)}{_panel(scene, group)}</svg>\n"
    )


def _group(ids: bool, name: str, inside: str, *, title: str = "", **data: object) -> str:
    """Shapes that mean one thing, with a title for pointers and readers."""
    told = f"<title>{escape(title)}</title>" if title else ""
    values = "".join(f" data-{key}={quoteattr(str(value))}" for key, value in data.items())
    return f"<g{f' id={quoteattr(name)}{values}' if ids else ''}>{told}{inside}</g>"


def _letter(c: str) -> float:
    """Width of a bold letter as a part of its size, rather too much than too little."""
    if c in " !'()*,-./:;I[]`fijlrt|":
        return _NARROW
    if c > "\u017f":  # rare letters may be two in one, far away alphabets square
        return 1.6
    return 1.2 if c in "%&@MWmw—…©®¼½¾ÆæĦŉħŒœŴŵ" else 0.75 if c.islower() or c.isdigit() else 0.86


def _cut(name: str, width: float, size: float) -> str:
    """As much of a name as surely fits into the width in bold letters of this size."""

    def fits(part: str) -> bool:
        return size * sum(map(_letter, part)) <= width

    if fits(name):
        return name
    end = min(len(name), int(width / size / _NARROW))  # of a name without end no more than can fit is looked at
    while end and not fits(name[:end] + "…"):
        end -= 1
    return name[:end].rstrip() + "…"


# --- the landscape ------------------------------------------------------------------------------------------------


def _landscape(scene: Scene, group: _Group) -> str:
    """All tiles, and the empty cells beside them, as large as the place allows."""
    around = scene.around()
    middles = {(q, r): (RADIUS * sqrt(3) * (q + r / 2), RADIUS * 1.5 * r) for q, r in {*scene.cells} | around}
    left, top = (min(middle[axis] for middle in middles.values()) for axis in (0, 1))
    right, bottom = (max(middle[axis] for middle in middles.values()) for axis in (0, 1))
    wide, high = _LEFT - 2 * _GAP, HEIGHT - 2 * _GAP - (_LINE if scene.position["players"] > 1 else 0)
    scale = min(wide / (right - left + RADIUS * sqrt(3)), high / (bottom - top + 2 * RADIUS), _LARGEST)

    def at(cell: Cell) -> tuple[float, float]:
        x, y = middles[cell]
        return _GAP + wide / 2 + scale * (x - (left + right) / 2), _GAP + high / 2 + scale * (y - (top + bottom) / 2)

    drawn = []
    for q, r in sorted(around):
        inside = hexagon("s-edge", fill="none", stroke_width=1.2, stroke_dasharray="4 5", pointer_events="all")
        if scale > _SMALL:
            size = max(12 / scale, 12)
            inside += text(0, size / 3, f"{q:+d}{r:+d}", size, "muted", at="middle")
        drawn.append(moved(group(f"empty-{q}-{r}", inside, title=f"{q:+d}{r:+d}"), *at((q, r)), scale))
    stakes = scene.stakes
    for (q, r), (tile, rotation) in scene.cells.items():
        inside = land(letters_of(tile, rotation))
        if stake := stakes.get((q, r)):
            name = f"{'flag' if stake.is_flag else 'marker'}-{tile}"
            inside += group(name, _sign(stake), title=stake.told)
        told = f"{q:+d}{r:+d} {tile} r{rotation}"
        data = {"tile": tile, "rotation": rotation}
        drawn.append(moved(group(f"cell-{q}-{r}", inside, title=told, **data), *at((q, r)), scale))
    return "".join(drawn)


def _sign(stake: Stake) -> str:
    """A marker or a flag."""
    return flag(stake.kind, stake.number) if stake.is_flag else badge(stake.kind, stake.number)


def _seats(scene: Scene, group: _Group) -> str:
    """The names of the seats in a line, the one to move on a card."""
    players = scene.position["players"]
    if players == 1:
        return ""
    pitch, drawn = (_LEFT - _GAP) / players, []
    for seat, name in enumerate(scene.names):
        moves = seat == scene.position["to_move"]
        card = (
            f'<rect width="{pitch - _GAP:.5g}" height="32" rx="10" class="f-card s-{"accent" if moves else "edge"}"/>'
        )
        told = text(12, 22, _cut(name, pitch - 34, 17), 17, "accent" if moves else "muted", bold=moves)
        drawn.append(moved(group(f"seat-{seat}", card + told), _GAP + seat * pitch, HEIGHT - _GAP - 32))
    return "".join(drawn)


# --- the column beside it -----------------------------------------------------------------------------------------


def _panel(scene: Scene, group: _Group) -> str:
    """Whose turn it is, the tile to place, the stacks, the score, and the tasks and flags."""
    at, middle, right = scene.position, _SIDE / 2, _SIDE - 16
    card = f'<rect width="{_SIDE}" height="{HEIGHT - 2 * _GAP}" rx="10" class="f-card s-edge"/>'
    drawn = [card, text(16, 36, f"Turn {at['turn']}", 20, "muted")]
    if at["over"]:
        drawn.append(text(right, 36, "game over", 20, "muted", at="end"))
    else:
        drawn.append(text(right, 36, "to move", 20, "muted", at="end"))
        drawn.append(text(16, 70, _cut(scene.names[at["to_move"]], right - 16, 26), 26, "accent", bold=True))
    shown = f"{at['tile']['tile']} as it lies at r0" if at["tile"] else ""
    drawn.append(moved(group("hand", _hand(scene), title=shown), middle, 178))
    stacks = (
        text(middle + side * 70, 356, at["stacks"][name], 30, bold=True, at="middle")
        + text(middle + side * 70, 376, label, 16, "muted", at="middle")
        for side, name, label in ((-1, "landscape", "landscape tiles"), (1, "task", "task tiles"))
    )
    drawn.append(group("stacks", "".join(stacks)))
    drawn.append(moved(group("score", _score(at["score"])), 0, 396))
    drawn.append(_lines(scene, group))
    return moved("".join(drawn), _LEFT, _GAP)


def _hand(scene: Scene) -> str:
    """The tile to place, at rotation 0, with its marker or its flag; at the end the result."""
    at = scene.position
    if at["over"]:
        return text(0, 30, at["score"]["total"], 96, bold=True, at="middle") + text(0, 70, "points", 24, at="middle")
    if at["tile"] is None:
        blank = hexagon("s-muted", fill="none", stroke_width=1.5, stroke_dasharray="5 5")
        return moved(blank, 0, 0, 1.75) + text(0, 6, "to be revealed", 18, "muted", at="middle")
    tile, number = at["tile"]["tile"], at["tile"]["number"]
    sign = ""
    if kind := task_of(tile):
        sign = badge(kind, "?" if number is None else number)
    elif kind := flag_of(tile):
        sign = flag(kind)
    drawn = moved(land(letters_of(tile, 0)), -40 if sign else 0, 0, 1.75) + (sign and moved(sign, 88, -56, 1.5))
    return drawn + text(0, 116, caption(at["tile"]), 20, at="middle")


def _score(score: Mapping[str, int]) -> str:
    """The score so far, and its parts (D22), each under its sign."""
    drawn = [
        '<path d="M16 0H284" class="s-edge"/>',
        text(16, 36, "Score", 22),
        text(_SIDE - 16, 38, score["total"], 34, bold=True, at="end"),
    ]
    signs = {"markers": moved(badge(), 0, 0, 0.6), "flags": moved(flag(), -1, 1, 0.7)}
    signs |= {"track": moved(icon("T"), 0, 0, 1.4), "stream": moved(icon("S"), 0, 0, 1.4)}
    for column, (name, sign) in enumerate(signs.items()):
        x = 45 + 70 * column
        chip = '<rect x="-25" y="-20" width="50" height="40" rx="8" class="f-badge"/>'
        drawn += [moved(chip + sign, x, 66), text(x, 108, score[name], 24, bold=True, at="middle")]
        drawn.append(text(x, 127, name, 15.5, "muted", at="middle"))
    return "".join(drawn)


def _lines(scene: Scene, group: _Group) -> str:
    """The open tasks and the flags, a line each, as far as they fit."""
    drawn = []
    for stake in scene.stakes.values():
        told = f"counted {stake.number}" if stake.is_flag else f"{stake.size} of {stake.number}"
        told = f"{stake.size} so far" if stake.number is None else told
        line = moved(_sign(stake), 46, 0, 0.68) + text(84, 8, told, 22)
        line += text(_SIDE - 16, 8, stake.tile, 18, "muted", at="end")
        drawn.append(group(f"line-{stake.tile}", line, title=stake.told))
    if len(drawn) > _ROWS:
        drawn[_ROWS - 1 :] = [text(84, 8, f"and {len(drawn) - _ROWS + 1} more", 20, "muted")]
    rule = '<path d="M16 536H284" class="s-edge"/>' if drawn else ""
    return rule + "".join(moved(line, 0, 562 + 37.5 * row) for row, line in enumerate(drawn))
