"""Every word that the drawings show, in each language; the drawing as text is in English."""

from .words import FACTS, LANGUAGES, Words, words_in

__all__ = ["FACTS", "LANGUAGES", "Words", "words_in"]
