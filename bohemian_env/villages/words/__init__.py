"""Every word that the drawings show, in each language; the drawing as text is in English."""

from ...engine.words import LANGUAGES, Words
from .words import FACTS, words_in

__all__ = ["FACTS", "LANGUAGES", "Words", "words_in"]
