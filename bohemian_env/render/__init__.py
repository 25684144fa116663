"""Drawings of a position, made from its JSON alone. They know nothing of learning."""

from .palette import board_css
from .pixels import board_pixels
from .seats import SEAT_LETTERS
from .svg import board_svg
from .text import board_text

__all__ = ["SEAT_LETTERS", "board_css", "board_pixels", "board_svg", "board_text"]
