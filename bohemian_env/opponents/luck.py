"""How lucky a roll was: the chances of winning after it, less their mean over all rolls that could have come.

The chances are those that the network of ``appraiser`` states where the turn ends that ``planner`` plays with the roll;
before the turn it cannot tell good dice from bad ones well. Whatever is stated, the mean luck of a roll is 0, so what
is won less all luck of the game has the same mean as what is won, and varies less: in backgammon this is called
variance reduction.
"""

from __future__ import annotations

import numpy as np

from ..compiled import njit
from ..game.dice import CHANCE, FIRST, Handful
from ..game.facts import MAX_PLAYERS
from ..game.rules import deal, push
from ..game.state import State
from .appraiser import Room, Weights, appraise
from .planner import WEIGHTS, planner_action

__all__ = ["add_luck", "mean_chances"]

_ROLLED = 2  # index of a position in the room's trials; the planner uses those before


@njit
def _chances_with(s: State, dice: Handful, weights: Weights, room: Room) -> None:
    """Write every seat's chance of winning, after the turn that the planner plays with a roll, into the room's first
    row of chances.
    """
    planner = WEIGHTS[0, s["players"]]
    rolled = room.trials[_ROLLED]
    room.trials[_ROLLED] = s
    deal(rolled, dice)
    while rolled["end"] == 0 and rolled["pending"] == 0:
        push(rolled, planner_action(rolled, planner, room.trials))
    appraise(rolled, weights, room, room.chances[0])


@njit
def mean_chances(s: State, weights: Weights, room: Room, found: np.ndarray) -> None:
    """Write every seat's mean chance of winning over all rolls that can follow ``s``, in which dice must be rolled.

    found: float64, (players or more,), overwritten.
    """
    for seat in range(s["players"]):
        found[seat] = 0.0
    for dice in range(FIRST[s["pending"]], FIRST[s["pending"] + 1]):
        _chances_with(s, dice, weights, room)
        for seat in range(s["players"]):
            found[seat] += CHANCE[dice] * room.chances[0, seat]


@njit
def add_luck(s: State, dice: Handful, weights: Weights, room: Room, luck: np.ndarray) -> None:
    """Add to ``luck`` how lucky each seat was when the handful ``dice`` was rolled in ``s``, as a chance of winning.

    luck: float64, (players or more,).
    """
    mean = np.empty(MAX_PLAYERS, np.float64)
    mean_chances(s, weights, room, mean)
    _chances_with(s, dice, weights, room)
    for seat in range(s["players"]):
        luck[seat] += room.chances[0, seat] - mean[seat]
