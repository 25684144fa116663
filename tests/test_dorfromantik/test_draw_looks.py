"""How the drawing of Dorfromantik looks: inside its frame, without colour, and with colours that stand out."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bohemian_env.dorfromantik.draw import draw_svg
from bohemian_env.dorfromantik.draw.palette import THEMES
from bohemian_env.dorfromantik.draw.shapes import RADIUS
from bohemian_env.engine.pixels import pixels_of
from tests.pictures import is_inside, stand_out
from tests.test_dorfromantik.test_draw import SVG, everywhere, laid


@pytest.mark.slow
@everywhere
@pytest.mark.parametrize("letter", ["W", "Ǆ", "m"])
def test_nothing_is_outside_the_picture(at: dict[str, Any], letter: str) -> None:
    assert is_inside(draw_svg(at, names=[letter * 200] * at["players"], dark=False))


def test_of_many_open_tasks_some_lines_are_left_out() -> None:
    tiles = [f"{kind}{number}" for kind in "WG" for number in range(1, 6)]
    at = laid(*tiles) | {"open": [{"tile": tile, "number": 12} for tile in tiles]}
    groups = [str(group.get("id")) for group in ET.fromstring(draw_svg(at)).iter(f"{SVG}g")]
    assert [name for name in groups if name.startswith("marker-")] == [f"marker-{tile}" for tile in tiles]
    assert [name for name in groups if name.startswith("line-")] == [f"line-{tile}" for tile in tiles[:5]]
    assert "and 5 more" in draw_svg(at)
    test_nothing_is_outside_the_picture(at, "x")


def test_forest_grain_and_village_have_signs_that_differ_without_colour() -> None:
    svg, masks = draw_svg(laid("W3", "G1", "V3"), dark=False), []
    grey = np.array(Image.fromarray(pixels_of(svg, 2400)).convert("L")).astype(int)
    for x, y, scale in re.findall(r'translate\((\S+) (\S+)\) scale\((\S+)\)"><g id="cell', svg):
        half, column, row = (round(2 * value) for value in (float(scale) * RADIUS * 0.55, float(x), float(y)))
        part = grey[row - half : row + half, column - half : column + half]
        masks.append(part < np.bincount(part.ravel()).argmax() - 40)  # darker than the ground, however light this is
    for one, other in combinations(masks, 2):
        assert min(one.mean(), other.mean()) > 0.05
        assert (one & other).sum() / (one | other).sum() < 0.5


TEXTS = "ink card, muted card, muted table, accent card, black badge, badge flag"
MARKS = (
    "tree forest, tree meadow, tree badge, ear grain, ear meadow, ear badge, roof village, roof meadow, roof wall, "
    "roof badge, rail bed, rail badge, stream bed, stream badge, wave stream, flag badge, black badge, seam meadow"
)


@pytest.mark.parametrize("theme", THEMES)
def test_what_carries_meaning_stands_out(theme: str) -> None:
    assert [*stand_out(THEMES[theme], TEXTS, 4.5), *stand_out(THEMES[theme], MARKS, 3)] == []
