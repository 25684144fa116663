"""A turn at the page, in a real browser: picking dice, what is shown before a move, taking it back, advice."""

from __future__ import annotations

import random
import re
import time
from typing import Any

import pytest
from playwright.sync_api import expect

from table.session import Session
from table.store import Store

from .browsing import set_speed, IN_BROWSER, OpenPage, Server, act, at, begin, kept, lines, my_turn, play_out, prepared

pytestmark = [*IN_BROWSER, pytest.mark.slow]


def test_picked_dice_light_up_what_they_can_do_and_a_click_takes_one_back(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    dice = page.locator("#chips button")
    dice.nth(0).click()
    dice.nth(1).click()
    expect(page.locator("#chips button.picked")).to_have_count(2)
    lit = page.locator("#board .building.can").count()
    assert lit == page.locator("#options button").count()
    dice.nth(1).click()
    expect(page.locator("#chips button.picked")).to_have_count(1)
    expect(page.locator("#board .building.can")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#chips button.picked")).to_have_count(0)
    marked = page.locator("#board .building[tabindex]").first
    marked.hover()
    assert page.locator("#chips button.reach").count() >= 2
    expect(page.locator("#inspected")).to_contain_text("Take the")
    expect(page.locator("#preview")).to_have_text("Pick dice or click a marked building.")


BOXES = """() => [...document.querySelectorAll("#chips button:not([hidden]), #acts button, #room, #preview, #turn")]
    .map((node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x, y, width, height]; })"""


@pytest.mark.parametrize(
    ("width", "height", "touch"),
    [
        *[(1280, 720, False), (390, 844, True)],
        *(
            pytest.param(*size, marks=pytest.mark.slow)
            for size in ((1440, 900, False), (820, 1180, True), (844, 390, True), (640, 360, False))
        ),
    ],
)
def test_nothing_moves_while_dice_are_picked(
    open_page: OpenPage, server: Server, width: int, height: int, touch: bool
) -> None:
    """A control that changes its place turns the next tap into a move that nobody wanted; all are within reach."""
    page = open_page(width, height, has_touch=touch, reduced_motion="reduce")
    begin(page, server)
    assert my_turn(page)
    page.locator("#board .building").first.scroll_into_view_if_needed()
    before, dice = page.evaluate(BOXES), page.locator("#chips button")
    offered = 0
    for places in ((0,), (0, 1), (1,), (1, 2), (1, 2, 3), (0, 3), (0, 1, 2, 3)):
        for place in places:
            dice.nth(place).dispatch_event("click")
            assert page.evaluate(BOXES) == before
        offered += page.locator("#options button").count()
        page.keyboard.press("Escape")
        assert page.evaluate(BOXES) == before
    assert offered
    page.locator("#board .building[tabindex]").last.hover()
    panel, *parts = before
    x, y, w, h = panel
    assert page.evaluate(BOXES)[0][2:] == [w, h]
    for box in parts:
        assert x <= box[0] <= box[0] + box[2] <= x + w
        assert y <= box[1] <= box[1] + box[3] <= min(y + h, height)


def test_the_first_die_says_which_second_goes_with_it(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    page.locator("#chips button").nth(0).click()
    expect(page.locator("#preview")).to_contain_text("goes with it")
    assert page.locator("#chips button.goes").count() >= 1
    assert page.locator("#board .building.could").count() >= 1


def test_with_a_die_picked_the_only_way_to_a_building_is_played(open_page: OpenPage, server: Server) -> None:
    """Unless somebody is kicked out; and of several ways only those are offered that take the die."""

    def to(view: dict[str, Any]) -> dict[tuple[str, int], list[dict[str, Any]]]:
        found: dict[tuple[str, int], list[dict[str, Any]]] = {}
        for move in view["legal"]:
            if move["act"] == "place" and view["dice"][0] in move["dice"]:
                found.setdefault((move["kind"], move["village"]), []).append(move)
        return found

    def only(view: dict[str, Any]) -> list[dict[str, Any]]:
        return [ways[0] for ways in to(view).values() if len(ways) == 1 and ways[0]["kicked"] is None]

    page = open_page(reduced_motion="reduce")
    page.goto(prepared(server, lambda view: bool(only(view))))
    assert my_turn(page)
    view = page.evaluate("() => fetch(`${location.pathname}/view?after=0`).then((answer) => answer.json())")
    before = lines(page)
    page.keyboard.press("1")
    at(page, only(view)[0]).click()
    expect(page.locator("#log > li").nth(before)).to_contain_text(only(view)[0]["move"])


def test_keys_work_where_a_box_was_ticked_last(open_page: OpenPage, server: Server) -> None:
    page = open_page(reduced_motion="reduce")
    begin(page, server)
    assert my_turn(page)
    page.get_by_label("warn me before a costly move").check()
    page.keyboard.press("1")
    expect(page.locator("#chips .picked")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#chips .picked")).to_have_count(0)


def test_a_move_can_be_taken_back_until_dice_fall(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(prepared(server, lambda view: any(len(move["dice"]) == 2 for move in view["legal"])))
    assert my_turn(page)
    back, log = page.get_by_role("button", name="Take back"), page.locator("#log > li").all_inner_texts()
    dice = page.locator("#chips button:visible")
    assert dice.count() == 4
    assert back.is_disabled()

    def place() -> None:
        page.locator("#board .building.could:not(.kicks)").first.click()
        if page.locator("#options button").count():
            page.locator("#options button").first.click()
        expect(back).to_be_enabled()

    place()
    expect(dice).to_have_count(2)
    assert len(page.locator("#log > li").all_inner_texts()) == len(log) + 1
    page.keyboard.press("z")
    expect(back).to_be_disabled()
    expect(dice).to_have_count(4)
    assert page.locator("#log > li").all_inner_texts() == log
    page.reload()
    assert my_turn(page)
    assert page.locator("#log > li").all_inner_texts() == log
    set_speed(page, "once")
    place()
    page.locator("body").press("e")  # dice fall for somebody else
    expect(page.locator("#log > li").nth(len(log) + 2)).to_be_attached()
    assert my_turn(page)
    assert back.is_disabled()


def test_kicking_out_is_shown_before_it_happens(open_page: OpenPage, server: Server) -> None:
    def kicks(view: dict[str, Any]) -> list[dict[str, Any]]:
        return [move for move in view["legal"] if move.get("kicked") is not None]

    url = prepared(server, lambda view: bool(kicks(view)))
    page = open_page()
    page.goto(url)
    assert my_turn(page)
    store = Store(server.data).load(url.rpartition("/")[2])
    move = kicks(Session(store.seating, store.actions).view())[0]
    building, before = at(page, move), lines(page)
    building.hover()
    expect(page.locator("#inspected")).to_contain_text("Kick Grabber out of")
    assert "kicks" in building.get_attribute("class")
    building.click()
    expect(page.locator("#options button.kicks").first).to_contain_text("Kick Grabber out of")
    assert lines(page) == before
    page.locator("#options button").first.click()
    expect(page.locator("#told")).to_contain_text("You kick Grabber out of")


def test_dice_are_rolled_again_by_picking_them(open_page: OpenPage, server: Server) -> None:
    url = prepared(
        server, lambda view: any(move["act"] == "reroll" and len(move["dice"]) == 4 for move in view["legal"])
    )
    page = open_page()
    page.goto(url)
    assert my_turn(page)
    again = page.locator('#acts [data-act="reroll"]')
    expect(again).to_be_disabled()
    page.keyboard.press("1")
    expect(again).to_be_enabled()
    for key in "234":
        page.keyboard.press(key)
    again.click()
    expect(page.locator("#told")).to_contain_text("You spend the special action tile to reroll")
    expect(page.locator("#chips button.rolled")).to_have_count(4)


def test_opponents_move_at_a_speed_one_can_follow(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(server.address)
    page.locator("#setup").wait_for()
    page.get_by_label("5", exact=True).check()
    page.get_by_label("Who sits at seat A").select_option("greedy")
    page.get_by_label("Who sits at seat E").select_option("a person")
    page.get_by_role("button", name="Play").click()
    page.locator("#board .building").first.wait_for()
    began, seen = time.monotonic(), {lines(page)}
    while len(seen) < 4:
        page.wait_for_timeout(50)
        seen.add(lines(page))
    assert time.monotonic() - began > 2  # three moves, of which the first may come at once: one about every second
    page.wait_for_function("least => document.querySelectorAll('#log > li').length > least", arg=min(seen))
    set_speed(page, "once")
    assert my_turn(page)


def test_moves_of_opponents_can_be_skipped_and_what_they_did_is_seen(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(kept(server, ["appraiser"] * 4, moves=30))
    set_speed(page, "slow")
    assert my_turn(page)
    skip = page.get_by_role("button", name="Skip")
    expect(skip).to_be_disabled()
    act(page, random.Random(1))
    expect(page.locator("#board .arrives")).to_have_count(1)
    while skip.is_disabled():
        act(page, random.Random(1))
        page.locator("body:not(.busy)").wait_for()
    page.keyboard.press("s")
    assert my_turn(page)
    expect(skip).to_be_disabled()
    expect(page.locator("#speed")).to_have_value("slow")
    told = page.locator("#told li")
    assert told.count() >= 8
    assert re.fullmatch(r"\d(\+\d)+:", page.locator("#told .with").first.inner_text())
    assert page.locator("#board .plot.s-accent").count() >= 3


def test_a_browser_that_stores_nothing_is_enough(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })")
    begin(page, server)
    play_out(page, turns=2)
    expect(page.locator("#speed")).to_have_value("once")


def test_advice(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    ask = page.get_by_role("button", name="Hint")
    ask.click()
    best = page.locator("#advice li").first
    expect(best).to_have_text(re.compile(r"^\d+\.\d% [^+]*$"))
    expect(page.locator("#advice")).to_contain_text("chance of winning")
    marked = page.locator("#board .building.advised .advised-chance")
    assert marked.first.text_content() in page.locator("#advice").inner_text()
    ask.click()
    expect(best).to_have_text(re.compile(r"^\d+\.\d% \d(\+\d)+: "))
    page.locator("#chips button").first.click()
    expect(page.locator("#advice li")).to_have_count(3)  # picking dice changes nothing


def bishops(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [move for move in view["legal"] if move["act"] == "bishop"]


@pytest.mark.parametrize(("width", "height", "touch"), [(1280, 720, False), (390, 844, True)])
def test_what_is_pointed_at_advised_and_warned_of_is_in_sight(
    open_page: OpenPage, server: Server, width: int, height: int, touch: bool
) -> None:
    """Whole and on the screen as it is, the place on the board too; the first tap tells and the second plays."""
    page = open_page(width, height, has_touch=touch, reduced_motion="reduce")
    page.goto(prepared(server, lambda view: len(bishops(view)) == 1))
    assert my_turn(page)
    before, alone = lines(page), None
    inspected, whole = page.locator("#inspected"), "(node) => node.scrollHeight <= node.clientHeight"
    for building in page.locator("#board .building[tabindex]").all():
        if touch:
            building.dispatch_event("click")
        else:
            building.hover()
        if page.locator("#options button").count():  # there are several ways, and it is asked which
            page.keyboard.press("Escape")
        else:
            alone = building
            expect(inspected).to_contain_text("Take the")
            assert inspected.evaluate(whole)
            expect(inspected).to_be_in_viewport(ratio=1)
    assert lines(page) == before
    if touch:
        page.keyboard.press("Escape")
        page.locator("#board .building:not([tabindex])").first.dispatch_event("click")
        expect(inspected).not_to_be_empty()  # told also of what cannot be done
    page.get_by_role("button", name="Hint").click()
    best = page.locator("#advice b").first
    expect(best).to_be_in_viewport(ratio=1)
    assert best.evaluate(
        """(node) => {
            const { x, y, width, height } = node.getBoundingClientRect();
            return document.elementFromPoint(x + width / 2, y + height / 2) === node;
        }"""
    )  # nothing covers it
    expect(page.locator(".building.advised", has_text=best.inner_text()).first).to_be_in_viewport(ratio=0.9)
    page.get_by_label("warn me before a costly move").check()
    page.route("**/weigh", lambda route: route.fulfill(json={"cost": 0.12, "why": "+3.1 farms, −2.5 shops, −2 inns"}))
    page.get_by_role("button", name="Take the bishop").click()
    buttons = page.locator("#warning button")
    expect(buttons).to_have_count(2)  # they come when the server has weighed the move
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)
    for _ in range(3):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('#acts, #room')") is None  # they are covered
    page.keyboard.press("Escape")
    expect(page.locator("#warning")).to_be_empty()
    expect(page.get_by_role("button", name="Take the bishop")).to_be_focused()
    if touch:
        assert alone is not None
        page.keyboard.press("Escape")  # forgets what was tapped
        page.route("**/weigh", lambda route: route.fulfill(json={"cost": 0, "why": ""}))
        alone.evaluate("(node) => node.ownerSVGElement.scrollIntoView()")
        alone.tap()
        expect(inspected).to_contain_text("Take the")
        assert lines(page) == before
        alone.tap()
        expect(page.locator("#log > li").nth(before)).to_be_attached()


def test_advice_that_is_no_building_frames_its_button(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(prepared(server, lambda view: len(bishops(view)) == 1))
    assert my_turn(page)
    before = lines(page)
    view = page.evaluate("fetch(location.pathname + '/view').then((answer) => answer.json())")
    moves = [{"move": move["move"], "chance": 0.5} for move in bishops(view)]
    page.route("**/hint", lambda route: route.fulfill(json={"agent": "Appraiser", "moves": moves, "why": ""}))
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#acts .advised")).to_have_attribute("data-act", "bishop")
    page.locator('#acts [data-act="bishop"]').click()
    expect(page.locator("#log > li").nth(before)).to_be_attached()
    expect(page.locator("#acts .advised")).to_have_count(0)


def test_a_costly_move_is_warned_of_where_that_is_asked_for(open_page: OpenPage, server: Server) -> None:
    """Before it is made; another can be chosen, or the same be made all the same. The choice is remembered."""
    page = open_page()
    begin(page, server)
    page.get_by_label("warn me before a costly move").check()
    at = page.evaluate("fetch(location.pathname + '/view').then((answer) => answer.json())")
    page.reload()
    assert my_turn(page)
    expect(page.get_by_label("warn me before a costly move")).to_be_checked()
    token = page.locator('meta[name="table-token"]').get_attribute("content")
    costs = {
        move["move"]: page.evaluate(
            """([path, body, token]) => fetch(path, { method: "POST", body: JSON.stringify(body),
            headers: { "content-type": "application/json", "x-table-token": token } }).then((one) => one.json())""",
            [f"{page.url}/weigh", {"move": move["move"], "at": at["at"]}, token],
        )["cost"]
        for move in at["legal"]
        if move["act"] == "special"
    }
    worst = max(costs, key=lambda move: costs[move])
    assert costs[worst] >= 0.05
    for die in worst.partition(":")[0].split("+"):
        page.locator(f"#chips .n{die}:not(.picked)").first.click()
    special = page.get_by_role("button", name="Take a special tile")
    special.click()
    warning = page.locator("#warning")
    for part in ("board", "dice", "acts", "room"):  # nothing else of the turn can be used until it is answered
        expect(page.locator(f"#{part}[inert]")).to_have_count(1)
    points = int(100 * costs[worst] + 0.5)  # as browsers round a half, and Python's formats do not
    expect(warning).to_contain_text(f"costs about {points} points")
    page.get_by_role("button", name="Choose another move").click()
    expect(warning).to_be_empty()
    expect(page.locator("#log li.move")).to_have_count(0)
    special.click()
    page.get_by_role("button", name="Play it all the same").click()
    expect(page.locator("#log li.move").first).to_contain_text("special")


def test_single_keys_can_be_switched_off(open_page: OpenPage, server: Server) -> None:
    """WCAG 2.1.4: somebody who speaks to the browser would make moves by chance."""
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    page.keyboard.press("1")
    expect(page.locator("#chips .picked")).to_have_count(1)
    page.keyboard.press("Escape")
    page.get_by_label("single keys make moves").uncheck()
    page.locator("#status").click()
    page.keyboard.press("1")
    page.keyboard.press("h")
    expect(page.locator("#chips .picked")).to_have_count(0)
    expect(page.locator("#advice")).to_be_empty()
    page.reload()
    assert my_turn(page)
    expect(page.get_by_label("single keys make moves")).not_to_be_checked()
