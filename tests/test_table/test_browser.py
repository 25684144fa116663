"""The page in a real browser: games played to the end by clicking, by keyboard, on a phone, across restarts.

They need Chromium or Chrome, and are skipped without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect, sync_playwright

from bohemian_env import Game
from table.seating import read_seating
from table.session import Session
from table.store import Store
from tests.helpers import ROOT

from .conftest import KNOWN

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
HOW = "no browser: install Chromium (on Debian: sudo apt install chromium), or name one in the variable CHROMIUM"

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason=HOW)]


class Server:
    """``play.py`` as a process of its own, which can be stopped and started again at the same address."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "play.py", "--no-browser", "--port", str(self.port), "--data", str(self.data)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline().startswith("The table is at")

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


class OpenPage:
    """Opens pages, and notes what should not happen in them: messages on the console, requests to another server."""

    def __init__(self, browser: Browser, server: Server, stack: contextlib.ExitStack) -> None:
        self.browser, self.server, self.stack = browser, server, stack
        self.wrong: list[str] = []

    def __call__(self, width: int = 1280, height: int = 800, **options: Any) -> Page:
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        self.stack.callback(context.close)
        context.on("request", self._asked)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda said: self.wrong.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        return page

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(self.server.address):
            self.wrong.append(request.url)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("data"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    flags = ["--disable-gpu", "--disable-dev-shm-usage"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium's own sandbox does not work for root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """Opens pages; in none of them may anything be said on the console, or be asked of another server."""
    with contextlib.ExitStack() as stack:
        pages = OpenPage(browser, server, stack)
        yield pages
    assert pages.wrong == []


def begin(page: Page, server: Server, players: int = 2) -> None:
    """Set up the game that the page proposes, and have the opponents move at once."""
    page.goto(server.address)
    page.locator("#setup").wait_for()  # after "Getting the table ready"
    page.get_by_label(str(players), exact=True).check()
    page.get_by_role("button", name="Play").click()
    page.locator("#board .building").first.wait_for()
    page.get_by_label("Opponents move").select_option("at once")


def my_turn(page: Page) -> bool:
    """Wait until a person is to move; False when the game is over."""
    page.locator("body.over, body:not(.thinking, .busy):has(.building)").wait_for(timeout=60_000)
    return page.locator("body.over").count() == 0


def lines(page: Page) -> int:
    return page.locator("#log > li").count()


def act(page: Page, rng: random.Random) -> None:
    """Make any move with the mouse: a marked building, with the dice picked before or chosen after; or a button."""
    before = lines(page)
    buildings = page.locator("#board .building[tabindex]")
    dice = page.locator("#dice button:visible")
    if buildings.count():
        buildings.nth(rng.randrange(buildings.count())).click()
        if lines(page) == before and (choice := page.locator("#options button")).count():
            choice.nth(rng.randrange(choice.count())).click()
    elif (buttons := page.locator("#acts button:enabled")).count():
        buttons.nth(rng.randrange(buttons.count())).click()
    elif dice.count() > 1 and page.locator("#dice button.picked").count() == 0:
        dice.nth(0).click()
        dice.nth(1).click()
        buttons.first.click()


def play_out(page: Page, turns: int = 1000) -> None:
    """Play on by clicking: to the end, or so many moves."""
    rng = random.Random(3)
    for _ in range(turns):
        if not my_turn(page):
            return
        act(page, rng)


def prepared(server: Server, wanted: Callable[[dict[str, Any]], bool]) -> str:
    """The address of a game in which a person's view is as wanted."""
    for seed in range(20):
        seating = read_seating({"seats": [{"name": ""}, {"agent": "greedy"}], "seed": seed}, KNOWN)
        session = Session(seating)
        rng = random.Random(seed)
        while not session.game.over:
            if session.agent_to_move:
                session.advance()
            elif wanted(view := session.view()):
                store = Store(server.data)
                game = store.add(seating)
                assert store.write(game, [], session.actions, over=False)
                return f"{server.address}/games/{game}"
            else:
                session.play(rng.choice([move["move"] for move in view["legal"]]))
    raise AssertionError("no such position in twenty games")


def at(page: Page, move: dict[str, Any]) -> Locator:
    return page.locator(f'#board .building[data-kind="{move["kind"]}"][data-village="{move["village"]}"]')


# --- whole games ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_against_the_trained_agent_is_played_to_the_end_by_clicking(
    open_page: OpenPage, server: Server, players: int, tmp_path: Path
) -> None:
    page = open_page()
    begin(page, server, players)
    assert page.locator("#score tbody tr").count() == players
    play_out(page)
    expect(page.locator("#status")).to_contain_text("share the win" if "share" in page.title() else "win")
    expect(page.locator("#score caption")).to_have_text("Final scoring")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    download.value.save_as(tmp_path / "record.json")
    record = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert record["players"] == ["You", *["appraiser"] * (players - 1)]
    shown = page.locator("#score tbody tr td:last-child").all_text_contents()
    totals = [entry["total"] for entry in Game.from_record(record).record()["scoring"]]
    assert [int(text.replace("−", "-")) for text in shown] == totals
    game = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != game)
    assert my_turn(page)
    assert page.locator("#score tbody tr").count() == players


def test_reload_and_restart_in_the_middle_lose_nothing(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    play_out(page, turns=6)
    assert my_turn(page)
    before = page.locator("#log").inner_text(), page.locator("#score").inner_text()
    page.reload()
    page.locator("#board .building").first.wait_for()
    assert (page.locator("#log").inner_text(), page.locator("#score").inner_text()) == before

    server.stop()
    page.locator("#board .building[tabindex]").first.click()
    if page.locator("#options button").count():
        page.locator("#options button").first.click()
    expect(page.locator("#problem")).to_contain_text("does not answer")
    server.start()
    assert open_page.wrong
    assert all("ERR_CONNECTION_REFUSED" in said for said in open_page.wrong)  # the browser's own words
    open_page.wrong.clear()
    play_out(page)
    expect(page.locator("#score caption")).to_have_text("Final scoring")


def test_every_tab_has_its_own_game(open_page: OpenPage, server: Server) -> None:
    first, second = open_page(), open_page()
    begin(first, server)
    begin(second, server, players=3)
    assert first.url != second.url
    play_out(first, turns=3)
    assert second.locator("#score tbody tr").count() == 3
    third = open_page()
    third.goto(server.address)
    links = third.locator("#under-way a").evaluate_all("links => links.map(link => link.href)")
    assert {first.url, second.url} <= set(links)


def test_a_game_is_deleted_after_a_second_click_and_once(open_page: OpenPage, server: Server) -> None:
    url = prepared(server, lambda view: True)
    first, second = open_page(), open_page()
    for page in (first, second):
        page.goto(server.address)
        row = page.locator("#under-way li", has=page.locator(f'a[href="{url.removeprefix(server.address)}"]'))
        row.get_by_role("button").click()
        expect(row.get_by_role("button")).to_have_text("Really delete?")
    for page in (first, second):  # the second time there is nothing left to delete
        rows = page.locator("#under-way li")
        before = rows.count()
        rows.filter(has=page.get_by_text("Really delete?")).get_by_role("button").click()
        expect(rows).to_have_count(before - 1)
        expect(page.locator("#problem")).to_be_empty()
    open_page.wrong.clear()  # Chromium notes the status on its console


def test_a_tab_that_comes_to_the_front_shows_what_was_played_elsewhere(open_page: OpenPage, server: Server) -> None:
    first, second = open_page(), open_page()
    begin(first, server)
    second.goto(first.url)
    assert my_turn(first)
    assert my_turn(second)
    play_out(first, turns=2)
    assert my_turn(first)
    assert lines(second) < lines(first)
    second.evaluate("dispatchEvent(new Event('focus'))")
    expect(second.locator("#log > li")).to_have_count(lines(first))
    assert second.locator("#score").inner_text() == first.locator("#score").inner_text()


def test_the_click_that_brings_the_window_to_the_front_counts(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    page.evaluate("dispatchEvent(new Event('focus')), document.querySelector('#dice button').click()")
    expect(page.locator("#dice button.picked")).to_have_count(1)


def test_several_people_at_one_screen(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(server.address)
    page.get_by_label("3", exact=True).check()
    for letter, name in (("A", "Ann"), ("B", "Bob")):
        page.get_by_label(f"Who sits at seat {letter}").select_option("a person")
        page.get_by_label(f"Name of the person at seat {letter}").fill(name)
    page.get_by_label("Who sits at seat C").select_option("random")
    page.get_by_text("Villages and dice", exact=True).click()
    page.get_by_label("chosen").check()
    page.get_by_label("Tile A/B").select_option("Bracholnitz")
    page.get_by_label("Seed").fill("12345678901234567")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#status")).to_have_text("Ann's turn")
    expect(page.locator('#board .village[aria-label^="Bracholnitz"]')).to_have_count(1)
    assert Store(server.data).load(page.url.rpartition("/")[2]).seating["seed"] == 12345678901234567
    rng = random.Random(1)
    while "Ann" in page.locator("#status").inner_text():
        act(page, rng)
        assert my_turn(page)
    expect(page.locator("#status")).to_have_text("Bob's turn")


# --- a turn -----------------------------------------------------------------------------------------------------


def test_picked_dice_light_up_what_they_can_do_and_a_click_takes_one_back(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    dice = page.locator("#dice button")
    dice.nth(0).click()
    dice.nth(1).click()
    expect(page.locator("#dice button.picked")).to_have_count(2)
    lit = page.locator("#board .building.can").count()
    assert lit == page.locator("#options button").count()
    dice.nth(1).click()
    expect(page.locator("#dice button.picked")).to_have_count(1)
    expect(page.locator("#board .building.can")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#dice button.picked")).to_have_count(0)
    marked = page.locator("#board .building[tabindex]").first
    marked.hover()
    assert page.locator("#dice button.reach").count() >= 2
    expect(page.locator("#inspected")).to_contain_text("Take the")
    expect(page.locator("#preview")).to_have_text("Pick dice or click a marked building.")


BOXES = """() => [...document.querySelectorAll("#dice button:not([hidden]), #acts button, #options, #preview, #turn")]
    .map((node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x, y, width, height]; })"""


@pytest.mark.parametrize(
    ("width", "height", "touch"),
    [(1440, 900, False), (1280, 720, False), (820, 1180, True), (390, 844, True), (844, 390, True), (640, 360, False)],
)
def test_nothing_moves_while_dice_are_picked(
    open_page: OpenPage, server: Server, width: int, height: int, touch: bool
) -> None:
    """A control that changes its place turns the next tap into a move that nobody wanted; all are within reach."""
    page = open_page(width, height, has_touch=touch, reduced_motion="reduce")
    begin(page, server)
    assert my_turn(page)
    page.locator("#board .building").first.scroll_into_view_if_needed()
    before, dice = page.evaluate(BOXES), page.locator("#dice button")
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
    page.locator("#dice button").nth(0).click()
    expect(page.locator("#preview")).to_contain_text("goes with it")
    assert page.locator("#dice button.goes").count() >= 1
    assert page.locator("#board .building.could").count() >= 1


def test_a_move_can_be_taken_back_until_dice_fall(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(prepared(server, lambda view: any(len(move["dice"]) == 2 for move in view["legal"])))
    assert my_turn(page)
    back, log = page.get_by_role("button", name="Take back"), page.locator("#log > li").all_inner_texts()
    dice = page.locator("#dice button:visible")
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
    page.get_by_label("Opponents move").select_option("at once")
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
    expect(page.locator("#inspected")).to_contain_text("Kick greedy out of")
    assert "kicks" in building.get_attribute("class")
    building.click()
    expect(page.locator("#options button.kicks").first).to_contain_text("Kick greedy out of")
    assert lines(page) == before
    page.locator("#options button").first.click()
    expect(page.locator("#told")).to_contain_text("You kick greedy out of")


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
    expect(page.locator("#dice button.rolled")).to_have_count(4)


def test_opponents_move_at_a_speed_one_can_follow(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(server.address)
    page.locator("#setup").wait_for()
    page.get_by_label("Who sits at seat A").select_option("greedy")
    page.get_by_label("Who sits at seat B").select_option("random")
    page.get_by_role("button", name="Play").click()
    page.locator("#board .building").first.wait_for()
    seen = {lines(page)}
    for _ in range(30):
        page.wait_for_timeout(100)
        seen.add(lines(page))
    assert 2 <= len(seen) <= 5  # a move about every second
    page.get_by_label("Opponents move").select_option("at once")
    page.locator("body.over").wait_for()


def test_a_browser_that_stores_nothing_is_enough(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })")
    begin(page, server)
    play_out(page, turns=2)
    expect(page.get_by_label("Opponents move")).to_have_value("once")


def test_advice(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    page.get_by_role("button", name="What would appraiser do?").click()
    expect(page.locator("#advice li").first).to_contain_text("%")
    expect(page.locator("#advice")).to_contain_text("chance of winning")


# --- for everybody ----------------------------------------------------------------------------------------------


def test_keyboard_alone_is_enough(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.goto(server.address)
    page.locator("#setup").wait_for()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play":
            break
    page.keyboard.press("Enter")
    page.locator("#board .building").first.wait_for()
    page.get_by_label("Opponents move").select_option("at once")  # as the arrow keys do
    page.locator("body").press("Escape")
    for turn in range(4):
        assert my_turn(page)
        before = lines(page)
        if turn % 2:  # dice by their numbers, then the move by name
            for keys in ("12", "13", "23", "14", "24", "34", "123", "1234"):
                page.keyboard.press("Escape")
                for key in keys:
                    page.keyboard.press(key)
                if page.locator("#options button").count():
                    break
                if page.locator('#acts [data-act="special"]:enabled').count():
                    break
            if page.locator("#options button").count():
                tab_to(page, "#options")
                page.keyboard.press("Enter")
            else:
                page.keyboard.press("s")
        elif page.locator('#acts [data-act="end"]:enabled').count():
            page.keyboard.press("e")
        else:  # a building, and then perhaps the way
            tab_to(page, "#board")
            page.keyboard.press("Enter")
            if lines(page) == before and page.locator("#options button").count():
                page.keyboard.press("Enter")
        expect(page.locator("#log > li").nth(before)).to_be_attached()


def test_a_key_that_is_held_picks_a_die_once(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    page.keyboard.down("1")
    for _ in range(3):  # as a keyboard does by itself
        page.keyboard.down("1")
    expect(page.locator("#dice button.picked")).to_have_count(1)
    page.keyboard.up("1")
    page.keyboard.press("1")
    expect(page.locator("#dice button.picked")).to_have_count(0)


def tab_to(page: Page, where: str) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.closest('{where}') !== null"):
            seen = page.evaluate(
                """() => {
                    const plot = document.activeElement.querySelector(".plot");
                    const { strokeWidth, outlineStyle } = getComputedStyle(plot ?? document.activeElement);
                    return plot ? strokeWidth : outlineStyle;
                }"""
            )
            assert seen in ("5px", "solid"), "the focus must be seen"
            return
    raise AssertionError(f"nothing in {where} can be reached")


def test_everything_has_a_name(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    begin(page, server)
    assert my_turn(page)
    for role in ("button", "link", "combobox", "checkbox"):
        for found in page.get_by_role(role).all():
            name = (
                found.get_attribute("aria-label")
                or found.inner_text()
                or page.evaluate("node => node.labels?.[0]?.textContent", found.element_handle())
            )
            assert name.strip(), found.evaluate("node => node.outerHTML")
    building = page.locator("#board .building[tabindex]").first
    assert re.match(r".* in .*, total \d+", building.get_attribute("aria-label"))
    assert page.locator('[role="log"][aria-live="polite"]').count() == 1


def test_on_a_phone_nothing_is_wider_than_the_screen(open_page: OpenPage, server: Server) -> None:
    page = open_page(360, 740, has_touch=True, is_mobile=True)
    page.goto(server.address)
    page.locator("#setup").wait_for()
    wide = "[document.documentElement.scrollWidth, window.innerWidth]"
    assert page.evaluate(wide) == [360, 360]
    begin(page, server, players=5)
    assert my_turn(page)
    assert page.evaluate(wide) == [360, 360]
    for found in page.locator("#dice button, #acts button:enabled").all():
        box = found.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 740
        assert min(box["width"], box["height"]) >= 32
    rng = random.Random(2)
    for _ in range(4):
        act(page, rng)
        assert my_turn(page)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_final_scoring_is_in_sight_however_long_the_names_are(
    open_page: OpenPage, server: Server, width: int
) -> None:
    seating = read_seating({"seats": [{"name": letter * 20} for letter in "WMi"], "seed": 3}, KNOWN)
    session = Session(seating)
    while not session.game.over:
        session.play(session.view()["legal"][0]["move"])
    store = Store(server.data)
    game = store.add(seating)
    assert store.write(game, [], session.actions, over=True)
    page = open_page(width, 740)
    page.goto(f"{server.address}/games/{game}")
    page.locator("body.over").wait_for()
    for row in page.locator("#score tbody tr").all():
        total = row.locator("td:last-child").bounding_box()
        around = page.locator(".score .scroll").bounding_box()
        assert total["x"] + total["width"] <= around["x"] + around["width"] + 1
        assert row.locator("th").bounding_box()["width"] > 50
    starred = [number for number, row in enumerate(page.locator("#score tbody th").all()) if "★" in row.inner_text()]
    assert starred == session.view()["leading"] != []


def test_dice_do_not_tumble_for_those_who_want_less_motion(open_page: OpenPage, server: Server) -> None:
    for preference, animation in (("reduce", "none"), ("no-preference", "roll")):
        page = open_page(reduced_motion=preference)
        begin(page, server)
        die = page.locator("#dice button").first
        assert die.evaluate("node => (node.classList.add('rolled'), getComputedStyle(node).animationName)") == animation


def test_an_address_of_no_game_says_so(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    answer = page.goto(f"{server.address}/games/{'x' * 22}")
    assert answer.status == 404
    open_page.wrong.clear()  # Chromium notes the status on its console
