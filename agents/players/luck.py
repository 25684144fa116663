"""How lucky what chance brought was, in points, by what a player's values (``values.py``) expect.

It is what they expect afterwards, less their mean over all that chance could have brought, each as likely as it is.
"""

from typing import Any

import numpy as np

from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import deal, draw, likelihood, outcomes
from bohemian_env.engine.reward import write_totals

from .values import Room, best_actions, worth


@loop
def expected_total(states: np.ndarray, weights: np.ndarray, room: Room) -> float:
    """Return the total that the seat to move of ``states[0]`` expects, chance and decisions of that moment included.

    states: (3 or more,), all but the first are overwritten.
    """
    s = states[0]
    seat = int(s["to_move"])
    if s["end"] != 0 or s["pending"] != 0:
        return worth(s, max(seat, 0), weights, room)
    write_totals(s, room.totals, room.scoring)
    total = float(room.totals[seat])
    best_actions(states, weights, 1, room)
    return total + room.worths[0]


@loop
def add_luck(s: Any, seed: Word, weights: np.ndarray, trials: np.ndarray, room: Room) -> float:
    """Let chance speak until a seat decides or the game is over, and return how lucky that was, in points."""
    luck = 0.0
    while s["pending"] != 0:
        drawn = draw(s, seed)
        for k in range(outcomes(s)):
            likely = likelihood(s, k)
            if likely > 0:
                trials[0] = s
                deal(trials[0], k)
                luck += ((1.0 if k == drawn else 0.0) - likely) * expected_total(trials, weights, room)
        deal(s, drawn)
    return luck
