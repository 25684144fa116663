"""What a network may be told beside the observation: what the planner thinks of the position.

The network is still a function of the observation alone: everything that the planner looks at stands in it, so the
position is read back from it (:func:`read_observation`) and handed to the planner.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np

from bohemian_env.compiled import njit
from bohemian_env.envs.observation import OBSERVATION_SIZE, OFFSETS
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.dice import DICE
from bohemian_env.game.rules import find_legal, is_legal
from bohemian_env.game.state import CELLS, FIELD, MAX_PLAYERS, MAX_VILLAGES, MIN_PLAYERS, STATE, WORD_KINDS
from bohemian_env.opponents.planner import VERSION, WEIGHTS, estimates, planner_values

__all__ = ["ADVICE", "STANDING", "advise", "read_observation"]

ADVICE: Final = f"planner/{VERSION}"
"""Whose advice it is, as the file of a network names it."""
STANDING: Final = MAX_PLAYERS + 1
"""Numbers that say how the seats stand."""
FARTHEST: Final = 20.0
"""Coins behind the best action, at most, that an action is said to be."""

_FREE, _FIGURES_ON, _INN, _DICE = OFFSETS["free"], OFFSETS["figures_on"], OFFSETS["inn_active"], OFFSETS["dice"]
_SPENT, _TO_MOVE, _BISHOP = OFFSETS["special_spent"], OFFSETS["to_move"], OFFSETS["bishop"]
_SPECIAL, _PLAYERS, _FIGURES = OFFSETS["special"], OFFSETS["players"], OFFSETS["figures"]
_SUPPLY, _TOWN_HALL, _MANOR = OFFSETS["special_supply"], OFFSETS["town_hall_value"], OFFSETS["manor_value"]
_COINS, _BANK, _TURN = OFFSETS["coins"], OFFSETS["bank"], OFFSETS["turn"]
_WORD_CELLS: Final = FIELD * WORD_KINDS
_MOST: Final = 4  # dice
_0, _1 = np.uint64(0), np.uint64(1)


def _handfuls() -> np.ndarray:
    """Number of a handful of dice by how many show each number: uint8, (5,) * 6; 0 where there are more than four."""
    found = np.zeros((_MOST + 1,) * 6, np.uint8)
    for counts in product(range(_MOST + 1), repeat=6):
        dice = tuple(number + 1 for number in range(6) for _ in range(counts[number]))
        if len(dice) <= _MOST:
            found[counts] = DICE.index(dice)
    return found


_HANDFUL: Final = _handfuls().ravel()


@njit
def _cells(seen: Any, at: Any, out: Any) -> None:
    """Read a set of cells, two words, from the flags that begin at ``at``."""
    out[0], out[1] = _0, _0
    for cell in range(CELLS):
        if seen[at + cell]:
            word = 0 if cell < _WORD_CELLS else 1
            out[word] |= _1 << np.uint64(cell - word * _WORD_CELLS)


@njit
def read_observation(seen: Any, s: Any) -> None:
    """Write the position that an observation shows, the observer as seat 0, with its legal actions.

    What an observation does not say is as in any game that goes on: no roll is due, no limit on turns.

    Args:
        seen: int8, (OBSERVATION_SIZE,), of a game in which somebody decides.
        s: record of STATE, overwritten.
    """
    players = MIN_PLAYERS
    for more in range(1, MAX_PLAYERS - MIN_PLAYERS + 1):
        if seen[_PLAYERS + more]:
            players = MIN_PLAYERS + more
    s["players"], s["villages"], s["max_turns"] = players, MAX_VILLAGES, 0
    s["pending"], s["end"], s["spent"] = 0, 0, seen[_SPENT]
    have, occupied, own = s["have"], s["occupied"], s["own"]
    occupied[0], occupied[1] = _0, _0
    s["to_move"], s["bishop"], s["special"] = 0, -1, 0
    for seat in range(MAX_PLAYERS):
        _cells(seen, _FIGURES_ON + CELLS * seat, own[seat])
        occupied[0] |= own[seat, 0]
        occupied[1] |= own[seat, 1]
        if seen[_TO_MOVE + seat]:
            s["to_move"] = seat
        if seen[_BISHOP + seat]:
            s["bishop"] = seat
        if seen[_SPECIAL + seat]:
            s["special"] |= 1 << seat
        s["figures"][seat] = seen[_FIGURES + seat]
        s["coins"][seat] = 128 * np.int32(seen[_COINS + 2 * seat]) + seen[_COINS + 2 * seat + 1]
    _cells(seen, _FREE, have)
    have[0] |= occupied[0]
    have[1] |= occupied[1]
    s["active"] = 0
    for village in range(MAX_VILLAGES):
        if seen[_INN + village]:
            s["active"] |= 1 << village
        s["town_hall"][village] = seen[_TOWN_HALL + village]
        s["manor"][village] = seen[_MANOR + village]
    s["special_supply"] = seen[_SUPPLY]
    s["bank"] = 128 * np.int32(seen[_BANK]) + seen[_BANK + 1]
    s["turn"] = 128 * np.int32(seen[_TURN]) + seen[_TURN + 1]
    counts = 0
    for number in range(6):
        showing = 0
        for k in range(_MOST):
            showing += seen[_DICE + _MOST * number + k]
        counts = counts * (_MOST + 1) + showing
    s["dice"] = _HANDFUL[counts]
    find_legal(s)


@njit
def _advise(observations: Any, states: Any, weights: Any, values: Any, standing: Any, actions: Any) -> None:
    s, scratch = states[0], states[1:]
    worth = np.zeros(MAX_PLAYERS, np.float64)
    for row in range(observations.shape[0]):
        standing[row] = 0.0
        actions[row] = 0.0
        seen = observations[row]
        decides = False
        for seat in range(MAX_PLAYERS):
            decides |= seen[_TO_MOVE + seat] != 0
        if not decides:
            continue
        read_observation(seen, s)
        players = s["players"]
        w = weights[players]
        estimates(s, w, worth)
        for seat in range(players):
            standing[row, seat] = worth[seat]
        if s["to_move"] != 0 or s["dice"] == 0:
            continue
        best = values[planner_values(s, w, scratch, values)]
        standing[row, MAX_PLAYERS] = best
        for action in range(NUM_ACTIONS):
            if is_legal(s, action):
                actions[row, action] = max(values[action] - best, -FARTHEST)


def advise(observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the planner thinks of what is seen, in coins.

    Args:
        observations: int8, (m, OBSERVATION_SIZE).

    Returns:
        How the seats stand, float32 (m, STANDING): what each seat has, the observer first, and how far the observer is
        ahead after the best turn if it decides; and of each action how far it falls behind the best, float32
        (m, NUM_ACTIONS), from -FARTHEST to 0, which is 0 for illegal ones and where the observer does not decide.
    """
    m = len(observations)
    if observations.shape != (m, OBSERVATION_SIZE) or observations.dtype != np.int8:
        raise ValueError(f"observations {observations.dtype} {observations.shape} are not int8 (m, {OBSERVATION_SIZE})")
    standing, actions = np.empty((m, STANDING), np.float32), np.empty((m, NUM_ACTIONS), np.float32)
    room = np.zeros(3, STATE), WEIGHTS[0], np.empty(NUM_ACTIONS)
    _advise(np.ascontiguousarray(observations), *room, standing, actions)
    return standing, actions
