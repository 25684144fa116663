"""The facts of the rules in words, for whatever shows the game to people."""

from __future__ import annotations

from typing import Final

from .facts import (
    INN_NEEDS,
    KICK_ALWAYS,
    KINDS,
    MOST_CHURCHES,
    NO_TOWN_HALL,
    SECOND_CHURCHES,
    SHOP_SETS,
    SHOPS,
    TILE_PAYS,
    TURN_DICE,
)

__all__ = ["HOW_TO_PLAY", "KICK_WORDS", "KIND_WORDS", "PAY_SENTENCES", "PAY_WORDS", "SCORING_WORDS", "TILE_WORDS"]

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

TILE_WORDS: Final = {"mill": ("flour mills", "flour tiles"), "glass": ("glass factories", "glass tiles")}
"""The kinds that TILE_PAYS names, in the plural, and their tiles."""

_SETS: Final = "/".join(map(str, SHOP_SETS[1:]))
_SIZES: Final = "/".join(map(str, range(1, len(SHOP_SETS))))
_NO_TOWN_HALL: Final = str(NO_TOWN_HALL).replace("-", "−")
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

PAY_SENTENCES: Final = {
    **dict.fromkeys(SHOPS, f"at the end: {_SETS} coins for a set of {_SIZES} different shops"),
    **{
        kind: f"{coins} coins for each, once all are taken; then the figures on them go home"
        for kind, coins in TILE_PAYS.items()
    },
    "farm": "at once: 1 coin for each farm that you have now",
    "inn": f"1 coin at the start of each of your turns, once {INN_NEEDS} other buildings of the village are taken",
    "town_hall": f"at the end: its value if the whole village is taken; {_NO_TOWN_HALL} if you have no town hall",
    "church": f"at the end: {MOST_CHURCHES} coins for the most churches, {SECOND_CHURCHES} for the second most; "
    "with the bishop, 1 coin for each church at the start of each of your turns",
    "manor": "at once: its value",
}
"""The same in full, for somebody who has never played."""

SCORING_WORDS: Final = {
    "coins": ("R5, R19, R20", "coins earned during the game"),
    "town_halls": ("R25.1", f"full villages, or {_NO_TOWN_HALL} without a town hall"),
    "shops": ("R25.2", f"sets of different shops: {_SETS}"),
    "churches": ("R25.3", f"{MOST_CHURCHES} for the most churches, {SECOND_CHURCHES} for the second most"),
    "tiles": ("R25.4", "half the worth of flour and glass tiles left over"),
    "total": ("R26", "the sum; the highest wins"),
}
"""The ruling and the meaning of each column of the final scoring."""

HOW_TO_PLAY: Final = (
    f"On your turn, roll {TURN_DICE} dice. The sum of two or more of them is a total: put a figure on a free building "
    "with that total. If you used exactly two dice, you may make a second move with the other two.",
    "If every building of a kind is taken, you may kick out another player's figure where the table below allows it. "
    "The figure goes back to its owner.",
    "Instead of placing a figure, you can use two equal dice to take the bishop, or any two dice to take a special "
    "action tile. You can hold one such tile, and spend it any time in your turn to reroll some of your unused dice.",
    "You must make a first move if you can. After it you may stop.",
    "The game ends when a player has no figure left at the start of a turn, or when the bank is empty. The player with "
    "the most coins wins.",
)
"""The course of the game in a few sentences; what buildings pay, and who may be kicked out of them, is said above."""
