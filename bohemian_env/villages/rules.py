"""The rules, R1 to R26 of docs/villages.md: their one implementation, compiled.

Every function works in place on one position ``s``. Nothing here is random: a roll comes in as a handful of dice
(``dice.py``). A game begins with :func:`set_up` and goes on, until it is over (``end > 0``), with :func:`deal` where
a roll is due (``pending > 0``) and :func:`push` where a player decides (``legal`` has a bit).
"""

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.chance import mix
from ..engine.compiled import njit
from ..engine.contract import Action
from ..engine.reward import write_win_shares
from . import facts
from .actions import AFTER_PAIR, AFTER_REROLL, AFTER_WAY, BISHOPS, END, OTHER, PAIRS, REROLLS, SPECIALS, WAYS
from .dice import JOINED, SIZE, Handful
from .state import CELLS, FIELD, WORD_KINDS, Seat, State, cell_of

NO_FIGURES: Final = facts.ENDS.index("no figures")
BANK_EMPTY: Final = facts.ENDS.index("bank empty")
TRUNCATED: Final = facts.ENDS.index("truncated")
"""Values of the field ``end``: indices into ``facts.ENDS``."""

U = np.uint64
_0, _1, _8 = U(0), U(1), U(8)
_ONES: Final = U(2**FIELD - 1)  # one field, all villages


def _fields(*kinds: str) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the cells of these kinds in all villages."""
    words = [0, 0]
    for kind in kinds:
        word, place = cell_of(kind)
        words[word] |= (2**FIELD - 1) << place
    return U(words[0]), U(words[1])


_SHOPS: Final = _fields(*facts.SHOPS)[0]
_KICK_ALWAYS_0, _KICK_ALWAYS_1 = _fields(*facts.KICK_ALWAYS)  # R10
_MILLS: Final = _fields("mill")[0]
_GLASS: Final = _fields("glass")[0]
_FARMS: Final = _fields("farm")[0]
_CHURCHES: Final = _fields("church")[1]
_INNS: Final = _fields("inn")[1]
_INN_SHIFT, _TOWN_HALL_SHIFT = U(cell_of("inn")[1]), U(cell_of("town_hall")[1])
_MILL, _GLASS_FACTORY, _FARM = facts.KINDS.index("mill"), facts.KINDS.index("glass"), facts.KINDS.index("farm")
_MANOR: Final = facts.KINDS.index("manor")
_PAIR_OF_DOUBLE: Final = np.array([PAIRS.index((max(n, 1), max(n, 1))) for n in range(7)], np.int64)

# For sums over all fields of a word at once: the highest bit of every field, and the other eight.
_HIGHEST: Final = U(sum(1 << (FIELD * k + 8) for k in range(WORD_KINDS)))
_LOWER: Final = U(sum(0xFF << (FIELD * k) for k in range(WORD_KINDS)))
# The cells of village 0; shifted by a village, the cells of that village.
_VILLAGE_0: Final = U(sum(1 << (FIELD * k) for k in range(WORD_KINDS)))
_VILLAGE_1: Final = U(sum(1 << (FIELD * k) for k in range(len(facts.KINDS) - WORD_KINDS)))
_VILLAGE_1_NO_INN: Final = _VILLAGE_1 & ~_INNS
_FLOUR_PAYS, _GLASS_PAYS = facts.TILE_PAYS["mill"], facts.TILE_PAYS["glass"]
_SIDES_STREAM: Final = U(0x5349444553)  # keeps the draws made with one seed apart; the value means nothing
_SHOP_SETS: Final = np.array(facts.SHOP_SETS, np.int64)
_COINS, _TOWN_HALLS, _SHOP_COINS, _CHURCH_COINS, _TILES, TOTAL = range(len(facts.SCORING))
"""Columns of the final scoring."""

# Shifts that put the cells of the second way behind those of the first: CELLS = 64 + 35.
_S63, _S35, _S29, _S34, _S30 = U(63), U(35), U(29), U(34), U(30)
_LAST: Final = 64 * 3  # number of the first action in the last word
_BISHOP_BITS: Final = U(((1 << (SPECIALS - BISHOPS)) - 1) << (BISHOPS - _LAST))
_SPECIAL_BITS: Final = U(((1 << (REROLLS - SPECIALS)) - 1) << (SPECIALS - _LAST))
_REROLL_BITS: Final = U(((1 << (END - REROLLS)) - 1) << (REROLLS - _LAST))
_END_BIT: Final = U(1 << (END - _LAST))


@njit
def _fields_with_any(word: Word) -> Word:
    """Return all bits of every field of ``word`` that has any bit set."""
    highest = (((word & _LOWER) + _LOWER) | word) & _HIGHEST
    return (highest - (highest >> _8)) | highest


# --- legal moves ------------------------------------------------------------------------------------------------


@njit
def _targets(s: State, w: int) -> Word:
    """Return word ``w`` of the cells on which the current seat may place a figure, whatever its dice (R9 to R12)."""
    seat = s["to_move"]
    if s["figures"][seat] == 0:  # R11
        return _0
    occupied = s["occupied"][w]
    own = s["own"][seat, w]
    free = s["have"][w] & ~occupied
    if w == 0:
        kickable = _KICK_ALWAYS_0 | (_SHOPS & ~_fields_with_any(own))  # R10: out of a shop only without one's own
    else:
        kickable = _KICK_ALWAYS_1
    kicks = occupied & ~own & kickable & ~_fields_with_any(free)  # R10: only where no building of the kind is free
    return free | kicks


@njit
def find_legal(s: State) -> bool:
    """Write the legal actions of the current seat into ``legal`` (R6 to R12); return whether there is a choice.

    There is none where no action is legal (R13), nor where stopping is the only one (R14).
    """
    seat = s["to_move"]
    dice = s["dice"]
    targets_0, targets_1 = _targets(s, 0), _targets(s, 1)
    first_0, first_1 = targets_0 & WAYS[dice, 0, 0], targets_1 & WAYS[dice, 0, 1]
    second_0, second_1 = targets_0 & WAYS[dice, 1, 0], targets_1 & WAYS[dice, 1, 1]
    has_special = (s["special"] >> seat) & 1
    other = OTHER[dice]
    if s["bishop"] == seat:
        other &= ~_BISHOP_BITS
    if has_special:
        other &= ~_SPECIAL_BITS
    else:
        other &= ~_REROLL_BITS  # R8
        if s["spent"] or s["special_supply"] == 0:
            other &= ~_SPECIAL_BITS
    legal = s["legal"]
    legal[0] = first_0 | (first_1 << _S63)
    legal[1] = (first_1 >> _1) | (second_0 << _S35)
    legal[2] = (second_0 >> _S29) | (second_1 << _S34)
    legal[3] = (second_1 >> _S30) | other
    return (first_0 | first_1 | second_0 | second_1 | (other & ~_END_BIT)) != _0


# --- what a move does -------------------------------------------------------------------------------------------


@njit
def _pay(s: State, seat: Seat, coins: int | np.int64) -> None:
    """Pay ``seat`` out of the bank, always in full (R21)."""
    s["coins"][seat] += coins
    s["bank"] -= coins


@njit
def _score_when_full(s: State, field: Word, pays: int) -> None:
    """If all mills (or all glass factories) are occupied, pay for their tiles and return the figures (R20)."""
    if (s["have"][0] & ~s["occupied"][0]) & field != _0:
        return
    for seat in range(s["players"]):
        figures = popcount(s["own"][seat, 0] & field)
        _pay(s, seat, pays * figures)
        s["figures"][seat] += figures
        s["own"][seat, 0] &= ~field
    s["occupied"][0] &= ~field


@njit
def _place(s: State, kind: int, village: int) -> None:
    """Place a figure of the current seat and carry out all that it sets off (R16 to R20)."""
    seat = s["to_move"]
    if kind < WORD_KINDS:
        word = 0
        bit = _1 << U(FIELD * kind + village)
    else:
        word = 1
        bit = _1 << U(FIELD * (kind - WORD_KINDS) + village)
    s["figures"][seat] -= 1  # R16
    if s["occupied"][word] & bit:
        for other in range(s["players"]):
            if s["own"][other, word] & bit:
                s["own"][other, word] &= ~bit
                s["figures"][other] += 1
    s["occupied"][word] |= bit
    s["own"][seat, word] |= bit  # R17: the tile of a mill, factory or inn goes with its figure
    # R18, before R20: a figure that R20 takes away at once still counts.
    at = U(village)
    if (s["occupied"][1] >> (_INN_SHIFT + at)) & _1:
        others = popcount(s["occupied"][0] & (_VILLAGE_0 << at)) + popcount(
            s["occupied"][1] & (_VILLAGE_1_NO_INN << at)
        )
        if others >= facts.INN_NEEDS:
            s["active"] |= np.uint16(1 << village)
    if kind == _FARM:  # R19
        _pay(s, seat, popcount(s["own"][seat, 0] & _FARMS))
    elif kind == _MANOR:
        _pay(s, seat, np.int64(s["manor"][village]))
    elif kind == _MILL:
        _score_when_full(s, _MILLS, _FLOUR_PAYS)
    elif kind == _GLASS_FACTORY:
        _score_when_full(s, _GLASS, _GLASS_PAYS)


@njit
def _finish(s: State, end: int) -> None:
    """End the game; nothing is left to roll, decide or pay."""
    s["end"] = end
    s["dice"] = 0
    s["pending"] = 0
    s["spent"] = 0
    s["legal"][:] = _0


@njit
def move(s: State, action: Action) -> None:
    """Carry out one legal action and all that it sets off (R6 to R8, R16 to R21), but begin no new turn.

    Afterwards the game is over, or a roll is due (after a reroll), or :func:`settle` finds what comes next.
    """
    seat = s["to_move"]
    dice = s["dice"]
    if action < BISHOPS:
        second = action >= CELLS
        cell = action - CELLS if second else action
        kind = cell // FIELD
        s["dice"] = AFTER_WAY[dice, len(facts.KINDS) + kind if second else kind]
        _place(s, kind, cell - FIELD * kind)
        if s["bank"] <= 0:  # R21
            _finish(s, BANK_EMPTY)
    elif action < SPECIALS:
        number = action - BISHOPS + 1
        s["dice"] = AFTER_PAIR[dice, _PAIR_OF_DOUBLE[number]]
        s["bishop"] = seat
    elif action < REROLLS:
        s["dice"] = AFTER_PAIR[dice, action - SPECIALS]
        s["special"] |= np.uint8(1) << np.uint8(seat)
        s["special_supply"] -= 1
    elif action < END:
        kept = AFTER_REROLL[dice, action - REROLLS]
        s["special"] &= ~(np.uint8(1) << np.uint8(seat))  # the tile leaves the game
        s["spent"] = 1
        s["pending"] = SIZE[dice] - SIZE[kept]
        s["dice"] = kept
        s["legal"][:] = _0
    else:
        s["dice"] = 0


# --- the course of play -----------------------------------------------------------------------------------------


@njit
def income(active_inns: int, churches: int, bishop: bool) -> int:
    """Return the coins that a seat with these inns and churches, and the bishop or not, receives for a turn (R5)."""
    return active_inns + churches if bishop else active_inns


@njit
def income_of(s: State, seat: Seat) -> int:
    """Return the coins that ``seat`` would receive if its turn began now (R5)."""
    own = s["own"][seat, 1]
    active_inns = popcount(own & (U(s["active"]) << _INN_SHIFT))
    return income(active_inns, popcount(own & _CHURCHES), s["bishop"] == seat)


@njit
def next_turn(s: State) -> None:
    """Begin the turn of the next seat (R4, R24, R5, R21): then a roll of four dice is due, or the game is over."""
    seat = s["turn"] % s["players"]  # seat 0 has turn 1
    if s["figures"][seat] == 0:
        _finish(s, NO_FIGURES)
    elif s["max_turns"] != 0 and s["turn"] >= s["max_turns"]:
        _finish(s, TRUNCATED)
    else:
        s["turn"] += 1
        s["to_move"] = seat
        s["spent"] = 0
        s["dice"] = 0
        s["pending"] = facts.TURN_DICE
        s["legal"][:] = _0
        _pay(s, seat, income_of(s, seat))
        if s["bank"] <= 0:
            _finish(s, BANK_EMPTY)


@njit
def settle(s: State) -> None:
    """Find what comes next: a decision, or (R13, R14) the next turn where there is nothing to decide."""
    if s["end"] == 0 and s["pending"] == 0:
        if s["dice"] == 0 or not find_legal(s):
            next_turn(s)


@njit
def push(s: State, action: Action) -> None:
    """Carry out one legal action and go on to the next roll, decision or end. ``action`` is not checked."""
    move(s, action)
    settle(s)


@njit
def deal(s: State, rolled: Handful) -> None:
    """Give the current seat the roll that was due, a handful of ``pending`` dice, and go on."""
    s["dice"] = JOINED[s["dice"], rolled]
    s["pending"] = 0
    settle(s)


# --- the set-up -------------------------------------------------------------------------------------------------


@njit
def draw_sides(seed: Word) -> Word:
    """Draw a side of every tile (R1): bit t is set where tile t shows its second side."""
    return mix(mix(seed ^ _SIDES_STREAM))


@njit
def set_up(s: State, seed: Word, common: np.void) -> None:
    """Set up the game of a seed (R1, R2) and begin its first turn. A tile with only one side shows that.

    common: record of ``setup.COMMON``.
    """
    board, players = common["board"], common["players"]
    sides = (common["sides"] if common["named"] else draw_sides(seed)) & U(board["two_sided"])
    s["have"][:] = _0
    s["occupied"][:] = _0
    s["own"][:, :] = _0
    s["coins"][:] = 0
    s["town_hall"][:] = 0
    s["manor"][:] = 0
    s["figures"][:] = 0
    village = 0
    for printed in range(board["villages"]):
        tile = board["tile"][printed]
        if (board["kept"][players] >> tile) & 1 and (sides >> U(tile)) & _1 == U(board["side"][printed]):
            s["have"][0] |= board["cells"][printed, 0] << U(village)
            s["have"][1] |= board["cells"][printed, 1] << U(village)
            s["town_hall"][village] = board["town_hall"][printed]
            s["manor"][village] = board["manor"][printed]
            village += 1
    s["villages"] = village
    s["players"] = players
    s["max_turns"] = common["max_turns"]
    s["turn"] = 0
    s["bank"] = common["coin_supply"]
    for seat in range(players):
        s["figures"][seat] = board["figures"][players]
    s["bishop"] = -1
    s["special_supply"] = common["special_action_tiles"]
    s["active"] = 0
    s["special"] = 0
    s["end"] = 0
    next_turn(s)


# --- the final scoring ------------------------------------------------------------------------------------------


@njit
def score(s: State, out: np.ndarray) -> None:
    """Score the position as it stands (R25).

    out: int64, shape (players or more, len(SCORING)), overwritten with the columns of SCORING for each seat.
    """
    players = s["players"]
    unfinished_0, unfinished_1 = s["have"][0] & ~s["occupied"][0], s["have"][1] & ~s["occupied"][1]
    most = 0
    second = 0
    for seat in range(players):
        churches = popcount(s["own"][seat, 1] & _CHURCHES)
        if churches > most:
            most, second = churches, most
        elif churches > second and churches < most:
            second = churches
    leaders = 0
    for seat in range(players):
        if popcount(s["own"][seat, 1] & _CHURCHES) == most:
            leaders += 1
    for seat in range(players):
        own_0, own_1 = s["own"][seat, 0], s["own"][seat, 1]
        halls = (own_1 >> _TOWN_HALL_SHIFT) & _ONES
        value = 0 if halls else facts.NO_TOWN_HALL
        for village in range(s["villages"]):
            at = U(village)
            if (halls >> at) & _1 and not ((unfinished_0 & (_VILLAGE_0 << at)) | (unfinished_1 & (_VILLAGE_1 << at))):
                value += np.int64(s["town_hall"][village])  # type: ignore[assignment] # uint8 would not hold the sum
        out[seat, _TOWN_HALLS] = value

        value = 0
        for times in range(1, FIELD + 1):  # the set of the kinds owned at least so many times
            kinds = 0
            for shop in range(len(facts.SHOPS)):
                if popcount((own_0 >> U(FIELD * shop)) & _ONES) >= times:
                    kinds += 1
            if kinds == 0:
                break
            value += _SHOP_SETS[kinds]
        out[seat, _SHOP_COINS] = value

        churches = popcount(own_1 & _CHURCHES)
        value = 0
        if churches > 0:
            if churches == most:
                value = facts.MOST_CHURCHES if leaders == 1 else facts.SECOND_CHURCHES
            elif churches == second and leaders == 1:
                value = facts.SECOND_CHURCHES
        out[seat, _CHURCH_COINS] = value

        flour, glass = popcount(own_0 & _MILLS), popcount(own_0 & _GLASS)
        out[seat, _TILES] = (_FLOUR_PAYS * flour + _GLASS_PAYS * glass) // 2
        out[seat, _COINS] = s["coins"][seat]
        out[seat, TOTAL] = out[seat, :TOTAL].sum()


@njit
def write_result(s: State, shares: np.ndarray) -> None:
    """Write each seat's share of the win in a game that is over (R25, R26). shares: as in :func:`write_win_shares`."""
    scoring = np.empty((s["players"], len(facts.SCORING)), np.int64)
    score(s, scoring)
    write_win_shares(scoring[:, TOTAL], s["players"], shares)
