"""The board of a page, in its language: the spaces by stages, the majors, and the farms with a large one in front.

Parts have the ids of svg.py. Groups of the class ``part`` can be shown one by one, and those of the class ``card``
within them, too: ``data-size`` tells the width and height of a group that is drawn from its origin on. A page marks a
part by its shape of the class ``plot``. What a farm has can be moved by its classes: ``total``, ``starts``, ``people``,
``yard`` (the cells) and ``stock`` (a group for each of the goods). All farms are of the same size, and only scaled
where they stand, so that a page may exchange the places of two of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import wrap
from typing import Any, Final

from ...engine.drawing import GAP, WIDTH, cut, element, escape, moved, text
from ...engine.words import Words
from ..pieces import ADDS, HARVESTS, ROUNDS, SPACE, STAGE_IN
from ..pieces import MAJORS as MAJOR_NAMES
from ..words import counted
from ..words import goods as told_goods
from .palette import PALETTE
from .scene import COLUMNS, MAJORS, ROWS, SPACES, Land, Scene, lands
from .shapes import CELL, person, sign
from .svg import cells, count, family, goods, signed

_GAP: Final = 5
_ROWS: Final = 4  # cards of spaces in a column
_SPACE: Final = 62  # height of one
_LETTERS: Final = 10.45
"""A space's width in heights of its letters, so that they are read where three spaces stand side by side on a phone."""
_FARM: Final = (620, 262)
_OWN: Final = 1.15
_OTHERS: Final = 0.75  # the scale of the large farm, and the largest of the others
_CELLS: Final = 1.2
_TOP: Final = GAP + _ROWS * (_SPACE + _GAP) + _GAP  # where the farms begin
_STAGE_COLUMNS: Final = ((0,), (1,), (2, 3), (4, 5))  # the stages whose cards stand in each column
_SHOWN: Final = {
    "grain": "grain", "vegetable": "vegetable", "day-labourer": "food wood", "one-resource": "wood",
    "two-resources": "wood stone", "reed-stone-food": "reed stone food", "animals": "sheep boar cattle",
    "resources-or-growth": "wood stone", "sow-bake": "grain food",
}  # fmt: skip
"""The goods that are a space's sign, where none lie on it."""


@dataclass(frozen=True, slots=True)
class Spoken(Scene):
    """A position, told in the words of a language."""

    words: Words
    new: frozenset[str]
    """The ids of parts that are marked since they have changed."""

    def group(self, name: str, inside: str, title: str, **data: object) -> str:
        """See :class:`Scene`; here a group that shows something may be marked, too."""
        if name.startswith("cell-"):
            inside += _plot(CELL, CELL)
        meaning = {"id": name, "class_": data.pop("look", None), **{f"data-{key}": told for key, told in data.items()}}
        return element("g", element("title", escape(title)) + inside, **meaning)

    @property
    def well(self) -> str:  # type: ignore[override]
        """The word before the food of the well to come."""
        return self.words("drawn.well")

    def name(self, space: str) -> str:
        """Return what a space is called."""
        adds = ADDS[int(self.position["players"] > 1), SPACE[space]]
        return self.words(f"space.{space}", adds=adds)

    def land(self, land: Land) -> str:
        kind = "fenced_stable" if land.stable and land.kind == "pasture" else "stable" if land.stable else land.kind
        what = self.words(f"land.{kind}")
        if land.crop:
            what = self.words("land.field_with", crop=counted(self.words, land.crop, land.number))
        return self.words("drawn.cell", cell=land.cell, what=what)

    def rooms(self, farm: Mapping[str, Any]) -> str:
        return counted(self.words, "room", len(farm["rooms"]))

    def fences(self, number: int) -> str:
        return counted(self.words, "fence", number)

    def good(self, good: str, number: int) -> str:
        return counted(self.words, good, number)

    def space(self, entry: Mapping[str, Any], number: int) -> str:
        words, told = self.words, self.name(entry["space"])
        if number:
            told = words("drawn.space_round", space=told, round=number)
        if entry["goods"]:
            there = counted(words, SPACES[entry["space"]].get("good", "food"), entry["goods"])
            told = words("drawn.space", space=told, what=there)
        return told + (
            f"; {words('drawn.taken', who=self.who(entry['person']))}" if entry["person"] is not None else ""
        )

    def major(self, entry: Mapping[str, Any]) -> str:
        words, fact = self.words, MAJORS[entry["major"]]
        called, points = words(f"major.{entry['major']}"), counted(words, "point", fact["points"])
        if entry["owner"] is not None:
            return words("drawn.owned", major=called, who=self.who(entry["owner"]))
        return words("drawn.major", major=called, price=told_goods(words, fact["cost"]), points=points)

    def family(self, seat: int) -> str:
        words, farm = self.words, self.position["farms"][seat]
        told = {
            name: counted(words, what, farm[name])
            for name, what in (("people", "person"), ("newborns", "newborn"), ("begging", "begging"), ("well", "food"))
        }
        return words("drawn.family", rooms=self.rooms(farm), placed=farm["placed"], **told)

    def score(self, seat: int) -> str:
        return counted(self.words, "point", self.position["scores"][seat]["total"])


def draw_board(
    position: Mapping[str, Any], names: Sequence[str], words: Words, before: Mapping[str, Any] | None = None
) -> str:
    """Return a position as an SVG drawing, WIDTH units wide, without the style sheet, ``PALETTE.css(None)``.

    Args:
        position: the JSON that ``Game.state_dict()`` gives.
        names: of the players, one per seat.
        words: those of ``agricola/words``; others may be among them.
        before: the JSON of an earlier position; parts that have changed since are marked.

    Raises:
        BadPosition, BadSetup: as by ``draw_svg``.
    """
    new = frozenset() if before is None else _changed(before, position)
    scene = Spoken.of(position, names, None, True, words=words, new=new)
    own, high, others = _FARM[0] * _OWN, _FARM[1] * _OWN, position["players"] - 1
    drawn = _part(_spaces(scene), "spaces", GAP, GAP, (WIDTH - 2 * GAP, _TOP - GAP))
    size = (WIDTH - 3 * GAP - own, high)
    drawn += _part(_majors(scene, *size), "majors", own + 2 * GAP, _TOP, size)
    drawn += _part(_farm(scene, 0), "farm-0", GAP, _TOP, _FARM, _OWN)
    top, height = _TOP + high + GAP, _TOP + high + GAP
    if others:
        pitch = (WIDTH - GAP) / others
        scale = min((pitch - GAP) / _FARM[0], _OTHERS)
        height = top + _FARM[1] * scale + GAP
        for seat in range(1, others + 1):
            x = GAP + (seat - 1) * min(pitch, _FARM[0] * scale + GAP)
            drawn += _part(_farm(scene, seat), f"farm-{seat}", x, top, _FARM, scale)
    head = element("title", escape(words("drawn.title", round=position["round"], rounds=ROUNDS)))
    whole = {"width": WIDTH, "height": round(height)}
    frame = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {round(height)}"}
    look = {"class_": PALETTE.root(None), "role": "group", "font_family": "'DejaVu Sans',Verdana,sans-serif"}
    return element("svg", head + element("rect", **whole, class_="f-table") + drawn, **frame, **whole, **look)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """Return the ids of spaces that somebody came to, of majors that somebody got, and of cells that are others now."""
    people = {entry["space"]: entry["person"] for entry in before["spaces"]}
    found = {
        f"space-{entry['space']}"
        for entry in after["spaces"]
        if entry["person"] is not None and people.get(entry["space"]) != entry["person"]
    }
    for was, now in zip(before["majors"], after["majors"], strict=True):
        found |= {f"major-{now['major']}"} if now["owner"] not in (None, was["owner"]) else set()
    for seat, (old, new) in enumerate(zip(before["farms"], after["farms"], strict=True)):
        for was_land, now_land in zip(lands(old), lands(new), strict=True):
            same = (was_land.kind, was_land.stable) == (now_land.kind, now_land.stable)
            found |= set() if same and was_land.number >= now_land.number else {f"cell-{seat}-{now_land.cell}"}
    return frozenset(found)


def _part(inside: str, name: str, x: float, y: float, size: tuple[float, float], scale: float = 1) -> str:
    """A part of the board that can be shown alone."""
    told = {"class_": "part", "data_part": name, "data_size": f"{size[0]:g} {size[1]:g}"}
    return moved(inside, round(x, 1), round(y, 1), round(scale, 3), **told)


def _card(
    scene: Spoken, name: str, title: str, inside: str, size: tuple[float, float], now: bool, **data: object
) -> str:
    """A card of a space or a major. now: whether its edge stands out."""
    look = "f-card s-accent" if now or name in scene.new else "f-card s-edge"
    width = 3 if name in scene.new else None
    back = element("rect", width=round(size[0], 1), height=size[1], rx=8, class_=look, stroke_width=width)
    told = {"look": "card", "size": f"{size[0]:.1f} {size[1]:g}", **data}
    return scene.group(name, back + inside + _plot(*size), title, **told)


def _plot(width: float, height: float) -> str:
    """What a page marks a part by: nothing is to be seen of it before."""
    return element(
        "rect", x=2, y=2, width=round(width - 4, 1), height=round(height - 4, 1), rx=6, fill="none", class_="plot"
    )


def _spaces(scene: Spoken) -> str:
    """The spaces in columns: first those that are there from the beginning, then round cards by their stages."""
    shown = scene.spaces
    first = [pair for pair in shown if pair[1] == 0]
    columns = ceil(len(first) / _ROWS)
    pitch = (WIDTH - 2 * GAP + _GAP) / (columns + len(_STAGE_COLUMNS))
    places = {("", place): (place % columns, place // columns) for place in range(len(first))}
    for column, stages in enumerate(_STAGE_COLUMNS, columns):
        rounds = [number for number in range(1, ROUNDS + 1) if STAGE_IN[number - 1] in stages]
        places |= {("round", number): (column, row) for row, number in enumerate(rounds)}
    drawn = ""
    cards = {number: entry for entry, number in shown if number}
    for (kind, place), (column, row) in places.items():
        if not kind:
            part = _space(scene, *first[place], pitch - _GAP)
        elif place in cards:
            part = _space(scene, cards[place], place, pitch - _GAP)
        else:
            part = _to_come(scene, place, pitch - _GAP)
        drawn += moved(part, round(column * pitch, 1), row * (_SPACE + _GAP))
    return drawn


def _space(scene: Spoken, entry: Mapping[str, Any], number: int, width: float) -> str:
    """A space: its name, what lies there, as a large number, and who is there. number: the round of its card, or 0."""
    name, goods_there, seat = entry["space"], entry["goods"], entry["person"]
    lines, size = wrap(scene.name(name), 17)[:2], round(width / _LETTERS, 1)
    drawn = "".join(
        text(6, 4 + size * (1 + 1.05 * row), cut(line, 1.2 * width, size), size)  # which reckons with bold letters
        for row, line in enumerate(lines)
    )
    if good := SPACES[name].get("good"):
        drawn += moved(count(good, goods_there), *((18, 45, 1.15) if len(lines) == 1 else (17, 48.5, 0.9)))
    for place, shown in enumerate(_SHOWN.get(name, "").split()):
        drawn += moved(sign(shown), 17 + 22 * place, 47, 0.8)
    if number and HARVESTS[number]:
        drawn += moved(sign("grain"), width - 50, 46, 0.75)
    if seat is not None:
        drawn += moved(person(seat), width - 19, 43, 1.15)
    elif number:
        drawn += text(width - 7, 56, number, size, "muted", at="end")
    data = {"goods": goods_there, "person": seat, "round": number or None}
    title = scene.space(entry, number)
    if number and HARVESTS[number]:
        title += f"; {scene.words('drawn.harvest_after')}"
    now = number == scene.position["round"] > 0
    return _card(scene, f"space-{name}", title, drawn, (width, _SPACE), now, **data)


def _to_come(scene: Spoken, number: int, width: float) -> str:
    """The place of the card of a round to come, faint."""
    drawn = element(
        "rect", width=round(width, 1), height=_SPACE, rx=8, fill="none", class_="s-edge", stroke_dasharray="4 4"
    )
    size = round(width / _LETTERS, 1)
    drawn += text(6, 4 + size, scene.words("drawn.round", number=number), size, "muted")
    drawn += moved(sign("grain"), width - 50, 46, 0.75) if HARVESTS[number] else ""
    key = "drawn.to_come_harvest" if HARVESTS[number] else "drawn.to_come"
    told = scene.words(key, round=number, stage=STAGE_IN[number - 1] + 1)
    faint = element("g", drawn, opacity=0.55) + _plot(width, _SPACE)
    return scene.group(f"round-{number}", faint, told, look="card to-come", size=f"{width:.1f} {_SPACE}")


def _majors(scene: Spoken, width: float, height: float) -> str:
    """The majors in two columns, each with its price, its points and whose it is."""
    rows, drawn = len(MAJOR_NAMES) // 2, ""
    size = ((width - _GAP) / 2, round((height + _GAP) / rows - _GAP, 1))
    for place, entry in enumerate(scene.position["majors"]):
        name, owner = entry["major"], entry["owner"]
        inside = text(
            8, 19, cut(scene.words(f"major.{name}"), size[0] - 20, 14.5), 14.5, "ink" if owner is None else "muted"
        )
        for at, (good, number) in enumerate(MAJORS[name]["cost"].items()):
            inside += moved(sign(good), 18 + 44 * at, 38, 0.8) + text(30 + 44 * at, 43.5, number, 16, bold=True)
        inside += element("circle", cx=size[0] - 18, cy=17, r=12, class_="f-seat2 s-black")
        inside += text(size[0] - 18, 22.5, MAJORS[name]["points"], 15, "black", bold=True, at="middle")
        inside += moved(person(owner), size[0] - 46, 40) if owner is not None else ""
        part = _card(scene, f"major-{name}", scene.major(entry), inside, size, False, owner=owner)
        drawn += moved(part, place % 2 * (size[0] + _GAP), place // 2 * (size[1] + _GAP))
    return drawn


def _farm(scene: Spoken, seat: int) -> str:
    """All that a seat has: on top its name and its points, then its people, below its cells and its goods."""
    at, (width, height) = scene.position, _FARM
    moves, starts = at["to_move"] == seat, at["start_player"] == seat
    look = {"class_": f"f-card s-{'accent' if moves else 'edge'}", "stroke_width": 3 if moves else None}
    drawn = element("rect", width=width, height=height, rx=10, **look)
    drawn += moved(person(seat), 24, 23, 1.15)
    drawn += text(46, 31, cut(scene.names[seat], width - 250, 22), 22, "accent" if moves else "ink", bold=True)
    drawn += moved(
        text(0, 32, signed(at["scores"][seat]["total"]), 26, bold=True, at="end"), width - 14, 0, class_="total"
    )
    if starts:
        pill = element("rect", x=-34, y=-14, width=68, height=28, rx=14, class_="f-badge s-black", stroke_width=1.5)
        drawn += moved(
            pill + text(0, 6, scene.words("drawn.start"), 17, "black", at="middle"), width - 110, 23, class_="starts"
        )
    drawn += moved(family(scene, seat, 28), 350, 2, 1.05, class_="people")
    left, top = 30, height - len(ROWS) * CELL * _CELLS - 10
    yard = moved(cells(scene, seat, _CELLS), left, top)
    for place, land in enumerate(lands(at["farms"][seat])):
        if f"cell-{seat}-{land.cell}" in scene.new:
            row, column = divmod(place, len(COLUMNS))
            x, y, side = left + CELL * _CELLS * column + 3, top + CELL * _CELLS * row + 3, CELL * _CELLS - 6
            edge = {"fill": "none", "class_": "s-accent", "stroke_width": 3, "pointer_events": "none"}
            yard += element("rect", x=x, y=y, width=side, height=side, rx=6, **edge)
    drawn += element("g", yard, class_="yard")
    drawn += element("g", goods(scene, seat, (352, 74, width - 362, height - 82), False), class_="stock")
    drawn += _plot(width, height)
    return scene.group(f"farm-{seat}", drawn, scene.words("drawn.score", who=scene.who(seat), points=scene.score(seat)))
