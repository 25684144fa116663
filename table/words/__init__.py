"""What the page says in any game: lists of words by language, which ``bohemian_env/engine/words.py`` reads.

A room's own list, in table/rooms/ under its name, may say something else by the same key.
"""

from pathlib import Path

from bohemian_env.engine.words import LANGUAGES, Words, texts_in

__all__ = ["LANGUAGES", "Words", "page_words"]


def page_words(language: str) -> Words:
    """Return the words of the page where no game is looked at. Raises KeyError if it is none of LANGUAGES."""
    return Words(language, texts_in(Path(__file__).parent, language))
