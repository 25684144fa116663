"""How lucky a roll was: the chances of winning after it, less their mean over all rolls that could have come.

The chances are those that the network of ``appraiser`` states. Whatever it states, the mean luck of a roll is 0, so
what is won less all luck of the game has the same mean as what is won, and varies less: in backgammon this is called
variance reduction.
"""

from __future__ import annotations

import numpy as np

from ..compiled import njit
from ..game.dice import CHANCE, FIRST, Handful
from ..game.facts import MAX_PLAYERS
from ..game.rules import deal
from ..game.state import State
from .appraiser import Room, Weights, appraise

__all__ = ["add_luck", "mean_chances"]


@njit
def mean_chances(s: State, weights: Weights, room: Room, found: np.ndarray) -> None:
    """Write every seat's mean chance of winning over all rolls that can follow ``s``, in which dice must be rolled.

    found: float64, (players or more,), overwritten.
    """
    rolled, chances = room.trials[0], room.chances[0]
    players = s["players"]
    for seat in range(players):
        found[seat] = 0.0
    for dice in range(FIRST[s["pending"]], FIRST[s["pending"] + 1]):
        room.trials[0] = s
        deal(rolled, dice)
        appraise(rolled, weights, room, chances)
        for seat in range(players):
            found[seat] += CHANCE[dice] * chances[seat]


@njit
def add_luck(s: State, dice: Handful, weights: Weights, room: Room, luck: np.ndarray) -> None:
    """Add to ``luck`` how lucky each seat was when the handful ``dice`` was rolled in ``s``, as a chance of winning.

    luck: float64, (players or more,).
    """
    mean = np.empty(MAX_PLAYERS, np.float64)
    mean_chances(s, weights, room, mean)
    room.trials[0] = s
    deal(room.trials[0], dice)
    appraise(room.trials[0], weights, room, room.chances[0])
    for seat in range(s["players"]):
        luck[seat] += room.chances[0][seat] - mean[seat]
