"""Where the coins of a score come from. Games are followed move by move with the rules themselves."""

from typing import Any, Final

import numpy as np

from bohemian_env.engine.compiled import njit
from bohemian_env.villages.actions import BISHOPS
from bohemian_env.villages.dice import rolled_handful
from bohemian_env.villages.facts import KINDS, MAX_PLAYERS, SCORING
from bohemian_env.villages.rules import TOTAL, deal, income_of, move, score, settle
from bohemian_env.villages.state import CELLS, FIELD

COIN_SOURCES: Final = {
    "inns": "income of active inns at the start of a turn",
    "bishop": "income of churches under the bishop at the start of a turn",
    "manors": "coins for figures placed on manors",
    "farms": "coins for figures placed on farms",
    "flour": "payouts of flour tiles when all mills were occupied",
    "glass": "payouts of glass tiles when all glass factories were occupied",
    "town_halls": "final scoring: town halls, and the coins that having none costs",
    "shops": "final scoring: sets of shops",
    "churches": "final scoring: most and second most churches",
    "tiles": "final scoring: flour and glass tiles that are left",
}
"""The columns of an account; they add up to the final total (R25)."""

_NAMES = list(COIN_SOURCES)
_INNS, _BISHOP, _FINAL = map(_NAMES.index, ("inns", "bishop", "town_halls"))
_PAYS = {"manor": "manors", "farm": "farms", "mill": "flour", "glass": "glass"}
_COLUMN: Final = np.array([_NAMES.index(_PAYS[kind]) if kind in _PAYS else -1 for kind in KINDS])
"""By kind of building: what pays when a figure is placed on it, -1 for nothing."""


@njit
def _add_income(s: Any, turn: Any, account: Any) -> None:
    """Enter the income of the turn that has begun since ``turn``, if one has."""
    if s["turn"] == turn:
        return
    seat = s["to_move"]
    bishop = s["bishop"]
    income = income_of(s, seat)
    s["bishop"] = -1
    inns = income_of(s, seat)
    s["bishop"] = bishop
    account[seat, _INNS] += inns
    account[seat, _BISHOP] += income - inns


@njit
def follow(games: Any, states: Any, seeds: Any, actions: Any, accounts: Any) -> None:
    """Carry out one action in some games, as ``Batch.step`` does, and enter what it brought.

    games: int64 (m,), numbers of games in which a player decides. states: (n,) STATE, carried on. seeds: uint64 (n,).
    actions: int64 (n,), legal. accounts: int64 (n, players, len(COIN_SOURCES)), added to.
    """
    for i in games:
        s = states[i]
        account = accounts[i]
        action = actions[i]
        before = s["coins"].copy()
        move(s, action)
        if action < BISHOPS:
            column = _COLUMN[(action - CELLS if action >= CELLS else action) // FIELD]
            if column >= 0:
                for seat in range(s["players"]):
                    account[seat, column] += s["coins"][seat] - before[seat]
        turn = s["turn"]
        settle(s)
        _add_income(s, turn, account)
        while s["pending"] != 0:
            turn = s["turn"]
            deal(s, rolled_handful(seeds[i], turn, s["spent"], s["pending"]))
            _add_income(s, turn, account)  # a roll without a legal move ends the turn at once (R13)


@njit
def add_final(states: Any, accounts: Any) -> Any:
    """Enter the final scoring (R25) of finished games, and return the final totals: int32 (n, players).

    states, accounts: as of :func:`follow`.
    """
    totals = np.empty(accounts.shape[:2], np.int32)
    columns = np.zeros((MAX_PLAYERS, len(SCORING)), np.int64)
    for i in range(states.shape[0]):
        score(states[i], columns)
        for seat in range(states[i]["players"]):
            totals[i, seat] = columns[seat, TOTAL]
            for column in range(4):
                accounts[i, seat, _FINAL + column] += columns[seat, 1 + column]
    return totals
