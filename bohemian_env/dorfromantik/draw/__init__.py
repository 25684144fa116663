"""Drawings of a position, from its JSON (D32) alone: as text (text.py) and as SVG (svg.py).

landscape.py draws the landscape alone. scene.py reads and checks the position for all; shapes.py draws tiles and signs,
in the colours of palette.py.
"""

from .landscape import draw_landscape
from .svg import draw_svg
from .text import draw_text

__all__ = ["draw_landscape", "draw_svg", "draw_text"]
