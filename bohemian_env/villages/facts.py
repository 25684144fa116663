"""The facts of the rules, each stated once: what there is, what it pays, and who may be kicked out of it.

docs/villages.md has the rulings (R1 to R26) that the numbers below belong to. Whatever needs one of them takes it from
here: the rules themselves, the opponents, the drawings and the page.
"""

from typing import Final

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 5
TURN_DICE: Final = 4
"""Dice that are rolled at the start of a turn (R6)."""

KINDS: Final = ("bakery", "butchery", "dairy", "tailor", "mill", "glass", "farm", "inn", "town_hall", "church", "manor")
"""Kinds of building in the order of their totals."""
TOTALS: Final = dict(zip(KINDS, range(2, 13), strict=True))
"""The total of two to four dice that places a figure on each kind (R6)."""
PRINTED: Final = ("town_hall", "manor")
"""Kinds that carry a printed value."""
SHOPS: Final = KINDS[:4]
"""Kinds that make sets (R25.2), and out of which only a player without one may kick somebody (R10)."""
KICK_ALWAYS: Final = ("farm", "inn", "town_hall", "church")
"""Kinds out of which anybody may kick somebody else when none is free (R10); out of others but shops nobody may."""

INN_NEEDS: Final = 3
"""Other buildings of the village that must be occupied for an inn to become active (R18)."""
TILE_PAYS: Final = {"mill": 2, "glass": 3}
"""Coins for each flour tile and each glass tile when all buildings of the kind are occupied (R20)."""
SHOP_SETS: Final = (0, 1, 5, 12, 20)
"""Coins for a set of shops, by how many different ones it has (R25.2)."""
NO_TOWN_HALL: Final = -5
"""Coins for having no town hall (R25.1)."""
MOST_CHURCHES: Final = 10
"""Coins for having more churches than anybody else (R25.3)."""
SECOND_CHURCHES: Final = 6
"""Coins for having the second most churches, or the most together with somebody else (R25.3)."""

ENDS: Final = (None, "no figures", "bank empty", "truncated")
"""How a game ends (R4, R21, R24), in the words of the game record; None while it goes on."""
SCORING: Final = ("coins", "town_halls", "shops", "churches", "tiles", "total")
"""The columns of the final scoring (R25), in the words of the game record."""
