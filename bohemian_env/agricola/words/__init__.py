"""Every word that the board of a page shows, in each language; see bohemian_env/agricola/draw/board.py. Other drawings
are in English.

en.toml, de.toml and it.toml have the same keys, and the text of a key the same values in braces.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ...engine.words import Words

FOLDER: Final = Path(__file__).parent


def counted(words: Words, what: str, number: int) -> str:
    """Return so many of something that the list counts: "1 sheep", "2 stables"."""
    return words(f"one.{what}" if number == 1 else f"many.{what}", number=str(number).replace("-", "−"))


def goods(words: Words, numbers: Mapping[str, int]) -> str:
    """Return goods with their numbers, "2 wood and 1 reed"; those are left out of which there are none."""
    return words.listed([counted(words, good, number) for good, number in numbers.items() if number])
