"""What teaches at the table, in a real browser: the guided game, the rules, three languages; and who can use it."""

import random
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from bohemian_env.engine.words import LANGUAGES
from bohemian_env.games import GAMES
from table.room import room_of
from tests.pictures import contrast

from .browsing import IN_BROWSER, OpenPage, Server, act, kept, my_turn, set_speed

pytestmark = [*IN_BROWSER, pytest.mark.slow]

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def violations(page: Page) -> list[tuple[str, str]]:
    """What axe-core finds against the rules of accessibility: the rule, and the first element."""
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": [*RULES]}}).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:120]) for one in found]


LOOKS: list[dict[str, Any]] = [
    {"width": 1280, "height": 800, "color_scheme": "light"},
    {"width": 390, "height": 844, "color_scheme": "dark", "has_touch": True},
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("look", LOOKS, ids=["desktop, light", "phone, dark"])
def test_no_screen_breaks_a_rule_of_accessibility(
    open_page: OpenPage, server: Server, look: dict[str, Any], game: str
) -> None:
    over = kept(server, ["greedy"], game=game)
    page = open_page(**look, reduced_motion="reduce", confirm=True)
    page.goto(f"{server.address}/?game={game}")
    page.locator("#setup").wait_for()
    page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
    assert violations(page) == []  # with a finished game in the list
    page.locator("#learn").click()
    page.locator("#board .could").first.wait_for()
    assert violations(page) == []  # with the guide
    page.evaluate("for (const box of document.querySelectorAll('#side, #panels details')) box.open = true")
    page.locator("#warn").check()
    for chip in page.locator("#chips button:enabled").all()[:2]:
        chip.click()
    page.locator("#hint").click()
    page.locator("#advice li").first.wait_for()
    assert violations(page) == []  # with options and advice
    page.locator("#open-rules").dispatch_event("click")  # in a menu on phones
    assert violations(page) == []
    page.goto(over)
    page.locator("#beside-agent a").wait_for()
    assert violations(page) == []
    page.goto(f"{server.address}{page.locator('#beside-agent a').get_attribute('href')}")
    page.locator("#skill-rows tr").first.wait_for()
    assert violations(page) == []  # beside the same game by an agent, where one can be


def test_the_rules_of_accessibility_can_be_broken(open_page: OpenPage) -> None:
    page = open_page.front()
    page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<input><button></button>')")
    assert {"button-name", "label"} <= {rule for rule, _ in violations(page)}


def test_dice_and_seats_keep_their_colours_where_the_reader_sets_all_others(open_page: OpenPage) -> None:
    page = open_page.begun(forced_colors="active", reduced_motion="reduce")
    page.keyboard.press("1")
    colour = "node => getComputedStyle(node).backgroundColor"
    picked, other, pip = (
        page.locator(f"#chips {part}").first.evaluate(colour) for part in (".picked", "button:not(.picked)", "i")
    )
    assert len({picked, other, pip}) == 3
    dots = page.locator(".figure").evaluate_all(f"nodes => nodes.map({colour})")
    assert len({*dots}) >= 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_stands_in_an_empty_field_can_be_read(open_page: OpenPage, scheme: Any) -> None:
    page = open_page.front(color_scheme=scheme)
    colours = """node => [getComputedStyle(node, "::placeholder").color, getComputedStyle(node).backgroundColor]"""
    parts = [map(int, re.findall(r"\d+", text)) for text in page.locator("#seed").evaluate(colours)]
    assert contrast(*(f"#{bytes(colour).hex()}" for colour in parts)) >= 4.5  # WCAG 2, 1.4.3


def test_a_guided_game_goes_on_with_the_game(open_page: OpenPage) -> None:
    """Each step is shown when the game has come to it; those that only tell have a button."""
    page = open_page.front()
    page.locator("#learn").click()
    text = page.locator("#guide-text")
    text.wait_for()
    expect(text).to_contain_text("1/13 These are your four dice")
    set_speed(page, "once")
    page.keyboard.press("1")
    expect(text).to_contain_text("1/13")
    page.keyboard.press("2")
    expect(text).to_contain_text("2/13")
    page.keyboard.press("Escape")
    rng = random.Random(1)
    for _ in range(12):
        assert my_turn(page)
        if re.match(r"([5-9]|1\d)/", text.inner_text()):
            break
        act(page, rng)
    for step in range(5, 12):
        expect(text).to_contain_text(f"{step}/13")
        if step == 7:
            page.reload()
            expect(text).to_contain_text("7/13")
        page.get_by_role("button", name="Next").click()
        expect(page.locator("#guide button").first).to_be_focused()
    expect(text).to_contain_text("12/13 Play on to the end")
    page.get_by_role("button", name="End the guide").click()
    expect(page.locator("#guide")).to_be_hidden()
    expect(page.locator("#chips button:enabled").first).to_be_focused()
    page.reload()
    assert my_turn(page)
    expect(page.locator("#guide")).to_be_hidden()


def test_the_rules_are_at_hand(open_page: OpenPage) -> None:
    page = open_page.begun()
    page.get_by_role("button", name="Rules").click()
    rules = page.locator("#rules")
    expect(rules).to_contain_text("put a figure on a free building with that total")
    expect(rules.locator("tbody tr")).to_have_count(11)
    assert len({drawn.inner_html() for drawn in rules.locator("tbody tr svg.mini").all()}) == 11
    expect(rules.locator("tbody tr").nth(7)).to_contain_text("R18")
    page.keyboard.press("1")  # no die is picked behind it
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    expect(page.locator("#chips .picked")).to_have_count(0)


def test_the_guide_follows_those_who_are_ahead_of_it(open_page: OpenPage) -> None:
    page = open_page.front()
    page.locator("#learn").click()
    page.locator("#guide-text").wait_for()
    expect(page.locator("#guide-text")).to_contain_text("1/13")
    act(page, random.Random(1))  # a building, without picking dice before
    expect(page.locator("#guide-text")).not_to_contain_text("1/13")
    expect(page.locator("#guide-text")).not_to_contain_text("2/13")


def test_the_guide_comes_to_its_end_with_the_game(open_page: OpenPage) -> None:
    """Also for somebody who left it at a step that waits for a button."""
    page = open_page.kept(["greedy"], then="#guide-5")
    expect(page.locator("#guide-text")).to_contain_text("13/13")


def test_the_guide_opens_the_tab_that_it_speaks_of(open_page: OpenPage) -> None:
    """On phones, where the board comes in tabs and one shows what can be done."""
    page = open_page.kept(["greedy"], moves=0, game="agricola", then="#guide-2", width=390, height=844)
    expect(page.locator("#tab-spaces")).to_be_visible()
    for text, tab in (("3/12", "own"), ("4/12", "own"), ("5/12", "spaces")):
        page.get_by_role("button", name="Next").click()
        expect(page.locator("#guide-text")).to_contain_text(text)
        expect(page.locator(f"#tab-{tab}")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_played_in_the_language_of_the_browser(open_page: OpenPage, language: str) -> None:
    """From the setting up to the review; none of the words of another language is seen."""
    words = room_of("villages").words(language)
    page = open_page.front(locale=language)
    assert page.locator("html").get_attribute("lang") == language
    page.get_by_role("button", name=words("front.play"), exact=True).click()
    page.locator("#board .building").first.wait_for()
    set_speed(page, "once")
    assert my_turn(page)
    expect(page.locator("#status")).to_have_text(words("happens.your_turn"))
    expect(page.locator("#preview")).to_have_text(words("page.pick"))
    page.locator("#chips button").first.click()
    page.locator("#hint").click()
    expect(page.locator("#advice")).to_contain_text(words("page.advice_first"))
    percent = rf"\d+{re.escape(words('decimal_mark'))}\d{words('percent_sign')}"
    assert re.fullmatch(percent, page.locator("#advice b").first.text_content())
    page.goto(f"{page.url}/review")
    page.locator("#chart svg").wait_for()
    expect(page.locator("#skill caption")).to_have_text(words("review.skill"))
    expect(page.locator("#run")).to_have_text(words("page.play"))


def test_the_language_can_be_set_and_stays(open_page: OpenPage, server: Server) -> None:
    page = open_page.front(locale="en")
    page.locator("#play:enabled").wait_for()  # the script listens
    page.locator("#language").select_option("it")
    expect(page.locator("h1")).to_have_text("Villaggi della Boemia")
    page.goto(server.address)
    expect(page.locator("h1")).to_have_text("Villaggi della Boemia")
    expect(page.locator("#language")).to_have_value("it")
