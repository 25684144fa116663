"""A position as plain text for a terminal: spaces and majors with who is there, and the farms in letters.

A farm has two letters for each cell, and a line on each side that has a fence:

    1 +W +g3+  +--+--+
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Final

from ...engine.contract import Outcome
from ...engine.drawing import join
from ..pieces import MATERIALS
from .scene import COLUMNS, LETTERS, ROWS, SPACES, Land, Scene, fences, lands

_WIDTH: Final = 100
_FARM: Final = 50  # columns for a farm and what its owner has
_LONGEST_NAME: Final = 20
_LEGEND: Final = (
    "[A] person or owner, before round cards their round. Cells: W C S room of wood, clay, stone; f field, g3 v2 with "
    "grain, vegetables; T stable; . unused. Lines are fences."
)


def draw_text(
    position: Mapping[str, Any], *, names: Sequence[str] | None = None, outcome: Outcome | None = None
) -> str:
    """Return a position as lines without spaces at their ends, and without a line break after the last one.

    No line is longer than 100 columns. All but names is ASCII.

    position, names, outcome: those of ``draw_svg``. Raises BadSetup, BadPosition: as for ``draw_svg``.
    """
    scene = Scene.of(position, names, outcome)
    majors = _columns([f"{_mark(entry['owner'])} {entry['major']}" for entry in position["majors"]])
    farms = [_farm(scene, seat) for seat in range(position["players"])]
    pairs = [zip_longest(*farms[seat : seat + 2], [], fillvalue="") for seat in range(0, len(farms), 2)]
    rows = [[f"{left:<{_FARM}}{right}" for left, right, *_ in pair] for pair in pairs]
    return join([_heading(scene), _spaces(scene), majors, *rows, _scores(scene), wrap(_LEGEND, _WIDTH)])


def _heading(scene: Scene) -> list[str]:
    start = f"start player {scene.who(scene.position['start_player'], _LONGEST_NAME)}"
    told = [f"{scene.heading}, {start}", scene.state(_LONGEST_NAME)]
    return [line for part in told for line in wrap(part, _WIDTH)]


def _mark(seat: int | None) -> str:
    return f"[{' ' if seat is None else LETTERS[seat]}]"


def _columns(entries: Sequence[str]) -> list[str]:
    wide = max(map(len, entries), default=0) + 2
    count = _WIDTH // wide
    rows = (entries[first : first + count] for first in range(0, len(entries), count))
    return ["".join(entry.ljust(wide) for entry in row) for row in rows]


def _spaces(scene: Scene) -> list[str]:
    """All spaces with who is there and what lies there; round cards with their round, as revealed."""
    told = []
    for entry, number in scene.spaces:
        good = SPACES[entry["space"]].get("good", "goods")
        goods = f": {entry['goods']} {good}" if entry["goods"] else ""
        told.append(f"{_mark(entry['person'])} {f'{number} ' if number else ''}{entry['space']}{goods}")
    return _columns(told)


def _letters(land: Land) -> str:
    if land.kind in MATERIALS:
        return f"{land.kind[0].upper()} "
    if land.kind == "field":
        return f"{land.crop[0]}{land.number}" if land.crop else "f "
    return "T " if land.stable else "  " if land.kind == "pasture" else ". "


def _farm(scene: Scene, seat: int) -> list[str]:
    at, farm = scene.position, scene.position["farms"][seat]
    cells, fenced, lines = lands(farm), {*fences(farm)}, []
    for y in range(len(ROWS) + 1):
        rails = "".join(f"+{'--' if (x, y, False) in fenced else '  '}" for x in range(len(COLUMNS)))
        lines.append(f"  {rails}+")
        if y < len(ROWS):
            row = [*map(_letters, cells[y * len(COLUMNS) : (y + 1) * len(COLUMNS)]), ""]
            walls = "".join(f"{'|' if (x, y, True) in fenced else ' '}{told}" for x, told in enumerate(row))
            lines.append(f"{ROWS[y]} {walls}")
    names = (("food", "wood"), ("clay", "reed"), ("stone", "grain"), ("vegetable", "sheep"), ("boar", "cattle"))
    has = [", ".join(f"{name} {farm[name]}" for name in pair) for pair in (*names, ("begging", "well"))]
    has.append(f"people {farm['people']}, {farm['placed']} placed, {farm['newborns']} newborn")
    first = " (starts)" if at["start_player"] == seat else ""
    title = f"{'>' if at['to_move'] == seat else ' '} {scene.who(seat, _LONGEST_NAME)}{first}"
    columns = "  " + "".join(f" {column} " for column in COLUMNS)
    beside = [f"{line:<20}{told}" for line, told in zip(lines, has, strict=True)]
    return [f"{title}: {at['scores'][seat]['total']} points", columns, *beside]


def _scores(scene: Scene) -> list[str]:
    told = [f"{LETTERS[seat]}: {scene.score(seat)}" for seat in range(len(scene.names))]
    return [line for part in told for line in wrap(part, _WIDTH, subsequent_indent="   ")]
