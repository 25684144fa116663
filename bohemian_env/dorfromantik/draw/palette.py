"""The colours of the drawing, light and dark, and the style sheet made of them.

The grounds differ in lightness as well as in hue, and every kind has signs of its own on its ground, dark on light in
both themes: nothing is told by colour alone.
"""

from __future__ import annotations

from typing import Final

from ...engine.checks import check_truth

__all__ = ["THEMES", "css", "root_class"]

_SAME: Final = {
    "badge": "#fffdf6",
    "black": "#16130e",
    "tree": "#123d29",
    "ear": "#6d4200",
    "roof": "#8c2a1c",
    "wall": "#fff4e0",
    "flag": "#7b1f6a",
    "rail": "#2e2924",
}
THEMES: Final = {
    "light": {
        **_SAME,
        "table": "#e9e2d3",
        "card": "#fffcf5",
        "edge": "#b9ac93",
        "ink": "#29241d",
        "muted": "#62594b",
        "accent": "#a3004f",
        "meadow": "#d9e6b4",
        "forest": "#83b58a",
        "grain": "#f5d466",
        "village": "#efb8a0",
        "bed": "#efe9da",
        "stream": "#1a6cb0",
        "wave": "#d6efff",
        "seam": "#5d6a48",
    },
    "dark": {
        **_SAME,
        "table": "#14171b",
        "card": "#242a31",
        "edge": "#4c5662",
        "ink": "#f4efe4",
        "muted": "#bcb4a5",
        "accent": "#ff8fc4",
        "meadow": "#aab98a",
        "forest": "#6d9d76",
        "grain": "#d9b64c",
        "village": "#d59c86",
        "bed": "#d3ccbb",
        "stream": "#0d4f8b",
        "wave": "#c4e2f5",
        "seam": "#2b3322",
    },
}
"""The colours by theme and name. The class ``f-NAME`` fills with a colour, ``s-NAME`` strokes with it."""


def root_class(dark: bool | None) -> str:
    """Return the class of a drawing in this theme, which lets drawings of several themes share a page. Raises BadSetup
    for what is no theme.
    """
    if dark is not None:
        check_truth("dark", dark)
    return "dorf-auto" if dark is None else "dorf-dark" if dark else "dorf-light"


def css(dark: bool | None) -> str:
    """Return the style sheet inside a drawing, the same for all of a theme. Raises BadSetup for what is no theme.

    dark: True and False fix the theme; None follows the reader's by CSS variables ``--dorf-NAME``.
    """
    root = root_class(dark)
    rules = []
    if dark is None:
        light, night = (
            f".{root}{{{''.join(f'--dorf-{name}:{colour};' for name, colour in THEMES[theme].items())}}}"
            for theme in ("light", "dark")
        )
        rules = [light, f"@media (prefers-color-scheme:dark){{{night}}}"]
    for name in THEMES["light"]:
        colour = f"var(--dorf-{name})" if dark is None else THEMES["dark" if dark else "light"][name]
        rules.append(f".{root} .f-{name}{{fill:{colour}}}.{root} .s-{name}{{stroke:{colour}}}")
    return "".join(rules)
