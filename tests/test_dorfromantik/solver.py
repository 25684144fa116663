"""Exact values of small variants: what the best player, a random one and a greedy one score on average.

It knows the game through its verbs alone. Positions before chance speaks are remembered by their tiles, up to moving
and turning the landscape: where the window is out of reach, all that is to come is the same.
"""

from typing import Any, Final

import numba
import numpy as np
from numba import types
from numba.typed import Dict

from bohemian_env.dorfromantik import Setup, verbs
from bohemian_env.dorfromantik.state import STATE
from bohemian_env.dorfromantik.tiles import LOOK, TILES
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.legal import next_legal

BEST, RANDOM, GREEDY = 0, 1, 2
"""Who plays. GREEDY takes any placement by which the score grows most, each as likely as any other."""

_push, _deal, _likelihood, _outcomes = verbs.push, verbs.deal, verbs.likelihood, verbs.outcomes
_TOTAL: Final = verbs.COLUMNS - 1
_NONE: Final = np.uint64(2**64 - 1)


@numba.njit(error_model="numpy")
def _key(s: Any) -> Any:
    """Return a number for the tiles that lie and that are hidden, the same however the landscape is moved or turned."""
    lowest = 0
    while s["tiles"][lowest, 0] != 1:
        lowest += 1
    q_0, r_0 = s["tiles"][lowest, 1], s["tiles"][lowest, 2]
    best = _NONE
    for turn in range(6):
        sum_ = np.uint64(0)
        for tile in range(TILES):
            there, q, r, rotation = s["tiles"][tile]
            if there != 1:
                continue
            q, r = q - q_0, r - r_0
            for _ in range(turn):
                q, r = -r, q + r  # by 60 degrees, clockwise (D29)
            look = LOOK[tile, (rotation + turn) % 6]
            sum_ += mix(np.uint64(((tile * 8 + look) * 64 + q + 32) * 64 + r + 32) * STEP)
        best = min(best, sum_)
    return mix(best ^ s["landscape"] * STEP) ^ mix(np.uint64(s["tasks"]) + STEP)


@numba.njit(error_model="numpy")
def _value(states: Any, level: int, player: int, known: Any) -> float:
    """Return what the player scores on average from the position ``states[level]`` on, in which chance is due or the
    game is over."""
    s = states[level]
    if s["end"] != 0:
        return 0.0
    key = np.uint64(0)
    begun = s["turn"] > 0 and s["pending"] == 1
    if begun:
        key = _key(s)
        if key in known:
            return known[key]
    value = 0.0
    for k in range(_outcomes(s)):
        likely = _likelihood(s, k)
        if likely > 0.0:
            states[level + 1] = states[level]
            _deal(states[level + 1], k)
            if states[level + 1]["pending"] != 0 or states[level + 1]["end"] != 0:
                value += likely * _value(states, level + 1, player, known)
            else:
                value += likely * _value_of_decision(states, level + 1, player, known)
    if begun:
        known[key] = value
    return value


@numba.njit(error_model="numpy")
def _value_of_decision(states: Any, level: int, player: int, known: Any) -> float:
    """Return the same from a position in which somebody decides."""
    sum_, count, most = 0.0, 0, -1.0
    action = next_legal(states[level], 0)
    while action >= 0:
        states[level + 1] = states[level]
        before = states[level]["score"][_TOTAL]
        _push(states[level + 1], action)
        growth = float(states[level + 1]["score"][_TOTAL] - before)
        if player == GREEDY and growth > most:
            sum_, count, most = 0.0, 0, growth
        if player != GREEDY or growth == most:
            value = growth + _value(states, level + 1, player, known)
            if player == BEST:
                most = max(most, value)
            sum_ += value
            count += 1
        action = next_legal(states[level], action + 1)
    return most if player == BEST else sum_ / count


def value(player: int, **variant: Any) -> tuple[float, int]:
    """Return what a player scores on average in a variant, and how many positions were met."""
    setup = Setup.of(1, **variant)
    states = np.zeros(4 * (len(setup.landscape) + len(setup.tasks)) + 2, STATE)
    states[:1] = setup.start().new_state()
    known = Dict.empty(types.uint64, types.float64)
    return float(_value(states, 0, player, known)), len(known)
