"""A position as an SVG drawing: the action spaces and the majors, below them the farms, and the score so far.

One text without script or references to anything outside. Every part has a title for a pointer, such as ``wood, 6
wood``. With ids, a page finds the parts, of one drawing at a time:

- ``state`` for the line on top; ``space-wood`` for a space, and ``round-7`` for the place of a card not revealed yet;
  ``major-well`` for a major;
- ``farm-0`` for all that the seat has, in it ``family-0``, ``good-0-wood``, ``cell-0-b1``, and ``fences-0``, with a
  rail for each side that has a fence; ``scores`` for the score so far.
"""

from collections.abc import Mapping, Sequence
from math import ceil
from textwrap import wrap
from typing import Any, Final

from ...engine.checks import check_truth
from ...engine.contract import Outcome
from ...engine.drawing import GAP, HEIGHT, WIDTH, card, cut, element, escape, moved, text
from ..pieces import GOODS, HARVESTS, ROUNDS, STAGE_IN
from .palette import PALETTE
from .scene import COLUMNS, MAJORS, ROWS, SPACES, Scene, fences, lands
from .shapes import CELL, cell, fence, person, sign

_INNER: Final = WIDTH - 2 * GAP
_LINE: Final = 36  # height of the line on top
_SPACE: Final = 60
_MAJOR: Final = 44  # heights of the cards of spaces and of majors
_GAP: Final = 5  # between these
_FARMS: Final = GAP + _LINE + 4 * _GAP + 3 * _SPACE + _MAJOR + GAP  # where the farms begin
_PLACES: Final = {
    1: ((0, 0, 4.5, 2), (4.5, 0, 1.5, 2)),
    2: ((0, 0, 2.25, 2), (2.25, 0, 2.25, 2), (4.5, 0, 1.5, 2)),
    3: ((0, 0, 3, 1), (3, 0, 3, 1), (0, 1, 3, 1), (3, 1, 3, 1)),
    4: ((0, 0, 2.25, 1), (2.25, 0, 2.25, 1), (0, 1, 2.25, 1), (2.25, 1, 2.25, 1), (4.5, 0, 1.5, 2)),
    5: ((0, 0, 2, 1), (2, 0, 2, 1), (4, 0, 2, 1), (0, 1, 2, 1), (2, 1, 2, 1), (4, 1, 2, 1)),
}
"""By the number of players: left, top, width and height of each farm and then of the score, in sixths and halves."""
_HEAD: Final = 66  # height of the name and the family on a farm
_LABEL: Final = 17  # width of the names of rows and columns


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
    head = element("title", escape(scene.title())) + element("desc", escape(scene.description()))
    places, drawn = _PLACES[position["players"]], _state(scene) + _board(scene)
    for seat, (x, y, wide, high) in enumerate(places):
        width, height = (_INNER + GAP) / 6 * wide - GAP, (HEIGHT - _FARMS) / 2 * high - GAP
        inside = _scores(scene, width, height) if seat == position["players"] else _farm(scene, seat, width, height)
        drawn += moved(inside, GAP + (_INNER + GAP) / 6 * x, _FARMS + (HEIGHT - _FARMS) / 2 * y)
    return PALETTE.drawing(drawn, dark, scene.ids, head)


def signed(points: int) -> str:
    """With a true minus sign."""
    return str(points).replace("-", "−")


def count(good: str, number: int) -> str:
    """The sign of a good and how many there are; the sign is pale where there are none."""
    shape = sign(good) if number else element("g", sign(good), opacity=0.45)
    size = 18 if number < 1000 else 13
    return shape + text(16, 6.5, number, size, "ink" if number else "muted", bold=number > 0)


def _state(scene: Scene) -> str:
    """The round, the phase, and who decides what or who has won."""
    seat, told, left = scene.position["to_move"], scene.state(), 24 + 11 * len(scene.heading)
    drawn = card(_INNER, _LINE) + text(12, 25, scene.heading, 18, bold=True)
    if seat is not None:  # the person stands for the letter
        drawn += moved(person(seat), left + 14, 18)
        told, left = told[2:], left + 34
    drawn += text(left, 25, cut(told, _INNER - 12 - left, 18), 18, "accent", bold=True)
    return moved(scene.group("state", drawn, scene.title()), GAP, GAP)


def _board(scene: Scene) -> str:
    """All spaces in three rows, those of cards last, with places for the cards to come; and the majors in a row."""
    cards, spaces, drawn = len(scene.position["cards"]), scene.spaces, ""
    columns = ceil((len(spaces) + ROUNDS - cards) / 3)
    width = (_INNER + _GAP) / columns - _GAP
    parts = [_space(scene, *pair, width) for pair in spaces]
    parts += [_to_come(scene, number, width) for number in range(cards + 1, ROUNDS + 1)]
    top = GAP + _LINE + _GAP
    for place, part in enumerate(parts):
        row, column = divmod(place, columns)
        drawn += moved(part, GAP + column * (width + _GAP), top + row * (_SPACE + _GAP))
    pitch = (_INNER + _GAP) / len(MAJORS)
    for place, entry in enumerate(scene.position["majors"]):
        drawn += moved(_major(scene, entry, pitch - _GAP), GAP + place * pitch, top + 3 * (_SPACE + _GAP))
    return drawn


def _space(scene: Scene, entry: Mapping[str, Any], number: int, width: float) -> str:
    """A space: its name, what lies there, and who is there. number: the round of its card, or 0."""
    name, goods, seat = entry["space"], entry["goods"], entry["person"]
    drawn = card(width, _SPACE, "f-card s-accent" if number == scene.position["round"] > 0 else "f-card s-edge")
    drawn += "".join(text(7, 17 + 15 * row, line, 15) for row, line in enumerate(wrap(name, 11)))
    drawn += _round(number, width) if number else ""
    if good := SPACES[name].get("good"):
        drawn += moved(count(good, goods), 17, 46, 0.9)
    if seat is not None:
        drawn += moved(person(seat), width - 18, 43, 1.1)
    data = {"goods": goods, "person": seat, "round": number or None}
    return scene.group(f"space-{name}", drawn, scene.space(entry, number), **data)


def _round(number: int, width: float) -> str:
    """The round of a card in its corner, with an ear if there is a harvest after it (A18)."""
    ear = moved(sign("grain"), width - 44, 46, 0.75) if HARVESTS[number] else ""
    return ear + text(width - 6, 17, number, 14, "muted", at="end")


def _to_come(scene: Scene, number: int, width: float) -> str:
    drawn = element("rect", width=width, height=_SPACE, rx=10, fill="none", class_="s-edge", stroke_dasharray="4 4")
    drawn += _round(number, width) + text(7, 17, f"stage {STAGE_IN[number - 1] + 1}", 15, "muted")
    told = f"round {number}, a card of stage {STAGE_IN[number - 1] + 1}" + (
        ", then a harvest" if HARVESTS[number] else ""
    )
    return scene.group(f"round-{number}", drawn, told)


def _major(scene: Scene, entry: Mapping[str, Any], width: float) -> str:
    name, owner = entry["major"], entry["owner"]
    drawn = card(width, _MAJOR) + text(7, 16, name, 15, "ink" if owner is None else "muted")
    for place, (good, number) in enumerate(MAJORS[name]["cost"].items()):
        drawn += moved(sign(good), 16 + 38 * place, 31, 0.7) + text(26 + 38 * place, 36, number, 14)
    drawn += moved(person(owner), width - 16, 28) if owner is not None else ""
    return scene.group(f"major-{name}", drawn, scene.major(entry), owner=owner)


def _farm(scene: Scene, seat: int, width: float, height: float) -> str:
    """All that a seat has: on top its name, its points and its people, then its farm and its goods, last its majors."""
    at = scene.position
    moves = at["to_move"] == seat
    look = {"stroke_width": 3} if moves else {}
    drawn = element(
        "rect", width=width, height=height, rx=10, class_=f"f-card s-{'accent' if moves else 'edge'}", **look
    )
    drawn += text(width - 12, 28, signed(at["scores"][seat]["total"]), 24, bold=True, at="end")
    drawn += moved(person(seat), 22, 20) + family(scene, seat)
    starts = at["start_player"] == seat
    name = cut(scene.names[seat], width - 122 - 60 * starts, 18)
    drawn += text(42, 26, name, 18, "accent" if moves else "ink", bold=True)
    if starts:
        pill = element("rect", x=-27, y=-11, width=54, height=22, rx=11, class_="f-badge s-black", stroke_width=1.5)
        drawn += moved(pill + text(0, 5.5, "start", 15, "black", at="middle"), width - 103, 20)
    below, wide = width < height, width - 2 * GAP
    room = height - _HEAD - 26
    if below:
        scale = (wide - _LABEL) / (len(COLUMNS) * CELL)
        place_of_goods = (float(GAP), _HEAD + _LABEL + 3 * CELL * scale + 14, wide, 92.0)
    else:
        scale = min((wide - _LABEL - 150) / (len(COLUMNS) * CELL), (room - _LABEL) / (len(ROWS) * CELL))
        left = _LABEL + 5 * CELL * scale + 22
        place_of_goods = (left, _HEAD + 2.0, min(width - left - GAP, 260), min(room, 260.0))
    drawn += moved(cells(scene, seat, scale), GAP + _LABEL, _HEAD + _LABEL) + goods(scene, seat, place_of_goods, below)
    owned = ", ".join(entry["major"] for entry in at["majors"] if entry["owner"] == seat)
    drawn += text(12, height - 9, cut(owned or "no major", width - 24, 14), 14, "muted")
    return scene.group(f"farm-{seat}", drawn, f"{scene.who(seat)}: {scene.score(seat)}")


def family(scene: Scene, seat: int, gap: int = 16) -> str:
    """People at home, placed ones, newborns; the house; begging cards and food of the well, where there are.

    gap: between the house and these, more where words are wide.
    """
    farm = scene.position["farms"][seat]
    home = farm["people"] - farm["placed"] - farm["newborns"]
    people = ["home"] * home + ["placed"] * farm["placed"] + ["newborn"] * farm["newborns"]
    drawn = "".join(moved(person(seat, where), 22 + 22 * place, 0, 0.85) for place, where in enumerate(people))
    left = 18 + 22 * len(people)
    rooms = scene.rooms(farm)
    drawn += text(left, 5, rooms, 14)
    left += 8 * len(rooms) + gap
    for kind, word in (("begging", ""), ("well", scene.well)):
        if farm[kind]:
            told = f"{word} {farm[kind]}".strip()
            drawn += moved(sign("food" if word else kind), left, 0, 0.85) + text(left + 14, 5, told, 15, bold=True)
            left += 34 + 9 * len(told)
    return moved(scene.group(f"family-{seat}", drawn, scene.family(seat)), 0, 50)


def cells(scene: Scene, seat: int, scale: float) -> str:
    """The cells of a farm, the names of its rows and columns, and its fences."""
    farm, drawn = scene.position["farms"][seat], ""
    size = 14 / scale
    for place, land in enumerate(lands(farm)):
        row, column = divmod(place, len(COLUMNS))
        drawn += moved(scene.group(f"cell-{seat}-{land.cell}", cell(land), scene.land(land)), CELL * column, CELL * row)
    for place, name in enumerate(COLUMNS):
        drawn += text(CELL * (place + 0.5), -5 / scale, name, size, "muted", at="middle")
    for place, name in enumerate(ROWS):
        drawn += text(-6 / scale, CELL * (place + 0.5) + size / 3, name, size, "muted", at="end")
    sides = fences(farm)
    drawn += scene.group(f"fences-{seat}", fence(sides, max(scale, 0.9)), scene.fences(len(sides)), number=len(sides))
    return moved(drawn, 0, 0, round(scale, 3))


def goods(scene: Scene, seat: int, place: tuple[float, float, float, float], below: bool) -> str:
    """The goods with their numbers, animals among them, in two rows or in two columns.

    place: left, top, width and height.
    """
    left, top, wide, high = place
    pitch = (wide / 5, high / 2) if below else (wide / 2, high / 5)
    scale, drawn = min(pitch[0] / 72, pitch[1] / 29, 1.4), ""
    for at, good in enumerate(GOODS):
        x, y = (at % 5, at // 5) if below else (at // 5, at % 5)
        number = scene.position["farms"][seat][good]
        shape = scene.group(f"good-{seat}-{good}", count(good, number), scene.good(good, number), number=number)
        drawn += moved(shape, left + x * pitch[0] + 13 * scale, top + (y + 0.5) * pitch[1], round(scale, 3))
    return drawn


def _scores(scene: Scene, width: float, height: float) -> str:
    """The score so far (A69): a line for each part, a column for each seat."""
    scores = scene.position["scores"]
    names = [*(name for name in scores[0] if name != "total"), "total"]
    pitch = min((height - 10) / (len(names) + 1), 29)
    size, step = min(0.92 * pitch, 17), min((width - 110) / len(scores), 70)
    places = [width - 14 - step * (len(scores) - 1 - seat) for seat in range(len(scores))]
    drawn = card(width, height) + text(12, 4 + 0.8 * pitch, "Score", size, bold=True)
    for seat, x in enumerate(places):
        drawn += moved(person(seat), x - 6, 4 + 0.55 * pitch, round(pitch / 30, 3))
    for row, name in enumerate(names, 1):
        foot, bold = 4 + (row + 0.8) * pitch, name == "total"
        drawn += text(12, foot, name, size, bold=bold)
        drawn += "".join(
            text(x, foot, signed(entry[name]), size, bold=bold, at="end")
            for x, entry in zip(places, scores, strict=True)
        )
    told = "; ".join(f"{scene.who(seat)}: {scene.score(seat)}" for seat in range(len(scores)))
    return scene.group("scores", drawn, told)
