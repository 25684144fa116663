"""``greedy``: takes the move that leaves it best off by a plain estimate. It looks at one move, not at the turn.

The estimate counts its coins; exactly what its shop sets pay; what having most churches pays, or as many as another,
and three coins for having fewer; the value of each town hall times the part of its village that is full, or the 5 coins
that having none costs; the pay of each flour and glass tile times the part of the mills or factories that are full;
three coins for an active inn and half of that for an inactive one; and a coin for a special action tile and for each
church under its bishop. The same estimate of the strongest other player is subtracted, so that kicking out is worth
something. Greedy never spends a special action tile unless it must.
"""

from typing import Final

import numpy as np

from ...engine.bits import Word, popcount
from ...engine.compiled import njit
from ...engine.contract import Action
from ...engine.legal import is_legal
from ..actions import END, NUM_ACTIONS, REROLLS
from ..facts import KINDS, MOST_CHURCHES, NO_TOWN_HALL, SECOND_CHURCHES, SHOP_SETS, SHOPS, TILE_PAYS
from ..rules import move
from ..state import FIELD, WORD_KINDS, Seat, State

_ONES: Final = np.uint64(2**FIELD - 1)
_SHIFTS: Final = np.array([FIELD * (k % WORD_KINDS) for k in range(len(KINDS))], np.uint64)
_MILL, _GLASS = KINDS.index("mill"), KINDS.index("glass")
_INN, _TOWN_HALL, _CHURCH = KINDS.index("inn"), KINDS.index("town_hall"), KINDS.index("church")
_VILLAGE: Final = np.uint64(sum(1 << (FIELD * k) for k in range(WORD_KINDS)))  # cells of village 0 in a word
_1: Final = np.uint64(1)
_SHOP_SETS: Final = np.array(SHOP_SETS, np.int64)
_FLOUR_PAYS, _GLASS_PAYS = float(TILE_PAYS["mill"]), float(TILE_PAYS["glass"])
_ONLY_CHURCHES: Final = 3.0  # what churches are thought to be worth to somebody who has fewer than another

_ACTIVE_INN, _INACTIVE_INN = 3.0, 1.5
_SPECIAL, _BISHOP_CHURCH = 1.0, 1.0
_NEVER: Final = -1e9


@njit
def _count(words: np.ndarray, kind: int) -> int:
    """Return how many cells of a kind are in a set of cells."""
    return popcount((words[kind // WORD_KINDS] >> _SHIFTS[kind]) & _ONES)


@njit
def estimate(s: State, seat: Seat) -> float:
    """Return how many coins ``seat`` will have at the end, as greedy estimates it."""
    own = s["own"][seat]
    value = float(s["coins"][seat])
    for times in range(1, FIELD + 1):
        kinds = 0
        for kind in range(len(SHOPS)):
            kinds += _count(own, kind) >= times
        if kinds == 0:
            break
        value += _SHOP_SETS[kinds]
    churches = _count(own, _CHURCH)
    if churches > 0:
        most = 0
        for other in range(s["players"]):
            if other != seat:
                most = max(most, _count(s["own"][other], _CHURCH))
        value += MOST_CHURCHES if churches > most else SECOND_CHURCHES if churches == most else _ONLY_CHURCHES
        if s["bishop"] == seat:
            value += _BISHOP_CHURCH * churches
    halls = (own[_TOWN_HALL // WORD_KINDS] >> _SHIFTS[_TOWN_HALL]) & _ONES
    if halls == np.uint64(0):
        value += NO_TOWN_HALL
    inns = (own[_INN // WORD_KINDS] >> _SHIFTS[_INN]) & _ONES
    active = popcount(inns & np.uint64(s["active"]))
    value += _ACTIVE_INN * active + _INACTIVE_INN * (popcount(inns) - active)
    for village in range(s["villages"]):
        at = np.uint64(village)
        if (halls >> at) & _1:
            stand = popcount(s["have"][0] & (_VILLAGE << at)) + popcount(s["have"][1] & (_VILLAGE << at))
            taken = popcount(s["occupied"][0] & (_VILLAGE << at)) + popcount(s["occupied"][1] & (_VILLAGE << at))
            value += s["town_hall"][village] * taken / stand
    for kind, pays in ((_MILL, _FLOUR_PAYS), (_GLASS, _GLASS_PAYS)):
        tiles = _count(own, kind)
        if tiles > 0:
            value += pays * tiles * _count(s["occupied"], kind) / _count(s["have"], kind)
    if (s["special"] >> seat) & 1:
        value += _SPECIAL
    return value


@njit
def _lead(s: State, seat: Seat) -> float:
    """Return how far ``seat`` is ahead of the strongest other player by :func:`estimate`."""
    best = _NEVER
    for other in range(s["players"]):
        if other != seat:
            best = max(best, estimate(s, other))
    return estimate(s, seat) - best


@njit
def greedy_values(s: State, scratch: np.ndarray, values: np.ndarray) -> None:
    """Write how far the current seat of ``s`` is ahead after each legal action, in coins.

    s: a position in which a player decides. scratch: STATE, shape (1 or more,), overwritten. values: float64, shape
    (NUM_ACTIONS,), written where an action is legal.
    """
    trial = scratch[0]
    for action in range(NUM_ACTIONS):
        if is_legal(s, action):
            scratch[0] = s
            move(trial, action)
            values[action] = _lead(trial, s["to_move"])


@njit
def greedy_action(s: State, word: Word, scratch: np.ndarray) -> Action:
    """Return greedy's action for the current seat of ``s``, where a player decides.

    word: a random number, which chooses among equally good moves. scratch: STATE, shape (1 or more,), overwritten.
    """
    values = np.empty(NUM_ACTIONS, np.float64)
    greedy_values(s, scratch, values)
    best = 2 * _NEVER
    chosen = END
    equal = 0
    for action in range(NUM_ACTIONS):
        if not is_legal(s, action):
            continue
        value = values[action]
        if REROLLS <= action < END:
            value = _NEVER + action  # only where nothing else is legal, and then as many dice as possible
        if value > best:
            best, chosen, equal = value, action, 1
        elif value == best:
            equal += 1
            if (word >> np.uint64(32)) % np.uint64(equal) == np.uint64(0):
                chosen = action
    return chosen
