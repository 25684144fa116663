"""``search:appraiser``: plays on from the turns that ``appraiser`` likes best, and asks its network where that leads.

From each of these moves the searching seat ends its turn as ``appraiser`` would. The others have theirs as ``planner``
would, which is quicker; in its next turn the searching seat tries the few that ``planner`` likes best and takes the one
that the network does. Where the turn after that begins the network says how likely it is to win; the game itself says
so where it is over. What the network thought of the move before counts as a few playouts, which are spent by sequential
halving (``halving.py``).
"""

from typing import Final, NamedTuple

import numpy as np

from ...engine.bits import Word
from ...engine.chance import STEP, mix
from ...engine.compiled import njit
from ...engine.legal import is_legal, next_legal
from ..actions import NUM_ACTIONS
from ..dice import rolled_handful
from ..rules import deal, push
from ..state import STATE, State
from . import appraiser
from .appraiser import Weights, appraise, appraiser_values
from .halving import CANDIDATE, keep_half, phases, rounds_of, sort_candidates, swap_candidates, value_of
from .planner import WEIGHTS, planner_action, planner_values

MOVES: Final = 6
"""The moves that are looked into."""
PRIOR: Final = 8.0
"""The number of playouts that the network's first opinion counts for."""
TRIED: Final = 4
"""How many ways to have a later turn of the searching seat are tried."""
# Indices in the scratch, of which the planner uses those before.
_PLAYOUT, _TRIAL, _BEST = 2, 3, 4


class Room(NamedTuple):
    """The arrays that a search writes to; each thread needs its own."""

    scratch: np.ndarray
    """Positions to try moves in, (5,), dtype STATE."""
    begun: np.ndarray
    """Where each action that is looked into leads before dice are rolled: (NUM_ACTIONS,), dtype STATE."""
    candidates: np.ndarray
    """The legal moves of the position that is searched, (NUM_ACTIONS,), dtype CANDIDATE."""
    values: np.ndarray
    """What each action is worth, as a chance of winning or to the planner: float64, (NUM_ACTIONS,)."""
    appraiser: appraiser.Room


def search_room() -> Room:
    """Return room for a search."""
    candidates = np.zeros(NUM_ACTIONS, CANDIDATE)
    scratch, begun = np.zeros(_BEST + 1, STATE), np.zeros(NUM_ACTIONS, STATE)
    return Room(scratch, begun, candidates, np.zeros(NUM_ACTIONS), appraiser.new_room())


@njit
def name_moves(s: State, weights: Weights, room: Room) -> int:
    """List the legal actions of ``s``, where a player decides, as candidates, the appraiser's favourites first.

    Of moves that begin the same turn (its moves in another order), which have the same value, all but one come at the
    end of the list.

    Returns:
        How many moves begin different turns: 1 or more.
    """
    candidates, values, n = room.candidates, room.values, 0
    appraiser_values(s, weights, room.appraiser, values)
    for action in range(NUM_ACTIONS):
        if is_legal(s, action):
            candidates[n]["action"] = action
            candidates[n]["prior"] = values[action]
            candidates[n]["weight"] = PRIOR
            candidates[n]["sum"] = 0.0
            candidates[n]["count"] = 0
            n += 1
    sort_candidates(candidates, n)
    different = 0
    for i in range(n):
        if different == 0 or candidates[i]["prior"] != candidates[different - 1]["prior"]:
            swap_candidates(candidates, different, i)
            different += 1
    return different


@njit
def _until_a_roll(here: State, weights: Weights, room: Room) -> None:
    """Let the appraiser decide for the seat to move until dice must be rolled or the game is over."""
    while here["end"] == 0 and here["pending"] == 0:
        push(here, appraiser_values(here, weights, room.appraiser, room.values))


@njit
def _have_a_turn(planner: np.ndarray, weights: Weights, room: Room) -> None:
    """Decide in the position that is played on, until dice must be rolled or the game is over.

    Of the :data:`TRIED` turns that the planner likes best the one is taken that the network does. Of those that the
    planner likes equally, which mostly make the same moves in another order, the first alone is tried.
    """
    scratch, values, chances = room.scratch, room.values, room.appraiser.chances[0]
    here, trial, most, liked = scratch[_PLAYOUT], scratch[_TRIAL], -1.0, np.inf
    seat = here["to_move"]
    planner_values(here, planner, scratch, values)
    for _ in range(TRIED):
        action, value = -1, -np.inf
        other = next_legal(here, 0)
        while other >= 0:
            if value < values[other] < liked:
                action, value = other, values[other]
            other = next_legal(here, other + 1)
        if action < 0:
            break
        liked = value
        scratch[_TRIAL] = here
        push(trial, action)
        while trial["end"] == 0 and trial["pending"] == 0:
            push(trial, planner_action(trial, planner, scratch))
        appraise(trial, weights, room.appraiser, chances)
        if chances[seat] > most:
            most = chances[seat]
            scratch[_BEST] = trial
    scratch[_PLAYOUT] = scratch[_BEST]


@njit
def play_rounds(
    s: State, seed: Word, first: int, rounds: int, moves: int, turns: int, weights: Weights, room: Room
) -> None:
    """Play on, once a round, from each of the first ``moves`` candidates of ``s``, which :func:`name_moves` has listed.

    seed: the seed of this decision's playouts. first: the number of the first round; round r has the same dice for
    every candidate, and round 0 comes first, with all that are looked into. turns: those of any seat that a playout
    lasts after the current one: one less than there are players lead to where the same seat has its next.
    """
    scratch, begun, candidates, chances = room.scratch, room.begun, room.candidates, room.appraiser.chances[0]
    seat, planner, here = s["to_move"], WEIGHTS[0, s["players"]], scratch[_PLAYOUT]
    last = s["turn"] + turns
    for i in range(moves if first == 0 else 0):
        action = candidates[i]["action"]
        begun[action] = s
        push(begun[action], action)
        _until_a_roll(begun[action], weights, room)
    for r in range(first, first + rounds):
        dice = mix(seed + np.uint64(r) * STEP)
        for i in range(moves):
            scratch[_PLAYOUT] = begun[candidates[i]["action"]]
            while here["end"] == 0 and here["turn"] <= last:
                deal(here, rolled_handful(dice, here["turn"], here["spent"], here["pending"]))
                if here["to_move"] != seat:
                    while here["end"] == 0 and here["pending"] == 0:
                        push(here, planner_action(here, planner, scratch))
                elif here["turn"] == s["turn"]:
                    _until_a_roll(here, weights, room)
                elif here["end"] == 0 and here["pending"] == 0:
                    _have_a_turn(planner, weights, room)
            appraise(here, weights, room.appraiser, chances)
            candidates[i]["sum"] += chances[seat]
            candidates[i]["count"] += 1


@njit
def search(s: State, seed: Word, playouts: int, turns: int, weights: Weights, room: Room) -> float:
    """Spend playouts on the moves of ``s``, where a player decides; the best comes first of the candidates.

    Every phase has a round at least, which may take more playouts than asked for; where only one turn is possible none
    is played.

    seed: of these playouts, as :func:`playout_seed` gives it. turns: as for :func:`play_rounds`.

    Returns:
        The chance of winning with the best move.
    """
    moves = min(name_moves(s, weights, room), MOVES)
    total, done, rest = phases(moves), 0, playouts
    for phase in range(total):
        rounds = rounds_of(rest, total - phase, moves)
        play_rounds(s, seed, done, rounds, moves, turns, weights, room)
        done += rounds
        rest -= rounds * moves
        moves = keep_half(moves, room.candidates)
    return value_of(room.candidates[0])
