"""Every word that the drawings show, in each language; the drawing as text is in English.

words.py reads the lists: en.toml, de.toml and it.toml have the same keys.
"""

from ...engine.words import Words
from .words import FACTS, words_in

__all__ = ["FACTS", "Words", "words_in"]
