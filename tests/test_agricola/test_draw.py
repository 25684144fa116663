"""Drawings of Agricola say what the position says: text, parts and pixels are read back, cell by cell."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest

from bohemian_env.agricola.draw import draw_svg, draw_text
from bohemian_env.agricola.draw.palette import THEMES
from bohemian_env.engine.errors import BadPosition
from bohemian_env.engine.pixels import pixels_of
from tests.reference.agricola import MAJORS
from tests.test_agricola.laid import CARDS
from tests.test_agricola.positions_drawn import FARMS, GOODS, POSITIONS, REVEALED

SVG = "{http://www.w3.org/2000/svg}"
CELLS = [f"{column}{row}" for row in "123" for column in "abcde"]
HARVESTS = (4, 7, 9, 11, 13, 14)
everywhere = pytest.mark.parametrize("at", POSITIONS.values(), ids=POSITIONS)


def sides(farm: dict[str, Any]) -> dict[tuple[int, int, bool], bool]:
    """Every side of a cell, left or upper one of the cell in a column and a row, and whether a fence is on it (A43)."""
    pasture = {cell: number for number, cells in enumerate(farm["pastures"], 1) for cell in cells}

    def there(column: int, row: int) -> int:
        return pasture.get(f"{'abcde'[column]}{row + 1}", 0) if 0 <= column < 5 and 0 <= row < 3 else 0

    found = {(x, y, True): there(x - 1, y) != there(x, y) for x in range(6) for y in range(3)}
    return found | {(x, y, False): there(x, y - 1) != there(x, y) for x in range(5) for y in range(4)}


def letters(farm: dict[str, Any]) -> list[str]:
    """What stands in each cell of a text drawing, in cell order."""
    pastures = [cell for pasture in farm["pastures"] for cell in pasture]
    found = {cell: "" if cell in pastures else "." for cell in CELLS}
    found |= dict.fromkeys(farm["stables"], "T") | dict.fromkeys(farm["rooms"], farm["material"][0].upper())
    for field in farm["fields"]:
        found[field["cell"]] = f"{field['crop'][0]}{field['number']}" if field["crop"] else "f"
    return [found[cell] for cell in CELLS]


# --- text ---------------------------------------------------------------------------------------------------------


def blocks(text: str) -> Iterator[list[str]]:
    """The farms of a text drawing: each a line of names, one of columns, and seven of the farm."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        for column in (0, 50):
            if line[column : column + 18].split() == [*"abcde"]:
                yield [found[column : column + 50].ljust(50) for found in lines[place - 1 : place + 8]]


@everywhere
def test_text_reads_back_as_the_farms(at: dict[str, Any]) -> None:
    found = [*blocks(draw_text(at))]
    assert len(found) == at["players"]
    for seat, (block, farm) in enumerate(zip(found, at["farms"], strict=True)):
        rows, has = [line[2:18] for line in block[2:]], "\n".join(line[20:] for line in block[2:])
        assert [rows[2 * y + 1][3 * x + 1 : 3 * x + 3].strip() for y in range(3) for x in range(5)] == letters(farm)
        for (x, y, upright), fenced in sides(farm).items():
            told = rows[2 * y + 1][3 * x] if upright else rows[2 * y][3 * x + 1 : 3 * x + 3]
            assert told == ("|" if upright else "--") if fenced else not told.strip(), (seat, x, y, upright)
        for name in (*GOODS.split(), "begging", "well", "people"):
            assert re.search(rf"\b{name} {farm[name]}\b", has)
        assert f", {farm['placed']} placed, {farm['newborns']} newborn" in has
        start = " (starts)" if at["start_player"] == seat else ""
        mark = ">" if at["to_move"] == seat else " "
        total = at["scores"][seat]["total"]
        assert block[0].rstrip() == f"{mark} {'ABCDE'[seat]} seat {seat}{start}: {total} points"


@everywhere
def test_text_tells_spaces_and_majors_with_goods_rounds_and_people(at: dict[str, Any]) -> None:
    text, cards = draw_text(at), at["cards"]
    for entry in at["spaces"]:
        name, who = entry["space"], " " if entry["person"] is None else "ABCDE"[entry["person"]]
        number = f"{cards.index(name) + 1} " if name in cards else ""
        goods = rf": {entry['goods']} (wood|clay|reed|stone|food|sheep|boar|cattle)" if entry["goods"] else ""
        assert re.search(rf"\[{who}\] {number}{name}{goods}(  |\n)", text), name
    for entry in at["majors"]:
        assert f"[{' ' if entry['owner'] is None else 'ABCDE'[entry['owner']]}] {entry['major']}" in text
    assert len(re.findall(r"\[[A-E ]\] ", text)) == len(at["spaces"]) + 10 + 1  # and one in the legend
    for entry in at["scores"]:
        told = ", ".join(f"{name} {points}" for name, points in entry.items() if name != "total")
        assert f"{entry['total']} points: {told}" in re.sub(r"\n +", " ", text)


@everywhere
def test_text_is_no_wider_than_a_page(at: dict[str, Any]) -> None:
    much = dict.fromkeys((*GOODS.split(), "begging", "well"), 10_000)
    full = at | {
        "farms": [farm | much for farm in at["farms"]],
        "spaces": [entry | {"goods": 10_000} for entry in at["spaces"]],
    }
    for one, names in ((at, None), (full, ["W" * 200] * at["players"])):
        text = draw_text(one, names=names)
        assert max(map(len, text.splitlines())) <= 100
        assert text.isascii()
        assert all(line == line.rstrip() for line in (text + "|").split("\n"))


STATES = {
    "begin": "Round 0 of 14: a card is to be revealed",
    "solo": "Round 6 of 14: work. A seat 0 decides: place",
    "two": "Round 4 of 14: work. A seat 0 decides: sow-bake, baked 1, may stop",
    "three": "Round 9 of 14: harvest, feeding. C seat 2 decides: feed, crafted wood clay, may stop",
    "four": "Round 11 of 14: work. D seat 3 decides: stable-bake, stable built, may stop",
    "five": "Round 14 of 14: work. E seat 4 decides: resources-or-growth",
    "over": "Round 14 of 14: game over. B seat 1 wins with 39 points",
}


@pytest.mark.parametrize("name", STATES)
def test_both_tell_the_round_and_who_decides_what(name: str) -> None:
    at, told = POSITIONS[name], STATES[name]
    title = ET.fromstring(draw_svg(at)).findtext(f"{SVG}title")
    assert title == f"Agricola. {told}"
    first, _, second = told.partition(". ")
    start = f", start player {'ABCDE'[at['start_player']]} seat {at['start_player']}"
    assert draw_text(at).startswith(f"{first}{start}\n{second}")


def test_equal_totals_share_the_win_and_alone_the_total_is_the_result() -> None:
    over = POSITIONS["over"]
    best = over["scores"][1]
    both = over | {"scores": [best, best, over["scores"][2]]}
    assert "A seat 0, B seat 1 share the win with 39 points" in draw_text(both)
    alone = POSITIONS["solo"] | {"phase": "over", "to_move": None, "decision": None}
    assert "\nA seat 0 ends with 5 points\n" in draw_text(alone)


# --- picture ------------------------------------------------------------------------------------------------------


def parts(svg: str) -> dict[str, ET.Element]:
    """The groups of a drawing with ids."""
    groups = [group for group in ET.fromstring(svg).iter() if "id" in group.attrib]
    found = {group.attrib["id"]: group for group in groups}
    assert len(found) == len(groups)
    return found


def texts(group: ET.Element) -> list[str]:
    return [str(text.text) for text in group.iter(f"{SVG}text")]


@everywhere
def test_every_part_is_there_once(at: dict[str, Any]) -> None:
    seats, spaces = range(at["players"]), [entry["space"] for entry in at["spaces"]]
    expected = {"state", "scores", *(f"space-{name}" for name in spaces), *(f"major-{name}" for name in MAJORS)}
    expected |= {f"round-{number}" for number in range(len(at["cards"]) + 1, 15)}
    expected |= {f"{name}-{seat}" for seat in seats for name in ("farm", "family", "fences")}
    expected |= {f"cell-{seat}-{cell}" for seat in seats for cell in CELLS}
    expected |= {f"good-{seat}-{good}" for seat in seats for good in GOODS.split()}
    assert {*parts(draw_svg(at))} == expected
    plain = draw_svg(at, ids=False)
    assert not re.search(r" (id|data-\w+)=", plain)
    assert len({draw_svg(at, dark=dark) for dark in (None, True, False)}) == 3


@everywhere
def test_no_part_is_a_script_or_comes_from_outside(at: dict[str, Any]) -> None:
    root = ET.fromstring(draw_svg(at, names=["<script>alert(1)</script>"] * at["players"]))
    tags = {node.tag.removeprefix(SVG) for node in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "g", "rect", "circle", "ellipse", "path", "text"}
    assert not [name for node in root.iter() for name in node.attrib if name.startswith("on") or "href" in name]


@everywhere
def test_spaces_and_majors_show_goods_rounds_and_people(at: dict[str, Any]) -> None:
    found = parts(draw_svg(at))
    for entry in at["spaces"]:
        name, told = entry["space"], texts(found[f"space-{entry['space']}"])
        assert name.startswith(told[0])
        assert name in (told[0], "".join(told[:2]))
        rest = told[1 if told[0] == name else 2 :]
        number = [str(at["cards"].index(name) + 1)] if name in CARDS else []
        who = ["ABCDE"[entry["person"]]] if entry["person"] is not None else []
        goods = [str(entry["goods"])] if len(rest) > len(number + who) else []
        assert rest == number + goods + who
        assert goods or not entry["goods"]
    for later in range(len(at["cards"]) + 1, 15):
        title = found[f"round-{later}"].findtext(f"{SVG}title", "")
        assert ("harvest" in title) == (later in HARVESTS)
    for entry in at["majors"]:
        told = texts(found[f"major-{entry['major']}"])
        assert told[0] == entry["major"]
        owner = [] if entry["owner"] is None else ["ABCDE"[entry["owner"]]]
        assert [one for one in told[1:] if not one.isdigit()] == owner


@everywhere
def test_farms_show_goods_people_cells_and_points(at: dict[str, Any]) -> None:
    found = parts(draw_svg(at))
    for seat, farm in enumerate(at["farms"]):
        for good in GOODS.split():
            assert texts(found[f"good-{seat}-{good}"]) == [str(farm[good])]
        family = texts(found[f"family-{seat}"])
        assert family.count("ABCDE"[seat]) == farm["people"]
        assert f"{len(farm['rooms'])} {farm['material']} rooms" in family
        assert (f"well {farm['well']}" in family) == (farm["well"] > 0)
        assert (str(farm["begging"]) in family) == (farm["begging"] > 0)
        fields = {field["cell"]: field for field in farm["fields"]}
        for cell in CELLS:
            title = found[f"cell-{seat}-{cell}"].findtext(f"{SVG}title", "")
            crop = [str(fields[cell]["number"])] if cell in fields and fields[cell]["crop"] else []
            assert texts(found[f"cell-{seat}-{cell}"]) == crop
            assert title.startswith(cell)
            assert ("stable" in title) == (cell in farm["stables"])
            assert (f"{farm['material']} room" in title) == (cell in farm["rooms"])
            assert ("field" in title) == (cell in fields)
        told = texts(found[f"farm-{seat}"])
        assert told[0] == str(at["scores"][seat]["total"]).replace("-", "−")
        assert ("start" in told) == (at["start_player"] == seat)
        owned = [entry["major"] for entry in at["majors"] if entry["owner"] == seat]
        assert told[-1] == (", ".join(owned) or "no major")
    columns = [str(points).replace("-", "−") for name in at["scores"][0] for points in (s[name] for s in at["scores"])]
    table = [told for told in texts(found["scores"]) if told not in at["scores"][0]]
    assert table == ["Score", *"ABCDE"[: at["players"]], *columns]


@everywhere
def test_every_fenced_side_is_drawn_and_no_other(at: dict[str, Any]) -> None:
    found = parts(draw_svg(at))
    for seat, farm in enumerate(at["farms"]):
        expected = {side for side, fenced in sides(farm).items() if fenced}
        group = found[f"fences-{seat}"]
        assert group.get("data-number") == str(len(expected))
        rails = [path.get("d", "") for path in group.iter(f"{SVG}path")][1:2]
        drawn = [
            (int(x) // 50, int(y) // 50, way == "v")
            for x, y, way in re.findall(r"M(\d+) (\d+)([hv])50", "".join(rails))
        ]
        assert sorted(drawn) == sorted(expected)


def absolute(
    node: ET.Element, x: float = 0, y: float = 0, scale: float = 1
) -> Iterator[tuple[str, float, float, float]]:
    """The groups with ids inside a node, and where the picture has their origin, and their scale."""
    moved = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", node.get("transform", "translate(0 0)"))
    assert moved is not None
    x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
    scale *= float(moved[3] or 1)
    yield node.get("id", ""), x, y, scale
    for child in node:
        yield from absolute(child, x, y, scale)


@pytest.mark.slow
@everywhere
@pytest.mark.parametrize("theme", THEMES)
def test_pixels_show_fences_on_exactly_the_fenced_sides(at: dict[str, Any], theme: str) -> None:
    svg = draw_svg(at, dark=theme == "dark")
    pixels, fence = pixels_of(svg, 2400), bytes.fromhex(THEMES[theme]["fence"][1:])
    for name, left, top, scale in absolute(ET.fromstring(svg)):
        if name.startswith("cell-") and name.endswith("-a1"):
            for (x, y, upright), fenced in sides(at["farms"][int(name[5])]).items():
                across, down = (x, y + 0.5) if upright else (x + 0.5, y)
                column, row = round(2 * (left + 50 * scale * across)), round(2 * (top + 50 * scale * down))
                assert (pixels[row, column].tobytes() == fence) == fenced, (name, x, y, upright)


# --- names and what is refused ------------------------------------------------------------------------------------


WRONG: dict[str, list[Any]] = {
    "players": [0, 6, True, None], "round": [-1, 15, "4"], "phase": ["night", 1, None], "start_player": [2, None],
    "to_move": [2, -1, "0"], "decision": [None, {"kind": "place"}, {"kind": "sleep"}, 4],
    "cards": [["fences"], ["wood"], [*REVEALED.split()[:3], "sheep"], 4, None],
    "spaces": [[{"space": "mine", "goods": 0, "person": None}], [{"space": "wood", "goods": -1, "person": None}]],
    "majors": [[{"major": "well", "owner": 2}], [{"major": "well"}], [{"major": "oven", "owner": None}], {}],
    "farms": [FARMS[:1], FARMS[:3], [FARMS[0], FARMS[1] | {"material": "reed"}], [FARMS[0], 2]],
    "scores": [[{"total": 1}], [{"total": 1}, {"points": 1}], [{"total": 1, "a<b": 2}] * 2, [{"total": None}] * 2],
}  # fmt: skip


@pytest.mark.parametrize("field", WRONG)
def test_what_is_no_position_is_refused_by_its_field(field: str) -> None:
    at = POSITIONS["two"]
    for draw in (draw_text, draw_svg):
        for value in WRONG[field]:
            with pytest.raises(BadPosition, match=rf"^{field}\b"):
                draw(at | {field: value})
        with pytest.raises(BadPosition, match=f"^{field}: missing"):
            draw({key: value for key, value in at.items() if key != field})


def test_what_does_not_agree_is_refused() -> None:
    at = POSITIONS["two"]
    for more, told in (({"to_move": None}, "decision"), ({"decision": None}, "decision"), ({"spaces": []}, "cards")):
        with pytest.raises(BadPosition, match=f"^{told}: "):
            draw_svg(at | more)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"rooms": ["a1", "a1"]}, r"\.stables: a1 comes twice"),
        ({"pastures": [["d1"], ["d1", "e1"]]}, r"\.pastures: d1 comes twice"),
        ({"fields": [{"cell": "b1", "crop": "reed", "number": 1}]}, r"\.fields\[0\]\.crop: 'reed' is none of"),
    ],
)
def test_farms_that_cannot_be_drawn_are_refused(more: dict[str, Any], told: str) -> None:
    at = POSITIONS["two"]
    with pytest.raises(BadPosition, match=rf"^farms\[0\]{told}"):
        draw_svg(at | {"farms": [FARMS[0] | more, FARMS[1]]})
