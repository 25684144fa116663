"""``appraiser``: tries every turn and takes the one after which a small network gives it the best chance of winning.

The network looks at a position as the seat to move sees it, best at the moment before a roll, and says how likely each
seat is to win. It was learned from results alone, by TD(λ) (``agents/training/td.py``): from games against itself and
among planners. There are four versions, one for each number of players.

A position is a few hundred inputs, of which most are 0, so the first layer is a sum over the others; and two positions
of one turn differ in few of them, so that sum is worked out once a decision, as the next seat sees the position and as
the one that decides does, which may roll again, and changed for each turn that is tried.
Many turns end alike, as those that make the same moves in another order; what was judged is remembered meanwhile.
"""

import functools
import io
import math
import zipfile
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ...engine.bits import Word, popcount
from ...engine.chance import mix
from ...engine.compiled import njit
from ...engine.contract import Action
from ...engine.legal import next_legal
from ..dice import SHOWN
from ..errors import BadNetwork
from ..facts import MAX_PLAYERS, MIN_PLAYERS, TURN_DICE
from ..rules import next_turn, push, write_result
from ..state import CELLS, FIELD, MAX_VILLAGES, STATE, WORD_KINDS, Seat, State

VERSION: Final = 4
"""The version of the networks: it goes up whenever one changes, since agents are trained to listen to them."""
WIDTHS: Final = (128, 32)
"""The widths of the two hidden layers."""
ROUNDS: Final = 12
"""The rounds of the table that are told apart; the last stands for all after it."""
Weights: TypeAlias = tuple[np.ndarray, ...]
"""The three layers of a network, and what a seat's place in the order of play is worth in a round, which is added to
the last layer; float32, of the :data:`SHAPES`."""

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
SHAPES: Final = (
    *((INPUTS + 1, WIDTHS[0]), (WIDTHS[0] + 1, WIDTHS[1]), (WIDTHS[1] + 1, MAX_PLAYERS)),
    (ROUNDS, MAX_PLAYERS),
)
"""The shapes of the layers, each with a row of biases, and of what places are worth."""
NAMES: Final = ("first", "second", "third", "places")
"""What these are called in a file."""
FOLDER: Final = Path(__file__).parent / "appraiser"
"""Where its networks lie, ``2-players.npz`` and so on."""
_WHOLE, _FEW, _MANY = np.float32(1), np.float32(1 / 8), np.float32(1 / 32)
# The flags from _ACTIVE on are noted as one word.
_VILLAGES, _AFTER_DICE, _AFTER_ROLL = (np.uint64(row - _ACTIVE) for row in (_DICE, _TO_ROLL, _SPENT))
MOST_WEIGHT: Final = 1e6
"""The most that a number of a network may be away from 0: nothing computed of such numbers overflows."""
_MOST_BYTES: Final = 2 * 4 * sum(math.prod(shape) for shape in SHAPES)
"""The most bytes of a file with a network: twice those of its numbers."""
_NEXT: Final = 2  # index in a room's trials of a position in which the next seat has the turn
BLANK: Final = 3
"""The index of the blank position in a room's trials."""
_WORD_CELLS: Final = FIELD * WORD_KINDS
_KNOWN: Final = 2048  # positions that are remembered at most, a power of two
_0, _1, _16, _24, _32, _40, _48 = (np.uint64(n) for n in (0, 1, 16, 24, 32, 40, 48))
_PLACE: Final = np.uint64(_KNOWN - 1)


class Room(NamedTuple):
    """The arrays that an appraiser writes to; each thread needs its own."""

    trials: np.ndarray
    """Positions to try turns in, (4,), dtype STATE; the last stays blank."""
    sums: np.ndarray
    """Sums of the first layer: of the position in which the next seat has the turn, of what is tried, and of the
    position that is decided in; float32, (3, WIDTHS[0])."""
    hidden: np.ndarray
    """The second layer: float32, (WIDTHS[1],)."""
    chances: np.ndarray
    """Chances of all seats: of what is tried, and of the best; float64, (2, MAX_PLAYERS)."""
    rows: np.ndarray
    """The inputs in which two positions differ: int64, (INPUTS,)."""
    times: np.ndarray
    """By how much: float32, (INPUTS,)."""
    keys: np.ndarray
    """Hashes of the ends of turns that were judged, each where its lowest bits say: uint64, (_KNOWN,)."""
    known: np.ndarray
    """The chances of all seats there: float64, (_KNOWN, MAX_PLAYERS)."""
    epoch: np.ndarray
    """How often all that was forgotten, which changes the hashes: uint64, (1,)."""


def new_room() -> Room:
    """Return room for an appraiser."""
    trials = np.zeros(BLANK + 1, STATE)
    trials[BLANK]["bishop"] = -1
    return Room(
        trials=trials,
        sums=np.zeros((3, WIDTHS[0]), np.float32),
        hidden=np.zeros(WIDTHS[1], np.float32),
        chances=np.zeros((2, MAX_PLAYERS)),
        rows=np.zeros(INPUTS, np.int64),
        times=np.zeros(INPUTS, np.float32),
        keys=np.zeros(_KNOWN, np.uint64),
        known=np.zeros((_KNOWN, MAX_PLAYERS)),
        epoch=np.zeros(1, np.uint64),
    )


@functools.cache
def load_weights() -> Weights:
    """Return the networks of ``appraiser``, as ``read_networks`` does. Raises BadNetwork if one is missing, OSError."""
    weights, sizes = read_networks(FOLDER)
    if missing := {*range(MIN_PLAYERS, MAX_PLAYERS + 1)} - {*sizes}:
        raise BadNetwork(f"{network_file(FOLDER, min(missing))} is missing")
    return weights


def network_file(folder: Path, players: int) -> Path:
    """Return the file of the network for a number of players, of those in a folder."""
    return folder / f"{players}-players.npz"


def read_networks(folder: Path) -> tuple[Weights, tuple[int, ...]]:
    """Return the networks in a folder: :data:`Weights` with one more axis in front, the number of players; and for
    which numbers there are any. The others are zero.

    Raises:
        BadNetwork: there is none, or a file holds another one.
        OSError: a file cannot be read.
    """
    layers = tuple(np.zeros((MAX_PLAYERS + 1, *shape), np.float32) for shape in SHAPES)
    sizes = []
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        path = network_file(folder, players)
        if not path.exists():
            continue
        content = io.BytesIO(path.read_bytes())
        try:
            with zipfile.ZipFile(content) as parts:
                if (size := sum(part.file_size for part in parts.infolist())) > _MOST_BYTES:
                    raise ValueError(f"{size:,} bytes; at most {_MOST_BYTES:,} are possible")
            content.seek(0)
            with np.load(content, allow_pickle=False) as file:
                found = [file[name] for name in NAMES]
        except Exception as error:  # zipfile, zlib and NumPy's reader have errors of many kinds
            raise BadNetwork(f"{path} holds no network of appraiser's form: {error}") from None
        for layer, name, values in zip(layers, NAMES, found, strict=True):
            if (
                not isinstance(values, np.ndarray)
                or values.shape != layer.shape[1:]
                or values.dtype != np.float32
                or not (np.abs(values) <= MOST_WEIGHT).all()
            ):
                what = f"numbers of 32 bits from -{MOST_WEIGHT:g} to {MOST_WEIGHT:g}"
                raise BadNetwork(f"{path}: {name} is not of {layer.shape[1:]} {what}")
            layer[players] = values
        sizes.append(players)
    if not sizes:
        raise BadNetwork(f"{folder} holds no network: there is no N-players.npz, N being the number of players")
    return layers, tuple(sizes)


@njit
def of_size(weights: Weights, players: int) -> Weights:
    """Return the network for a number of players, of those of :func:`load_weights`."""
    return weights[0][players], weights[1][players], weights[2][players], weights[3][players]


@njit
def _note_flags(row: int, before: Word, after: Word, rows: np.ndarray, times: np.ndarray, n: int) -> int:
    """Note the flags, from ``row`` on, that came and those that went; return how many notes there are then."""
    changed = before ^ after
    while changed != _0:
        lowest = changed & (~changed + _1)
        changed ^= lowest
        rows[n] = row + popcount(lowest - _1)
        times[n] = 1 if after & lowest else -1
        n += 1
    return n


@njit
def _note_number(
    row: int, change: int | np.int64, scale: np.float32, rows: np.ndarray, times: np.ndarray, n: int
) -> int:
    """Note by how much a number changed, if it did; return how many notes there are."""
    if change == 0:
        return n  # a branch, where `n += 1` under a condition is compiled to none and takes 60 times as long
    rows[n] = row
    times[n] = np.float32(change) * scale
    return n + 1


@njit
def _note_changes(before: State, after: State, seat: Seat, players: int, rows: np.ndarray, times: np.ndarray) -> int:
    """Note how the inputs of two positions differ, both as ``seat`` sees them; return in how many of them."""
    free_0, free_1 = before["have"][0] & ~before["occupied"][0], before["have"][1] & ~before["occupied"][1]
    n = _note_flags(0, free_0, after["have"][0] & ~after["occupied"][0], rows, times, 0)
    n = _note_flags(_WORD_CELLS, free_1, after["have"][1] & ~after["occupied"][1], rows, times, n)
    flags = np.uint64(before["active"]) | (SHOWN[before["dice"]] << _VILLAGES)
    others = np.uint64(after["active"]) | (SHOWN[after["dice"]] << _VILLAGES)
    to_roll = (_1 << np.uint64(before["pending"])) >> _1, (_1 << np.uint64(after["pending"])) >> _1
    flags |= (to_roll[0] << _AFTER_DICE) | (np.uint64(before["spent"]) << _AFTER_ROLL)
    others |= (to_roll[1] << _AFTER_DICE) | (np.uint64(after["spent"]) << _AFTER_ROLL)
    n = _note_flags(_ACTIVE, flags, others, rows, times, n)
    for away in range(players):
        other = seat + away
        if other >= players:
            other -= players
        row = CELLS * (1 + away)
        n = _note_flags(row, before["own"][other, 0], after["own"][other, 0], rows, times, n)
        n = _note_flags(row + _WORD_CELLS, before["own"][other, 1], after["own"][other, 1], rows, times, n)
        bishop = np.int64(after["bishop"] == other) - np.int64(before["bishop"] == other)
        n = _note_number(_BISHOP + away, bishop, _WHOLE, rows, times, n)
        special = np.int64((after["special"] >> other) & 1) - np.int64((before["special"] >> other) & 1)
        n = _note_number(_SPECIAL + away, special, _WHOLE, rows, times, n)
        n = _note_number(_FIGURES + away, after["figures"][other] - before["figures"][other], _FEW, rows, times, n)
        n = _note_number(_COINS + away, after["coins"][other] - before["coins"][other], _MANY, rows, times, n)
    for village in range(MAX_VILLAGES):
        hall = np.int64(after["town_hall"][village]) - np.int64(before["town_hall"][village])
        n = _note_number(_TOWN_HALL + village, hall, _FEW, rows, times, n)
        manor = np.int64(after["manor"][village]) - np.int64(before["manor"][village])
        n = _note_number(_MANOR + village, manor, _FEW, rows, times, n)
    n = _note_number(_SUPPLY, after["special_supply"] - before["special_supply"], _FEW, rows, times, n)
    n = _note_number(_BANK, after["bank"] - before["bank"], _MANY, rows, times, n)
    return _note_number(_TURN, after["turn"] - before["turn"], _MANY, rows, times, n)


@njit
def add_changes(
    before: State,
    after: State,
    seat: Seat,
    players: int,
    first: np.ndarray,
    rows: np.ndarray,
    times: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Change the sums of the first layer from those of one position to those of another, both as ``seat`` sees them.

    before: a blank position, as the last of the room's trials, leads from the biases to the sums of ``after``.
    first: (INPUTS + 1, n), sums: (n,), float32; sums are changed.
    """
    for k in range(_note_changes(before, after, seat, players, rows, times)):
        row, much = rows[k], times[k]
        for i in range(sums.shape[0]):
            sums[i] += much * first[row, i]


@njit
def write_inputs(states: np.ndarray, rows: np.ndarray, room: Room, out: np.ndarray) -> None:
    """Write what the network sees of some positions, each as its seat to move sees it.

    states: (n,), STATE. rows: indices of positions, int64 (m,). out: float32, (m, INPUTS), overwritten.
    """
    for place in range(rows.shape[0]):
        s = states[rows[place]]
        out[place, :] = 0.0
        for k in range(_note_changes(room.trials[BLANK], s, s["to_move"], s["players"], room.rows, room.times)):
            out[place, room.rows[k]] = room.times[k]


@njit
def shares(values: np.ndarray, players: int, scale: float, out: np.ndarray) -> None:
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
def _finish(
    sums: np.ndarray,
    seat: Seat,
    players: int,
    second: np.ndarray,
    third: np.ndarray,
    places: np.ndarray,
    hidden: np.ndarray,
    chances: np.ndarray,
) -> None:
    """Write every seat's chance of winning, from the sums of the first layer as ``seat`` sees them.

    places: what each seat's place is worth in this round, (MAX_PLAYERS,).
    """
    inputs, outputs = sums.shape[0], hidden.shape[0]
    for j in range(outputs):
        hidden[j] = second[inputs, j]
    for i in range(inputs):
        x = max(sums[i], np.float32(0))  # no branch, which could not be foreseen
        for j in range(outputs):
            hidden[j] += x * second[i, j]
    for other in range(players):
        chances[other] = places[other] + third[outputs, other - seat if other >= seat else other - seat + players]
    for j in range(outputs):
        x = max(hidden[j], np.float32(0))
        for other in range(players):
            chances[other] += x * third[j, other - seat if other >= seat else other - seat + players]
    shares(chances, players, 1.0, chances)


@njit
def judge_from(
    before: State, begun: np.ndarray, after: State, seat: Seat, weights: Weights, room: Room, chances: np.ndarray
) -> None:
    """Write every seat's chance of winning in ``after``, which is not over, from the sums of another position.

    before, begun: that position, and the sums of the first layer for it as ``seat`` sees it, the seat to move in
    ``after``. chances: float64, (players or more,), overwritten.
    """
    first, second, third, places = weights
    players, sums = after["players"], room.sums[1]
    now = min((after["turn"] - 1) // players, ROUNDS - 1)  # from the first turn on, which has the number 1
    for i in range(sums.shape[0]):
        sums[i] = begun[i]
    add_changes(before, after, seat, players, first, room.rows, room.times, sums)
    _finish(sums, seat, players, second, third, places[now], room.hidden, chances)


@njit
def appraise(s: State, weights: Weights, room: Room, chances: np.ndarray) -> None:
    """Write every seat's chance of winning in ``s``, its share of the win where the game is over.

    chances: float64, (players or more,), overwritten. The room's trials are only read.
    """
    if s["end"] != 0:
        write_result(s, chances)
    else:
        judge_from(room.trials[BLANK], weights[0][INPUTS], s, s["to_move"], weights, room, chances)


@njit
def forget(room: Room) -> None:
    """Forget the ends of turns that were judged, as must be done before another position or with other weights."""
    room.epoch[0] += _1


@njit
def _key(s: State, epoch: Word) -> Word:
    """Return a hash of all that differs between the ends of turns in one position."""
    word = np.uint64(s["active"]) | (np.uint64(s["pending"]) << _16) | (np.uint64(s["dice"]) << _24)
    word |= (np.uint64(s["special"]) << _32) | (np.uint64(s["bishop"] + 1) << _40) | (np.uint64(s["to_move"]) << _48)
    key = mix(mix(epoch) ^ word)
    for seat in range(s["players"]):
        key = mix(mix(key ^ s["own"][seat, 0]) ^ s["own"][seat, 1])
        key = mix(key ^ ((np.uint64(s["coins"][seat]) << _16) | np.uint64(s["figures"][seat])))
    return key


@njit
def _try(s: State, after: State, weights: Weights, room: Room) -> float:
    """Write the chances after a turn of the seat that has it in ``s`` into the room; return its own.

    The room's sums are those of ``s`` and of where the next seat has the turn. Different moves, and different rolls,
    often end a turn alike: what was judged is remembered until :func:`forget`.
    """
    seat = s["to_move"]
    chances = room.chances[0]
    if after["end"] != 0:
        write_result(after, chances)
        return chances[seat]
    key = _key(after, room.epoch[0])
    place = np.int64(key & _PLACE)
    if room.keys[place] != key:
        before, begun = room.trials[_NEXT], room.sums[0]
        if after["to_move"] == seat:  # it rolls again
            before, begun = s, room.sums[2]
        judge_from(before, begun, after, after["to_move"], weights, room, room.known[place])
        room.keys[place] = key
    for other in range(after["players"]):
        chances[other] = room.known[place, other]
    return chances[seat]


@njit
def turn_values(s: State, weights: Weights, room: Room, values: np.ndarray) -> Action:
    """Do as :func:`appraiser_values`, but remember ends of turns that were judged since the last :func:`forget`.

    Between two calls the dice of ``s`` may change, and its turn may go on; all else needs :func:`forget` first.
    """
    first, seat, players = weights[0], s["to_move"], s["players"]
    one, two, after = room.trials[0], room.trials[1], room.trials[_NEXT]
    room.trials[_NEXT] = s
    next_turn(after)  # what is common to the ends of most turns
    after["to_move"] = seat + 1 if seat + 1 < players else 0  # also where that ends the game
    for row, position in ((0, after), (2, s)):
        room.sums[row, :] = first[INPUTS]
        seen_by = position["to_move"]
        add_changes(room.trials[BLANK], position, seen_by, players, first, room.rows, room.times, room.sums[row])
    most, chosen = -1.0, -1
    action = next_legal(s, 0)
    while action >= 0:
        room.trials[0] = s
        push(one, action)
        best, second = -1.0, next_legal(one, 0)
        if second < 0:  # the turn is over, or goes on with a roll
            best = _try(s, one, weights, room)
            if best > most:
                room.chances[1, :] = room.chances[0]
        while second >= 0:  # the turn ends with any second action
            room.trials[1] = one
            push(two, second)
            value = _try(s, two, weights, room)
            if value > best:
                best = value
                if best > most:
                    room.chances[1, :] = room.chances[0]
            second = next_legal(one, second + 1)
        values[action] = best
        if best > most or chosen < 0:  # no network makes an action out of none
            most, chosen = best, action
        action = next_legal(s, action + 1)
    return chosen


@njit
def appraiser_values(s: State, weights: Weights, room: Room, values: np.ndarray) -> Action:
    """Write the chance of winning after the best turn that begins with each legal action of ``s``, where one decides.

    values: float64, (NUM_ACTIONS,), written where legal.

    Returns:
        The best action; of equally good ones the lowest. The second row of the room's chances is that of all seats
        after the best turn.
    """
    forget(room)
    return turn_values(s, weights, room, values)
