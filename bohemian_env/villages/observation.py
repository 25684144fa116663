"""What a player at the table sees, as one int8 vector, and the mask of the legal actions.

The parts of the vector are declared once, in :data:`PARTS`; the space, the named views and the table in
docs/villages.md are made from it. Seats are seen from the observer: 0 is the observer, 1 the next in turn order.
"""

from typing import Final

import numpy as np

from ..engine.bits import spread_64
from ..engine.compiled import njit
from ..engine.parts import JOIN, Part, offsets_of, scale_of, size_of, taken_apart
from .dice import SHOWN, SIZE
from .facts import KINDS, MAX_PLAYERS, MIN_PLAYERS, TURN_DICE
from .state import CELLS, FIELD, MAX_VILLAGES, WORD_KINDS, Seat, State

_CELL_SHAPE: Final = (len(KINDS), MAX_VILLAGES)
PARTS: Final = (
    Part("free", _CELL_SHAPE, 0, 1, "1: a building of this kind stands in this village, with nobody on it"),
    Part("figures_on", (MAX_PLAYERS, *_CELL_SHAPE), 0, 1, "1: a figure of this seat is on this building"),
    Part("inn_active", (MAX_VILLAGES,), 0, 1, "1: the inn tile of this village is active"),
    Part("dice", (6, 4), 0, 1, "1: at least so many (1 to 4) of the unused dice show this number (1 to 6)"),
    Part("first_move_made", (1,), 0, 1, "1: the first move of the turn has been made"),
    Part("special_spent", (1,), 0, 1, "1: a special action tile has been spent in this turn"),
    Part("to_move", (MAX_PLAYERS,), 0, 1, "1: it is this seat's turn; all 0 once the game is over"),
    Part("bishop", (MAX_PLAYERS,), 0, 1, "1: this seat has the bishop"),
    Part("special", (MAX_PLAYERS,), 0, 1, "1: this seat has a special action tile"),
    Part("players", (MAX_PLAYERS - MIN_PLAYERS + 1,), 0, 1, "1: so many players (2 to 5) are at the table"),
    Part("figures", (MAX_PLAYERS,), 0, 127, "figures in hand of this seat", scale=8.0),
    Part("special_supply", (1,), 0, 127, "special action tiles left in the supply", scale=8.0),
    Part(
        "town_hall_value", (MAX_VILLAGES,), 0, 127, "printed value of the village's town hall, 0 without one", scale=8.0
    ),
    Part("manor_value", (MAX_VILLAGES,), 0, 127, "printed value of the village's manor, 0 without one", scale=8.0),
    Part("coins", (MAX_PLAYERS, 2), 0, 127, "coins of this seat", joined=True, scale=(1.0, 32.0)),
    Part(
        "bank", (2,), -128, 127, "coins left in the bank (below 0 at most at the end)", joined=True, scale=(1.0, 32.0)
    ),
    Part("turn", (2,), 0, 127, "turns begun, from 1 (16,383 stands for any more)", joined=True, scale=32.0),
)


OFFSETS: Final = offsets_of(PARTS)
"""The index of the first entry of each part, by name."""
OBSERVATION_SIZE: Final = size_of(PARTS)


def observation_scale() -> np.ndarray:
    """Return what each entry of the observation is divided by to make all of them about as large: float32,
    (OBSERVATION_SIZE,).
    """
    return scale_of(PARTS)


def observation_parts(observation: np.ndarray) -> dict[str, np.ndarray]:
    """Return the parts of observations, int8 (..., OBSERVATION_SIZE), by name, each of shape ``(..., *shape)``.

    They are views, except that numbers in two entries are joined, as int16 without the last axis. Raises ValueError:
    the last axis is not OBSERVATION_SIZE long, or they are no whole numbers, as with ``normalized``.
    """
    return taken_apart(PARTS, observation)


_AT_FREE, _AT_FIGURES_ON, _AT_FLAGS = OFFSETS["free"], OFFSETS["figures_on"], OFFSETS["inn_active"]
_AT_FIGURES, _AT_SUPPLY = OFFSETS["figures"], OFFSETS["special_supply"]
_AT_TOWN_HALL, _AT_MANOR = OFFSETS["town_hall_value"], OFFSETS["manor_value"]
_AT_COINS, _AT_BANK, _AT_TURN = OFFSETS["coins"], OFFSETS["bank"], OFFSETS["turn"]
_LARGEST: Final = JOIN * JOIN - 1
_SHIFT, _LOW = JOIN.bit_length() - 1, JOIN - 1  # first and second of two entries
_WORD_CELLS: Final = FIELD * WORD_KINDS  # cells in word 0 of a set (state.py)


def _flag(name: str) -> np.uint64:
    """Return the place of a part among the flags, the parts from inn_active to players, which fill one word."""
    return np.uint64(OFFSETS[name] - _AT_FLAGS)


_DICE, _FIRST, _SPENT = _flag("dice"), _flag("first_move_made"), _flag("special_spent")
_TO_MOVE, _BISHOP, _SPECIAL, _PLAYERS = _flag("to_move"), _flag("bishop"), _flag("special"), _flag("players")
assert _AT_FIGURES - _AT_FLAGS <= 64, "the flags are written as one word"
_DICE_FLAGS: Final = SHOWN << _DICE
_1: Final = np.uint64(1)


@njit
def write_observation(s: State, seat: Seat, out: np.ndarray) -> None:
    """Write what ``seat`` sees in the position ``s``.

    s: read only. out: int8, shape (OBSERVATION_SIZE,), contiguous, overwritten.
    """
    # Sets are written from low entries to high ones: each spread runs on into entries that are written after it.
    players = int(s["players"])
    have, occupied, own = s["have"], s["occupied"], s["own"]
    spread_64(have[0] & ~occupied[0], out, _AT_FREE)
    spread_64(have[1] & ~occupied[1], out, _AT_FREE + _WORD_CELLS)
    flags = np.uint64(s["active"]) | _DICE_FLAGS[s["dice"]] | (np.uint64(s["spent"]) << _SPENT)
    flags |= _1 << (_PLAYERS + np.uint64(players - MIN_PLAYERS))
    left = SIZE[s["dice"]] + s["pending"]  # dice that are not used, also those to be rolled again
    flags |= np.uint64(0 < left < TURN_DICE) << _FIRST
    for away in range(MAX_PLAYERS):
        other = away  # seats that nobody sits in own nothing
        if away < players:
            other = seat + away
            if other >= players:
                other -= players
            at = np.uint64(away)
            flags |= np.uint64((s["special"] >> other) & 1) << (_SPECIAL + at)
            flags |= np.uint64(s["bishop"] == other) << (_BISHOP + at)
            flags |= np.uint64(s["to_move"] == other and s["end"] == 0) << (_TO_MOVE + at)
        spread_64(own[other, 0], out, _AT_FIGURES_ON + CELLS * away)
        spread_64(own[other, 1], out, _AT_FIGURES_ON + CELLS * away + _WORD_CELLS)
    spread_64(flags, out, _AT_FLAGS)
    for away in range(MAX_PLAYERS):
        other = away
        if away < players:
            other = seat + away
            if other >= players:
                other -= players
        coins = s["coins"][other]
        out[_AT_FIGURES + away] = s["figures"][other]
        out[_AT_COINS + 2 * away] = coins >> _SHIFT
        out[_AT_COINS + 2 * away + 1] = coins & _LOW
    for village in range(MAX_VILLAGES):
        out[_AT_TOWN_HALL + village] = s["town_hall"][village]
        out[_AT_MANOR + village] = s["manor"][village]
    out[_AT_SUPPLY] = s["special_supply"]
    out[_AT_BANK] = s["bank"] >> _SHIFT
    out[_AT_BANK + 1] = s["bank"] & _LOW
    turn = min(s["turn"], _LARGEST)
    out[_AT_TURN] = turn >> _SHIFT
    out[_AT_TURN + 1] = turn & _LOW
