"""The facts of the rules in words, for whatever shows the game to people."""

from __future__ import annotations

from typing import Final

from .facts import KICK_ALWAYS, KINDS, MOST_CHURCHES, NO_TOWN_HALL, SECOND_CHURCHES, SHOP_SETS, SHOPS, TILE_PAYS

__all__ = ["KICK_WORDS", "KIND_WORDS", "PAY_WORDS", "SCORING_WORDS"]

KIND_WORDS: Final = {kind: kind.replace("_", " ") for kind in KINDS} | {
    "tailor": "tailor shop",
    "mill": "flour mill",
    "glass": "glass factory",
}
"""What each kind is called."""

KICK_WORDS: Final = {
    kind: "only if you have none" if kind in SHOPS else "yes" if kind in KICK_ALWAYS else "never" for kind in KINDS
}
"""Whether somebody else's figure may be kicked out of each kind when none is free (R10)."""

_SETS: Final = "/".join(map(str, SHOP_SETS[1:]))
PAY_WORDS: Final = {
    **dict.fromkeys(SHOPS, f"end: sets pay {_SETS}"),
    **{kind: f"{coins} for each, once all are full" for kind, coins in TILE_PAYS.items()},
    "farm": "at once: 1 for each own farm",
    "inn": "1 a turn, once active",
    "town_hall": "end: its value in a full village",
    "church": f"end: most {MOST_CHURCHES}, second most {SECOND_CHURCHES}",
    "manor": "at once: its value",
}
"""What each kind pays (R5, R19, R20, R25), in few words."""

SCORING_WORDS: Final = {
    "coins": ("R5, R19, R20", "coins earned during the game"),
    "town_halls": ("R25.1", f"full villages, or {NO_TOWN_HALL} without a town hall".replace("-", "−")),
    "shops": ("R25.2", f"sets of different shops: {_SETS}"),
    "churches": ("R25.3", f"{MOST_CHURCHES} for the most churches, {SECOND_CHURCHES} for the second most"),
    "tiles": ("R25.4", "half the worth of flour and glass tiles left over"),
    "total": ("R26", "the sum; the highest wins"),
}
"""The ruling and the meaning of each column of the final scoring."""
