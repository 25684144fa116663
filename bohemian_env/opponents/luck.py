"""How lucky a roll was: the chances of winning after it, less their mean over all rolls that could have come.

The chances after a roll are those that the network of ``appraiser`` states once the turn is played and the next one
too, on the mean over a dozen rolls for that: before a turn it cannot tell good dice from bad ones well, and from one
position to the next it errs by more than most rolls matter. Whatever is stated, the mean luck of a roll is 0, so what
is won less all luck of the game has the same mean as what is won, and varies less: in backgammon this is called
variance reduction.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ..compiled import njit
from ..game.actions import NUM_ACTIONS
from ..game.dice import CHANCE, DICE, FIRST, Handful
from ..game.facts import MAX_PLAYERS, TURN_DICE
from ..game.rules import deal, push
from ..game.state import STATE, State
from . import appraiser
from .appraiser import Weights, appraise, appraiser_action
from .planner import WEIGHTS, planner_action

__all__ = ["LuckRoom", "add_luck", "luck_room"]

AHEAD: Final = 12
"""The next rolls that a position is judged by."""
_ALL: Final = (1 << MAX_PLAYERS) - 1  # the bits of all seats
_ROLLED, _NEXT = 2, 3  # indices of positions in the room's trials; the planner uses those before


def _spread() -> np.ndarray:
    """Return handfuls that stand for all of as many dice, each for as many throws: int64 (TURN_DICE + 1, AHEAD)."""
    spread, middles = np.zeros((TURN_DICE + 1, AHEAD), np.int64), 2 * np.arange(AHEAD) + 1
    for size in range(1, TURN_DICE + 1):
        throws = np.rint(CHANCE[FIRST[size] : FIRST[size + 1]] * 6**size).astype(np.int64)
        spread[size] = np.repeat(np.arange(FIRST[size], FIRST[size + 1]), throws)[middles * 6**size // (2 * AHEAD)]
    return spread


_SPREAD: Final = _spread()


class LuckRoom(NamedTuple):
    """The arrays that luck is worked out in; each thread needs its own."""

    trials: np.ndarray
    """Positions to try turns in, (4,), dtype STATE."""
    at_once: np.ndarray
    """What the network says after each roll and its turn: float64, (handfuls, MAX_PLAYERS)."""
    chances: np.ndarray
    """The chances after each roll: float64, (handfuls, MAX_PLAYERS)."""
    values: np.ndarray
    """The chance of winning with each action: float64, (NUM_ACTIONS,)."""
    appraiser: appraiser.Room


def luck_room() -> LuckRoom:
    """Return room to work out luck in."""
    chances = np.zeros((2, len(DICE), MAX_PLAYERS))
    return LuckRoom(np.zeros(_NEXT + 1, STATE), chances[0], chances[1], np.zeros(NUM_ACTIONS), appraiser.new_room())


@njit
def _play_turn(place: int, planners: int, weights: Weights, room: LuckRoom) -> None:
    """Play until dice are to be rolled or the game is over, in the position of the room's trials at ``place``."""
    here, own = room.trials[place], WEIGHTS[0, room.trials[place]["players"]]
    while here["end"] == 0 and here["pending"] == 0:
        if (planners >> here["to_move"]) & 1:
            push(here, planner_action(here, own, room.trials))
        else:
            push(here, appraiser_action(here, weights, room.appraiser, room.values))


@njit
def _look_ahead(weights: Weights, room: LuckRoom, found: np.ndarray) -> None:
    """Write the mean chances after some next rolls and the turns that ``planner`` plays with them, from the room's
    position after a roll.
    """
    rolled, after, chances = room.trials[_ROLLED], room.trials[_NEXT], room.appraiser.chances[0]
    players = rolled["players"]
    found[:players] = 0.0
    for k in range(AHEAD):
        room.trials[_NEXT] = rolled
        deal(after, _SPREAD[rolled["pending"], k])
        _play_turn(_NEXT, _ALL, weights, room)
        appraise(after, weights, room.appraiser, chances)
        for seat in range(players):
            found[seat] += chances[seat] / AHEAD


@njit
def add_luck(s: State, dice: Handful, planners: int, weights: Weights, room: LuckRoom, luck: np.ndarray) -> None:
    """Add to ``luck`` how lucky each seat was when the handful ``dice`` was rolled in ``s``, as a chance of winning.

    planners: the seats, as bits, that play a turn as ``planner`` would; the others play it as ``appraiser`` would.
    luck: float64, (players or more,).
    """
    players, first, last = s["players"], FIRST[s["pending"]], FIRST[s["pending"] + 1]
    rolled = room.trials[_ROLLED]
    for one in range(first, last):
        room.trials[_ROLLED] = s
        deal(rolled, one)
        _play_turn(_ROLLED, planners, weights, room)
        appraise(rolled, weights, room.appraiser, room.at_once[one])
        if rolled["end"] != 0:
            room.chances[one, :players] = room.at_once[one, :players]
            continue
        same = first  # many rolls lead to the same position, of which the network says the same
        while same < one and (room.at_once[same, :players] != room.at_once[one, :players]).any():
            same += 1
        if same < one:
            room.chances[one, :players] = room.chances[same, :players]
        else:
            _look_ahead(weights, room, room.chances[one])
    for seat in range(players):
        luck[seat] += room.chances[dice, seat]
        for one in range(first, last):
            luck[seat] -= CHANCE[one] * room.chances[one, seat]
