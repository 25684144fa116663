"""Every word that the drawings show, in each language; the drawing as text is in English.

words.py reads the lists en.toml, de.toml and it.toml, which have the same keys.
"""

from .words import FACTS, LANGUAGES, Words, words_in

__all__ = ["FACTS", "LANGUAGES", "Words", "words_in"]
