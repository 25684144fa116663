"""The colours of the drawing, light and dark.

The grounds differ in lightness as well as in hue, and every kind has signs of its own on its ground, dark on light in
both themes: nothing is told by colour alone.
"""

from typing import Final

from ...engine.drawing import COMMON, Palette

_COLOURS: Final = {
    "badge": "#fffdf6",
    "black": "#16130e",
    "tree": "#123d29",
    "ear": "#6d4200",
    "roof": "#8c2a1c",
    "wall": "#fff4e0",
    "flag": "#7b1f6a",
    "rail": "#2e2924",
    **COMMON,
    "accent": "#a3004f #ff8fc4",
    "meadow": "#d9e6b4 #aab98a",
    "forest": "#83b58a #6d9d76",
    "grain": "#f5d466 #d9b64c",
    "village": "#efb8a0 #d59c86",
    "bed": "#efe9da #d3ccbb",
    "stream": "#1a6cb0 #0d4f8b",
    "wave": "#d6efff #c4e2f5",
    "seam": "#5d6a48 #2b3322",
}
PALETTE: Final = Palette("dorf", _COLOURS)
THEMES: Final = PALETTE.themes
"""The colours by theme and name."""
