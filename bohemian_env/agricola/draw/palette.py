"""The colours of the drawing, light and dark.

Every seat also has a letter, every good a sign of its own shape with dark outlines on a light badge, and every kind of
cell its own pattern: nothing is told by colour alone.
"""

from typing import Final

from ...engine.drawing import COMMON, Palette

_COLOURS: Final = {
    **{f"seat{seat}": told for seat, told in enumerate(["#e8702a", "#56b4e9", "#f0e442", "#2fb98c", "#f2f2f2"])},
    "badge": "#fffdf6",
    "black": "#16130e",
    "log": "#b07a3f",
    "brick": "#d0694a",
    "reed": "#4f7d2d",
    "rock": "#a5a9ae",
    "ear": "#8a5a00",
    "carrot": "#ee8421",
    "bowl": "#e0b13a",
    "wool": "#ffffff",
    "bristle": "#5b4a40",
    "hide": "#b98150",
    "barn": "#a33d2b",
    **COMMON,
    "accent": "#a3004f #ff8fc4",
    "wild": "#c4d3a0 #a3b283",
    "pasture": "#b3dd86 #93bd6a",
    "soil": "#c79f70 #b08a5e",
    "timber": "#e3bd84 #c9a36c",
    "clay": "#e19a78 #c98263",
    "stone": "#d3d4d6 #b3b5b8",
    "grass": "#5f7440 #49592f",
    "seam": "#5c4022 #4a3218",
    "fence": "#4a2a0c #351c05",
}
PALETTE: Final = Palette("agri", _COLOURS)
THEMES: Final = PALETTE.themes
"""The colours by theme and name."""
