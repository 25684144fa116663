"""What the page does where something goes wrong: answers cut off, requests refused, moves taken back elsewhere."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from .browsing import IN_BROWSER, OpenPage, Server, lines, play_out, prepared

pytestmark = [*IN_BROWSER, pytest.mark.slow]


def cut_off(route: Route) -> None:
    """Let the server answer, and the page hear only the beginning of it."""
    route.fulfill(response=(answer := route.fetch()), body=answer.text()[:200])


def one_move(page: Page) -> None:
    """Play the first way to a marked building."""
    page.locator("#board .building[tabindex]").first.click()
    if (choice := page.locator("#options button")).count():
        choice.first.click()


def test_a_move_whose_answer_is_cut_off_is_seen_all_the_same(open_page: OpenPage) -> None:
    page = open_page.prepared(lambda view: any(move["at"] for move in view["legal"]))
    before = lines(page)
    page.route("**/move", cut_off)
    one_move(page)
    page.wait_for_function("before => document.querySelectorAll('#log > li').length > before", arg=before)
    expect(page.locator("#problem")).to_be_empty()
    page.unroute("**/move")
    play_out(page, turns=2)
    expect(page.locator("#problem")).to_be_empty()


def test_a_move_that_did_not_come_through_is_told(open_page: OpenPage) -> None:
    page = open_page.prepared(lambda view: any(move["at"] for move in view["legal"]))
    before = lines(page)
    page.route("**/move", lambda route: route.abort())
    one_move(page)
    expect(page.locator("#problem")).to_have_text("The server does not answer.")
    assert lines(page) == before
    open_page.wrong.clear()  # the browser's own words


def test_a_table_that_could_not_be_seen_can_be_asked_for_again(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.route("**/view*", lambda route: route.fulfill(status=503, json={"error": "not now"}))
    page.goto(prepared(server, lambda view: True))
    expect(page.locator("#problem")).to_contain_text("not now")
    page.unroute("**/view*")
    page.get_by_role("button", name="Try again").click()
    page.locator("#board .building").first.wait_for()
    expect(page.locator("#problem")).to_be_empty()
    open_page.wrong.clear()


def test_a_review_follows_moves_that_are_taken_back_at_the_table(open_page: OpenPage) -> None:
    table, review = open_page.prepared(lambda view: view["back"]), open_page()
    held: list[Route] = []
    review.route(re.compile("analysis.after=0"), lambda route: held.append(route))  # a builtin cannot be marked
    review.goto(f"{table.url}/review")
    review.locator("#chart svg").wait_for()
    review.keyboard.press("End")
    shown = review.locator("#where").inner_text()
    table.locator("#back").click()
    expect(table.locator("#back")).to_be_disabled()
    while not held:
        review.wait_for_timeout(20)
    held[0].continue_()
    expect(review.locator("#where")).not_to_have_text(shown)
    expect(review.locator("#problem")).to_be_empty()


def test_a_seed_that_is_none_is_pointed_at_where_it_is_folded_away(open_page: OpenPage, server: Server) -> None:
    page = open_page.front()
    details = page.locator("#setup details", has=page.locator("#seed"))
    details.locator("summary").click()
    page.locator("#seed").fill("abc")
    details.locator("summary").click()
    assert details.get_attribute("open") is None
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#seed")).to_be_focused()
    assert page.url == f"{server.address}/"


def test_why_a_game_cannot_be_deleted_stands_beside_it(open_page: OpenPage, server: Server) -> None:
    url = prepared(server, lambda view: True)
    page = open_page()
    page.route("**/delete", lambda route: route.fulfill(status=503, json={"error": "not now"}))
    page.goto(server.address)
    row = page.locator("#under-way li", has=page.locator(f'a[href="{url.removeprefix(server.address)}"]'))
    for _ in range(2):  # and once only
        row.get_by_role("button").click()
        row.get_by_role("button", name="Really delete?").click()
        expect(row.get_by_role("alert")).to_have_text("not now")
        expect(row.get_by_role("button")).to_have_text("Delete")
    open_page.wrong.clear()


def test_whoever_says_no_name_sees_the_one_that_is_given(open_page: OpenPage) -> None:
    page = open_page.front()
    names = page.locator("#setup .name")
    expect(names.first).to_have_attribute("placeholder", "You")
    page.get_by_label("Who sits at seat B").select_option("a person")
    for number, colour in enumerate(("Orange", "Blue")):
        expect(names.nth(number)).to_have_attribute("placeholder", colour)
    names.nth(1).fill("Bert")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#score tbody")).to_contain_text(re.compile("Orange.*Bert", re.DOTALL))
    page.goto(f"{page.url}/review")
    assert page.locator("#seats .name").evaluate_all("all => all.map(one => one.value)") == ["", "Bert"]
