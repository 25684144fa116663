"""A position as plain text for a terminal: the landscape in letters, and lines with all else.

A tile is three lines: its edges about what stands on it, as they lie about its middle.

     w w
    wL33m
     g m
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...engine.contract import Outcome
from ...engine.drawing import join
from ..state import SCORING
from .scene import Scene, caption, is_task, letters_of, state

_LABEL: Final = 7  # letters before the landscape
_COLUMN: Final = 6  # letters from one tile to the next in its row; a row stands half of that beside the row above
_LEGEND: Final = (
    "Edges: w forest, g grain, v village, t track, s stream, . meadow. In the middle: the tile, or #6, an open marker."
)
_LONGEST_NAME: Final = 30


def draw_text(
    position: Mapping[str, Any], *, names: Sequence[str] | None = None, outcome: Outcome | None = None
) -> str:
    """Return a position as lines without spaces at their ends, and without a line break after the last one.

    Before each row stands where its first tile lies, as moves write it. A landscape 16 cells wide takes 103 columns.
    All but names is ASCII.

    position, names, outcome: those of ``draw_svg``. Raises BadSetup, BadPosition: as for ``draw_svg``.
    """
    scene = Scene.of(position, names, outcome)
    return join(block for block in (_landscape(scene), _panel(scene), [_LEGEND]) if block)


def _tile(letters: str, middle: str) -> list[str]:
    northeast, east, southeast, southwest, west, northwest = [*letters.lower().replace("m", ".")]
    return [f" {northwest} {northeast} ", f"{west}{middle:^3}{east}", f" {southwest} {southeast} "]


def _landscape(scene: Scene) -> list[str]:
    markers = {cell: f"#{stake.number}" for cell, stake in scene.stakes.items() if is_task(stake.tile)}
    left = min((2 * q + r for q, r in scene.cells), default=0)
    lines = []
    for r in sorted({r for _, r in scene.cells}):
        cells = sorted(cell for cell in scene.cells if cell[1] == r)
        row = ["", f"{cells[0][0]:+d}{r:+d}", ""]
        for cell in cells:
            column = _LABEL + (2 * cell[0] + r - left) * _COLUMN // 2
            tile = _tile(letters_of(*scene.cells[cell]), markers.get(cell, scene.cells[cell][0]))
            row = [f"{line:<{column}}{part}" for line, part in zip(row, tile, strict=True)]
        lines += row
    return lines


def _panel(scene: Scene) -> list[str]:
    at = scene.position
    lines = [f"Turn {at['turn']}: {state(scene, _LONGEST_NAME)}"]
    if at["tile"]:
        tile = at["tile"]["tile"]
        lines += [f"To place: {caption(at['tile'])}", *(f"  {line}" for line in _tile(letters_of(tile, 0), tile))]
    elif not at["over"]:
        lines.append("To place: a tile that is to be revealed")
    parts = ", ".join(f"{name} {at['score'][name]}" for name in SCORING[:-1])
    lines.append(f"Score {at['score'][SCORING[-1]]}: {parts}")
    lines.append(f"Left: {at['stacks']['landscape']} landscape tiles, {at['stacks']['task']} task tiles")
    return lines + [f"{stake.told()} ({q:+d}{r:+d})" for (q, r), stake in scene.stakes.items()]
