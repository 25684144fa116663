"""How lucky a roll was: the chances of winning after it, less their mean over all rolls that could have come.

The chances after a roll are what the network of ``appraiser`` states at its best: once the roll's turn is played and,
on the mean over many next rolls, two rounds more, as ``planner`` plays them. From one position to the next the network
errs by more than most rolls matter, and more so before another player's turn than before the same one's.

To play on after every roll that could have come would be slow. So the network states what each leads to at once, and
what two rounds change of that is played out in pairs: after the roll that came and after one drawn from all, with the
same next rolls. These rolls form a lattice with a random shift (Cranley and Patterson 1976), so each pair is a fair
sample, and together they are spread evenly. Whatever is stated, the mean luck of a roll is 0, so what is won less all
luck of the game has the same mean as what is won, and varies less: in backgammon this is called variance reduction.
"""

from typing import Final, NamedTuple

import numpy as np

from ...engine.bits import Word
from ...engine.chance import STEP, mix, unit
from ...engine.compiled import njit
from ..actions import NUM_ACTIONS
from ..dice import CHANCE, DICE, FIRST, Handful, handful_of
from ..facts import MAX_PLAYERS
from ..rules import deal, push
from ..state import STATE, State
from . import appraiser
from .appraiser import Weights, appraise, forget, turn_values
from .planner import WEIGHTS, planner_action
from .scripted import chance

PAIRS: Final = 127
"""The pairs in which games are played on for a roll."""
ROUNDS: Final = 2
"""How far they are played on: so many rolls for each player, rerolls among them."""
_LATTICE: Final = 14
"""The lattice's generator, the best in all dimensions together by the criterion P2 with weights 1/2, 1/4, 1/6 …."""
_OWN: Final = np.uint64(0x4C75636B)  # the seed of the lattices' shifts
_ALL: Final = (1 << MAX_PLAYERS) - 1  # the bits of all seats
_NOW, _AHEAD = 2, 3  # indices of positions in the room's trials; the planner uses those before


class LuckRoom(NamedTuple):
    """The arrays that luck is worked out in; each thread needs its own."""

    trials: np.ndarray
    """Positions to try turns in, (4,), dtype STATE."""
    led_to: np.ndarray
    """Where each roll and its turn lead to, (handfuls,), dtype STATE."""
    at_once: np.ndarray
    """What the network says there: float64, (handfuls, MAX_PLAYERS)."""
    shifts: np.ndarray
    """How far the lattice is shifted, for each roll ahead and for the roll drawn: float64."""
    values: np.ndarray
    """The chance of winning with each action: float64, (NUM_ACTIONS,)."""
    appraiser: appraiser.Room


def luck_room() -> LuckRoom:
    """Return room to work out luck in."""
    return LuckRoom(
        np.zeros(_AHEAD + 1, STATE),
        np.zeros(len(DICE), STATE),
        np.zeros((len(DICE), MAX_PLAYERS)),
        np.zeros(ROUNDS * MAX_PLAYERS + 1),
        np.zeros(NUM_ACTIONS),
        appraiser.new_room(),
    )


@njit
def _play_turn(place: int, planners: int, weights: Weights, room: LuckRoom) -> None:
    """Play until dice are to be rolled or the game is over, in the position of the room's trials at ``place``."""
    here, own = room.trials[place], WEIGHTS[0, room.trials[place]["players"]]
    while here["end"] == 0 and here["pending"] == 0:
        if (planners >> here["to_move"]) & 1:
            push(here, planner_action(here, own, room.trials))
        else:
            push(here, turn_values(here, weights, room.appraiser, room.values))


@njit
def _point(k: int, power: int, shift: float) -> float:
    """Return a coordinate of point ``k`` of the shifted lattice, from 0 up to 1."""
    return (k * power / PAIRS + shift) % 1.0


@njit
def _add_change(one: Handful, k: int, share: float, weights: Weights, room: LuckRoom, luck: np.ndarray) -> None:
    """Add to ``luck`` a share of what two rounds with the rolls of point ``k`` change of what a roll leads to."""
    ahead, chances, power = room.trials[_AHEAD], room.appraiser.chances[0], _LATTICE
    room.trials[_AHEAD] = room.led_to[one]
    players = ahead["players"]
    for number in range(ROUNDS * players):
        if ahead["end"] != 0:
            break
        deal(ahead, handful_of(ahead["pending"], _point(k, power, room.shifts[number])))
        _play_turn(_AHEAD, _ALL, weights, room)
        power = power * _LATTICE % PAIRS
    appraise(ahead, weights, room.appraiser, chances)
    for seat in range(players):
        luck[seat] += share * (chances[seat] - room.at_once[one, seat])


@njit
def add_luck(
    s: State, dice: Handful, seed: Word, planners: int, weights: Weights, room: LuckRoom, luck: np.ndarray
) -> None:
    """Add to ``luck`` how lucky each seat was when the handful ``dice`` was rolled in ``s``, as a chance of winning.

    seed: that of the game. planners: the seats, as bits, that play a turn as ``planner`` would; the others play it as
    ``appraiser`` would. luck: float64, (players or more,).
    """
    players, count = s["players"], s["pending"]
    now, at_once = room.trials[_NOW], room.at_once
    forget(room.appraiser)
    for one in range(FIRST[count], FIRST[count + 1]):
        room.trials[_NOW] = s
        deal(now, one)
        _play_turn(_NOW, planners, weights, room)
        appraise(now, weights, room.appraiser, at_once[one])
        room.led_to[one] = now
        for seat in range(players):
            luck[seat] -= CHANCE[one] * at_once[one, seat]
    for seat in range(players):
        luck[seat] += at_once[dice, seat]
    word = chance(s, seed, _OWN)
    for number in range(len(room.shifts)):
        room.shifts[number] = unit(mix(word + np.uint64(number) * STEP))
    for k in range(PAIRS):
        other = handful_of(count, _point(k, 1, room.shifts[-1]))
        if (at_once[other, :players] != at_once[dice, :players]).any():  # else nothing is told apart, either way round
            _add_change(dice, k, 1 / PAIRS, weights, room, luck)
            _add_change(other, k, -1 / PAIRS, weights, room, luck)
