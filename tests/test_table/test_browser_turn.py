"""A turn in a browser: what is picked and clicked, what is held, advice, and keys."""

import itertools
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bohemian_env.games import GAMES

from .browsing import IN_BROWSER, OpenPage, lines, my_turn, play_out, set_speed

pytestmark = [*IN_BROWSER, pytest.mark.slow]


OFFERED = "#options button:enabled, #board .could, #board .can, #panels .could, #acts [data-act]:enabled"
"""Whatever can be clicked: parts, lines and buttons."""


def sit_down(open_page: OpenPage, game: str, **options: Any) -> Page:
    """Begin the guided game, which is quick, and leave the guide."""
    page = open_page.front(f"?game={game}", **options)
    page.locator("#learn").click()
    page.locator("#board .could").first.wait_for()
    set_speed(page, "once")
    return page


def click_on(page: Page, until: str, most: int) -> None:
    """Click whatever is offered until something is there, at most so often."""
    rng = random.Random(1)
    for _ in range(most):
        page.locator(f"{until}, body:not(.thinking, .busy)").first.wait_for()
        if page.locator(until).count():
            break
        things = page.locator(OFFERED)
        things.nth(rng.randrange(things.count())).dispatch_event("click")
        page.locator("body:not(.busy)").wait_for()


# --- every game -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_clicking(open_page: OpenPage, game: str) -> None:
    """Then the review comes, and the same game by an agent."""
    page = sit_down(open_page, game)
    click_on(page, "body.over", 1000)
    expect(page.locator("#finished a").first).to_be_visible()
    expect(page.locator("#beside-agent a")).to_be_visible()
    page.goto(f"{page.url.partition('#')[0]}/review")
    page.locator("body:not(.provisional) #standing b").first.wait_for()
    assert page.locator("#chart .area, #chart .course").count()
    expect(page.locator("#said b").first).to_have_text(re.compile("^[A-Z]"))  # in words, not in notation
    page.locator("#next").click()
    expect(page.locator("#where")).to_contain_text("1")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (800, 900), (390, 800), (900, 450)])
@pytest.mark.parametrize("game", GAMES)
def test_no_part_of_a_turn_covers_another(open_page: OpenPage, game: str, width: int, height: int) -> None:
    page = open_page.kept([] if game == "dorfromantik" else ["greedy"], moves=8, game=game, width=width, height=height)
    page.locator("#board .could").first.wait_for()
    places = {}
    for name in ("status", "panels", "chips", "preview", "acts", "room"):  # #done may stand where #preview has no text
        if (box := page.locator(f"#{name}").bounding_box()) and box["height"] > 1:
            places[name] = [(box["x"], box["x"] + box["width"]), (box["y"], box["y"] + box["height"])]
    assert len(places) > 2
    for (one, its), (other, others) in itertools.combinations(places.items(), 2):
        shared = [min(a[1], b[1]) - max(a[0], b[0]) for a, b in zip(its, others, strict=True)]
        assert min(shared) < 1, (one, other, its, others)


@pytest.mark.parametrize("game", GAMES)
def test_a_turn_is_held_until_it_is_confirmed(open_page: OpenPage, game: str) -> None:
    page = sit_down(open_page, game, confirm=True)
    click_on(page, "body.held", 30)
    expect(page.locator("#done")).to_be_enabled()
    told = lines(page)
    page.keyboard.press("z")
    expect(page.locator("body.held")).to_have_count(0)
    assert lines(page) < told
    page.reload()
    page.locator("#board .could").first.wait_for()


def test_a_tile_is_turned_and_moved_before_it_is_fixed(open_page: OpenPage) -> None:
    page = open_page.kept([], moves=8, game="dorfromantik", confirm=True)
    page.locator("#board .could").first.click()
    page.locator("body.held").wait_for()
    page.keyboard.press("Enter")
    expect(page.locator("body.held")).to_have_count(0)
    page.locator("#board .could:not([data-ways='1'])").first.click()
    page.locator("body.held").wait_for()
    drawn = "[...document.querySelectorAll('#board [data-tile]')].map((one) => one.outerHTML).join()"
    before = page.evaluate(drawn)
    page.keyboard.press("r")
    page.wait_for_function(f"before => {drawn} !== before", arg=before, timeout=10_000)
    assert page.locator("body.held").count() == 1
    page.locator("body:not(.busy)").wait_for()
    laid = page.locator("#log > li").last.inner_text()
    page.locator("#board .could[id^=empty-]").last.click()  # not the tile that lies
    expect(page.locator("#log > li").last).not_to_have_text(laid)
    page.locator("body:not(.busy)").wait_for()
    count = lines(page)
    page.keyboard.press("Enter")
    expect(page.locator("body.held")).to_have_count(0)
    assert lines(page) == count


def test_a_tile_is_turned_before_it_is_laid(open_page: OpenPage) -> None:
    """By button, key and wheel: in the hand and where one points, in the rotations that the server offers there."""
    page = open_page.kept([], moves=8, game="dorfromantik", confirm=True)  # a stream is to be laid
    page.locator("#board .could").first.wait_for()
    hand, ghost = (page.locator(name) for name in ("#hand", "#board .preview"))
    first = hand.inner_html()
    page.locator("#variant").click()
    expect(page.locator("#board .other-way").first).to_be_attached()  # which takes the tile otherwise
    assert hand.inner_html() != first
    cell = page.locator("#board .could:not([data-ways='1'])").first
    ways = int(cell.get_attribute("data-ways"))
    cell.hover()
    seen, told = [ghost.inner_html()], [page.locator("#inspected").inner_text()]
    for _ in range(ways):
        page.keyboard.press("r")
        assert hand.inner_html() == ghost.inner_html()
        seen.append(ghost.inner_html())
        told.append(page.locator("#inspected").inner_text())
    assert (seen[-1], told[-1]) == (seen[0], told[0])  # all the way round
    assert len({*seen}) == len({*told}) == ways
    page.mouse.wheel(0, 100)
    expect(page.locator("#inspected")).to_have_text(told[1])
    cell.click()
    page.locator("body.held").wait_for()
    laid = re.search(r" r(\d)", page.locator("#log .notation").last.text_content())
    assert f"rotation {laid[1]}" in told[1]
    expect(page.locator("#log > li").last.locator("svg > *").first).to_be_attached()  # a picture of it
    expect(page.locator("#log > li svg")).to_have_count(9)
    assert page.locator("#log > li svg").last.inner_html() in page.locator("#board [data-at]").first.inner_html()


# --- Bohemian Villages ------------------------------------------------------------------------------------------


def test_picked_dice_light_up_what_they_can_do_and_a_click_takes_one_back(open_page: OpenPage) -> None:
    page = open_page.prepared(
        lambda view: any(len(move["with"]) == 2 and move["at"] and not move["asks"] for move in view["legal"])
    )
    page.locator("#chips button").nth(0).click()
    page.locator("#chips button").nth(1).click()
    expect(page.locator("#chips button.picked")).to_have_count(2)
    listed = page.locator("#options button").count()
    assert page.locator("#board .can").count() == listed
    page.locator("#chips button").nth(1).click()
    expect(page.locator("#chips button.picked")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#chips button.picked")).to_have_count(0)


def test_somebody_is_kicked_out_only_after_a_question(open_page: OpenPage) -> None:
    page = open_page.prepared(lambda view: any(move.get("asks") for move in view["legal"]))
    before = lines(page)
    page.locator("#board .asks-part").first.click()
    expect(page.locator("#options button").first).to_be_focused()
    assert lines(page) == before
    page.locator("#options button").first.click()
    expect(page.locator("#log > li").nth(before)).to_be_attached()


def test_advice_comes_in_two_steps_and_a_costly_move_is_warned_of(open_page: OpenPage) -> None:
    page = open_page.prepared(lambda view: len(view["legal"]) > 20)
    page.keyboard.press("h")
    page.locator("#advice li").first.wait_for()
    first = page.locator("#advice").inner_text()
    assert page.locator("#board .advised, #acts .advised").count() >= 1
    page.keyboard.press("h")
    page.wait_for_timeout(100)
    assert page.locator("#advice").inner_text() != first
    page.evaluate("document.getElementById('side').open = true")
    page.locator("#warn").check()
    before = lines(page)
    for place in range(page.locator("#board .could").count()):  # one of them is costly
        page.locator("#board .could").nth(place).click()
        page.locator("body:not(.busy)").wait_for()
        if page.locator("#warning button").count() or lines(page) != before:
            break
        page.keyboard.press("Escape")
    if page.locator("#warning button").count():
        expect(page.locator("#warning")).to_contain_text("costs about")
        page.keyboard.press("Escape")
        expect(page.locator("#warning button")).to_have_count(0)
        assert lines(page) == before


def test_single_keys_can_be_switched_off(open_page: OpenPage) -> None:
    page = open_page.begun()
    page.evaluate("document.getElementById('side').open = true")
    page.locator("#keys").uncheck()
    page.keyboard.press("1")
    expect(page.locator("#chips button.picked")).to_have_count(0)
    page.reload()
    assert my_turn(page)
    page.keyboard.press("1")
    expect(page.locator("#chips button.picked")).to_have_count(0)


def test_what_others_did_is_told_in_words(open_page: OpenPage) -> None:
    page = open_page.begun(3)
    for _ in range(20):  # a person may move several times in a turn, and then no other one's move is to be told
        play_out(page, turns=1)
        assert my_turn(page)
        if "rolls" in page.locator("#told").inner_text():
            break
    else:
        raise AssertionError(page.locator("#told").inner_text())
    assert page.locator("#log.in-words").count() == 1
