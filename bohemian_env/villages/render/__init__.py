"""Drawings of a position, made from its JSON alone. They know nothing of learning.

text.py draws with letters. svg.py draws a picture of the parts in panels.py and shapes.py, in the colours of
palette.py, and turns it into pixels; scene.py is what these parts share, and seats.py what both drawings say about the
seats.
"""

from .palette import board_css
from .seats import SEAT_LETTERS
from .svg import board_pixels, board_svg
from .text import board_text

__all__ = ["SEAT_LETTERS", "board_css", "board_pixels", "board_svg", "board_text"]
draw_svg, draw_text = board_svg, board_text
"""What the floor calls them."""
