"""A position as an SVG drawing: villages with their buildings, whose turn it is, and what every seat has.

One text without script, ids or references to anything outside: it can stand in a page, several times, or alone in a
file. What a page may want to react to is a group that carries its meaning, and a label in words:

- ``village`` with ``data-village``, its place in the position's list; ``building`` with ``data-kind`` and
  ``data-village``, and in it the rectangle ``plot``, which covers all of it;
- ``die`` with ``data-die``, its place in the position's list, and ``data-number``;
- ``special`` with ``data-supply``, or ``data-seat`` where a seat has it; ``bishop``, with ``data-seat`` likewise;
- ``seat`` with ``data-seat``; ``scoring`` at the end.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil
from operator import itemgetter
from typing import Any, Final

import numpy as np

from ...engine.checks import check_truth, printable
from ...engine.contract import Outcome
from ...engine.drawing import GAP, HEIGHT, SIDE, WIDTH, card, cut, element, moved, names_of, text
from ...engine.errors import BadSetup, brief
from ...engine.pixels import pixels_of
from ...engine.words import LANGUAGES
from ..facts import TOTALS
from ..position import players_of
from ..words import words_in
from .palette import PALETTE
from .panels import side, summary
from .scene import LEAST, Scene
from .seats import SEAT_LETTERS, known_outcome
from .shapes import CELL, coin, house, pawn

_FIELD: Final = (WIDTH - SIDE - 3 * GAP, HEIGHT - 2 * GAP)  # width and height of the place of the villages
_NAME: Final = 34  # height of the line with a village's name
_COIN: Final = {"inn": (10, 15), "town_hall": (9, 16), "manor": (27, 13)}
"""Where in a cell the coin lies that says what a building pays."""
_LARGEST: Final = 2.0  # scale of buildings where there is much room
_MORE: Final = 1.25  # buildings of a small village may be so much larger than those of the largest one


def board_svg(
    position: Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    dark: bool | None = None,
    last: Iterable[tuple[str, int]] | None = None,
    ids: bool = True,
    outcome: Outcome | None = None,
    language: str = "en",
) -> str:
    """Return a position as an SVG drawing of WIDTH by HEIGHT units.

    Args:
        position: the JSON that ``Game.position()`` gives. At the end of the game the final scoring is drawn as well.
            Without dice in a game that goes on, a roll is due.
        names: of the players, one per seat; ``seat 0`` and so on by default. Long ones are cut.
        dark: whether the theme is dark; None follows the reader's (``prefers-color-scheme``).
        last: buildings to mark as just changed: kind, and number of the village in the position's list.
        ids: give every shape its meaning in attributes, and a label; without, the drawing is one picture.
        outcome: how the game ended, as ``Game.outcome()`` gives it; worked out from the position by default.
        language: ``"en"``, ``"de"`` or ``"it"``: that of all words in it but the names.

    Raises:
        BadSetup: not a name for each seat, or another value than above.
        BadPosition: not a position's JSON; or the game is over and the position contradicts itself, so that it cannot
            be scored.
    """
    if not isinstance(language, str) or language not in LANGUAGES:
        raise BadSetup(f"language {brief(language)} is none of {', '.join(LANGUAGES)}")
    check_truth("ids", ids)
    try:
        marked = frozenset((kind, number) for kind, number in last or ())
    except (TypeError, ValueError):
        raise BadSetup(f"last {brief(last)} is no list of buildings, each a kind and the number of a village") from None
    named, ended = names_of(names, players_of(position)), known_outcome(position, outcome)
    scene = Scene(position, named, marked, bool(ids), ended, words_in(language))
    return PALETTE.drawing(_villages(scene) + side(scene), dark, scene.ids, aria_label=summary(scene))


def board_pixels(
    position: Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    dark: bool = False,
    width: int = WIDTH,
    outcome: Outcome | None = None,
) -> np.ndarray:
    """Return a position as pixels, red, green and blue: uint8, (height, width, 3), the caller's to keep.

    Args:
        position, names, outcome: those of ``board_svg``.
        dark: whether to draw light on dark instead of dark on light.
        width: the width of the picture in pixels, 30 to 6000; its height is two thirds of that.

    Raises:
        MissingExtra: the extra ``render`` is not installed.
        BadSetup: dark or width is not as above, or as for ``board_svg``.
        BadPosition: as for ``board_svg``.
    """
    check_truth("dark", dark)  # None, which a drawing has for its reader's theme, has none here
    return pixels_of(board_svg(position, names=names, dark=dark, ids=False, outcome=outcome), width)


def _villages(scene: Scene) -> str:
    """All villages in rows, as large as the place allows; a row with fewer of them has broader cards."""
    villages, drawn = scene.position["villages"], ""
    lines, scale = _best_lines(len(villages), max(len(village["buildings"]) for village in villages))
    height = _share(_FIELD[1], len(lines))
    for line, numbers in enumerate(lines):
        width = _share(_FIELD[0], len(numbers))
        for column, number in enumerate(numbers):
            x, y = GAP + column * (width + GAP), GAP + line * (height + GAP)
            drawn += _village(scene, number, x, y, width, height, scale * _MORE)
    return drawn


def _share(length: float, parts: int) -> float:
    """What each of so many cards gets of a length."""
    return (length - GAP * (parts - 1)) / parts


def _best_lines(villages: int, most: int) -> tuple[list[range], float]:
    """The rows of villages in which the buildings of the largest one are largest, and the scale of these.

    most: the largest number of buildings in one of the villages.
    """
    fits = []
    for lines in range(1, villages + 1):
        width, height = _share(_FIELD[0], ceil(villages / lines)), _share(_FIELD[1], lines)
        if 0.7 < width / height < 2.4:  # a village is no tower and no street
            fits.append((_best_rows(most, width, height, _LARGEST)[0], lines))
    scale, lines = max(fits, key=itemgetter(0))  # of equal ones the first, which has the fewest rows
    ends = [ceil(villages * line / lines) for line in range(lines + 1)]
    return [range(*pair) for pair in pairwise(ends)], scale


def _best_rows(buildings: int, width: float, height: float, largest: float) -> tuple[float, int]:
    """The scale of buildings up to ``largest``, and how many rows of them, that fill a card best."""
    fits = []
    for rows in range(1, buildings + 1):
        across = (width - GAP) / (ceil(buildings / rows) * CELL[0])
        fits.append((round(min(across, (height - _NAME - 4) / (rows * CELL[1]), largest), 2), rows))
    return max(fits, key=itemgetter(0))


def _village(scene: Scene, number: int, x: float, y: float, width: float, height: float, largest: float) -> str:
    """One village as a card: its name, how many of its buildings are occupied, and these in rows."""
    buildings, name = scene.position["villages"][number]["buildings"], _name(scene, number)
    occupied, standing = sum(building["owner"] is not None for building in buildings), len(buildings)
    told = text(14, 26, cut(name, width - 64, 17), 17, bold=True)
    told += text(width - 14, 26, f"{occupied}/{standing}", LEAST, "muted", at="end")
    drawn = card(width, height, f"f-{'full' if occupied == standing else 'card'} s-edge") + scene.mute(told)
    scale, lines = _best_rows(standing, width, height, largest)
    beside = ceil(standing / lines)
    pitch = (height - _NAME) / lines
    for place, building in enumerate(buildings):
        line, column = divmod(place, beside)
        left = (width - CELL[0] * scale * min(beside, standing - line * beside)) / 2
        above = _NAME + line * pitch + (pitch - CELL[1] * scale) / 2
        drawn += _building(scene, number, building, left + column * CELL[0] * scale, above, scale)
    label = scene.words("drawing.occupied", village=name, occupied=occupied, standing=standing)
    return scene.group("village", drawn, label, x, y, role="group", village=number)


def _name(scene: Scene, number: int) -> str:
    return printable(scene.position["villages"][number]["name"])


def _building(scene: Scene, number: int, building: Mapping[str, Any], x: float, y: float, scale: float) -> str:
    """One building with its total, what it pays, and the figure on it or a place for one."""
    kind, owner, active = building["kind"], building["owner"], building.get("active", False)
    words, least = scene.words, LEAST / scale
    label = [words("in_village", building=words(f"kind.{kind}"), village=_name(scene, number))]
    label.append(words("drawing.total", number=TOTALS[kind]))
    drawn = _plot((kind, number) in scene.last)
    drawn += element("rect", class_="f-ground", x=2, y=55.5, width=62, height=4, rx=2) + house(kind, active)
    if "value" in building:
        label.append(words("drawing.value", number=building["value"]))
        drawn += moved(coin(building["value"], least=least), *_COIN[kind])
    if kind == "inn":
        label.append(words("drawing.active" if active else "drawing.inactive"))
        drawn += moved(coin("+1", least=least), *_COIN[kind]) if active else ""
    drawn += text(27, 73.5, TOTALS[kind], max(14, least), bold=True, at="middle")
    if owner is None:
        label.append(words("drawing.free"))
        drawn += element("ellipse", cx=51, cy=58, rx=11, ry=4.5, class_="f-card s-muted", stroke_dasharray="3 2.5")
    else:
        label.append(words("drawing.figure_of", letter=SEAT_LETTERS[owner]))
        drawn += moved(pawn(owner, max(13, least)), 51, 61)
    return scene.group("building", drawn, ", ".join(label), x, y, scale, kind=kind, village=number)


def _plot(changed: bool) -> str:
    """The whole cell, so that a pointer finds it anywhere; with a frame if it has just changed."""
    look = {"class_": "plot s-accent", "stroke_width": 2.5} if changed else {"class_": "plot"}
    cell = {"x": 1.5, "y": 1, "width": CELL[0] - 3, "height": CELL[1] - 2, "rx": 8}
    return element("rect", **cell, fill="none", pointer_events="all", **look)
