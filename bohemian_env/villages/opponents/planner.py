"""``planner``, ``rusher`` and ``hoarder``: they look through the whole turn and judge where it leads.

Every way to use the dice is tried: each first move, then each second move or none; the bishop, a special action tile
and rolling again are among them. Where a line ends, :func:`judge` says how far the seat is ahead, in coins. It counts
the coins of each seat; income still to come from inns and the bishop, which is worth more the longer the game can last;
shop sets; the church race; town halls by how full their villages are, or the 5 coins that having none costs; flour and
glass tiles by how full the mills and factories are; farms; and the figures and the special action tile in hand. Where
the line ends the game, the final scoring counts. Rolling again is worth what the position is worth without the tile,
and a tuned number more. The dice to come, and what the others will do, it does not look at.

The weights of ``planner`` were tuned for each number of players by ``agents/training/tuning.py`` and are frozen, since
published win shares refer to them and to :data:`VERSION`. ``rusher`` and ``hoarder`` have a few weights of their own,
:data:`STYLES`, and with them a plan of their own.
"""

import tomllib
from pathlib import Path
from typing import Final

import numpy as np

from ...engine.bits import Word, popcount
from ...engine.chance import mix
from ...engine.compiled import njit
from ...engine.contract import Action
from ...engine.legal import next_legal
from .. import facts
from ..actions import END, NUM_ACTIONS, REROLLS, SUBSETS
from ..dice import SIZE
from ..rules import TOTAL, find_legal, move, score
from ..state import FIELD, WORD_KINDS, Seat, State, cell_of

VERSION: Final = 1
"""The version of the weights below and of what they weigh; it grows with any change that can change a move."""

_TUNED: Final = tomllib.loads((Path(__file__).parent / "planner.toml").read_text(encoding="utf-8"))
NAMES: Final = tuple(_TUNED)
"""The weights; planner.toml says what each is for."""

STYLES: Final = {
    "planner": {},
    "rusher": {"figures": -1.5, "income_time": 0.1, "sleeping_inn_time": 0.0, "flour": 0.0, "glass": 0.0},
    "hoarder": {"figures": 1.0, "income_time": 0.9, "sleeping_inn_time": 0.6, "bishop": 1.0},
}
"""The players of this module, and the weights in which each differs from the planner."""


def style_weights(style: str) -> np.ndarray:
    """Return the weights of a style by number of players: float64, (6, len(NAMES)); rows 0 and 1 are not used."""
    tuned = _TUNED | {name: [value] * 4 for name, value in STYLES[style].items()}
    return np.ascontiguousarray(np.transpose([[0, 0, *tuned[name]] for name in NAMES]))


WEIGHTS: Final = np.array([style_weights(style) for style in STYLES])
"""The weights by style, in the order of STYLES, and number of players: float64, (styles, 6, len(NAMES))."""

(
    _INCOME, _INCOME_TIME, _SLEEPING, _SLEEPING_TIME, _SHOPS, _SHOP_KINDS, _RACE, _CHURCHES, _BISHOP, _HALL_FULL,
    _HALL, _NO_HALL, _FLOUR, _FLOUR_HELD, _GLASS, _GLASS_HELD, _FARMS, _FIGURES, _SPECIAL, _STRONGEST, _REROLL_4,
    _REROLL_2,
) = range(len(NAMES))  # fmt: skip

U = np.uint64
_ONES: Final = U(2**FIELD - 1)
_0, _1, _8 = U(0), U(1), U(8)


_SHIFTS: Final = {kind: U(cell_of(kind)[1]) for kind in facts.KINDS}
_S_MILL, _S_GLASS, _S_FARM = _SHIFTS["mill"], _SHIFTS["glass"], _SHIFTS["farm"]  # word 0
_S_BUTCHERY, _S_DAIRY, _S_TAILOR = _SHIFTS["butchery"], _SHIFTS["dairy"], _SHIFTS["tailor"]
_S_HALL, _S_CHURCH = _SHIFTS["town_hall"], _SHIFTS["church"]  # word 1, as the inn, whose shift is 0
_VILLAGE: Final = U(sum(1 << (FIELD * k) for k in range(WORD_KINDS)))  # cells of village 0 in a word
_COUNTS: Final = np.indices((FIELD + 1,) * len(facts.SHOPS))
_PAID: Final = np.array(facts.SHOP_SETS, np.float64)  # by the number of kinds in a set
_SHOP_SETS: Final = np.add.reduce([_PAID[(times <= _COUNTS).sum(0)] for times in range(1, FIELD + 1)])
"""What the shop sets pay, by the numbers of bakeries, butcheries, dairies and tailors."""
_NEVER: Final = -1e9
_WON: Final = 10.0  # what a won or lost game is worth beside the margin, in coins
_TWO_DICE: Final = 2  # unused after a first move
_FLOUR_PAYS, _GLASS_PAYS = float(facts.TILE_PAYS["mill"]), float(facts.TILE_PAYS["glass"])
_ALL_FOUR, _ALL_TWO = REROLLS + SUBSETS.index((0, 1, 2, 3)), REROLLS + SUBSETS.index((0, 1))


@njit
def _worth(s: State, seat: Seat, w: np.ndarray, time: float, most: int, leaders: int, second: int) -> float:
    """Return what ``seat`` has, in coins, as the weights ``w`` see it.

    time: figures in the smallest hand. most, leaders, second: the most churches of a seat, how many seats have these,
    and the second most.
    """
    own_0, own_1 = s["own"][seat, 0], s["own"][seat, 1]
    value = float(s["coins"][seat]) + w[_FIGURES] * s["figures"][seat]

    inns = own_1 & _ONES
    active = popcount(inns & U(s["active"]))
    churches = popcount((own_1 >> _S_CHURCH) & _ONES)
    income = active
    if s["bishop"] == seat:
        income += churches
        value += w[_BISHOP]
    value += (w[_INCOME] + w[_INCOME_TIME] * time) * income
    value += (w[_SLEEPING] + w[_SLEEPING_TIME] * time) * (popcount(inns) - active)

    a, b = popcount(own_0 & _ONES), popcount((own_0 >> _S_BUTCHERY) & _ONES)
    c, d = popcount((own_0 >> _S_DAIRY) & _ONES), popcount((own_0 >> _S_TAILOR) & _ONES)
    value += w[_SHOPS] * _SHOP_SETS[a, b, c, d] + w[_SHOP_KINDS] * (int(a > 0) + int(b > 0) + int(c > 0) + int(d > 0))

    if churches > 0:
        value += w[_CHURCHES] * churches
        if churches == most:
            value += w[_RACE] * (facts.MOST_CHURCHES if leaders == 1 else facts.SECOND_CHURCHES)
        elif churches == second and leaders == 1:
            value += w[_RACE] * facts.SECOND_CHURCHES

    halls = (own_1 >> _S_HALL) & _ONES
    if halls == _0:
        value += facts.NO_TOWN_HALL * w[_NO_HALL]
    while halls != _0:
        lowest = halls & (~halls + _1)
        halls ^= lowest
        village = popcount(lowest - _1)
        cells = _VILLAGE << U(village)
        taken = popcount(s["occupied"][0] & cells) + popcount(s["occupied"][1] & cells)
        full = taken / (popcount(s["have"][0] & cells) + popcount(s["have"][1] & cells))
        value += s["town_hall"][village] * full * (w[_HALL] + w[_HALL_FULL] * full)

    flour = popcount((own_0 >> _S_MILL) & _ONES)
    if flour > 0:
        taken, stand = (s["occupied"][0] >> _S_MILL) & _ONES, (s["have"][0] >> _S_MILL) & _ONES
        value += flour * (w[_FLOUR_HELD] + _FLOUR_PAYS * w[_FLOUR] * popcount(taken) / popcount(stand))
    glass = popcount((own_0 >> _S_GLASS) & _ONES)
    if glass > 0:
        taken, stand = (s["occupied"][0] >> _S_GLASS) & _ONES, (s["have"][0] >> _S_GLASS) & _ONES
        value += glass * (w[_GLASS_HELD] + _GLASS_PAYS * w[_GLASS] * popcount(taken) / popcount(stand))
    value += w[_FARMS] * popcount((own_0 >> _S_FARM) & _ONES)
    if (s["special"] >> seat) & 1:
        value += w[_SPECIAL]
    return value


@njit
def _standing(s: State) -> tuple[int, int, int, int]:
    """Return the figures in the smallest hand, the most churches of a seat, how many seats have these, and the second
    most.
    """
    time, most, leaders, second = 99, 0, 0, 0
    for seat in range(s["players"]):
        time = min(time, s["figures"][seat])
        churches = popcount((s["own"][seat, 1] >> _S_CHURCH) & _ONES)
        if churches > most:
            second, most, leaders = most, churches, 1
        elif churches == most:
            leaders += 1
        elif churches > second:
            second = churches
    return time, most, leaders, second


@njit
def estimates(s: State, w: np.ndarray, out: np.ndarray) -> int:
    """Write what every seat has in ``s``, in coins, as ``w`` sees it; return the figures in the smallest hand.

    out: float64, shape (players or more,), overwritten.
    """
    time, most, leaders, second = _standing(s)
    for seat in range(s["players"]):
        out[seat] = _worth(s, seat, w, float(time), most, leaders, second)
    return time


@njit
def judge(s: State, seat: Seat, w: np.ndarray) -> float:
    """Return how far ``seat`` is ahead in ``s``, in coins, if its turn ends here: of the strongest other and of the
    others' mean, which ``w`` weighs.

    The final scoring counts where the game is over or the next seat cannot begin a turn (R4, R24).
    """
    players = s["players"]
    following = seat + 1 if seat + 1 < players else 0
    cut_off = s["max_turns"] != 0 and s["turn"] >= s["max_turns"]
    own, strongest, others, won = 0.0, _NEVER, 0.0, 0.0
    if s["end"] == 0 and s["figures"][following] != 0 and not cut_off:
        time, most, leaders, second = _standing(s)
        for other in range(players):
            value = _worth(s, other, w, float(time), most, leaders, second)
            if other == seat:
                own = value
            else:
                strongest = max(strongest, value)
                others += value
    else:
        scoring = np.empty((facts.MAX_PLAYERS, len(facts.SCORING)), np.int64)
        score(s, scoring)
        own = float(scoring[seat, TOTAL])
        for other in range(players):
            if other != seat:
                strongest = max(strongest, float(scoring[other, TOTAL]))
                others += scoring[other, TOTAL]
        won = _WON if own > strongest else -_WON if own < strongest else 0.0
    share = w[_STRONGEST]
    return won + (own - share * strongest - (1.0 - share) * others / (players - 1))


@njit
def _best_second(s: State, seat: Seat, w: np.ndarray, trial: State, trials: np.ndarray) -> float:
    """Return the best value that the rest of the turn leads to from ``s``, in which the first move has been made."""
    stop = judge(s, seat, w)
    best = stop
    if s["end"] != 0 or s["dice"] == 0 or not find_legal(s):
        return best
    action = next_legal(s, 0)
    while 0 <= action < REROLLS:
        trials[1] = s
        move(trial, action)
        best = max(best, judge(trial, seat, w))
        action = next_legal(s, action + 1)
    if (s["special"] >> seat) & 1 and SIZE[s["dice"]] == _TWO_DICE:
        best = max(best, stop - w[_SPECIAL] + w[_REROLL_2])
    return best


@njit
def _reroll_value(s: State, action: Action, now: float, w: np.ndarray) -> float:
    """Return what spending the tile on reroll ``action`` is worth, where stopping is worth ``now``.

    Only rolling all dice again counts as a gain; the other choices are always below it.
    """
    size = SIZE[s["dice"]]
    value = now - w[_SPECIAL]
    if action == _ALL_FOUR and size == facts.TURN_DICE:
        value += w[_REROLL_4]
    elif action == _ALL_TWO and size == _TWO_DICE:
        value += w[_REROLL_2]
    return value


@njit
def planner_values(s: State, w: np.ndarray, scratch: np.ndarray, values: np.ndarray) -> Action:
    """Write what every legal action of ``s``, where a player decides, is worth by the best turn that begins with it.

    Args:
        s: the position.
        w: weights for this number of players, float64, (len(NAMES),).
        scratch: STATE, (2 or more,), overwritten.
        values: float64, (NUM_ACTIONS,): how far the current seat is ahead then, in coins; written where legal.

    Returns:
        The best action; of equally good ones the lowest.
    """
    seat = s["to_move"]
    best, chosen = 2.0 * _NEVER, END
    now = judge(s, seat, w)
    first = scratch[0]
    action = next_legal(s, 0)
    while action >= 0:
        if action == END:
            value = now
        elif action >= REROLLS:
            value = _reroll_value(s, action, now, w)
        else:
            scratch[0] = s
            move(first, action)
            value = _best_second(first, seat, w, scratch[1], scratch)
        values[action] = value
        if value > best:
            best, chosen = value, action
        action = next_legal(s, action + 1)
    return chosen


@njit
def planner_action(s: State, w: np.ndarray, scratch: np.ndarray) -> Action:
    """Return the best action of ``s`` by :func:`planner_values`."""
    return planner_values(s, w, scratch, np.empty(NUM_ACTIONS, np.float64))


@njit
def _key(s: State) -> Word:
    """Return a hash of what a turn can change."""
    key = np.uint64(s["special"]) + (np.uint64(s["bishop"] + 1) << _8)
    for seat in range(s["players"]):
        key = mix(mix(key ^ s["own"][seat, 0]) ^ s["own"][seat, 1])
        key = mix(key ^ np.uint64(s["coins"][seat]))
    return key


@njit
def turn_key(s: State, action: Action, w: np.ndarray, scratch: np.ndarray) -> Word:
    """Return a hash of the position that the best turn beginning with ``action`` leads to.

    The arguments are those of :func:`planner_values`; ``action`` is legal and no reroll.
    """
    seat = s["to_move"]
    first, second = scratch[0], scratch[1]
    scratch[0] = s
    move(first, action)
    best, key = judge(first, seat, w), _key(first)
    if first["end"] == 0 and first["dice"] != 0 and find_legal(first):
        other = next_legal(first, 0)
        while 0 <= other < REROLLS:
            scratch[1] = first
            move(second, other)
            value, here = judge(second, seat, w), _key(second)
            if value > best or (value == best and here < key):
                best, key = value, here
            other = next_legal(first, other + 1)
    return key
