"""Ends of games in which all that can happen is counted by plain recursion, to compare searches with."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from bohemian_env.villages.dice import handful
from bohemian_env.villages.opponents.planner import planner_action
from bohemian_env.villages.rules import deal, push
from bohemian_env.villages.state import copy_states
from tests.helpers import game_at, spread


def last_turns(coins: tuple[int, int]) -> np.ndarray:
    """Return a position in which seat 0 has one figure left, for its second move, and seat 1 one for its turn.

    There is nobody to kick out. So the game is over after that turn if seat 0 places its figure: it gets none back.
    """
    two = ("Mirschau", "Nenbrad")
    owners = spread(two, church=(1, 0), town_hall=(1, 0), tailor=(1, 0), dairy=(0, 1), farm=(0, 1), inn=(0, 1))
    return game_at(villages=two, owners=owners, active=["Mirschau"], dice=(1, 2), coins=coins, each=4).states


def counted(states: np.ndarray, value: Callable[[Any], np.ndarray], w: np.ndarray, scratch: np.ndarray) -> np.ndarray:
    """Return the mean of the value of the end over all rolls, where the planner decides; a reroll is a roll too."""
    s = states[0]
    if s["end"]:
        return value(s)
    after = copy_states(states)
    if s["pending"] == 0:
        push(after[0], planner_action(after[0], w, scratch))
        return counted(after, value, w, scratch)
    rolls = Counter(handful(dice) for dice in itertools.product(range(1, 7), repeat=int(s["pending"])))
    total = np.zeros(())
    for rolled, ways in rolls.items():
        after = copy_states(states)
        deal(after[0], rolled)
        total = total + ways * counted(after, value, w, scratch)
    return total / sum(rolls.values())
