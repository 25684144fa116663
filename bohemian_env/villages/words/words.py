"""The list of words for the drawings: en.toml, de.toml and it.toml have the same keys, and the text of a key the same
values in braces.

Numbers of the rules are those of ``villages/facts.py``.
"""

import functools
from pathlib import Path
from typing import Final

from ...engine.words import Words, texts_in
from ..facts import INN_NEEDS, MOST_CHURCHES, NO_TOWN_HALL, SECOND_CHURCHES, SHOP_SETS, TILE_PAYS, TURN_DICE

FACTS: Final = {
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


@functools.cache
def words_in(language: str) -> Words:
    """Return the words of a language. Raises KeyError if it is none of LANGUAGES."""
    return Words(language, texts_in(Path(__file__).parent, language), FACTS)
