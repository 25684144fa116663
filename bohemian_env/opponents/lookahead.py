"""``search:appraiser``: plays on from the turns that ``appraiser`` likes best, and asks its network where that leads.

From each of these moves the searching seat ends its turn as ``appraiser`` would, and the others have theirs as
``planner`` would, which is quicker. Where the seat is to roll again the network says how likely it is to win; the game
itself says so where it is over. What the network thought of the move before counts as a few playouts, which are spent
by sequential halving (``halving.py``).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ..bits import Word
from ..chance import STEP, mix
from ..compiled import njit
from ..game.actions import NUM_ACTIONS
from ..game.rules import deal_seeded, is_legal, push
from ..game.state import STATE, State
from . import appraiser
from .appraiser import Weights, appraise, appraiser_values
from .halving import CANDIDATE, keep_half, phases, rounds_of, sort_candidates, swap_candidates, value_of
from .planner import WEIGHTS, planner_action

__all__ = ["MOVES", "Room", "name_moves", "play_rounds", "search", "search_room"]

MOVES: Final = 6
"""The moves that are looked into."""
PRIOR: Final = 8.0
"""The number of playouts that the network's first opinion counts for."""
_PLAYOUT: Final = 2  # index of the position played on in the scratch; the planner uses those before


class Room(NamedTuple):
    """The arrays that a search writes to; each thread needs its own."""

    scratch: np.ndarray
    """Positions to try moves in, (3,), dtype STATE."""
    candidates: np.ndarray
    """The legal moves of the position that is searched, (NUM_ACTIONS,), dtype CANDIDATE."""
    values: np.ndarray
    """The chance of winning with each action: float64, (NUM_ACTIONS,)."""
    appraiser: appraiser.Room


def search_room() -> Room:
    """Return room for a search."""
    candidates = np.zeros(NUM_ACTIONS, CANDIDATE)
    return Room(np.zeros(_PLAYOUT + 1, STATE), candidates, np.zeros(NUM_ACTIONS), appraiser.new_room())


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
def play_rounds(s: State, seed: Word, first: int, rounds: int, moves: int, weights: Weights, room: Room) -> None:
    """Play on, once a round, from each of the first ``moves`` candidates of ``s``, which :func:`name_moves` has listed.

    seed: the seed of this decision's playouts. first: the number of the first round, from 0; round r has the same dice
    for every candidate.
    """
    scratch, candidates, chances = room.scratch, room.candidates, room.appraiser.chances[0]
    seat, planner = s["to_move"], WEIGHTS[0, s["players"]]
    here = scratch[_PLAYOUT]
    for r in range(first, first + rounds):
        dice = mix(seed + np.uint64(r) * STEP)
        for i in range(moves):
            scratch[_PLAYOUT] = s
            push(here, candidates[i]["action"])
            while here["end"] == 0:
                if here["pending"] == 0 and here["to_move"] == seat:
                    push(here, appraiser_values(here, weights, room.appraiser, room.values))
                elif here["pending"] == 0:
                    push(here, planner_action(here, planner, scratch))
                elif here["to_move"] == seat and here["turn"] > s["turn"]:
                    break
                else:
                    deal_seeded(here, dice)
            appraise(here, weights, room.appraiser, chances)
            candidates[i]["sum"] += chances[seat]
            candidates[i]["count"] += 1


@njit
def search(s: State, seed: Word, playouts: int, weights: Weights, room: Room) -> float:
    """Spend playouts on the moves of ``s``, where a player decides; the best comes first of the candidates.

    Every phase has a round at least, which may take more playouts than asked for; where only one turn is possible none
    is played.

    seed: of these playouts, as :func:`playout_seed` gives it.

    Returns:
        The chance of winning with the best move.
    """
    moves = min(name_moves(s, weights, room), MOVES)
    total, done, rest = phases(moves), 0, playouts
    for phase in range(total):
        rounds = rounds_of(rest, total - phase, moves)
        play_rounds(s, seed, done, rounds, moves, weights, room)
        done += rounds
        rest -= rounds * moves
        moves = keep_half(moves, room.candidates)
    return value_of(room.candidates[0])
