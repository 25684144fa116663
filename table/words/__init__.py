"""What the page says in any game: lists of words by language, and how they are read."""

from __future__ import annotations

from pathlib import Path

from bohemian_env.engine.words import LANGUAGES, Words, texts_in

__all__ = ["LANGUAGES", "Words", "page_words"]


def page_words(language: str) -> Words:
    """Return the words of the page where no game is looked at. Raises KeyError if it is none of LANGUAGES."""
    return Words(language, texts_in(Path(__file__).parent, language))
