"""``montecarlo``: tries the better moves by playing on from each of them many times, with dice of its own.

The planner names the first moves of the turns that look best to it. From each of them the planner plays on in all seats
for a few turns; the position reached is judged by the chance of winning with what every seat has (:func:`chances`), or
by the win itself if the game is over. The playouts are spent in phases, after each of which the worse half of the moves
is dropped (sequential halving); all moves of a round meet the same dice, which takes the luck out of the comparison.
The planner's first opinion counts as a few playouts.

The dice of a playout follow from the opponent's own seed and the position (:func:`playout_seed`), not from the seed of
the game, so a search cannot foresee its dice.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from ...engine.bits import Word
from ...engine.chance import STEP, mix
from ...engine.compiled import njit
from ...engine.legal import is_legal
from ..actions import NUM_ACTIONS, REROLLS
from ..dice import rolled_handful
from ..facts import MAX_PLAYERS
from ..rules import deal, push, write_result
from ..state import STATE, Seat, State
from .appraiser import shares as chances
from .halving import CANDIDATE, sort_candidates, swap_candidates
from .planner import WEIGHTS, estimates, planner_action, planner_values, turn_key

CHANCE: Final = np.array(
    [[1.0, 0.0, 0.0]] * 2
    + [[5.005, 1.651, 5.066], [7.296, 1.177, 3.639], [10.182, 0.612, 3.483], [10.622, 2.153, 3.087]]
)
"""How coins become chances, by number of players: the scale without figures, the scale for each figure in the smallest
hand, and the worth of having the next turn; coins. ``agents/training/tuning.py`` fitted them to games of planners."""

HORIZON: Final = 8
"""The turns that a playout lasts, including the current one."""
MOVES: Final = np.array([0, 0, 8, 12, 16, 16])
"""The moves that are looked into, by number of players: the more there are, the lower the best move can stand on the
planner's list."""
PRIOR: Final = 4.0
"""The number of playouts that the planner's opinion counts for."""

_PLAYOUT: Final = 3  # index of the position played on in the scratch; turn_key and the planner use those before


class Room(NamedTuple):
    """The arrays that a search writes to; each thread needs its own."""

    scratch: np.ndarray
    """Positions to try moves in, (4,), dtype STATE."""
    candidates: np.ndarray
    """The legal moves of the position that is searched, (NUM_ACTIONS,), dtype CANDIDATE."""


def search_room() -> Room:
    """Return room for a search."""
    return Room(np.zeros(_PLAYOUT + 1, STATE), np.zeros(NUM_ACTIONS, CANDIDATE))


@njit
def _outcome(s: State, seat: Seat) -> float:
    """Return the chance that ``seat`` wins from ``s``, at the start of a turn; its share of the win at the end."""
    players = s["players"]
    values = np.empty(MAX_PLAYERS, np.float64)
    if s["end"] != 0:
        write_result(s, values)
        return values[seat]
    scales = CHANCE[players]
    time = estimates(s, WEIGHTS[0, players], values)
    values[s["to_move"]] += scales[2]
    chances(values, players, scales[0] + scales[1] * time, values)
    return values[seat]


@njit
def name_moves(s: State, room: Room) -> int:
    """List the legal actions of ``s``, where a player decides, as candidates, the planner's favourites first.

    Of moves that begin the same turn (its moves in another order), all but one come at the end of the list.

    Returns:
        How many moves begin different turns: 1 or more.
    """
    scratch, candidates = room
    players, n = s["players"], 0
    w, scales = WEIGHTS[0, players], CHANCE[players]
    values = np.empty(NUM_ACTIONS, np.float64)
    planner_values(s, w, scratch, values)
    time = s["figures"][0]
    for seat in range(players):
        time = min(time, s["figures"][seat])
    scale = scales[0] + scales[1] * time
    for action in range(NUM_ACTIONS):
        if is_legal(s, action):
            candidates[n]["action"] = action
            candidates[n]["prior"] = 1.0 / (1.0 + (players - 1) * math.exp(-values[action] / scale))
            candidates[n]["weight"] = PRIOR
            candidates[n]["sum"] = 0.0
            candidates[n]["count"] = 0
            n += 1
    sort_candidates(candidates, n)
    keys = np.zeros(NUM_ACTIONS, np.uint64)
    different = 0
    for i in range(n):
        action = candidates[i]["action"]
        keys[action] = np.uint64(action)
        if action < REROLLS:
            keys[action] = turn_key(s, action, w, scratch)
        new = True
        for k in range(different):
            other = candidates[k]["action"]
            if keys[other] == keys[action] and values[other] == values[action]:
                new = False
        if new:
            swap_candidates(candidates, different, i)
            different += 1
    return different


@njit
def play_rounds(s: State, seed: Word, first: int, rounds: int, moves: int, room: Room) -> None:
    """Play on, once a round, from each of the first ``moves`` candidates of ``s``, which :func:`name_moves` has listed.

    seed: the seed of this decision's playouts. first: the number of the first round, from 0; round r has the same dice
    for every candidate.
    """
    scratch, candidates = room
    seat, w = s["to_move"], WEIGHTS[0, s["players"]]
    last = s["turn"] + HORIZON
    here = scratch[_PLAYOUT]
    for r in range(first, first + rounds):
        dice = mix(seed + np.uint64(r) * STEP)
        for i in range(moves):
            scratch[_PLAYOUT] = s
            push(here, candidates[i]["action"])
            while True:
                while here["pending"] != 0:
                    deal(here, rolled_handful(dice, here["turn"], here["spent"], here["pending"]))
                if here["end"] != 0 or here["turn"] >= last:
                    break
                push(here, planner_action(here, w, scratch))
            candidates[i]["sum"] += _outcome(here, seat)
            candidates[i]["count"] += 1
