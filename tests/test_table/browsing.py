"""A server of its own and a real browser for the tests of the page, and what people do in it."""

import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect, sync_playwright

import agents
from bohemian_env.games import GAMES
from table.server import warm
from table.session import Session
from table.store import Store
from tests.helpers import ROOT
from tests.waiting import until

from .asking import play_on, seated

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
HOW = "no browser: install Chromium (on Debian: sudo apt install chromium), or name one in the variable CHROMIUM"

IN_BROWSER = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason=HOW)]
"""The marks of tests that need Chromium or Chrome, and are skipped without it."""

_PATIENCE = 120_000
"""Milliseconds that a test waits for what must come: a review alone takes seconds of computing."""
expect.set_options(timeout=_PATIENCE)


class Server:
    """``play.py`` as a process of its own, which can be stopped and started again at the same address."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.address, self.port = "", "0"  # as it is told at the first start
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "play.py", "--no-browser", "--port", self.port, "--data", str(self.data)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        told = re.match(r"The table is at (http://127\.0\.0\.1:([0-9]+))", self.process.stdout.readline())
        assert told
        self.address, self.port = told.groups()

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


class OpenPage:
    """Opens pages, and notes what should not happen in them: messages on the console, requests to another server.

    Called with ``confirm``, it opens one that asks before a turn ends, as the page does by itself. Its methods open one
    that shows something already; what they are given by name besides goes to the page.
    """

    def __init__(self, browser: Browser, server: Server, stack: contextlib.ExitStack) -> None:
        self.browser, self.server, self.stack = browser, server, stack
        self.wrong: list[str] = []

    def __call__(self, width: int = 1280, height: int = 800, confirm: bool = False, **options: Any) -> Page:
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        self.stack.callback(context.close)
        if not confirm:
            context.add_init_script('try { localStorage.confirm ??= "no" } catch {}')
        context.on("request", self._asked)
        page = context.new_page()
        page.set_default_timeout(_PATIENCE)
        page.on("console", lambda said: self.wrong.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        return page

    def front(self, path: str = "", **options: Any) -> Page:
        """Open the page that sets a game up."""
        page = self(**options)
        page.goto(f"{self.server.address}/{path}")
        page.locator("#setup").wait_for()  # after "Getting the table ready"
        return page

    def begun(self, players: int = 2, **options: Any) -> Page:
        """Begin the game that the page proposes, have the opponents move at once, and wait for the person's turn."""
        page = self.front(**options)
        page.get_by_label(str(players), exact=True).check()
        page.get_by_role("button", name="Play").click()
        page.locator("#board .building").first.wait_for()
        set_speed(page, "once")
        assert my_turn(page)
        return page

    def prepared(self, wanted: Callable[[dict[str, Any]], bool], **options: Any) -> Page:
        """Open a game in which a person's view is as wanted, and wait for the person's turn."""
        page = self(**options)
        page.goto(prepared(self.server, wanted))
        assert my_turn(page)
        return page

    def kept(
        self, who: Sequence[str], moves: int = 10_000, game: str = "villages", then: str = "", **options: Any
    ) -> Page:
        """Open a game as :func:`kept` has it. then: what follows its address."""
        page = self(**options)
        page.goto(f"{kept(self.server, who, moves, game)}{then}")
        return page

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(self.server.address):
            self.wrong.append(request.url)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    for game in GAMES:
        warm(game)  # here, where nobody waits for a page meanwhile
    server = Server(tmp_path_factory.mktemp("data"))
    server.start()
    until(lambda: 'id="setup"' in urlopen(server.address).read().decode(), "page")  # before, it loads itself anew
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


def set_speed(page: Page, speed: str) -> None:
    """Choose how others move: slow, quick or once. On narrow screens the choice is in a menu."""
    choose = "([node, speed]) => { node.value = speed; node.dispatchEvent(new Event('change')); }"
    page.evaluate(choose, [page.locator("#speed").element_handle(), speed])


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
    dice = page.locator("#chips button:visible")
    if buildings.count():
        buildings.nth(rng.randrange(buildings.count())).click()
        page.locator("body:not(.busy)").wait_for()  # what is asked for an earlier building goes when a move is answered
        if lines(page) == before and (choice := page.locator("#options button")).count():
            choice.nth(rng.randrange(choice.count())).click()
    elif (buttons := page.locator("#acts [data-act]:enabled")).count():
        buttons.nth(rng.randrange(buttons.count())).click()
    elif dice.count() > 1 and page.locator("#chips button.picked").count() == 0:
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
        session = Session(seated("", "greedy", seed=seed))
        while not session.over:
            if session.person_to_move and wanted(session.view()):
                return keep(server, session)
            play_on(session, len(session.actions) + 1, seed=len(session.actions))
    raise AssertionError("no such position in twenty games")


def kept(server: Server, who: Sequence[str], moves: int = 10_000, game: str = "villages") -> str:
    """The address of a game of a person, for whom greedy has moved, among agents; to its end, or for so many moves."""
    session = Session(seated("", *who, game=game, seed=5))
    play_on(session, moves, choose=agents.make("greedy", seed=0, game=game).move)
    return keep(server, session)


def keep(server: Server, session: Session) -> str:
    """Keep a game, and return its address."""
    store = Store(server.data)
    game = store.add({**session.seating})
    assert store.write(game, [], session.actions, session.game.over)
    return f"{server.address}/games/{game}"


def at(page: Page, move: dict[str, Any]) -> Locator:
    return page.locator(f'#board [data-at="{move["at"][0]}"]')
