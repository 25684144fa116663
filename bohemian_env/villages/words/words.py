"""The list of words: en.toml, de.toml and it.toml have the same keys, and the text of a key the same values in braces.

Numbers of the rules are those of ``villages/facts.py``.
"""

from __future__ import annotations

import functools
import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..facts import INN_NEEDS, MOST_CHURCHES, NO_TOWN_HALL, SECOND_CHURCHES, SHOP_SETS, TILE_PAYS, TURN_DICE

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "it": "Italiano"}
"""What each language calls itself."""
_FACTS: Final = {
    "DICE": TURN_DICE,
    "FLOUR": TILE_PAYS["mill"],
    "GLASS": TILE_PAYS["glass"],
    "INN_NEEDS": INN_NEEDS,
    "MOST": MOST_CHURCHES,
    "NO_TOWN_HALL": str(NO_TOWN_HALL).replace("-", "−"),
    "SECOND": SECOND_CHURCHES,
    "SETS": "/".join(map(str, SHOP_SETS[1:])),
    "SIZES": "/".join(map(str, range(1, len(SHOP_SETS)))),
}
"""The numbers of the rules by the names that texts use for them."""


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one language, called with a key and the values that its text has in braces.

    >>> words_in("de")("kind.inn")
    'Wirtshaus'
    >>> words_in("en")("drawing.turn", turn=3)
    'Turn 3'
    """

    language: str
    """One of LANGUAGES."""
    texts: Mapping[str, str]
    """By key, a dot between its parts."""

    def __call__(self, key: str, /, **values: object) -> str:
        """Return a text. Raises KeyError for an unknown key, and for a value that is missing."""
        return string.Formatter().vformat(self.texts[key], (), _FACTS | values)

    def part(self, name: str) -> dict[str, str]:
        """Return the texts of one part of the list, by the rest of their keys, with the values still in braces."""
        start = f"{name}."
        return {key.removeprefix(start): text for key, text in self.texts.items() if key.startswith(start)}

    def coins(self, number: int) -> str:
        """Return a number of coins in words."""
        return self("coins_one") if number == 1 else self("coins_many", number=number)

    def number(self, value: float, form: str) -> str:
        """Return a number in one of Python's formats, as the language writes it.

        >>> words_in("de").number(-4.06, "+.1f")
        '−4,1'
        """
        signs = {ord("."): self("decimal_mark"), ord("%"): self("percent_sign"), ord("-"): "−"}
        return format(value, form).translate(signs)

    def listed(self, parts: Sequence[str]) -> str:
        """Return parts with commas and an "and" between them."""
        return parts[0] if len(parts) == 1 else self("and", first=", ".join(parts[:-1]), last=parts[-1])


def _flat(table: Mapping[str, Any], start: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        found |= _flat(value, f"{start}{key}.") if isinstance(value, dict) else {f"{start}{key}": value}
    return found


@functools.cache
def words_in(language: str) -> Words:
    """Return the words of a language. Raises KeyError if it is none of LANGUAGES."""
    LANGUAGES[language]
    path = Path(__file__).with_name(f"{language}.toml")
    return Words(language, _flat(tomllib.loads(path.read_text(encoding="utf-8"))))


ENGLISH: Final = words_in("en")
"""The words in English."""
