"""``montecarlo``: tries the better moves by playing on from each of them many times, with dice of its own.

The planner names the first moves of the turns that look best to it. From each of them the planner plays on in all seats
for a few turns; the position reached is judged by the chance of winning with what every seat has (:func:`chances`), or
by the win itself if the game is over. The playouts are spent in phases, after each of which the worse half of the moves
is dropped (sequential halving); all moves of a round meet the same dice, which takes the luck out of the comparison.
The planner's first opinion counts as a few playouts.

The dice of a playout follow from the opponent's own seed and the position (:func:`playout_seed`), not from the seed of
the game, so a search cannot foresee its dice.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from ..bits import Word
from ..chance import STEP, mix
from ..compiled import njit
from ..game.actions import NUM_ACTIONS, REROLLS, Action
from ..game.facts import MAX_PLAYERS, SCORING
from ..game.rules import TOTAL, deal_seeded, is_legal, push, score, write_win_shares
from ..game.state import STATE, Seat, State
from .planner import WEIGHTS, estimates, planner_action, planner_values, turn_key

__all__ = [
    "CANDIDATE",
    "CHANCE",
    "Room",
    "chances",
    "keep_half",
    "name_moves",
    "phases",
    "play_rounds",
    "playout_seed",
    "search",
    "search_all",
    "search_room",
    "value_of",
]

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

CANDIDATE: Final = np.dtype(
    [("action", np.int64), ("prior", np.float64), ("sum", np.float64), ("count", np.int64)], align=True
)
"""A move, its chance of winning in the planner's opinion, and the sum and the number of its playouts."""
_PLAYOUT: Final = 3  # index of the position played on in the scratch; turn_key and the planner use those before
_8, _16 = np.uint64(8), np.uint64(16)


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
def playout_seed(s: State, own_seed: Word) -> Word:
    """Return the seed of the playouts of a decision, a function of the opponent's seed and the position."""
    seed = mix(own_seed * STEP + np.uint64(s["turn"]))
    seed = mix(seed ^ (np.uint64(s["dice"]) + (np.uint64(s["special"]) << _8) + (np.uint64(s["spent"]) << _16)))
    seed = mix(mix(seed ^ s["have"][0]) ^ s["have"][1])
    for seat in range(s["players"]):
        seed = mix(mix(seed ^ s["own"][seat, 0]) ^ s["own"][seat, 1])
        seed = mix(seed ^ np.uint64(s["coins"][seat]))
    return seed


@njit
def chances(values: np.ndarray, players: int, scale: float, out: np.ndarray) -> None:
    """Write every seat's chance of winning, which is proportional to exp(value / scale).

    values, out: float64, shape (players or more,); out is overwritten.
    """
    most = values[0]
    for seat in range(1, players):
        most = max(most, values[seat])
    together = 0.0
    for seat in range(players):
        out[seat] = math.exp((values[seat] - most) / scale)
        together += out[seat]
    for seat in range(players):
        out[seat] /= together


@njit
def _outcome(s: State, seat: Seat) -> float:
    """Return the chance that ``seat`` wins from ``s``, at the start of a turn; its share of the win at the end."""
    players = s["players"]
    values = np.empty(MAX_PLAYERS, np.float64)
    if s["end"] != 0:
        scoring = np.empty((MAX_PLAYERS, len(SCORING)), np.int64)
        score(s, scoring)
        write_win_shares(scoring[:, TOTAL], players, values)
        return values[seat]
    scales = CHANCE[players]
    time = estimates(s, WEIGHTS[0, players], values)
    values[s["to_move"]] += scales[2]
    chances(values, players, scales[0] + scales[1] * time, values)
    return values[seat]


@njit
def value_of(candidate: np.void) -> float:
    """Return the chance of winning with a candidate, by its playouts and the planner's opinion."""
    return (candidate["sum"] + PRIOR * candidate["prior"]) / (candidate["count"] + PRIOR)


@njit
def _swap(candidates: np.ndarray, i: int, j: int) -> None:
    # Field by field, since a record taken from an array is a view.
    one, other = candidates[i], candidates[j]
    one["action"], other["action"] = other["action"], one["action"]
    one["prior"], other["prior"] = other["prior"], one["prior"]
    one["sum"], other["sum"] = other["sum"], one["sum"]
    one["count"], other["count"] = other["count"], one["count"]


@njit
def _sort(candidates: np.ndarray, count: int) -> None:
    """Sort the first ``count`` candidates, the best first; equal ones keep their order."""
    for i in range(1, count):
        at = i
        while at > 0 and value_of(candidates[at - 1]) < value_of(candidates[at]):
            _swap(candidates, at - 1, at)
            at -= 1


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
            candidates[n]["sum"] = 0.0
            candidates[n]["count"] = 0
            n += 1
    _sort(candidates, n)
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
            _swap(candidates, different, i)
            different += 1
    return different


@njit
def phases(moves: int) -> int:
    """Return how often this many moves are halved until one is left."""
    count = 0
    while moves > 1:
        moves = (moves + 1) // 2
        count += 1
    return count


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
            deal_seeded(here, dice)
            while here["end"] == 0 and here["turn"] < last:
                push(here, planner_action(here, w, scratch))
                deal_seeded(here, dice)
            candidates[i]["sum"] += _outcome(here, seat)
            candidates[i]["count"] += 1


@njit
def keep_half(moves: int, candidates: np.ndarray) -> int:
    """Sort the first ``moves`` candidates, the best first, and return how many of them to keep."""
    _sort(candidates, moves)
    return (moves + 1) // 2


@njit
def search(s: State, seed: Word, playouts: int, room: Room) -> Action:
    """Return the best action of ``s``, where a player decides, by about ``playouts`` playouts.

    Every phase has at least one round. Where only one turn is possible nothing is played.
    """
    moves = min(name_moves(s, room), MOVES[s["players"]])
    left, done, rest = phases(moves), 0, playouts
    while moves > 1:
        rounds = max(1, rest // (left * moves))
        play_rounds(s, seed, done, rounds, moves, room)
        done += rounds
        rest -= rounds * moves
        left -= 1
        moves = keep_half(moves, room.candidates)
    return room.candidates[0]["action"]


@njit
def search_all(
    games: np.ndarray, states: np.ndarray, own_seed: Word, playouts: int, room: Room, actions: np.ndarray
) -> None:
    """Write the actions that :func:`search` returns for some positions of an array; 0 where the game is over.

    games: int64 (m,), their indices. states: (n,) STATE. actions: int64 (m,), overwritten.
    """
    for place in range(games.shape[0]):
        s = states[games[place]]
        actions[place] = 0
        if s["end"] == 0:
            actions[place] = search(s, playout_seed(s, own_seed), playouts, room)
