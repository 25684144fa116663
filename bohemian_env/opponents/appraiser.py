"""``appraiser``: tries every turn and takes the one after which a small network gives it the best chance of winning.

The network looks at a position as the seat to move sees it, best at the moment before a roll, and says how likely each
seat is to win. It knows nothing of planners or coins: it was learned from the game alone, by playing against itself
(TD(λ), ``agents/training/td.py``), and comes in four versions, one for each number of players.

A position is a few hundred inputs, of which most are 0, so the first layer is a sum over the others; and two positions
of one turn differ in few of them, so that sum is worked out once a decision and changed for each turn that is tried.
"""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ..bits import Word, popcount
from ..compiled import njit
from ..game.actions import Action
from ..game.dice import DICE
from ..game.facts import MAX_PLAYERS, SCORING, TURN_DICE
from ..game.rules import TOTAL, push, score, write_win_shares
from ..game.state import CELLS, FIELD, MAX_VILLAGES, STATE, WORD_KINDS, Seat, State

__all__ = [
    *("INPUTS", "WIDTHS", "Room", "Weights", "load_weights", "new_room"),
    *("add_changes", "appraise", "appraiser_action", "appraiser_values", "write_inputs"),
]

WIDTHS: Final = (64, 32)
"""The widths of the two hidden layers."""
Weights: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Three layers, float32, each with the biases as its last row: (INPUTS + 1, 64), (65, 32), (33, MAX_PLAYERS)."""

_SETS: Final = 1 + MAX_PLAYERS  # sets of cells: free buildings, and those with a figure of each seat
_ACTIVE: Final = _SETS * CELLS
_DICE: Final = _ACTIVE + MAX_VILLAGES  # at least so many (1 to 4) of the dice show this number (1 to 6)
_TO_ROLL: Final = _DICE + 6 * TURN_DICE  # so many dice (1 to 4) are to be rolled
_SPENT: Final = _TO_ROLL + TURN_DICE
_BISHOP: Final = _SPENT + 1
_SPECIAL: Final = _BISHOP + MAX_PLAYERS
_NUMBERS: Final = _SPECIAL + MAX_PLAYERS
_FIGURES: Final = _NUMBERS
_COINS: Final = _FIGURES + MAX_PLAYERS
_TOWN_HALL: Final = _COINS + MAX_PLAYERS
_MANOR: Final = _TOWN_HALL + MAX_VILLAGES
_SUPPLY: Final = _MANOR + MAX_VILLAGES
_BANK: Final = _SUPPLY + 1
_TURN: Final = _BANK + 1
INPUTS: Final = _TURN + 1
"""What the network sees of a position: the flags above, then numbers, each divided so that it is about as large."""
_FEW, _MANY = np.float32(1 / 8), np.float32(1 / 32)
_DICE_FLAGS: Final = np.array(
    [
        sum((dice.count(n) >= k) << (TURN_DICE * (n - 1) + k - 1) for n in range(1, 7) for k in range(1, 5))
        for dice in DICE
    ],
    np.uint64,
)
_WORD_CELLS: Final = FIELD * WORD_KINDS
_0, _1 = np.uint64(0), np.uint64(1)


class Room(NamedTuple):
    """The arrays that an appraiser writes to; each thread needs its own."""

    trials: np.ndarray
    """Positions to try turns in, (3,), dtype STATE; the last stays blank."""
    sums: np.ndarray
    """Sums of the first layer: of the position, and of what is tried; float32, (2, WIDTHS[0])."""
    hidden: np.ndarray
    """The second layer: float32, (WIDTHS[1],)."""
    chances: np.ndarray
    """Chances of all seats: of what is tried, and of the best; float64, (2, MAX_PLAYERS)."""


def new_room() -> Room:
    """Return room for an appraiser."""
    trials = np.zeros(3, STATE)
    trials[-1]["bishop"] = -1
    hidden = np.zeros(WIDTHS[1], np.float32)
    return Room(trials, np.zeros((2, WIDTHS[0]), np.float32), hidden, np.zeros((2, MAX_PLAYERS)))


@functools.cache
def load_weights(players: int) -> Weights:
    """Return the weights of the network for a number of players."""
    with np.load(Path(__file__).parent / "appraiser" / f"{players}-players.npz", allow_pickle=False) as layers:
        first, second, third = (layers[name] for name in ("first", "second", "third"))
    return first, second, third


@njit
def _add_row(first: np.ndarray, row: int, times: np.float32, sums: np.ndarray) -> None:
    for i in range(sums.shape[0]):
        sums[i] += times * first[row, i]


@njit
def _add_flags(first: np.ndarray, row: int, before: Word, after: Word, sums: np.ndarray) -> None:
    """Add the rows of flags that came, from ``row`` on, and take away those of flags that went."""
    changed = before ^ after
    while changed != _0:
        lowest = changed & (~changed + _1)
        changed ^= lowest
        times = np.float32(1) if after & lowest else np.float32(-1)
        _add_row(first, row + popcount(lowest - _1), times, sums)


@njit
def _add_number(first: np.ndarray, row: int, change: int | np.int64, scale: np.float32, sums: np.ndarray) -> None:
    if change != 0:
        _add_row(first, row, np.float32(change) * scale, sums)


@njit
def add_changes(before: State, after: State, seat: Seat, players: int, first: np.ndarray, sums: np.ndarray) -> None:
    """Change the sums of the first layer from those of one position to those of another, both as ``seat`` sees them.

    before: a blank position (bishop -1, else 0) leads from the biases to the sums of ``after``.
    first: (INPUTS + 1, n), sums: (n,), float32; sums are changed.
    """
    free_0, free_1 = before["have"][0] & ~before["occupied"][0], before["have"][1] & ~before["occupied"][1]
    _add_flags(first, 0, free_0, after["have"][0] & ~after["occupied"][0], sums)
    _add_flags(first, _WORD_CELLS, free_1, after["have"][1] & ~after["occupied"][1], sums)
    _add_flags(first, _ACTIVE, np.uint64(before["active"]), np.uint64(after["active"]), sums)
    _add_flags(first, _DICE, _DICE_FLAGS[before["dice"]], _DICE_FLAGS[after["dice"]], sums)
    to_roll = (_1 << np.uint64(before["pending"])) >> _1, (_1 << np.uint64(after["pending"])) >> _1
    _add_flags(first, _TO_ROLL, to_roll[0], to_roll[1], sums)
    _add_flags(first, _SPENT, np.uint64(before["spent"]), np.uint64(after["spent"]), sums)
    for away in range(players):
        other = seat + away
        if other >= players:
            other -= players
        row = CELLS * (1 + away)
        _add_flags(first, row, before["own"][other, 0], after["own"][other, 0], sums)
        _add_flags(first, row + _WORD_CELLS, before["own"][other, 1], after["own"][other, 1], sums)
        bishop = np.uint64(before["bishop"] == other), np.uint64(after["bishop"] == other)
        _add_flags(first, _BISHOP + away, bishop[0], bishop[1], sums)
        special = np.uint64((before["special"] >> other) & 1), np.uint64((after["special"] >> other) & 1)
        _add_flags(first, _SPECIAL + away, special[0], special[1], sums)
        _add_number(first, _FIGURES + away, after["figures"][other] - before["figures"][other], _FEW, sums)
        _add_number(first, _COINS + away, after["coins"][other] - before["coins"][other], _MANY, sums)
    for village in range(MAX_VILLAGES):
        hall = np.int64(after["town_hall"][village]) - np.int64(before["town_hall"][village])
        manor = np.int64(after["manor"][village]) - np.int64(before["manor"][village])
        _add_number(first, _TOWN_HALL + village, hall, _FEW, sums)
        _add_number(first, _MANOR + village, manor, _FEW, sums)
    _add_number(first, _SUPPLY, after["special_supply"] - before["special_supply"], _FEW, sums)
    _add_number(first, _BANK, after["bank"] - before["bank"], _MANY, sums)
    _add_number(first, _TURN, after["turn"] - before["turn"], _MANY, sums)


@njit
def write_inputs(
    states: np.ndarray, rows: np.ndarray, blank: np.ndarray, identity: np.ndarray, out: np.ndarray
) -> None:
    """Write what the network sees of some positions, each as its seat to move sees it.

    The first layer with the identity for its weights gives just that.

    states: (n,), STATE. rows: indices of positions, int64 (m,). blank: the positions of a room. identity: float32,
    (INPUTS, INPUTS). out: float32, (m, INPUTS), overwritten.
    """
    for place in range(rows.shape[0]):
        s = states[rows[place]]
        out[place, :] = 0.0
        add_changes(blank[2], s, s["to_move"], s["players"], identity, out[place])


@njit
def _finish(
    sums: np.ndarray,
    seat: Seat,
    players: int,
    second: np.ndarray,
    third: np.ndarray,
    hidden: np.ndarray,
    chances: np.ndarray,
) -> None:
    """Write every seat's chance of winning, from the sums of the first layer as ``seat`` sees them."""
    inputs, outputs = sums.shape[0], hidden.shape[0]
    for j in range(outputs):
        hidden[j] = second[inputs, j]
    for i in range(inputs):
        x = sums[i]
        if x > 0:
            for j in range(outputs):
                hidden[j] += x * second[i, j]
    most = np.float32(-np.inf)
    for away in range(players):
        total = third[outputs, away]
        for j in range(outputs):
            if hidden[j] > 0:
                total += hidden[j] * third[j, away]
        other = seat + away
        if other >= players:
            other -= players
        chances[other] = total
        most = max(most, total)
    together = 0.0
    for other in range(players):
        chances[other] = math.exp(chances[other] - most)
        together += chances[other]
    for other in range(players):
        chances[other] /= together


@njit
def _write_result(s: State, chances: np.ndarray) -> None:
    scoring = np.empty((MAX_PLAYERS, len(SCORING)), np.int64)
    score(s, scoring)
    write_win_shares(scoring[:, TOTAL], s["players"], chances)


@njit
def appraise(s: State, weights: Weights, room: Room, chances: np.ndarray) -> None:
    """Write every seat's chance of winning in ``s``, its share of the win where the game is over.

    chances: float64, (players or more,), overwritten. The room's trials are not used.
    """
    if s["end"] != 0:
        _write_result(s, chances)
        return
    first, second, third = weights
    seat, players = s["to_move"], s["players"]
    sums = room.sums[1]
    sums[:] = first[INPUTS]
    add_changes(room.trials[2], s, seat, players, first, sums)
    _finish(sums, seat, players, second, third, room.hidden, chances)


@njit
def _try(s: State, after: State, following: Seat, weights: Weights, room: Room) -> float:
    """Write the chances after a turn from ``s``; return that of the seat whose turn it was.

    The first row of the room's sums is that of ``s`` as ``following`` sees it, the seat that has the next turn.
    """
    chances = room.chances[0]
    if after["end"] == 0 and after["to_move"] == following:
        first, second, third = weights
        sums, begun = room.sums[1], room.sums[0]
        for i in range(sums.shape[0]):
            sums[i] = begun[i]
        add_changes(s, after, following, s["players"], first, sums)
        _finish(sums, following, s["players"], second, third, room.hidden, chances)
    else:
        appraise(after, weights, room, chances)
    return chances[s["to_move"]]


@njit
def appraiser_values(s: State, weights: Weights, room: Room, values: np.ndarray) -> Action:
    """Write the chance of winning after the best turn that begins with each legal action of ``s``, where one decides.

    values: float64, (NUM_ACTIONS,), written where legal.

    Returns:
        The best action; of equally good ones the lowest. The second row of the room's chances is that of all seats
        after the best turn.
    """
    first = weights[0]
    players = s["players"]
    following = s["to_move"] + 1 if s["to_move"] + 1 < players else 0
    room.sums[0, :] = first[INPUTS]
    add_changes(room.trials[2], s, following, players, first, room.sums[0])
    one, two = room.trials[0], room.trials[1]
    most, chosen = -1.0, -1
    for word in range(4):
        bits = s["legal"][word]
        while bits != _0:
            lowest = bits & (~bits + _1)
            bits ^= lowest
            action = 64 * word + popcount(lowest - _1)
            room.trials[0] = s
            push(one, action)
            best = -1.0
            if one["end"] != 0 or one["pending"] != 0:
                best = _try(s, one, following, weights, room)
                if best > most:
                    room.chances[1, :] = room.chances[0]
            else:  # the turn goes on, and ends with any second action
                for more in range(4):
                    seconds = one["legal"][more]
                    while seconds != _0:
                        low = seconds & (~seconds + _1)
                        seconds ^= low
                        room.trials[1] = one
                        push(two, 64 * more + popcount(low - _1))
                        value = _try(s, two, following, weights, room)
                        if value > best:
                            best = value
                            if best > most:
                                room.chances[1, :] = room.chances[0]
            values[action] = best
            if best > most:
                most, chosen = best, action
    return chosen


@njit
def appraiser_action(s: State, weights: Weights, room: Room, values: np.ndarray) -> Action:
    """Return the best action of ``s`` by :func:`appraiser_values`."""
    return appraiser_values(s, weights, room, values)
