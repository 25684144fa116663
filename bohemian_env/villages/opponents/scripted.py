"""The scripted opponents by name, and the one compiled function that plays them all."""

from typing import Final, NamedTuple

import numpy as np

from ...engine.bits import Word
from ...engine.chance import own_word
from ...engine.compiled import njit
from ...engine.contract import Action
from ...engine.contract import Scripted as _Scripted
from ...engine.legal import legal_count, pick_random
from ..actions import NUM_ACTIONS
from ..dice import FULL
from ..state import State
from .appraiser import Room, Weights, appraiser_values, load_weights, new_room, of_size
from .greedy import greedy_action, greedy_values
from .planner import STYLES, WEIGHTS, planner_action, planner_values

SCRIPTED: Final = {
    "random": "any legal action, each as likely as any other",
    "greedy": "the move after which its coins and a plain estimate of the final scoring are highest; looks at one move",
    "planner": "the best whole turn, by what income, shops, churches, halls and figures left may still bring",
    "rusher": "as planner, but in a hurry: it spends its figures to end the game, and cares little for income to come",
    "hoarder": "as planner, but patient: it wants income and the bishop, and keeps its figures so that the game lasts",
    "appraiser": "the whole turn after which it is likeliest to win, by a small network of positions",
}
"""What each opponent of the environment does, by name. Compiled code numbers them in this order."""
_RANDOM, _GREEDY, _PLANNERS, _APPRAISER = 0, 1, 2, 5
if list(SCRIPTED)[_PLANNERS:_APPRAISER] != list(STYLES):
    raise RuntimeError("SCRIPTED and planner.STYLES name the planners in different orders")

_TURN: Final = np.uint64(8)


class Scripted(_Scripted):
    """A scripted opponent of :data:`SCRIPTED`: its name, and the seed of its own random choices, 0 to 2**63 - 1."""

    known = SCRIPTED


class Scratch(NamedTuple):
    """What opponents read and write beside the position; each thread needs its own."""

    room: Room
    """What ``appraiser`` writes to."""
    values: np.ndarray
    """float64, (NUM_ACTIONS,)."""
    weights: Weights
    """The networks of ``appraiser``, which nobody writes to."""


def new_scratch() -> Scratch:
    """Return scratch for :func:`choose`."""
    return Scratch(new_room(), np.empty(NUM_ACTIONS), load_weights())


@njit
def moment(s: State) -> Word:
    """Return the moment of a decision: the turn, whether a tile was spent and whether the first move was made. No two
    decisions of a game share it.
    """
    return np.uint64(s["turn"]) * _TURN + np.uint64(s["spent"]) * np.uint64(2) + np.uint64(s["dice"] < FULL)


@njit
def chance(s: State, game_seed: Word, own_seed: Word) -> Word:
    """Return an opponent's own random number for this decision, a function of its seed, the game's and the moment."""
    return own_word(game_seed, own_seed, moment(s))


@njit
def random_action(s: State, game_seed: Word, own_seed: Word) -> Action:
    """Return any legal action of ``s``, each as likely as any other. That a player decides there is not checked."""
    return pick_random(s, chance(s, game_seed, own_seed))


@njit
def choose(number: int, s: State, word: Word, scratch: Scratch) -> Action:
    """Return the action of scripted opponent ``number`` for the current seat of ``s``, where a player decides.

    Neither is checked. word: its own random number for this decision.
    """
    if number == _RANDOM:
        return pick_random(s, word)
    if number == _GREEDY:
        return greedy_action(s, word, scratch.room.trials)
    if number == _APPRAISER:
        return appraiser_values(s, of_size(scratch.weights, s["players"]), scratch.room, scratch.values)
    return planner_action(s, WEIGHTS[number - _PLANNERS, s["players"]], scratch.room.trials)


@njit
def values_of(number: int, s: State, scratch: Scratch, values: np.ndarray) -> None:
    """Write what scripted opponent ``number`` thinks of the legal actions of ``s``, where a player decides.

    values: float64, shape (NUM_ACTIONS,), written where an action is legal: for ``random`` its probability, for
    ``appraiser`` the chance of winning, for the others how far the current seat is ahead, in coins.
    """
    if number == _RANDOM:
        values[:] = 1.0 / legal_count(s)
    elif number == _GREEDY:
        greedy_values(s, scratch.room.trials, values)
    elif number == _APPRAISER:
        appraiser_values(s, of_size(scratch.weights, s["players"]), scratch.room, values)
    else:
        planner_values(s, WEIGHTS[number - _PLANNERS, s["players"]], scratch.room.trials, values)
