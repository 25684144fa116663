"""How lucky what chance brought was, in points, by what a player's values (``values.py``) expect.

It is what they expect afterwards, less their mean over all that chance could have brought, each as likely as it is.
"""

from typing import Any

import numpy as np

from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import deal, draw, likelihood, outcomes, push, set_up
from bohemian_env.engine.reward import write_totals

from .values import Room, best_actions, new_room, worth


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


@loop
def begin(
    seeds: np.ndarray, common: np.ndarray, states: np.ndarray, weights: np.ndarray, trials: np.ndarray, luck: np.ndarray
) -> None:
    """Set up the games of some seeds, and enter how lucky their beginnings were: float64, (games, players), the same
    for all seats of a game."""
    room = new_room()
    for i in range(seeds.shape[0]):
        set_up(states[i], seeds[i], common[0])
        luck[i] += add_luck(states[i], seeds[i], weights, trials, room)


@loop
def go_on(
    games: np.ndarray,
    states: np.ndarray,
    seeds: np.ndarray,
    actions: np.ndarray,
    weights: np.ndarray,
    trials: np.ndarray,
    luck: np.ndarray,
) -> None:
    """Carry out an action in some games, and enter how lucky they were then."""
    room = new_room()
    for i in games:
        push(states[i], actions[i])
        luck[i] += add_luck(states[i], seeds[i], weights, trials, room)
