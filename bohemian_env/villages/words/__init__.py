"""Every word that the page and the pictures show, in each language, from one list.

words.py reads the list: en.toml, de.toml and it.toml have the same keys. What is said is put together of it by
bohemian_env/villages/render/ and table/teller.py, each for its own; nothing that people read there stands elsewhere.
The drawing as text is in English.
"""

from .words import ENGLISH, LANGUAGES, Words, words_in

__all__ = ["ENGLISH", "LANGUAGES", "Words", "words_in"]
