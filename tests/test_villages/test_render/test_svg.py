"""The drawing says what the position says: its labels and texts are read back, and its pixels are looked at."""

import builtins
import hashlib
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageFont

from bohemian_env import Game, MissingExtra, Outcome
from bohemian_env.engine.drawing import WIDTH
from bohemian_env.engine.pixels import _fonts
from bohemian_env.engine.words import LANGUAGES
from bohemian_env.villages import rules
from bohemian_env.villages.facts import SCORING
from bohemian_env.villages.render import SEAT_LETTERS, board_css, board_pixels, board_svg, board_text
from bohemian_env.villages.render.palette import SEAT_COLOURS, THEMES
from bohemian_env.villages.words import words_in
from tests.helpers import SIX, TOTALS, VILLAGES, position, spread
from tests.pictures import stand_out
from tests.test_villages.test_render.test_text import NINE, position_of_random_game, positions

SVG = "{http://www.w3.org/2000/svg}"
SHOPS = ("bakery", "butchery", "dairy", "tailor")

ENGLISH = words_in("en")


def drawn(at: dict[str, Any], **options: Any) -> ET.Element:
    return ET.fromstring(board_svg(at, **options))


def groups(root: ET.Element, name: str) -> list[ET.Element]:
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == name]


def texts(root: ET.Element) -> list[str]:
    return [element.text for element in root.iter(f"{SVG}text")]


def read_building(group: ET.Element) -> tuple[int, dict[str, Any]]:
    """The village's number, and the building as a position writes it, from its label."""
    kind = group.get("data-kind")
    what, total, *more = group.get("aria-label").split(", ")
    assert what.startswith(f"{ENGLISH(f'kind.{kind}')} in ")
    assert total == f"total {TOTALS[kind]}"
    building: dict[str, Any] = {"kind": kind}
    if more[0].startswith("printed value "):
        building["value"] = int(more.pop(0).removeprefix("printed value "))
    if more[0] in ("active", "inactive"):
        building["active"] = more.pop(0) == "active"
    (figure,) = more
    building["owner"] = None if figure == "free" else SEAT_LETTERS.index(figure.removeprefix("figure of "))
    return int(group.get("data-village")), building


def read_seat(group: ET.Element) -> tuple[str, dict[str, int]]:
    """What the label of a seat says first, and its numbers by name."""
    who, _, rest = group.get("aria-label").rpartition(": ")
    numbers = {}
    for part in rest.split(", "):
        if found := re.fullmatch(r"(-?\d+) (.+)|(.+) (-?\d+)", part):
            numbers[found[2] or found[3]] = int(found[1] or found[4])
        else:
            numbers[part] = 1
    return who, numbers


# --- what it says -----------------------------------------------------------------------------------------------


@given(positions)
def test_villages_and_buildings_are_all_there_once(at: dict[str, Any]) -> None:
    root = drawn(at)
    villages = groups(root, "village")
    assert [int(group.get("data-village")) for group in villages] == list(range(len(at["villages"])))
    for number, (group, village) in enumerate(zip(villages, at["villages"], strict=True)):
        occupied = sum(b["owner"] is not None for b in village["buildings"])
        assert (
            group.get("aria-label")
            == f"{village['name']}, {occupied} of {len(village['buildings'])} buildings occupied"
        )
        assert texts(group)[:2] == [village["name"], f"{occupied}/{len(village['buildings'])}"]
        buildings = groups(group, "building")
        assert [read_building(building) for building in buildings] == [(number, b) for b in village["buildings"]]
        assert all(f" in {village['name']}," in building.get("aria-label") for building in buildings)
    assert len(groups(root, "building")) == sum(len(village["buildings"]) for village in at["villages"])


@given(positions)
def test_texts_on_a_building_are_its_total_its_value_and_the_letter_of_its_figure(at: dict[str, Any]) -> None:
    buildings = [b for village in at["villages"] for b in village["buildings"]]
    for group, building in zip(groups(drawn(at), "building"), buildings, strict=True):
        expected = [str(TOTALS[building["kind"]])]
        if "value" in building:
            expected.append(str(building["value"]))
        if building.get("active"):
            expected.append("+1")
        if building["owner"] is not None:
            expected.append(SEAT_LETTERS[building["owner"]])
        assert Counter(texts(group)) == Counter(expected)
        seats = {name for element in group.iter() for name in element.get("class", "").split() if "f-seat" in name}
        assert seats == (set() if building["owner"] is None else {f"f-seat{building['owner']}"})
        lit = any("f-lit" in element.get("class", "") and element.tag == f"{SVG}rect" for element in group.iter())
        assert lit == building.get("active", False)


@given(positions)
def test_seats_tiles_and_bishop(at: dict[str, Any]) -> None:
    root = drawn(at)
    buildings = [b for village in at["villages"] for b in village["buildings"]]
    seats = groups(root, "seat")
    assert [int(group.get("data-seat")) for group in seats] == list(range(at["players"]))
    for seat, group in enumerate(seats):
        who, numbers = read_seat(group)
        assert who == f"{SEAT_LETTERS[seat]} (seat {seat})" + (", to move" if at["to_move"] == seat else "")
        own = Counter(b["kind"] for b in buildings if b["owner"] == seat)
        inns = sum(b["owner"] == seat and b["active"] for b in buildings if b["kind"] == "inn")
        expected = {
            "coins": at["coins"][seat],
            "income": inns + own["church"] * (at["bishop"] == seat),
            "figures in hand": at["figures"][seat],
            **{ENGLISH(f"kind.{kind}"): own[kind] for kind in SHOPS},
            "churches": own["church"],
            "active inns": inns,
            "farms": own["farm"],
            "town halls": own["town_hall"],
            "flour": at["flour"][seat],
            "glass": at["glass"][seat],
        }
        tiles = {"special action tile": at["special"][seat], "bishop": at["bishop"] == seat}
        assert numbers == expected | {name: 1 for name, has in tiles.items() if has}
        shown = texts(group)
        assert shown[:4] == [SEAT_LETTERS[seat], f"seat {seat}", str(expected["coins"]), f"+{expected['income']}"]
        assert shown[4:] == [str(number) for name, number in expected.items() if name not in ("coins", "income")]
        assert len(groups(group, "special")) == at["special"][seat]
        assert len(groups(group, "bishop")) == (at["bishop"] == seat)
    holders = [group.get("data-seat") for group in groups(root, "bishop")]
    if at["bishop"] is not None:
        assert holders == [str(at["bishop"])]
    else:
        assert holders == ([] if at["over"] else [None])
    supplies = [group.get("data-supply") for group in groups(root, "special") if "data-seat" not in group.attrib]
    assert supplies == ([] if at["over"] else [str(at["special_supply"])])


@given(positions)
def test_turn_bank_and_dice(at: dict[str, Any]) -> None:
    root = drawn(at)
    dice = groups(root, "die")
    assert [int(die.get("data-die")) for die in dice] == list(range(len(at["dice"])))
    for die, number in zip(dice, at["dice"], strict=True):
        assert (die.get("data-number"), die.get("aria-label")) == (str(number), f"die showing {number}")
        assert len(list(die.iter(f"{SVG}circle"))) == number
    shown = texts(root)
    assert f"bank {at['bank']}".replace("-", "−") in shown
    told = root.get("aria-label")
    assert told.startswith(f"Turn {at['turn']}: ")
    if at["over"]:
        assert f"Turn {at['turn']}: game over" in shown
    else:
        assert f"Turn {at['turn']}" in shown
        numbers = " ".join(map(str, at["dice"]))
        assert told.endswith(f": {SEAT_LETTERS[at['to_move']]} (seat {at['to_move']}) to move, unused dice {numbers}")
        spent, made = at["spent_special_this_turn"], at["moves_made"]
        state = "special tile used" if spent else f"to move, {'first move made' if made else 'no move made yet'}"
        assert state in shown


@settings(max_examples=10)
@given(st.integers(2, 5), st.integers(0, 10**6))
def test_final_scoring_is_that_of_the_game(players: int, seed: int) -> None:
    at = position_of_random_game(players, seed, 10_000)
    outcome = Game.from_position(at).outcome()
    root = drawn(at)
    (table,) = groups(root, "scoring")
    shown = [text.replace("−", "-") for text in texts(table)]
    rows = shown[shown.index("Σ") + 1 :]
    expected = []
    for seat, row in enumerate(outcome.scoring):
        star = "★" if seat in outcome.winners else ""
        expected += [SEAT_LETTERS[seat] + star, *map(str, row.values())]
        told = ", ".join(f"{name.replace('_', ' ')} {coins}" for name, coins in row.items())
        assert f"{SEAT_LETTERS[seat]} (seat {seat}): {told}" in table.get("aria-label")
    assert rows == expected
    names = " and ".join(f"{SEAT_LETTERS[seat]} (seat {seat})" for seat in outcome.winners)
    end = f"{names} wins" if len(outcome.winners) == 1 else f"{names} share the win"
    assert table.get("aria-label").endswith(end)
    assert root.get("aria-label") == f"Turn {at['turn']}: game over, {end}"


@given(positions, st.sampled_from(sorted(LANGUAGES)))
def test_every_text_can_be_read_on_a_small_laptop(at: dict[str, Any], language: str) -> None:
    """There the drawing is 874 pixels wide."""

    def sizes(element: ET.Element, scale: float) -> Iterator[float]:
        scale *= float((re.findall(r"scale\(([0-9.]+)\)", element.get("transform", "")) or [1])[0])
        if element.tag == f"{SVG}text":
            yield scale * float(element.get("font-size", 0)) * 874 / WIDTH
        for child in element:
            yield from sizes(child, scale)

    assert min(sizes(ET.fromstring(board_svg(at, language=language)), 1)) >= 11.99


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_key_names_the_kinds_and_what_they_pay(players: int) -> None:
    shown = texts(drawn(position(players=players)))
    pays = [text for text in shown if text.startswith(("end:", "at once:", "1 a turn")) or " each, " in text]
    if players > 2:
        assert pays == []
    if players == 5:
        assert "bakery" not in shown
        return
    for kind, total in TOTALS.items():
        assert shown[shown.index(kind.replace("_", " ")) - 1] == str(total)
    if players > 2:
        return
    one_to_four = "/".join(map(str, rules._SHOP_SETS[1:]))
    assert pays[:4] == [f"end: sets pay {one_to_four}"] * 4
    assert pays[4:6] == [f"{each} each, once all are taken" for each in (rules._FLOUR_PAYS, rules._GLASS_PAYS)]
    assert len(pays) == len(TOTALS)


def test_dice_that_are_to_be_rolled() -> None:
    game = Game.new(2, SIX, seed=1)
    root = ET.fromstring(game._repr_svg_())
    assert root.get("aria-label") == "Turn 1: A (player_0) to move, dice to be rolled"
    assert groups(root, "die") == []
    assert "to roll" in texts(root)


# --- its form ---------------------------------------------------------------------------------------------------


@given(positions, st.sampled_from([None, False, True]), st.booleans())
def test_it_stands_alone_and_does_not_disturb_others(at: dict[str, Any], dark: bool | None, ids: bool) -> None:
    text = board_svg(at, dark=dark, ids=ids)
    root = ET.fromstring(text)
    assert (root.tag, root.get("viewBox")) == (f"{SVG}svg", "0 0 1200 800")
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not attributes & {"id", "href", "style", "{http://www.w3.org/1999/xlink}href"}
    assert not [name for name in attributes if name.startswith("on")]
    assert "url(" not in text
    assert "<script" not in text
    (style,) = root.iter(f"{SVG}style")
    assert style.text == board_css(dark)
    selectors = re.findall(r"([^{};]+)\{(?!\.)", style.text.replace("@media (prefers-color-scheme:dark){", ""))
    assert selectors
    assert all(selector.split()[0] == f".{root.get('class')}" for selector in selectors)
    coloured = set(re.findall(r"\.([fs]-\w+)\{", style.text))
    used = {name for element in root.iter() for name in element.get("class", "").split() if name[1:2] == "-"}
    assert used <= coloured
    names = {element.get("class") for element in root.iter(f"{SVG}g")} - {None}
    meant = {name for name in names if not name.startswith(("f-", "s-"))}
    assert meant == set() if not ids else {"village", "building", "seat"} <= meant
    assert root.get("role") == ("group" if ids else "img")


@given(positions)
def test_without_ids_it_looks_the_same(at: dict[str, Any]) -> None:
    plain = re.sub(r' (class="(?!f-|s-|plot|bv)\w+"|data-\w+="\w+"|role="\w+"|aria-\w+="[^"]*")', "", board_svg(at))
    other = re.sub(r' (role="\w+"|aria-\w+="[^"]*")', "", board_svg(at, ids=False))
    assert re.sub(r"<g>|</g>", "", plain) == re.sub(r"<g>|</g>", "", other)


@given(st.lists(st.text(max_size=30), min_size=3, max_size=3))
def test_names_of_any_kind_are_escaped_and_cut(names: list[str]) -> None:
    at = position_of_random_game(3, 1, 20)
    root = drawn(at, names=names)
    for seat, group in enumerate(groups(root, "seat")):
        shown = texts(group)[1] or ""
        whole = "".join(c if c.isprintable() else "?" for c in names[seat]).strip()
        assert shown == whole or (shown.endswith("…") and whole.startswith(shown[:-1]))
        assert f"{SEAT_LETTERS[seat]} ({whole})" in group.get("aria-label")


@given(st.text("Wm%MA", min_size=20))
def test_long_names_do_not_touch_the_coins(name: str) -> None:
    root = drawn(position(), names=[name, "B"])
    first = groups(root, "seat")[0]
    (shown,) = [e for e in first.iter(f"{SVG}text") if e.text.endswith("…")]
    font = ImageFont.truetype(_fonts()[1], int(shown.get("font-size")))
    coin = first.find(f".//{SVG}circle/..").get("transform")
    left = float(re.match(r"translate\((\S+) ", coin)[1]) - 10
    assert float(shown.get("x")) + font.getlength(shown.text) <= left


def test_marked_buildings_are_those_that_are_named() -> None:
    at = position(villages=SIX)
    root = drawn(at, last=[("farm", 2), ("inn", 5)])
    marked = [
        (group.get("data-kind"), int(group.get("data-village")))
        for group in groups(root, "building")
        if any("s-accent" in element.get("class", "") for element in group.iter())
    ]
    assert marked == [("farm", 2), ("inn", 5)]
    assert "s-accent" not in {name for e in drawn(at).iter() for name in e.get("class", "").split()}


def test_an_outcome_that_is_given_is_drawn_without_reading_the_position() -> None:
    at = position() | {"over": True, "dice": [], "to_move": None, "figures": [1, 13]}
    scoring = tuple(dict(zip(SCORING, row, strict=True)) for row in ((1, 2, 3, 4, 5, 15), (9, 8, 7, 6, 5, 35)))
    outcome = Outcome("no figures", scoring, (1,))
    assert "B (seat 1) wins" in board_svg(at, outcome=outcome)
    assert board_text(at, outcome=outcome).splitlines()[-1].split() == ["B", "seat", "1", *"98765", "35", "winner"]


# --- where things are -------------------------------------------------------------------------------------------


def corners(
    element: ET.Element, name: str, x: float = 0, y: float = 0, scale: float = 1
) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of the cards or cells within groups of this class: left, top, right, bottom."""
    moved = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", element.get("transform", "translate(0 0)"))
    if moved is None:
        return  # something turned, within a building
    x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
    scale *= float(moved[3] or 1)
    if element.get("class") == name:
        box = element.find(f"{SVG}rect")
        left, top = x + scale * float(box.get("x", 0)), y + scale * float(box.get("y", 0))
        yield left, top, left + scale * float(box.get("width")), top + scale * float(box.get("height"))
    for child in element:
        yield from corners(child, name, x, y, scale)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize("most", [1, 11])
def test_nothing_overlaps_and_nothing_is_outside(players: int, number: int, most: int) -> None:
    kinds = list(TOTALS)
    buildings = [{"kind": kind, "owner": None} for kind in kinds[-most:]]
    at = position(players=players) | {"villages": [{"name": f"V{k}", "buildings": buildings} for k in range(number)]}
    root = drawn(at)
    cards = [box for name in ("village", "seat") for box in corners(root, name)]
    cells = list(corners(root, "building"))
    assert (len(cards), len(cells)) == (number + players, number * most)
    for boxes in (cards, cells):
        for k, (left, top, right, bottom) in enumerate(boxes):
            assert 0 < left < right < 1200
            assert 0 < top < bottom < 800
            for other in boxes[:k]:
                assert left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
    width = cells[0][2] - cells[0][0]
    assert width > 40
    for card, row in zip(cards[:number], np.reshape(cells, (number, most, 4)), strict=True):
        assert card[0] <= row[:, 0].min()
        assert row[:, 2].max() <= card[2]
        assert card[1] + 30 <= row[:, 1].min()
        assert row[:, 3].max() <= card[3]


# --- colours ----------------------------------------------------------------------------------------------------


ON = "ink card, ink full, muted card, muted full, accent card, accent full, black coin, black white, white special, "
ON += ", ".join(["white bishop", *(f"black seat{seat}" for seat in range(len(SEAT_COLOURS)))])
"""The pairs of colours in the drawing, of a text and of its background."""


@pytest.mark.parametrize("theme", THEMES)
def test_texts_can_be_read(theme: str) -> None:
    assert stand_out(THEMES[theme], ON, 4.5) == []


@given(positions)
def test_texts_have_colours_that_are_checked(at: dict[str, Any]) -> None:
    root = drawn(at)
    checked = {f"f-{pair.split()[0]}" for pair in ON.split(", ")}
    for group in root.iter(f"{SVG}g"):
        assert group.get("opacity") is None or not texts(group)
    assert {element.get("class") for element in root.iter(f"{SVG}text")} <= checked


def seen(colour: str, matrix: tuple[tuple[float, ...], ...]) -> np.ndarray:
    """A colour as somebody with this deficiency sees it: linear red, green, blue (Viénot and others, 1999)."""
    linear = [(int(colour[k : k + 2], 16) / 255) ** 2.2 for k in (1, 3, 5)]
    return np.clip(np.array(matrix) @ linear, 0, 1) ** (1 / 2.2)


EYES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "no green": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


@pytest.mark.parametrize("matrix", EYES.values(), ids=EYES)
def test_colours_of_the_seats_differ_for_everybody(matrix: tuple[Any, ...]) -> None:
    colours = [seen(colour, matrix) for colour in SEAT_COLOURS]
    for k, one in enumerate(colours):
        for other in colours[:k]:
            assert np.linalg.norm(one - other) > 0.3


def test_themes_have_the_same_names() -> None:
    assert THEMES["light"].keys() == THEMES["dark"].keys()
    assert "prefers-color-scheme" in board_css(None)
    assert all(colour in board_css(None) for theme in THEMES.values() for colour in theme.values())
    assert THEMES["light"]["table"] not in board_css(True)


# --- pixels -----------------------------------------------------------------------------------------------------


def rgb(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


@pytest.fixture(scope="module")
def five() -> dict[str, Any]:
    """Five players on nine villages, each with figures."""
    owners = spread(NINE, farm=(1, 1, 1, 1, 1), inn=(1, 1, 1, 1), manor=(0, 0, 0, 0, 1))
    return position(players=5, villages=NINE, owners=owners, active=["Anschow"], dice=(1, 6), turn=3, bishop=1)


def share(pixels: np.ndarray, colour: str) -> float:
    """The part of the pixels that have exactly this colour."""
    return float((pixels == rgb(colour)).all(axis=-1).mean())


@pytest.mark.parametrize("theme", THEMES)
def test_figures_have_their_colour_and_free_buildings_none(five: dict[str, Any], theme: str) -> None:
    pixels = board_pixels(five, dark=theme == "dark")
    assert pixels.shape == (800, 1200, 3)
    assert pixels.dtype == np.uint8
    assert pixels[3, 3].tolist() == rgb(THEMES[theme]["table"])
    root = drawn(five)
    boxes = list(corners(root, "building"))
    kinds = []
    for group, (left, top, right, bottom) in zip(groups(root, "building"), boxes, strict=True):
        part = pixels[int(top) : int(bottom), int(left) : int(right)]
        _, building = read_building(group)
        shares = [share(part, colour) for colour in SEAT_COLOURS]
        for seat, area in enumerate(shares):
            assert (area > 0.05) == (building["owner"] == seat), building
        lit = share(part, THEMES[theme]["lit"])
        if building["kind"] == "inn":
            kinds.append((building["active"], lit > 0.02))
    assert (True, True) in kinds
    assert (False, False) in kinds
    assert all(active == lit for active, lit in kinds)


def test_the_same_position_gives_the_same_text_and_pixels(five: dict[str, Any]) -> None:
    assert board_svg(five) == board_svg(five)
    first, second = board_pixels(five, width=600), board_pixels(five, width=600)
    assert first.shape == (400, 600, 3)
    np.testing.assert_array_equal(first, second)
    first[:] = 0  # the caller's own
    assert board_pixels(five, width=600).any()
    digests = {hashlib.sha256(board_svg(five | {"bank": bank}).encode()).hexdigest() for bank in (299, 300)}
    assert len(digests) == 2


@pytest.mark.parametrize("missing", ["resvg_py", "PIL", "matplotlib"])
def test_a_missing_package_is_named_with_the_command_that_brings_it(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fonts.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    usual = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
        return usual(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=rf"{missing}.*pip install '.\[render\]'") as caught:
        board_pixels(position())
    assert isinstance(caught.value, ImportError)


# --- who shows it -----------------------------------------------------------------------------------------------


def test_a_game_shows_itself_with_its_names() -> None:
    game = Game.new(2, SIX, seed=1, names=["Ada", "Bo"]).roll()
    assert game._repr_svg_() == board_svg(game.position(), names=["Ada", "Bo"])
    assert Game.from_position(game.position())._repr_svg_() == board_svg(game.position())


def test_every_village_of_the_board_can_be_drawn() -> None:
    for name, village in VILLAGES.items():
        buildings = groups(drawn(position(villages=[name])), "building")
        assert [group.get("data-kind") for group in buildings] == village["buildings"]
