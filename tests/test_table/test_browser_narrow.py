"""The page in windows that are low and narrow, as a screen is that shows everything four times as large."""

import pytest
from playwright.sync_api import Page

from table.language import COOKIE

from .browsing import IN_BROWSER, OpenPage, Server, kept

pytestmark = [*IN_BROWSER, pytest.mark.slow]

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


@pytest.mark.parametrize("sign", ["&", "+", "۱"])
def test_dice_are_picked_by_the_row_of_digits_whatever_it_has_without_shift(open_page: OpenPage, sign: str) -> None:
    """As on French, Czech and Persian keyboards."""
    page = open_page.kept(["greedy"], moves=6)
    page.locator("body:not(.thinking, .busy):has(.building)").wait_for()
    pressed = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code: 'Digit1', bubbles: true}))"
    page.evaluate(pressed, sign)
    page.locator("#chips button.picked").wait_for()
