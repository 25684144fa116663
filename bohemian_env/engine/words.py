"""Texts in several languages: lists in TOML files, ``en.toml``, ``de.toml`` and so on, with the same keys.

The text of a key has the same values in braces in each language. A game has a list for its drawings, the page one of
its own and one for each game; who needs several joins them.
"""

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "it": "Italiano"}
"""What each language calls itself."""


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one language, called with a key and the values that its text has in braces."""

    language: str
    """One of LANGUAGES."""
    texts: Mapping[str, str]
    """By key, a dot between its parts."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """Values that any text may have in braces: numbers of the rules."""

    def __call__(self, key: str, /, **values: object) -> str:
        """Return a text. Raises KeyError for an unknown key, and for a value that is missing."""
        return self.texts[key].format(**{**self.facts, **values})

    def __contains__(self, key: object) -> bool:
        return key in self.texts

    def part(self, name: str) -> dict[str, str]:
        """Return the texts of one part of the list, by the rest of their keys, with the values still in braces."""
        start = f"{name}."
        return {key.removeprefix(start): text for key, text in self.texts.items() if key.startswith(start)}

    def coins(self, number: int) -> str:
        """Return a number of coins in words."""
        return self("coins_one") if number == 1 else self("coins_many", number=number)

    def number(self, value: float, form: str) -> str:
        """Return a number in one of Python's formats, as the language writes it: −4,1 for -4.06 in ``+.1f``. What is
        shown as zero has no sign.
        """
        signs = {ord("."): self("decimal_mark"), ord("%"): self("percent_sign"), ord("-"): "−"}
        shown = format(value, form)
        return (shown if re.search("[1-9]", shown) else shown.lstrip("+-")).translate(signs)

    def listed(self, parts: Sequence[str]) -> str:
        """Return parts with commas and an "and" between them."""
        return parts[0] if len(parts) == 1 else self("and", first=", ".join(parts[:-1]), last=parts[-1])


def _flat(table: Mapping[str, Any], start: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        found |= _flat(value, f"{start}{key}.") if isinstance(value, dict) else {f"{start}{key}": value}
    return found


@functools.cache
def texts_in(folder: Path, language: str) -> Mapping[str, str]:
    """Return the texts of a folder's list in a language, by key. Raises KeyError if it is none of LANGUAGES."""
    LANGUAGES[language]
    return _flat(tomllib.loads((folder / f"{language}.toml").read_text(encoding="utf-8")))
