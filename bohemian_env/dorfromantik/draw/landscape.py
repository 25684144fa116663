"""The landscape: its tiles with what stands on them, for drawings of a position; and alone, for a page to pan and zoom.

Alone it is drawn in coordinates of its own, in which a cell has the same place whatever else lies. Parts have the ids
that svg.py lists; besides, for a page:

- until the next tile is revealed, the last one has as ``data-at`` the name of the empty cell that it was laid into;
- ``turned-0`` to ``turned-5`` in ``defs`` are the tile to place, in the rotations that look different;
- an empty cell, whose outline is a ``plot``, has a dot for each rotation that it takes, their number as ``data-ways``.
"""

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any, Final

from ...engine.drawing import FONTS, element, moved
from ...engine.words import Words
from .. import tiles
from .palette import PALETTE
from .scene import ENGLISH, Cell, Scene, Stake, is_task, kind_of, letters_of
from .shapes import RADIUS, badge, flag, hexagon, land

_MARGIN: Final = 20  # around the cells
_ROOM: Final = 2  # cells to each side of the middle for which there is room at least
_DOT: Final = 11  # from one dot to the next


def middle(cell: Cell) -> tuple[float, float]:
    """Return where the middle of a cell lies."""
    q, r = cell
    return RADIUS * sqrt(3) * (q + r / 2), RADIUS * 1.5 * r


def span(middles: list[tuple[float, float]]) -> tuple[float, float, float, float]:
    """Return the left and the top of some cells, and how wide and high they are together."""
    (left, right), (top, bottom) = ((min(places), max(places)) for places in zip(*middles, strict=True))
    return left - RADIUS * sqrt(3) / 2, top - RADIUS, right - left + RADIUS * sqrt(3), bottom - top + 2 * RADIUS


def sign(stake: Stake) -> str:
    """Return a marker or a flag."""
    return (badge if is_task(stake.tile) else flag)(kind_of(stake.tile), stake.number)


def tiles_of(scene: Scene, words: Words) -> Iterator[tuple[Cell, str, str, dict[str, Any]]]:
    """Yield the cell of each tile that lies, its id and its drawing, and what it is as data."""
    stakes = scene.stakes
    for (q, r), (tile, rotation) in scene.cells.items():
        inside = land(letters_of(tile, rotation))
        if stake := stakes.get((q, r)):
            inside += scene.group(f"{'marker' if is_task(tile) else 'flag'}-{tile}", sign(stake), stake.told(words))
        yield (q, r), f"cell-{q}-{r}", inside, {"tile": tile, "rotation": rotation}


def draw_landscape(
    position: Mapping[str, Any],
    *,
    before: Mapping[str, Any] | None = None,
    ways: Mapping[Cell, int] | None = None,
    words: Words = ENGLISH,
) -> str:
    """Return the landscape alone as SVG, without a style sheet: that is ``PALETTE.css(None)``.

    Args:
        position: as for ``draw_svg``.
        before: the position before what happened last; the tiles and the markers that have changed since are marked.
        ways: how many rotations of the tile to place the empty cells take; those that take none may be left out.
        words: the texts, in English unless others are given.

    Raises:
        BadPosition: as for ``draw_svg``.
    """
    scene = Scene.of(position, None, None, ids=True)
    old = scene if before is None else Scene.of(before, None, None)
    around, drawn, marks = scene.around(), "", ""
    for cell in sorted(around):
        q, r = cell
        inside = hexagon("s-edge plot", fill="none", stroke_width=1.2, stroke_dasharray="4 5", pointer_events="all")
        count = (ways or {}).get(cell, 0)
        dots = [element("circle", cx=_DOT * (k - (count - 1) / 2), r=3.5, class_="f-muted") for k in range(count)]
        inside += element("g", "".join(dots), class_="ways") if count else ""
        drawn += _at(cell, scene.group(f"empty-{q}-{r}", inside, cell_name(q, r), ways=count))
    for cell, name, inside, data in tiles_of(scene, words):
        new = cell not in old.cells
        data |= {"at": name.replace("cell", "empty")} if new and position["tile"] is None else {}
        drawn += _at(cell, scene.group(name, inside, cell_name(*cell), **data))
        marks += _at(cell, hexagon("s-accent last", fill="none", stroke_width=4, pointer_events="none")) if new else ""
    places = {tile: cell for cell, (tile, _) in scene.cells.items()}
    known = {entry["tile"] for key in ("fulfilled", "aborted") for entry in old.position[key]}
    for key in ("fulfilled", "aborted"):
        for tile, number in ((entry["tile"], entry["number"]) for entry in position[key] if entry["tile"] not in known):
            told = words(f"drawing.{key}", tile=tile, kind=words(f"kind.{kind_of(tile)}"), number=number)
            shape = badge(kind_of(tile), f"+{number}" if key == "fulfilled" else number)
            shape += element("path", d="M-24 15L24-15", class_="s-accent", stroke_width=4) if key == "aborted" else ""
            marks += _at(places[tile], scene.group(f"{key}-{tile}", shape, told))
    tile = position["tile"] and position["tile"]["tile"]
    looks = {*tiles.LOOK[tiles.NUMBER[tile]].tolist()} if tile else set()
    turned = "".join(element("g", land(letters_of(tile, turn)), id=f"turned-{turn}") for turn in sorted(looks))
    room = [(q, r) for q in (-_ROOM, _ROOM) for r in (-_ROOM, _ROOM)]
    left, top, wide, high = span([middle(cell) for cell in {*scene.cells} | around | {*room}])
    box = f"{left - _MARGIN:.0f} {top - _MARGIN:.0f} {wide + 2 * _MARGIN:.0f} {high + 2 * _MARGIN:.0f}"
    told = words("drawing.landscape", tiles=len(scene.cells), turn=position["turn"], total=position["score"]["total"])
    look = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "class_": PALETTE.root(None), "role": "group"}
    look |= {"aria_label": told, "font_family": FONTS}
    return element("svg", element("defs", turned) + drawn + marks, **look)


def cell_name(q: int, r: int) -> str:
    """Return what people call a cell: "+3−1"."""
    return f"{q:+d}{r:+d}".replace("-", "−")


def _at(cell: Cell, shape: str) -> str:
    return moved(shape, *middle(cell))
