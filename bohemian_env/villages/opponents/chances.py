"""How likely each seat is to win, in any position, as the network of ``appraiser`` says.

Where somebody decides these are the chances after the best turn that is left, where dice must be rolled those before
the roll, and at the end the shares of the win: what becomes of the game if all go on as ``appraiser`` would.
"""

import numpy as np

from ...engine.compiled import njit
from ...engine.errors import GameOver
from ..actions import NUM_ACTIONS
from ..dice import CHANCE, FIRST
from ..errors import NoRollNeeded
from ..rules import deal
from ..state import STATE, State
from .appraiser import Room, Weights, appraise, appraiser_values, forget, load_weights, new_room, of_size, turn_values


@njit
def _write_chances(s: State, weights: Weights, room: Room, values: np.ndarray, chances: np.ndarray) -> None:
    """Write the chances of all seats: float64, (players,), overwritten. values: overwritten where legal.

    The room forgets nothing, as in ``turn_values``.
    """
    if s["end"] != 0 or s["pending"] != 0:
        appraise(s, weights, room, chances)
    else:
        turn_values(s, weights, room, values)
        for seat in range(s["players"]):
            chances[seat] = room.chances[1, seat]


@njit
def _write_all(states: np.ndarray, weights: Weights, room: Room, chances: np.ndarray) -> None:
    values = np.empty(NUM_ACTIONS)
    for i in range(states.shape[0]):
        forget(room)
        _write_chances(states[i], weights, room, values, chances[i])


@njit
def _write_expected(s: State, weights: Weights, room: Room, rolled: np.ndarray, found: np.ndarray) -> None:
    values, chances = np.empty(NUM_ACTIONS), np.empty_like(found)
    forget(room)
    for dice in range(FIRST[s["pending"]], FIRST[s["pending"] + 1]):
        rolled[0] = s
        deal(rolled[0], dice)
        _write_chances(rolled[0], weights, room, values, chances)
        for seat in range(s["players"]):
            found[seat] += CHANCE[dice] * chances[seat]


def expected_chances(s: State) -> np.ndarray:
    """Return every seat's mean chance of winning over all rolls that can follow ``s``, in which dice must be rolled:
    float64, (players,). What :func:`chances_of` gives after a roll, less this, is how lucky the roll was.

    Raises:
        GameOver: the game has ended.
        NoRollNeeded: somebody decides.
    """
    if s["end"] != 0:
        raise GameOver("the game is over; there is nothing to roll")
    if s["pending"] == 0:
        raise NoRollNeeded(f"seat {int(s['to_move'])} decides; there is nothing to roll")
    players = int(s["players"])
    found = np.zeros(players)
    _write_expected(s, of_size(load_weights(), players), new_room(), np.zeros(1, STATE), found)
    return found


def chances_of(states: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Return every seat's chance of winning in some positions: float64, (m, players), sum 1.

    states: positions with the same number of players, (n,), dtype STATE. games: indices of positions, int64 (m,).

    Raises:
        IndexError: there is no such position.
        ValueError: they are not of the same number of players.
    """
    players = int(states[0]["players"])
    if (states["players"] != players).any():
        raise ValueError("states: not all positions have the same number of players")
    found = np.zeros((len(games), players))
    _write_all(states[games], of_size(load_weights(), players), new_room(), found)
    return found


def action_chances(s: State) -> dict[int, float]:
    """Return the chance of winning of the seat that decides in ``s``, after the best turn that begins so, by action."""
    values = np.full(NUM_ACTIONS, np.nan)
    appraiser_values(s, of_size(load_weights(), int(s["players"])), new_room(), values)
    return {int(action): float(values[action]) for action in np.flatnonzero(~np.isnan(values))}
