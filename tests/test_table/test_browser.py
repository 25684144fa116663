"""The page in a real browser: games played to the end by clicking, by keyboard, on a phone, across restarts."""

import json
import random
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from bohemian_env import Game
from table.again import daily_seating
from table.language import COOKIE
from table.room import room_of
from table.seating import read_seating
from table.session import Session
from table.store import Store

from .asking import play_on
from .browsing import IN_BROWSER, OpenPage, Server, act, keep, kept, lines, my_turn, play_out, prepared, set_speed

pytestmark = [*IN_BROWSER, pytest.mark.slow]


# --- whole games ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_against_the_trained_agent_is_played_to_the_end_by_clicking(
    open_page: OpenPage, players: int, tmp_path: Path
) -> None:
    page = open_page.begun(players)
    assert page.locator("#score tbody tr").count() == players
    play_out(page)
    expect(page.locator("#status")).to_contain_text("share the win" if "share" in page.title() else "win")
    expect(page.locator("#score caption")).to_have_text("Final scoring")
    expect(page.get_by_role("button", name="Play again")).to_be_focused()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    download.value.save_as(tmp_path / "record.json")
    record = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert record["players"][0] == "You"
    shown = page.locator("#score tbody tr td:last-child").all_text_contents()
    totals = [entry["total"] for entry in Game.from_record(record).record()["scoring"]]
    assert [int(text.split()[-1].replace("−", "-")) for text in shown] == sorted(totals, reverse=True)
    game = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != game)
    assert my_turn(page)
    assert page.locator("#score tbody tr").count() == players


def test_reload_and_restart_in_the_middle_lose_nothing(open_page: OpenPage, server: Server) -> None:
    page = open_page.begun()
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
    expect(page.locator("body.busy")).to_have_count(0)  # it has asked until it was answered
    assert open_page.wrong
    assert all("ERR_CONNECTION_REFUSED" in said for said in open_page.wrong)  # the browser's own words
    open_page.wrong.clear()
    play_out(page)
    expect(page.locator("#score caption")).to_have_text("Final scoring")


def test_every_tab_has_its_own_game(open_page: OpenPage) -> None:
    first, second = open_page.begun(), open_page.begun(3)
    assert first.url != second.url
    play_out(first, turns=3)
    assert second.locator("#score tbody tr").count() == 3
    third = open_page.front()
    links = third.locator("#under-way a").evaluate_all("links => links.map(link => link.href)")
    assert {first.url, second.url} <= set(links)


def test_a_game_is_deleted_after_a_second_click_and_once(open_page: OpenPage, server: Server) -> None:
    url = prepared(server, lambda view: True)
    first, second = open_page(), open_page()
    for page in (first, second):
        page.goto(server.address)
        row = page.locator("#under-way li", has=page.locator(f'a[href="{url.removeprefix(server.address)}"]'))
        row.get_by_role("button").dblclick()  # once is enough for the question, and twice answers none
        expect(row.get_by_role("button", name=re.compile("Really delete.*Delete: "))).to_have_text("Really delete?")
        page.keyboard.press("Tab")
        expect(row.get_by_role("button")).to_have_text("Delete")
        row.get_by_role("button").click()
    for page in (first, second):  # the second time there is nothing left to delete
        rows = page.locator("#under-way li")
        before = rows.count()
        rows.filter(has=page.get_by_text("Really delete?")).get_by_role("button").click()
        expect(rows).to_have_count(before - 1)
        if before > 1:
            expect(page.locator("#under-way [data-delete]:focus")).to_have_count(1)
        expect(page.locator("#problem")).to_be_empty()
    open_page.wrong.clear()  # Chromium notes the status on its console


def test_a_page_that_has_loaded_listens(open_page: OpenPage, server: Server) -> None:
    """The script of a game's room comes late here, and is waited for like all others."""
    page = open_page()
    page.add_init_script("addEventListener('load', () => { window.deaf = document.getElementById('play').disabled })")
    late: list[Route] = []
    page.route("**/rooms/*.js", lambda route: late.append(route))
    with page.expect_request("**/rooms/*.js"):
        page.goto(server.address, wait_until="commit")
    page.wait_for_timeout(500)  # in which a page that does not wait has loaded
    late[0].continue_()
    page.wait_for_load_state()
    assert page.evaluate("deaf") is False


def test_with_the_last_game_of_a_list_the_list_goes(open_page: OpenPage, server: Server) -> None:
    prepared(server, lambda view: True)
    page = open_page.front()
    page.locator("#under-way").wait_for()
    page.evaluate("document.querySelectorAll('#under-way li').forEach((row, place) => place && row.remove())")
    page.locator("#under-way [data-delete]").focus()
    for _ in range(2):
        page.keyboard.press("Enter")
    expect(page.locator("#under-way")).to_have_count(0)
    expect(page.get_by_role("button", name="Play")).to_be_focused()


def test_another_tab_shows_what_is_played(open_page: OpenPage) -> None:
    first, second = open_page.begun(), open_page()
    second.goto(first.url)
    assert my_turn(second)
    play_out(first, turns=2)
    assert my_turn(first)
    expect(second.locator("#log > li")).to_have_count(lines(first))
    assert second.locator("#score").inner_text() == first.locator("#score").inner_text()


def test_several_people_at_one_screen(open_page: OpenPage, server: Server) -> None:
    page = open_page.front()
    page.get_by_label("3", exact=True).check()
    for letter, name in (("A", "Ann"), ("B", "Bob")):
        page.get_by_label(f"Who sits at seat {letter}").select_option("a person")
        page.get_by_label(f"Name of the person at seat {letter}").fill(name)
    page.get_by_label("Who sits at seat C").select_option("random")
    page.get_by_text("More", exact=True).click()
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


# --- for everybody ----------------------------------------------------------------------------------------------


def test_keyboard_alone_is_enough(open_page: OpenPage) -> None:
    page = open_page.front()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play":
            break
    page.keyboard.press("Enter")
    page.locator("#board .building").first.wait_for()
    set_speed(page, "once")  # as the arrow keys do
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


def test_a_key_that_is_held_picks_a_die_once(open_page: OpenPage) -> None:
    page = open_page.begun()
    page.keyboard.down("1")
    for _ in range(3):  # as a keyboard does by itself
        page.keyboard.down("1")
    expect(page.locator("#chips button.picked")).to_have_count(1)
    page.keyboard.up("1")
    page.keyboard.press("1")
    expect(page.locator("#chips button.picked")).to_have_count(0)


@pytest.mark.parametrize("sign", ["&", "+", "۱"])
def test_dice_are_picked_by_the_row_of_digits_whatever_it_has_without_shift(open_page: OpenPage, sign: str) -> None:
    """As on French, Czech and Persian keyboards."""
    page = open_page.kept(["greedy"], moves=6)
    page.locator("body:not(.thinking, .busy):has(.building)").wait_for()
    pressed = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code: 'Digit1', bubbles: true}))"
    page.evaluate(pressed, sign)
    page.locator("#chips button.picked").wait_for()


def test_a_key_that_is_held_answers_no_question(open_page: OpenPage, server: Server) -> None:
    """The first press asks with which dice, and brings the focus to the first answer."""
    page = open_page.prepared(lambda view: bool(two_ways(view)))
    saved = Store(server.data).load(page.url.rpartition("/")[2])
    building = two_ways(Session(saved.seating, saved.actions).view())[0]
    page.locator(f'#board [data-at="{building}"]').focus()
    before = lines(page)
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator("#options button:focus")).to_have_count(1)
    assert lines(page) == before
    page.keyboard.press("Escape")
    expect(page.locator("#chips button:focus")).to_have_count(1)  # not nowhere


def two_ways(view: dict[str, Any]) -> list[str]:
    """The buildings that more than one pair of dice leads to."""
    places = [move["at"][0] for move in view["legal"] if move["at"]]
    return sorted({place for place in places if places.count(place) > 1})


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


def test_everything_has_a_name(open_page: OpenPage) -> None:
    page = open_page.begun()
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


def test_on_a_phone_nothing_is_wider_than_the_screen(open_page: OpenPage) -> None:
    phone: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
    page = open_page.front(**phone)
    wide = "[document.documentElement.scrollWidth, window.innerWidth]"
    assert page.evaluate(wide) == [360, 360]
    page = open_page.begun(5, **phone)
    assert page.evaluate(wide) == [360, 360]
    for found in page.locator("#chips button").all():
        box = found.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert min(box["width"], box["height"]) >= 32
    rng = random.Random(2)
    for _ in range(4):
        act(page, rng)
        assert my_turn(page)


SPACED = "* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important; }"
"""The wider text that readers may ask for (WCAG 1.4.12)."""
ROOM = "() => [document.querySelector('#board').getBoundingClientRect().width, document.documentElement.scrollWidth]"


def has_room(page: Page, width: int) -> None:
    """See that the board is wide enough to be read, and that nothing is wider than the window."""
    board, whole = page.evaluate(ROOM)
    assert board >= 200
    assert whole <= width


@pytest.mark.parametrize(("width", "height"), [(320, 256), (427, 240), (320, 180)])
@pytest.mark.parametrize("language", ["en", "it"])
def test_the_board_has_room_in_a_game_and_in_its_review(
    open_page: OpenPage, server: Server, width: int, height: int, language: str
) -> None:
    """Windows of 1280 by 1024 at 400 %, 1280 by 720 at 300 %, and 1280 by 720 at 400 %."""
    page = open_page(width, height, bypass_csp=True)
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.address}])
    game = kept(server, ["greedy"], moves=6)
    for address in (game, f"{game}/review"):
        page.goto(address)
        page.locator("#board svg").first.wait_for()
        has_room(page, width)
        page.add_style_tag(content=SPACED)
        has_room(page, width)


SMALLEST = """() => Math.min(...[...document.querySelectorAll("body *")].map((node) => {
  const words = [...node.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
  if (!words || !node.getClientRects().length) return Infinity;
  const matrix = node.closest("svg") ? node.getScreenCTM() : { a: 1, b: 0 };
  return parseFloat(getComputedStyle(node).fontSize) * Math.hypot(matrix.a, matrix.b);
}))"""
"""The pixels of the smallest text in sight or below."""


@pytest.mark.parametrize(
    "size", [(360, 740), (1280, 600), (844, 390), (932, 430), (950, 1000), (1024, 768), (1920, 1080)]
)
def test_no_text_is_too_small_to_be_read(open_page: OpenPage, size: tuple[int, int]) -> None:
    for players in (2, 5):
        page = open_page.begun(players, width=size[0], height=size[1])
        assert page.evaluate(SMALLEST) > (9.4 if size[0] < 400 else 11.5)  # two villages in a row


@pytest.mark.parametrize("name", ["play", "learn", "daily"])
def test_no_game_can_be_begun_before_the_scripts_have_come(open_page: OpenPage, server: Server, name: str) -> None:
    page = open_page()
    held: list[Route] = []
    page.route("**/static/settings.js", lambda route: held.append(route))
    page.goto(server.address, wait_until="commit")
    button = page.locator(f"#{name}")
    button.wait_for()
    while not held:
        page.wait_for_timeout(50)
    expect(button).to_be_disabled()
    for route in held:
        route.continue_()
    expect(button).to_be_enabled()


def test_a_game_of_the_day_that_is_over_says_so(open_page: OpenPage, server: Server) -> None:
    page, store, room = open_page.front(), Store(server.data), room_of("villages")
    expect(page.locator("#daily")).to_contain_text("one try")
    done = store.add(daily_seating(room, date.today().isoformat(), room.words("en")), over=True)
    page.reload()
    expect(page.locator("#daily")).to_contain_text("Played today")
    store.delete(done)


def test_the_choice_of_players_is_remembered(open_page: OpenPage, server: Server) -> None:
    page = open_page.front()
    page.get_by_label("3", exact=True).check()
    page.get_by_label("Who sits at seat B").select_option("planner")
    page.get_by_role("button", name="Play").click()
    page.locator("#board .building").first.wait_for()
    page.goto(server.address)
    expect(page.get_by_label("3", exact=True)).to_be_checked()
    expect(page.get_by_label("Who sits at seat B")).to_have_value("planner")


@pytest.mark.parametrize(("width", "language"), [(360, "en"), (1280, "en"), (1280, "de"), (1280, "it")])
def test_the_final_scoring_is_in_sight_however_long_the_names_are(
    open_page: OpenPage, server: Server, width: int, language: str
) -> None:
    seating = read_seating({"game": "villages", "seats": [{"name": letter * 20} for letter in "WMi"], "seed": 3}, ())
    session = Session(seating)
    play_on(session, choose=lambda game: game.legal_moves[0])
    page = open_page(width, 740, locale=language)
    page.goto(keep(server, session))
    page.locator("body.over").wait_for()
    for row in page.locator("#score tbody tr").all():
        total = row.locator("td:last-child").bounding_box()
        around = page.locator(".score .scroll").bounding_box()
        assert total["x"] + total["width"] <= around["x"] + around["width"] + 1
        assert row.locator("th").bounding_box()["width"] > 50
    starred = [number for number, row in enumerate(page.locator("#score tbody th").all()) if "★" in row.inner_text()]
    assert starred == session.view()["leading"] != []


def test_dice_do_not_tumble_for_those_who_want_less_motion(open_page: OpenPage) -> None:
    for preference, animation in (("reduce", "none"), ("no-preference", "tumble")):
        page = open_page.begun(reduced_motion=preference)
        die = page.locator("#chips button").first
        assert die.evaluate("node => (node.classList.add('fresh'), getComputedStyle(node).animationName)") == animation


def test_an_address_of_no_game_says_so(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    answer = page.goto(f"{server.address}/games/{'x' * 22}")
    assert answer.status == 404
    open_page.wrong.clear()  # Chromium notes the status on its console
