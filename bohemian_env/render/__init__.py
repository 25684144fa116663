"""Drawings of a position, made from its JSON alone. They know nothing of learning."""

from .text import SEAT_LETTERS, board_text

__all__ = ["SEAT_LETTERS", "board_text"]
