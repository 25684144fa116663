"""The colours of the drawing, light and dark, and the style sheet made of them.

The seats have four colours of Okabe and Ito's palette, and white: the five that people with any colour vision tell
apart best. Every figure also carries its seat's letter.
"""

from __future__ import annotations

from typing import Final

from ...engine.checks import check_truth

__all__ = ["ON", "SEAT_COLOURS", "THEMES", "board_css", "root_class"]

SEAT_COLOURS: Final = ("#d55e00", "#56b4e9", "#f0e442", "#009e73", "#f2f2f2")
"""The colours of the seats' figures, in both themes."""

_SAME: Final = {
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
}
THEMES: Final = {
    "light": {
        **_SAME,
        "table": "#e9e2d3",
        "card": "#fffcf5",
        "edge": "#b9ac93",
        "ink": "#29241d",
        "muted": "#62594b",
        "ground": "#9dae7c",
        "wall": "#f1dfbd",
        "stone": "#cfc9bd",
        "roof": "#a8503a",
        "slate": "#66727f",
        "wood": "#8a5f3c",
        "pane": "#56606b",
        "glass": "#7cc0cf",
        "line": "#3a342b",
        "accent": "#b4005a",
        "full": "#dfeccf",
        "used": "#d8cfbc",
    },
    "dark": {
        **_SAME,
        "table": "#14171b",
        "card": "#242a31",
        "edge": "#4c5662",
        "ink": "#f4efe4",
        "muted": "#bcb4a5",
        "ground": "#5d7148",
        "wall": "#d8c29a",
        "stone": "#a9a69f",
        "roof": "#a9543d",
        "slate": "#74818f",
        "wood": "#8f6542",
        "pane": "#3d4650",
        "glass": "#7cc0cf",
        "line": "#0d0f12",
        "accent": "#ff8fc4",
        "full": "#2f3f2c",
        "used": "#38404a",
    },
}
"""The colours by theme and name. The class ``f-NAME`` fills with a colour, ``s-NAME`` strokes with it."""
_STROKES: Final = ("line", "ink", "edge", "muted", "accent", "rim", "white")
"""The colours of outlines."""

ON: Final = (
    *(("black", f"seat{seat}") for seat in range(len(SEAT_COLOURS))),
    *((ink, ground) for ink in ("ink", "muted", "accent") for ground in ("card", "full")),
    ("black", "coin"),
    ("black", "white"),
    ("white", "special"),
    ("white", "bishop"),
)
"""The pairs (colour of a text, colour of its background) in the drawing."""


def root_class(dark: bool | None) -> str:
    """Return the class of a drawing in this theme, which lets drawings of several themes share a page. Raises BadSetup
    for what is no theme.
    """
    if dark is not None:
        check_truth("dark", dark)
    return "bv-auto" if dark is None else "bv-dark" if dark else "bv-light"


def board_css(dark: bool | None = None) -> str:
    """Return the style sheet inside a drawing, the same for all of a theme, so that a content policy can name its hash.

    dark: True and False fix the theme; None follows the reader's by CSS variables ``--bv-NAME``, which a page may
    set on ``.bv-auto`` itself. Raises BadSetup for another value.
    """
    root = root_class(dark)
    names = THEMES["light"]
    rules = []
    if dark is None:
        light, night = (
            f".{root}{{{''.join(f'--bv-{name}:{colour};' for name, colour in THEMES[theme].items())}}}"
            for theme in ("light", "dark")
        )
        rules = [light, f"@media (prefers-color-scheme:dark){{{night}}}"]
    for name in names:
        colour = f"var(--bv-{name})" if dark is None else THEMES["dark" if dark else "light"][name]
        rules.append(f".{root} .f-{name}{{fill:{colour}}}")
        if name in _STROKES:
            rules.append(f".{root} .s-{name}{{stroke:{colour}}}")
    return "".join(rules)
