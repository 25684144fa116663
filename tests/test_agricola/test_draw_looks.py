"""How the drawing of Agricola looks: inside its frame, without colour, and with colours that stand out."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bohemian_env.agricola.draw import draw_svg
from bohemian_env.agricola.draw.palette import PALETTE, THEMES
from bohemian_env.agricola.draw.scene import Land
from bohemian_env.agricola.draw.shapes import CELL, cell, sign
from bohemian_env.agricola.pieces import GOODS
from bohemian_env.engine.drawing import moved
from bohemian_env.engine.pixels import pixels_of
from tests.pictures import is_inside, stand_out
from tests.test_agricola.positions_drawn import POSITIONS
from tests.test_agricola.test_draw import SVG, everywhere


@pytest.mark.slow
@everywhere
@pytest.mark.parametrize("letter", ["W", "Ǆ", "m"])
def test_nothing_is_outside_the_picture(at: dict[str, Any], letter: str) -> None:
    assert is_inside(draw_svg(at, names=[letter * 200] * at["players"], dark=False))


@everywhere
def test_between_the_cards_there_is_only_the_table(at: dict[str, Any]) -> None:
    """Nothing that a farm shows is beside its card, also with long names and many people, rooms and majors."""
    full = {"people": 5, "placed": 5, "begging": 40, "well": 5, "material": "stone"}
    at = at | {"farms": [farm | full for farm in at["farms"]]}
    at = at | {"majors": [entry | {"owner": at["players"] - 1} for entry in at["majors"]]}
    svg = draw_svg(at, names=["W" * 200] * at["players"], dark=False)
    pixels, table = pixels_of(svg, 1200), np.array([*bytes.fromhex(THEMES["light"]["table"][1:])])
    for name in ("farm", "scores"):
        pattern = (
            rf'translate\((\S+) (\S+)\)"><g id="{name}[^>]*><title>[^<]*</title><rect width="(\S+)" height="(\S+)"'
        )
        found = re.findall(pattern, svg)
        assert len(found) == (at["players"] if name == "farm" else 1)
        for told in found:
            x, y, width, height = map(float, told)
            right, below = round(x + width + 5), round(y + height + 5)
            assert (pixels[round(y) : round(y + height), right] == table).all()
            assert (pixels[min(below, 797), round(x) : round(x + width)] == table).all()


def test_names_that_fit_are_not_cut() -> None:
    for name in ("player_0", "Bertram Müller"):
        root = ET.fromstring(draw_svg(POSITIONS["five"], names=[name] * 5))
        texts = [text.text for text in root.iter(f"{SVG}text")]
        assert texts.count(name) == 5
        assert f"{name} decides: resources-or-growth" in texts


def greys(shapes: list[str], half: int) -> list[np.ndarray]:
    """Shapes around the origin without their colours, two pixels a unit: (4 half, 4 half) each."""
    drawn = "".join(moved(shape, 100 * (place + 1), 100, 2) for place, shape in enumerate(shapes))
    image = Image.fromarray(pixels_of(PALETTE.drawing(drawn, False, False))).convert("L")
    grey, side = np.asarray(image, dtype=int), 2 * half
    return [grey[100 - side : 100 + side, x - side : x + side] for x in range(100, 100 * len(shapes) + 1, 100)]


def shared(masks: list[np.ndarray]) -> Iterator[float]:
    """How much of what is dark in one of two shapes is dark in both, for each two."""
    for one, other in combinations(masks, 2):
        yield (one & other).sum() / max((one | other).sum(), 1)


def test_goods_have_signs_that_differ_without_colour() -> None:
    masks = [grey < 110 for grey in greys([sign(good) for good in GOODS], 10)]
    assert min(mask.mean() for mask in masks) > 0.05
    assert max(shared(masks)) < 0.5


def test_kinds_of_cells_have_patterns_that_differ_without_colour() -> None:
    kinds = ("wood", "clay", "stone", "field", "pasture", "unused")
    lands = [Land("a1", kind, False, None, 0) for kind in kinds] + [Land("a1", "unused", True, None, 0)]
    masks = []
    for grey in greys([moved(cell(land), -CELL / 2, -CELL / 2) for land in lands], CELL // 2 - 2):
        masks.append(grey < np.bincount(grey.ravel()).argmax() - 25)  # darker than the ground, however light this is
    assert [bool(mask.any()) for mask in masks] == [kind != "unused" for kind in kinds] + [True]
    assert max(shared(masks)) < 0.5


TEXTS = "ink card, muted card, muted table, accent card, black badge, black seat0, black seat1, black seat2, "
TEXTS += "black seat3, black seat4"
MARKS = (
    "ear badge, reed badge, bristle badge, barn badge, fence wild, fence pasture, fence badge, fence soil, "
    "fence timber, "
    "fence clay, fence stone, seam timber, seam clay, seam stone, seam soil, grass wild, grass pasture, black log, "
    "black brick, black rock, black carrot, black bowl, black hide, black wild, black pasture"
)


@pytest.mark.parametrize("theme", THEMES)
def test_what_carries_meaning_stands_out(theme: str) -> None:
    assert [*stand_out(THEMES[theme], TEXTS, 4.5), *stand_out(THEMES[theme], MARKS, 3)] == []
