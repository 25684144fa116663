"""The colours of the drawing, light and dark, and the style sheet made of them.

The seats have four colours of Okabe and Ito's palette, and white: the five that people with any colour vision tell
apart best. Every figure also carries its seat's letter.
"""

from typing import Final

from ...engine.drawing import COMMON, Palette

SEAT_COLOURS: Final = ("#d55e00", "#56b4e9", "#f0e442", "#009e73", "#f2f2f2")
"""The colours of the seats' figures, in both themes."""

_COLOURS: Final = {
    **{f"seat{seat}": colour for seat, colour in enumerate(SEAT_COLOURS)},
    "coin": "#f2c14e",
    "rim": "#9a6b00",
    "black": "#000000",
    "white": "#fffdf8",
    "lit": "#ffd84a",
    "crust": "#b97a3d",
    "meat": "#c9626b",
    "milk": "#f7fbff",
    "cloth": "#7a6bb0",
    "special": "#7b2d5b",
    "bishop": "#6b2a86",
    **COMMON,
    "ground": "#9dae7c #5d7148",
    "wall": "#f1dfbd #d8c29a",
    "stone": "#cfc9bd #a9a69f",
    "roof": "#a8503a #a9543d",
    "slate": "#66727f #74818f",
    "wood": "#8a5f3c #8f6542",
    "pane": "#56606b #3d4650",
    "glass": "#7cc0cf",
    "line": "#3a342b #0d0f12",
    "accent": "#b4005a #ff8fc4",
    "full": "#dfeccf #2f3f2c",
    "used": "#d8cfbc #38404a",
}
PALETTE: Final = Palette("bv", _COLOURS, strokes=("line", "ink", "edge", "muted", "accent", "rim", "white"))
THEMES: Final = PALETTE.themes
"""The colours by theme and name."""


def board_css(dark: bool | None = None) -> str:
    """Return the style sheet inside a drawing, the same for all of a theme, so that a content policy can name its hash.

    dark: True and False fix the theme; None follows the reader's by CSS variables ``--bv-NAME``, which a page may
    set on ``.bv-auto`` itself. Raises BadSetup for another value.
    """
    return PALETTE.css(dark)
