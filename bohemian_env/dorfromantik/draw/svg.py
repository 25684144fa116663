"""A position as an SVG drawing: the landscape, and beside it the tile to place, the score and what is still open.

One text without script or references to anything outside. Every tile has a title for a pointer, such as ``+3-1 L33
r2``. With ids, a page finds its parts, of one drawing at a time:

- ``cell-Q-R`` for the tile in a cell, with ``data-tile`` and ``data-rotation``: ``cell-3--1`` lies at +3-1; and
  ``empty-Q-R`` for an empty cell beside tiles;
- ``marker-W1`` for an open marker and ``flag-L33`` for a flag, on the tile of this name;
- ``hand`` for the tile to place; ``stacks``; ``score``; ``line-W1`` for the line about an open task or a flag
  beside the landscape; ``seat-0`` and so on for the seats.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...engine.checks import check_truth
from ...engine.contract import Outcome
from ...engine.drawing import GAP, HEIGHT, SIDE, WIDTH, card, cut, element, escape, moved, text
from .landscape import middle, sign, span, tiles_of
from .palette import PALETTE
from .scene import ENGLISH, Cell, Scene, caption, description, is_task, kind_of, letters_of, title
from .shapes import badge, flag, hexagon, icon, land

_LINE: Final = 44  # height of the line of the seats
_LARGEST: Final = 1.7  # scale of tiles where there is much room
_SMALL: Final = 0.62  # scale of tiles up to which coordinates stand only in titles
_LEFT: Final = WIDTH - SIDE - GAP  # where the column beside the landscape begins
_ROWS: Final = 6  # lines about tasks and flags that fit into it


def draw_svg(
    position: Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    outcome: Outcome | None = None,
    dark: bool | None = None,
    ids: bool = True,
) -> str:
    """Return a position as an SVG drawing of WIDTH by HEIGHT units, as ``Rules.draw_svg`` says.

    The position tells all that is drawn of the outcome.
    """
    check_truth("ids", ids)
    scene = Scene.of(position, names, outcome, ids)
    head = element("title", escape(title(scene))) + element("desc", escape(description(scene)))
    return PALETTE.drawing(_landscape(scene) + _seats(scene) + _panel(scene), dark, scene.ids, head)


def _landscape(scene: Scene) -> str:
    """All tiles, and the empty cells beside them, as large as the place allows."""
    around, drawn = scene.around(), ""
    left, top, across, down = span([middle(cell) for cell in {*scene.cells} | around])
    wide, high = _LEFT - 2 * GAP, HEIGHT - 2 * GAP - (_LINE if scene.position["players"] > 1 else 0)
    scale = min(wide / across, high / down, _LARGEST)

    def at(cell: Cell, shape: str) -> str:
        """A shape in its cell."""
        x, y = middle(cell)[0] - left - across / 2, middle(cell)[1] - top - down / 2
        return moved(shape, GAP + wide / 2 + scale * x, GAP + high / 2 + scale * y, scale)

    for q, r in sorted(around):
        inside = hexagon("s-edge", fill="none", stroke_width=1.2, stroke_dasharray="4 5", pointer_events="all")
        if scale > _SMALL:
            size = max(12 / scale, 12)
            inside += text(0, size / 3, f"{q:+d}{r:+d}", size, "muted", at="middle")
        drawn += at((q, r), scene.group(f"empty-{q}-{r}", inside, f"{q:+d}{r:+d}"))
    for (q, r), name, inside, data in tiles_of(scene, ENGLISH):
        told = f"{q:+d}{r:+d} {data['tile']} r{data['rotation']}"
        drawn += at((q, r), scene.group(name, inside, told, **data))
    return drawn


def _seats(scene: Scene) -> str:
    players, drawn = len(scene.names), ""
    pitch = (_LEFT - GAP) / players
    for seat, name in enumerate(scene.names if players > 1 else ()):
        moves = seat == scene.position["to_move"]
        inside = card(pitch - GAP, 32, f"f-card s-{'accent' if moves else 'edge'}")
        inside += text(12, 22, cut(name, pitch - 34, 17), 17, "accent" if moves else "muted", bold=moves)
        drawn += moved(scene.group(f"seat-{seat}", inside), GAP + seat * pitch, HEIGHT - GAP - 32)
    return drawn


def _panel(scene: Scene) -> str:
    at, middle, right = scene.position, SIDE / 2, SIDE - 16
    drawn = card(SIDE, HEIGHT - 2 * GAP) + text(16, 36, f"Turn {at['turn']}", 20, "muted")
    drawn += text(right, 36, "game over" if at["over"] else "to move", 20, "muted", at="end")
    if not at["over"]:
        drawn += text(16, 70, cut(scene.names[at["to_move"]], right - 16, 26), 26, "accent", bold=True)
    shown = f"{at['tile']['tile']} as it lies at r0" if at["tile"] else ""
    drawn += moved(scene.group("hand", _hand(scene), shown), middle, 178)
    stacks = ""
    for name, x in (("landscape", middle - 70), ("task", middle + 70)):
        stacks += text(x, 356, at["stacks"][name], 30, bold=True, at="middle")
        stacks += text(x, 376, f"{name} tiles", 16, "muted", at="middle")
    drawn += scene.group("stacks", stacks) + moved(scene.group("score", _score(at["score"])), 0, 396)
    return moved(drawn + _lines(scene), _LEFT, GAP)


def _hand(scene: Scene) -> str:
    """The tile to place, at rotation 0, with its marker or its flag; at the end the result."""
    at = scene.position
    if at["over"]:
        return text(0, 30, at["score"]["total"], 96, bold=True, at="middle") + text(0, 70, "points", 24, at="middle")
    if at["tile"] is None:
        blank = hexagon("s-muted", fill="none", stroke_width=1.5, stroke_dasharray="5 5")
        return moved(blank, 0, 0, 1.75) + text(0, 6, "to be revealed", 18, "muted", at="middle")
    tile, number = at["tile"]["tile"], at["tile"]["number"]
    kind = kind_of(tile)
    drawn = moved(land(letters_of(tile, 0)), -40 if kind else 0, 0, 1.75)
    if kind:
        drawn += moved(badge(kind, "?" if number is None else number) if is_task(tile) else flag(kind), 88, -56, 1.5)
    return drawn + text(0, 116, caption(at["tile"]), 20, at="middle")


def _score(score: Mapping[str, int]) -> str:
    """The score so far, and its parts (D22), each under its sign."""
    drawn = element("path", d=f"M16 0H{SIDE - 16}", class_="s-edge") + text(16, 36, "Score", 22)
    drawn += text(SIDE - 16, 38, score["total"], 34, bold=True, at="end")
    signs = {"markers": moved(badge(), 0, 0, 0.6), "flags": moved(flag(), -1, 1, 0.7)}
    signs |= {"track": moved(icon("T"), 0, 0, 1.4), "stream": moved(icon("S"), 0, 0, 1.4)}
    chip = element("rect", x=-25, y=-20, width=50, height=40, rx=8, class_="f-badge")
    for column, (name, sort) in enumerate(signs.items()):
        x = 45 + 70 * column
        drawn += moved(chip + sort, x, 66) + text(x, 108, score[name], 24, bold=True, at="middle")
        drawn += text(x, 127, name, 15.5, "muted", at="middle")
    return drawn


def _lines(scene: Scene) -> str:
    """The open tasks and the flags, a line each, as far as they fit."""
    drawn = []
    for stake in scene.stakes.values():
        told = f"{stake.size} of {stake.number}" if is_task(stake.tile) else f"counted {stake.number}"
        told = f"{stake.size} so far" if stake.number is None else told
        line = moved(sign(stake), 46, 0, 0.68) + text(84, 8, told, 22)
        line += text(SIDE - 16, 8, stake.tile, 18, "muted", at="end")
        drawn.append(scene.group(f"line-{stake.tile}", line, stake.told()))
    if len(drawn) > _ROWS:
        drawn[_ROWS - 1 :] = [text(84, 8, f"and {len(drawn) - _ROWS + 1} more", 20, "muted")]
    rule = element("path", d=f"M16 536H{SIDE - 16}", class_="s-edge") if drawn else ""
    return rule + "".join(moved(line, 0, 562 + 37.5 * row) for row, line in enumerate(drawn))
