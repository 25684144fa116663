"""Take the pictures of the page at which people play, for the README and docs/play.md.

    python -m pages.screenshots
    python -m pages.screenshots --out FOLDER --chromium /usr/bin/chromium

Takes half a minute, and needs Chromium.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

import agents
from agents.common.command import parser
from pages import DOCS, ROOT
from table.room import room_of
from table.seating import read_seating
from table.session import Session
from table.store import Store

SEED: Final = 20
SIZE: Final = (1280, 880)
PHONE: Final = (360, 740)


def game(store: Store, who: Sequence[str], until: Callable[[Session], bool], language: str = "en") -> str:
    """Keep a game in which planner has moved for the person, up to a moment; return its path on the server."""
    asked = [{"name": ""}, *({"agent": name} for name in who)]
    seating = read_seating({"seats": asked, "seed": SEED}, (), room_of("villages").words(language))
    for number, seat in enumerate(seating["seats"]):
        seat["seed"] = number
    session = Session(seating)
    stand_in = agents.make("planner", seed=0)
    while not session.over and not until(session):
        if session.agent_to_move:
            session.advance()
        else:
            session.play(stand_in.move(session.game))
            if session.held:
                session.confirm()
    kept = store.add(seating)
    store.write(kept, [], session.actions, session.game.over)
    return f"/games/{kept}"


def kicks(session: Session) -> list[dict[str, Any]]:
    """Return the moves with two of four dice that kick somebody out."""
    legal = session.view()["legal"] if len(session.game.dice) == 4 else []
    return [move for move in legal if move.get("asks") and len(move["with"]) == 2]


def _advised(session: Session) -> bool:
    """Whether a person is to move with four dice, and something speaks for the best move."""
    return session.person_to_move and len(session.game.dice) == 4 and bool(session.hint()["why"])


def open_page(browser: Browser, size: tuple[int, int], dark: bool = False, language: str = "en") -> Page:
    """Open a page without motion."""
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    return browser.new_page(
        viewport=viewport, color_scheme="dark" if dark else "light", reduced_motion="reduce", locale=language
    )


def take(browser: Browser, address: str, store: Store, out: Path) -> None:
    """Take all pictures."""
    page = open_page(browser, (760, 640))
    page.goto(address)
    page.locator("#setup").wait_for(timeout=120_000)
    page.wait_for_load_state("networkidle", timeout=120_000)  # the pictures of the games
    page.screenshot(path=out / "play-setup.png")

    path = game(store, ["appraiser", "planner"], lambda session: len(session.actions) > 40 and bool(kicks(session)))
    saved = store.load(path.rpartition("/")[2])
    assert saved is not None
    dice = kicks(Session(saved.seating, saved.actions))[0]["with"]
    for name, size, dark in (("play", SIZE, False), ("play-dark", SIZE, True), ("play-phone", PHONE, False)):
        page = open_page(browser, size, dark)
        page.goto(address + path)
        page.locator("#chips button:visible").first.wait_for()
        for number in dice:
            page.locator(f"#chips button.n{number}:not(.picked)").first.click()
        page.mouse.move(2, 2)
        page.screenshot(path=out / f"{name}.png")

    page = open_page(browser, SIZE, language="de")
    page.goto(address + game(store, ["appraiser"], _advised, "de"))
    for _ in range(2):
        page.locator("#hint").click()
        page.locator("#advice li").first.wait_for()
    page.mouse.move(2, 2)
    page.screenshot(path=out / "play-coach.png")

    page = open_page(browser, SIZE)
    page.goto(address + game(store, ["appraiser"], lambda session: session.game.over))
    page.locator("body.over").wait_for()
    page.screenshot(path=out / "play-over.png")
    page = open_page(browser, SIZE)
    page.goto(address + game(store, ["appraiser", "planner"], lambda session: session.game.over) + "/review")
    page.locator("#skill-rows td", has_text=".").first.wait_for()  # the luck of the dice, which comes last
    page.locator("#last").click()
    for _ in range(2):  # the last costly one of the person
        page.locator("#previous-costly").click()
    page.screenshot(path=out / "play-review.png")


def main(argv: Sequence[str] | None = None) -> int:
    """Start a server of its own, and take the pictures of its pages."""
    options = parser("pages.screenshots", __doc__)
    options.add_argument("--out", type=Path, default=DOCS, metavar="FOLDER", help="where they are written")
    options.add_argument("--chromium", default=shutil.which("chromium"), metavar="FILE", help="the browser")
    args = options.parse_args(argv)
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        command = [sys.executable, str(ROOT / "play.py"), "--no-browser", "--port", "0", "--data", data]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split()[4].rstrip("/")
            browser = playwright.chromium.launch(executable_path=args.chromium, args=flags)
            try:
                take(browser, address, Store(Path(data)), args.out)
            finally:
                browser.close()
                server.terminate()
    for path in args.out.glob("play*.png"):  # 256 colours are enough, and take a third of the room
        Image.open(path).convert("RGB").quantize(256, kmeans=4, dither=Image.Dither.NONE).save(path, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
