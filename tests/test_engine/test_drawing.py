"""What the drawings of all games are made of: elements, themes, and texts that fit."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import ImageFont

from bohemian_env.engine.drawing import Palette, cut, element, join, names_of, shortened, text
from bohemian_env.engine.errors import BadPosition, BadSetup
from bohemian_env.engine.pixels import _fonts
from bohemian_env.games import GAMES, rules_of


def test_an_element_has_its_attributes_in_their_order() -> None:
    drawn = element("path", class_="f-ink", stroke_width=2.5, fill=None, d='M0 0"<', **{"data-x": 3})
    assert drawn == '<path class="f-ink" stroke-width="2.5" d=\'M0 0"&lt;\' data-x="3"/>'
    assert element("g", "") == "<g></g>"
    assert element("g", drawn, x=1 / 3) == f'<g x="0.333333">{drawn}</g>'
    assert text(1, 2, "<&>", 16.5) == '<text x="1" y="2" font-size="16.5" class="f-ink">&lt;&amp;&gt;</text>'


def test_a_palette_has_a_style_sheet_for_each_theme() -> None:
    palette = Palette("a", {"one": "#000000 #ffffff", "two": "#123456"}, strokes=("two",))
    rules = ".a-{0} .f-one{{fill:{1}}}.a-{0} .f-two{{fill:{2}}}.a-{0} .s-two{{stroke:{2}}}"
    assert palette.css(True) == rules.format("dark", "#ffffff", "#123456")
    assert palette.css(False) == rules.format("light", "#000000", "#123456")
    light, dark = (f".a-auto{{--a-one:{one};--a-two:#123456;}}" for one in ("#000000", "#ffffff"))
    both = f"{light}@media (prefers-color-scheme:dark){{{dark}}}"
    assert palette.css(None) == both + rules.format("auto", "var(--a-one)", "var(--a-two)")
    assert ".s-one{stroke:" in Palette("a", palette.themes["dark"]).css(True)
    wrong: Any = 1
    with pytest.raises(BadSetup, match="dark 1 is not True or False"):
        palette.css(wrong)


@pytest.mark.parametrize("names", [["a"], "ab", [1, 2], 5])
def test_names_are_a_text_for_each_seat(names: Any) -> None:
    with pytest.raises(BadSetup, match="are not 2 texts, one for each seat"):
        names_of(names, 2)
    assert names_of(None, 2) == ["seat 0", "seat 1"]
    assert names_of((name for name in ("\u200e Ann ", "\x07")), 2) == ["Ann", "?"]


def test_lines_and_names_of_a_text() -> None:
    assert join([["a ", " b"], [""], ["c"]]) == "a\n b\n\n\n\nc"
    assert [shortened("abcd", longest) for longest in (3, 4, 5)] == ["ab~", "abcd", "abcd"]


@settings(max_examples=200)
@given(st.text(st.characters(max_codepoint=0x24F, exclude_categories=["C", "Z"]), max_size=40), st.integers(40, 250))
@example("00000Ǳ", 71)
@example("r" * 40, 150)
@example("{" * 40, 150)
def test_names_that_are_cut_keep_to_their_width(name: str, width: int) -> None:
    font = ImageFont.truetype(_fonts()[1], 16)
    shown = cut(name, width, 16)
    assert font.getlength(shown) <= width
    assert shown == name or shown.endswith("…")
    assert cut("Bracholnitz", 150, 16) == "Bracholnitz"
    assert cut(name * 10_000, width, 16) == cut(name * 1000, width, 16)  # and soon


@pytest.mark.parametrize("game", GAMES)
def test_every_game_draws_names_as_they_are_and_refuses_odd_options(game: str) -> None:
    rules = rules_of(game)
    at = rules.game.new(2, seed=1).dealt().position()
    drawn = rules.draw_svg(at, names=["<b>&\x07", "\u200e Ann "])
    assert not [one for one in ET.fromstring(drawn).iter() if one.tag.endswith("}b")]
    assert "&lt;b&gt;&amp;?" in drawn
    assert ">Ann</text>" in drawn
    assert "<b>&?" in rules.draw_text(at, names=["<b>&\x07", "x"])
    for draw in (rules.draw_text, rules.draw_svg):
        for options in ({"names": ["a"]}, {"names": "ab"}, {"names": [1, 2]}, {"outcome": 5}):
            with pytest.raises(BadSetup):
                draw(at, **options)
        odd: tuple[Any, ...] = (None, [], "position", 7)
        for wrong in odd:
            with pytest.raises(BadPosition):
                draw(wrong)
    for more in ({"dark": "yes"}, {"ids": None}):
        with pytest.raises(BadSetup):
            rules.draw_svg(at, **more)
