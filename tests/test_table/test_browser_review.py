"""Games looked at again, in a real browser: every way to a position, better moves, playing on, records, files."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from bohemian_env import Game
from bohemian_env.games import GAMES
from table.review import review
from table.session import Session
from table.store import Store

from .asking import seated
from .browsing import IN_BROWSER, OpenPage, Server, keep, kept, my_turn
from .test_review import played

pytestmark = [*IN_BROWSER, pytest.mark.slow]


def look(open_page: OpenPage, who: Sequence[str], moves: int = 10_000, **options: Any) -> Page:
    """Open the review of a game as ``open_page.kept`` has it."""
    page = open_page.kept(who, moves, then="/review", **options)
    page.locator("#chart svg").wait_for()
    page.locator("#log li").first.wait_for()
    return page


def last_of(page: Page) -> int:
    """The number of the last position."""
    return int(page.locator("#slider").get_attribute("max"))


def number(page: Page) -> int:
    """The number of the position that is shown."""
    # At once, since a game that is watched goes on between two questions.
    where, slider = page.evaluate(
        "[document.getElementById('where').innerText, document.getElementById('slider').value]"
    )
    shown = int(where.partition(" of ")[0])
    assert slider == str(shown)
    return shown


def signal(page: Page) -> str:
    """What the drawing says of the position."""
    return page.locator("#board > svg").get_attribute("aria-label")


def test_the_same_game_by_an_agent_is_seen_beside_ones_own(open_page: OpenPage) -> None:
    """At the end it is told where the two part; each line leads to both boards as they stood then."""
    page = open_page.kept([], game="dorfromantik")
    parted = page.locator("#parted a")
    parted.first.wait_for()
    told, place = parted.first.inner_text(), int(parted.first.get_attribute("href").partition("#")[2])
    assert re.match(rf"Tile {place + 1}: ", told)
    parted.first.click()
    page.locator("#beside-board svg").first.wait_for()
    expect(page.locator("#said .parted").first).to_have_text(told)
    assert number(page) == place
    for name, tiles in (("#board", "[id^=cell-]"), ("#beside-board", "[data-tile]")):
        assert page.locator(f"{name} {tiles}").count() == place
    expect(page.locator("#beside-board figcaption")).to_contain_text("You, with the same chance: ")
    assert page.locator("#beside-board [id]").count() == 0  # the names are those of the board
    page.keyboard.press("ArrowRight")
    expect(page.locator("#beside-board [data-tile]")).to_have_count(place + 1)
    page.keyboard.press("End")
    mine = re.search(r": (\d+) points \(.*: (\d+)\)", page.locator("#beside-board figcaption").inner_text())
    assert mine[2] == page.locator("#standing b").inner_text().partition(".")[0]
    boxes = [page.locator(name).bounding_box() for name in ("#board", "#beside-board .board")]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert (boxes[0]["y"], boxes[0]["height"]) == (boxes[1]["y"], boxes[1]["height"])


# --- ways to a position -----------------------------------------------------------------------------------------


def test_buttons_keys_slider_log_and_chart_lead_to_every_position(open_page: OpenPage) -> None:
    page = look(open_page, ["appraiser"])
    last = last_of(page)
    assert number(page) == 0
    seen = {signal(page)}
    for step in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        assert number(page) == step
        seen.add(signal(page))
    assert len(seen) > last / 2  # two moves of a turn may leave the same dice
    expect(page.locator("#where")).to_contain_text("the game is over")
    expect(page.locator("#said")).to_contain_text("win")
    for key, where in (("ArrowLeft", last - 1), ("Home", 0), ("End", last)):
        page.keyboard.press(key)
        assert number(page) == where
    for name, where in (("first", 0), ("next", 1), ("next", 2), ("back", 1), ("last", last)):
        page.locator(f"#{name}").click()
        assert number(page) == where
    for name in ("next", "last"):
        expect(page.locator(f"#{name}")).to_be_disabled()
    page.locator("#slider").fill("7")
    assert number(page) == 7
    page.locator("#log .move button").nth(3).click()
    assert number(page) == 3
    expect(page.locator("#log .move.now button")).to_have_attribute("aria-current", "true")
    box = page.locator("#chart").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 20 / last, box["y"] + 20)
    assert number(page) == 20
    page.reload()
    page.locator("#chart svg").wait_for()
    assert number(page) == 20


def test_what_was_played_what_it_cost_and_what_was_better(open_page: OpenPage) -> None:
    page = look(open_page, ["appraiser"])
    page.locator("#next-costly").click()
    expect(page.locator("#said .costly")).to_contain_text(re.compile(r"It cost \d+\.\d points: \?"))
    assert page.locator("#best li").count() >= 2
    expect(page.locator("#best .was")).to_contain_text("as played")
    assert page.locator("#board .building.best, #board .building.was").count() >= 1
    assert page.locator("#chart .marked").count() >= 1
    assert page.locator("#log .mark").count() >= 1
    chances = [float(text.removesuffix("%")) for text in page.locator("#standing b").all_inner_texts()]
    assert sum(chances) == pytest.approx(100, abs=0.2)
    rows = page.locator("#skill-rows tr")
    expect(rows.first.locator("td").first).not_to_have_text("…")  # the luck comes last
    own, others = ([float(t.replace("−", "-")) for t in row.locator("td").all_inner_texts()[:2]] for row in rows.all())
    assert own[0] == pytest.approx(-others[1], abs=0.2)
    expect(page.locator("#skill")).to_contain_text("if all go on as Appraiser would")


# --- better moves -----------------------------------------------------------------------------------------------


def test_better_moves_are_asked_for_one_position_after_the_other(open_page: OpenPage) -> None:
    page = look(open_page, ["appraiser"])
    page.get_by_role("button", name="Find better ones").click()
    question, verdict = page.locator("#question"), page.locator("#verdict")
    expect(question).to_contain_text("You had")
    expect(page.locator("#best-box")).to_be_hidden()
    first = number(page)
    chosen = page.locator("#all-moves")
    expect(chosen).to_be_focused()
    played_there = page.locator("#log .move.now .notation").inner_text()
    chosen.select_option(played_there)
    page.get_by_role("button", name="Try").click()
    expect(verdict).to_contain_text("points less than the best")
    found = False
    for move in chosen.locator("option").evaluate_all("options => options.map(option => option.value)"):
        chosen.select_option(move)
        page.get_by_role("button", name="Try").click()
        if found := "The best move is" in verdict.inner_text():
            break
    assert found
    expect(page.locator("#best-box")).to_be_visible()
    page.locator("#another").click()
    assert number(page) > first
    expect(verdict).to_be_empty()
    page.locator("#board .building[tabindex]").first.focus()
    page.keyboard.press("Enter")  # tries the move, or asks with which dice
    if page.locator("#ways button").count():
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement !== document.body")  # what had the focus is gone
    expect(verdict).not_to_be_empty()
    page.get_by_role("button", name="Show me").click()
    expect(verdict).to_contain_text("The best move is")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Find better ones")).to_be_focused()
    page.locator("#whose").select_option("Appraiser")
    page.get_by_role("button", name="Find better ones").click()
    expect(verdict).to_contain_text("no costly moves")


def test_where_nothing_was_costly_the_worst_move_is_to_be_bettered(open_page: OpenPage, server: Server) -> None:
    session = Session(seated("", "appraiser", seed=17))
    values = session.room.worth(session.game)
    nearly = next(one for one in values if 0.005 < max(values.values()) - values[one] < session.room.costly[0] - 0.005)
    session.play(session.game.action_to_text(nearly))
    costs = [position["cost"] for position in review(session.moments, session.names)["positions"]]
    assert 0 < max(filter(None, costs)) < session.room.costly[0]
    page = open_page()
    page.goto(f"{keep(server, session)}/review?find=")
    expect(page.locator("#question")).to_contain_text("1 of 1")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#verdict")).to_contain_text("The best move is")


# --- going on ---------------------------------------------------------------------------------------------------


def test_two_presses_begin_one_game(open_page: OpenPage) -> None:
    page = look(open_page, ["greedy"], moves=20)
    sent: list[Route] = []
    page.route("**/play_on", lambda route: sent.append(route))  # which is not answered yet
    page.get_by_text("Play on from here").click()
    play_on = page.get_by_role("button", name="Play on")
    play_on.click()
    page.locator("#next").click()  # shows another position
    expect(play_on).to_be_disabled()
    while not sent:
        page.wait_for_timeout(20)
    sent.pop().fulfill(status=409, json={"error": "no"})
    expect(page.locator("#problem")).to_have_text("no")
    expect(play_on).to_be_enabled()
    assert sent == []
    open_page.wrong.clear()  # Chromium notes the status on its console


def test_a_review_that_could_not_be_made_can_be_asked_for_again(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    address = kept(server, ["greedy"], moves=20)
    page.route("**/analysis*", lambda route: route.fulfill(status=503, json={"error": "not now"}))
    page.goto(f"{address}/review")
    expect(page.locator("#problem")).to_contain_text("not now")
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.get_by_role("button", name="Find better ones")).to_be_disabled()
    page.unroute("**/analysis*")
    page.get_by_role("button", name="Try again").click()
    page.locator("#chart svg").wait_for()
    expect(page.get_by_role("button", name="Find better ones")).to_be_enabled()
    open_page.wrong.clear()  # Chromium notes the status on its console


def test_a_game_goes_on_from_a_position(open_page: OpenPage) -> None:
    page = look(open_page, ["appraiser"])
    address = page.url.partition("/review")[0]
    page.locator("#log .move.seat0 button").nth(4).click()
    before, there = number(page), signal(page)
    page.get_by_text("Play on from here").click()
    page.get_by_label("Who sits at seat B").select_option("greedy")
    page.get_by_role("button", name="Play on").click()
    page.wait_for_url(lambda url: "/review" not in url)
    assert my_turn(page)
    assert signal(page) == there
    assert page.locator("#log .move").count() == before
    assert page.url != address
    page.get_by_role("link", name="Review").click()
    page.locator("#chart svg").wait_for()
    assert last_of(page) == before
    expect(page.locator("#files")).to_be_hidden()  # a running game gives no record


def test_agents_alone_are_watched_from_a_position_on(open_page: OpenPage) -> None:
    page = look(open_page, ["appraiser"])
    page.locator("#slider").fill("12")
    page.get_by_text("Play on from here").click()
    page.get_by_label("Who sits at seat A").select_option("greedy")
    before = page.url
    page.get_by_role("button", name="Play on").click()
    page.wait_for_url(lambda url: url.partition("#")[0] != before.partition("#")[0])
    page.locator("#chart svg").wait_for()
    assert number(page) >= 12
    expect(page.locator("#where")).to_contain_text(re.compile(r"^1[4-9] of"), timeout=20_000)
    page.get_by_role("button", name="Pause").click()
    shown = number(page)
    page.reload()
    page.locator("#chart svg").wait_for()
    assert number(page) in range(shown, shown + 3)


def test_who_watches_can_pause_step_and_choose_the_speed(open_page: OpenPage) -> None:
    page = open_page.front()
    page.get_by_label("Who sits at seat A").select_option("greedy")
    page.get_by_label("Who sits at seat B").select_option("random")
    page.get_by_role("button", name="Play").click()
    page.locator("#chart svg").wait_for()
    expect(page.locator("#where")).not_to_contain_text("0 of 0")
    page.get_by_role("button", name="Pause").click()
    stopped = number(page)
    page.wait_for_timeout(1500)
    assert number(page) == stopped
    assert last_of(page) == stopped  # what is to come is not shown
    expect(page.locator("#skill")).to_be_hidden()
    page.locator("#next").click()
    assert number(page) == stopped + 1
    page.get_by_label("Speed").select_option("very quickly")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("least => document.getElementById('slider').value > least", arg=stopped + 5)
    for _ in range(3000):
        told, hidden = page.evaluate(
            "['#where', '#files'].map((name) => document.querySelector(name))"
            ".map((node, place) => place ? node.hidden : node.textContent)"
        )
        if "over" in told:
            break
        assert hidden  # also when the server knows the end, which is some moves ahead
        page.locator("#last").dispatch_event("click")
        page.wait_for_timeout(100)
    expect(page.locator("#where")).to_contain_text("the game is over")
    expect(page.locator("#skill")).to_be_visible()
    expect(page.locator("#files")).to_be_visible()


# --- records and files ------------------------------------------------------------------------------------------


DROP = """([text, isFile]) => {
    const data = new DataTransfer();
    isFile ? data.items.add(new File([text], "games.jsonl")) : data.setData("text/plain", text);
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
"""Drops a text on the page, alone or as a file."""


def test_a_record_is_chosen_or_dragged_into_the_page(open_page: OpenPage, server: Server, tmp_path: Path) -> None:
    record = json.dumps(played("greedy", "appraiser", "random").record())
    file = tmp_path / "record.json"
    file.write_text(record, encoding="utf-8")
    page = open_page.front()
    page.locator("#file").set_input_files(file)
    page.wait_for_url("**/review*")
    page.locator("#chart svg").wait_for()
    assert page.locator("#skill-rows th").all_inner_texts()[1].endswith("appraiser")
    page.goto(server.address)
    page.locator("#file").wait_for()
    page.evaluate(DROP, [f"{record}\n{json.dumps(played('greedy', 'random').record())}\n", True])
    expect(page.locator("#how-many")).to_contain_text("holds 2 games")
    page.evaluate(DROP, ["no file", False])
    expect(page.locator("#how-many")).to_contain_text("holds 2 games")
    page.locator("#number").fill("3")
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#load-problem")).to_have_text("Choose a number from 1 to 2.")
    page.locator("#number").fill("2")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/records") else None)
    page.get_by_role("button", name="Open").dblclick()
    page.wait_for_url("**/review*")
    assert len(sent) == 1
    expect(page.locator("#skill-rows tr")).to_have_count(2)
    page.goto(server.address)
    file.write_text(f"{record}\n{record[:2000]}", encoding="utf-8")  # cut off
    page.locator("#file").set_input_files(file)
    page.wait_for_url("**/review*")
    expect(page.locator("#skill-rows tr")).to_have_count(3)


def test_a_file_of_many_games_stays_in_the_browser(open_page: OpenPage, tmp_path: Path) -> None:
    """As evaluate.py writes one by default; the line that is chosen is sent."""
    page = open_page.front()
    record, file = json.dumps(Game.new(seed=1).roll((1, 2, 3, 4)).record()), tmp_path / "games.jsonl"
    number = 8_000_000 // len(record)
    file.write_text(f"{record}\n" * number, encoding="utf-8")
    page.locator("#file").set_input_files(file)
    expect(page.locator("#how-many")).to_contain_text(str(number))


def test_what_is_no_record_gets_a_sentence_and_changes_nothing(
    open_page: OpenPage, server: Server, tmp_path: Path
) -> None:
    page = open_page.front()
    store, file, known = Store(server.data), tmp_path / "record.json", ", ".join(GAMES)
    before = len(store.recent(over=True, limit=999)) + len(store.recent(over=False, limit=999))
    for text, complaint in (
        ("hello", "This is not the record of a game: it is not JSON, or was cut off."),
        ("{}", f"This record cannot be replayed: format: None is that of no game; known are the records of {known}."),
        ("x" * 2_000_000, "record.json has 2.0 MB, and no more than 1 MB are read."),
    ):
        file.write_text(text, encoding="utf-8")
        page.locator("#file").set_input_files(file)
        expect(page.locator("#load-problem")).to_have_text(complaint)
    assert len(store.recent(over=True, limit=999)) + len(store.recent(over=False, limit=999)) == before
    open_page.wrong.clear()  # Chromium notes the status on its console


def test_the_page_to_take_along_works_from_a_file_without_a_network(open_page: OpenPage, tmp_path: Path) -> None:
    page = look(open_page, ["appraiser", "greedy"])
    last = last_of(page)
    page.keyboard.press("End")
    there = signal(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Page to take along").click()
    download.value.save_as(tmp_path / "game.html")
    assert (tmp_path / "game.html").stat().st_size < 1_000_000
    page.context.set_offline(True)
    page.goto(f"{(tmp_path / 'game.html').as_uri()}")
    page.locator("#chart svg").wait_for()
    assert number(page) == 0
    page.keyboard.press("End")
    assert (number(page), signal(page)) == (last, there)
    expect(page.locator("#skill-rows tr")).to_have_count(3)
    page.get_by_role("button", name="Find better ones").click()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#verdict")).to_contain_text("The best move is")
    asked = [said for said in open_page.wrong if said != page.url.partition("#")[0]]
    open_page.wrong.clear()
    assert asked == []


# --- for everybody ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "height"),
    [(390, 844), (320, 568), (360, 740), (844, 390), (640, 360), (820, 1180), (1280, 720)],
)
def test_nothing_is_wider_than_the_screen_or_smaller_than_can_be_read(
    open_page: OpenPage, width: int, height: int
) -> None:
    page = look(open_page, ["greedy"] * 4, moves=30, width=width, height=height)
    page.get_by_text("Play on from here").click()
    page.get_by_role("button", name="Find better ones").dispatch_event("click")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate("scrollTo(0, 0)")
    steps = page.locator("#steps button:visible")
    assert steps.count() >= 5
    for button in steps.all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert min(box["width"], box["height"]) >= 32
    small = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter((node) => !node.closest("#board") && node.checkVisibility())
            .filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
            .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 12).map((node) => node.outerHTML)"""
    )
    assert small == []


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1280, 800), (1280, 900)])
def test_the_costs_under_the_chart_are_in_sight_beside_the_steps(open_page: OpenPage, width: int, height: int) -> None:
    page = look(open_page, ["greedy"] * 4, moves=30, width=width, height=height)
    page.locator("#chart .cost").first.wait_for()
    steps = page.locator("#steps").bounding_box()
    for bar in page.locator("#chart .cost").all():
        box = bar.bounding_box()
        assert box["y"] + box["height"] <= steps["y"] + 1


def test_the_review_has_names_for_everything_and_tells_what_changes(open_page: OpenPage) -> None:
    page = look(open_page, ["appraiser"], moves=20)
    for role in ("button", "combobox", "slider", "checkbox", "link"):
        for control in page.get_by_role(role).all():
            expect(control).to_have_accessible_name(re.compile(r"\S"))
    expect(page.get_by_role("slider", name="Position")).to_have_attribute(
        "aria-valuetext", re.compile("0 of 20: turn 1, You with the dice")
    )
    assert page.locator("#told-here[aria-live=polite] #where").count() == 1
