"""The legal actions of a position, a set of bits in whole words, as every game has them (``contract.State``).

Nearly all of it needs no verb, so that one compiled function serves all games: the words of the set tell the sizes.
"""

import numpy as np

from .bits import Word, popcount, spread_16, spread_32, spread_64
from .bound import loop
from .compiled import njit
from .contract import NUM_ACTIONS, Action, State

_0, _1, _32 = np.uint64(0), np.uint64(1), np.uint64(32)


@njit
def is_legal(s: State, action: Action) -> bool:
    """Return whether ``action``, any whole number, is legal in ``s``."""
    return 0 <= action < 64 * s["legal"].shape[0] and (s["legal"][action >> 6] >> np.uint64(action & 63)) & _1 != _0


@njit
def legal_count(s: State) -> int:
    """Return how many actions are legal in ``s``."""
    count = 0
    for word in range(s["legal"].shape[0]):
        count += popcount(s["legal"][word])
    return count


@njit
def pick_legal(s: State, index: int | np.int64) -> Action:
    """Return the legal action of ``s`` that has ``index`` lower ones, which must be below :func:`legal_count`."""
    word = 0
    count = popcount(s["legal"][0])
    while index >= count:
        index -= count
        word += 1
        count = popcount(s["legal"][word])
    bits = s["legal"][word]
    place = 0
    for power in (32, 16, 8, 4, 2, 1):
        below = popcount(bits & ((_1 << np.uint64(power)) - _1))
        if index >= below:
            index -= below
            bits >>= np.uint64(power)
            place += power
    return 64 * word + place


@njit
def pick_random(s: State, word: Word) -> Action:
    """Return any legal action of ``s``, each as likely as any other, by a random number. At least one must be legal."""
    return pick_legal(s, np.int64(((word >> _32) * np.uint64(legal_count(s))) >> _32))


@njit
def next_legal(s: State, action: int | np.int64) -> Action:
    """Return the lowest legal action of ``s`` that is not below ``action``, at least 0; -1 if there is none."""
    legal = s["legal"]
    word = action >> 6
    if word >= legal.shape[0]:
        return -1
    bits = legal[word] >> np.uint64(action & 63) << np.uint64(action & 63)
    while bits == _0:
        word += 1
        if word >= legal.shape[0]:
            return -1
        bits = legal[word]
    return 64 * word + popcount((bits & (~bits + _1)) - _1)  # type: ignore[return-value] # what int is in compiled code


@njit
def legal_below(s: State, action: int | np.int64) -> Action:
    """Return the highest legal action of ``s`` below ``action``; -1 if there is none."""
    while action > 0:
        action -= 1
        if action & 63 == 63 and s["legal"][action >> 6] == _0:
            action -= 63
        elif is_legal(s, action):  # type: ignore[arg-type]
            return action  # type: ignore[return-value] # what int is in compiled code
    return -1


@loop
def write_mask(s: State, out: np.ndarray) -> None:
    """Write which actions are legal in ``s``, none where no seat decides.

    out: int8, (NUM_ACTIONS,), contiguous, overwritten with 0 and 1.
    """
    legal = s["legal"]
    for word in range(NUM_ACTIONS >> 6):
        spread_64(legal[word], out, 64 * word)
    # Nothing may be written beyond the last action: the next row can belong to another thread.
    at = NUM_ACTIONS & ~63
    if at < NUM_ACTIONS:
        bits = legal[at >> 6]
        if NUM_ACTIONS & 32:
            spread_32(bits, out, at)
            bits >>= np.uint64(32)
            at += 32
        if NUM_ACTIONS & 16:
            spread_16(bits, out, at)
            bits >>= np.uint64(16)
            at += 16
        while at < NUM_ACTIONS:
            out[at] = bits & _1
            bits >>= _1
            at += 1


def legal_actions(s: State) -> list[Action]:
    """Return the legal actions of a position, ascending; none where chance is due or the game is over."""
    found: list[Action] = np.flatnonzero(np.unpackbits(s["legal"].view(np.uint8), bitorder="little")).tolist()
    return found
