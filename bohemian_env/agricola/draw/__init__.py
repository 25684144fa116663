"""Drawings of a position, from its JSON (A78) alone: as text (text.py) and as SVG (svg.py), and the
board of a page, in its language (board.py).

scene.py reads and checks the position for both; shapes.py draws cells and signs, in the colours of palette.py.
"""

from .svg import draw_svg
from .text import draw_text

__all__ = ["draw_svg", "draw_text"]
