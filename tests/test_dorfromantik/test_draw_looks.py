"""How the drawing of Dorfromantik looks: inside its frame, without colour, and with colours that stand out."""

from __future__ import annotations

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
from tests.test_dorfromantik.test_draw import POSITIONS, SVG, everywhere, laid


@everywhere
@pytest.mark.parametrize("letter", ["W", "Ǆ", "m"])
def test_nothing_is_outside_the_picture(at: dict[str, Any], letter: str) -> None:
    svg = draw_svg(at, names=[letter * 200] * at["players"], dark=False)
    size, more = ('viewBox="0 0 1200 800" width="1200" height="800"', 'viewBox="-100 -100 1400 1000"')
    pixels = pixels_of(svg.replace(size, more), 1400)
    assert (pixels[105, 105] != pixels[0, 0]).any()
    pixels[100:900, 100:1300] = pixels[0, 0]
    assert (pixels == pixels[0, 0]).all()


def test_names_that_fit_are_not_cut() -> None:
    for name in ("player_0", "Bertram Müller"):
        texts = [
            text.text for text in ET.fromstring(draw_svg(POSITIONS["begin"], names=[name, name])).iter(f"{SVG}text")
        ]
        assert texts.count(name) == 3  # both seats, and the one to move


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


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [part / 255 for part in bytes.fromhex(colour[1:])]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


TEXTS = "ink card, muted card, muted table, accent card, black badge, badge flag"
MARKS = (
    "tree forest, tree meadow, tree badge, ear grain, ear meadow, ear badge, roof village, roof meadow, roof wall, "
    "roof badge, rail bed, rail badge, stream bed, stream badge, wave stream, flag badge, black badge, seam meadow"
)


@pytest.mark.parametrize("theme", THEMES)
def test_what_carries_meaning_stands_out(theme: str) -> None:
    for pairs, least in ((TEXTS, 4.5), (MARKS, 3)):
        for one, other in map(str.split, pairs.split(", ")):
            assert contrast(THEMES[theme][one], THEMES[theme][other]) >= least, (one, other)
