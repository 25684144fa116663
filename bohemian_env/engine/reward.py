"""Rewards, one per seat: what a seat receives at the end of a game, or after each action."""

from typing import Final

import numpy as np

from .bits import Word
from .bound import loop
from .compiled import njit
from .contract import COLUMNS, END, GROWTH, MARGIN, MAX_PLAYERS, MIXED, TEAM, WIN, Action, State, push, score
from .dealing import deal_game, deal_seeded
from .legal import is_legal

MARGIN_SCALE: Final = 50.0


@njit
def winners(totals: np.ndarray, players: int) -> int:
    """Return the seats with the highest total as bits. totals: int64, shape (players or more,)."""
    best = totals[0]
    for seat in range(1, players):
        best = max(best, totals[seat])
    bits = 0
    for seat in range(players):
        if totals[seat] == best:
            bits |= 1 << seat
    return bits


@njit
def write_win_shares(totals: np.ndarray, players: int, shares: np.ndarray) -> None:
    """Write each seat's share of the win: the winners divide it equally.

    Both have the shape (players or more,). totals: whole numbers. shares: float64 or float32, overwritten.
    """
    best = winners(totals, players)
    joint = 0
    for seat in range(players):
        joint += (best >> seat) & 1
    for seat in range(players):
        shares[seat] = 1.0 / joint if (best >> seat) & 1 else 0.0


@loop
def new_scoring() -> np.ndarray:
    """Return room for a scoring. It is made outside of what is done for every action: making it takes 50 ns."""
    return np.empty((MAX_PLAYERS, COLUMNS), np.int64)


@loop
def write_totals(s: State, totals: np.ndarray, scoring: np.ndarray) -> None:
    """Write the total of each seat as the position stands. totals: int32, (players or more,). scoring: overwritten."""
    score(s, scoring)
    for seat in range(s["players"]):
        totals[seat] = scoring[seat, COLUMNS - 1]


@loop
def write_potentials(s: State, totals: np.ndarray, potentials: np.ndarray, scoring: np.ndarray) -> None:
    """Write the total and the potential of each seat. totals: int32; potentials: float32; (players or more,)."""
    write_totals(s, totals, scoring)
    players = s["players"]
    everything = 0
    for seat in range(players):
        everything += totals[seat]
    for seat in range(players):
        own = totals[seat]
        potentials[seat] = own if TEAM or players == 1 else own - (everything - own) / (players - 1)


@loop
def begin_rewards(s: State, kind: int, before: np.ndarray, totals: np.ndarray, scoring: np.ndarray) -> None:
    """Write the potentials from which rewards count, if they do, where a game begins or goes on from a position."""
    if kind >= GROWTH:
        write_potentials(s, totals, before, scoring)


@loop
def write_rewards(s: State, kind: int, rewards: np.ndarray, totals: np.ndarray) -> None:
    """Score the position ``s`` and write what each seat receives if the game ends there.

    kind: one of the kinds; of GROWTH and END it is the potential. rewards: float32, and totals: int32, (players or
    more,), overwritten.
    """
    scoring = new_scoring()
    if kind >= GROWTH:
        write_potentials(s, totals, rewards, scoring)
        return
    write_totals(s, totals, scoring)
    players = s["players"]
    best = winners(totals, players)
    won = 0
    everything = 0
    for seat in range(players):
        everything += totals[seat]
        won += (best >> seat) & 1
    for seat in range(players):
        win = 0.0
        if won < players:
            win = 1.0 / won if (best >> seat) & 1 else -1.0 / (players - won)
        own = totals[seat]
        margin = (own - (everything - own) / (players - 1)) / MARGIN_SCALE
        margin = min(max(margin, -1.0), 1.0)
        if kind == WIN:
            rewards[seat] = win
        elif kind == MARGIN:
            rewards[seat] = margin
        elif kind == MIXED:
            rewards[seat] = (win + margin) / 2
        else:
            share = 1.0 / won if (best >> seat) & 1 else 0.0
            rewards[seat] = (players * share - 1.0) / (players - 1)


@loop
def write_growth(
    s: State, i: int, kind: int, before: np.ndarray, rewards: np.ndarray, totals: np.ndarray, scoring: np.ndarray
) -> None:
    """Write what each seat of game ``i`` receives as GROWTH or END. No array is cut out, which costs as much as a move.

    before, rewards, totals: (n, players or more), as for :func:`write_gains`.
    """
    players = s["players"]
    if kind == END and s["end"] == 0:
        for seat in range(players):
            rewards[i, seat] = 0.0
        return
    score(s, scoring)
    everything = 0
    for seat in range(players):
        everything += scoring[seat, COLUMNS - 1]
    for seat in range(players):
        own = scoring[seat, COLUMNS - 1]
        now = np.float32(own if TEAM or players == 1 else own - (everything - own) / (players - 1))
        totals[i, seat] = own
        rewards[i, seat] = now - before[i, seat]
        if kind == GROWTH:
            before[i, seat] = now


@loop
def write_gains(
    s: State, kind: int, before: np.ndarray, rewards: np.ndarray, totals: np.ndarray, scoring: np.ndarray
) -> None:
    """Write what each seat receives for the action that led to ``s``.

    before: float32, (players or more,): the potentials from which rewards count, as :func:`begin_rewards` wrote them;
    GROWTH moves them on. rewards: float32, overwritten, and totals: int32, written where the game is over or all
    rewards are growth; (players or more,).
    """
    if kind >= GROWTH:
        rows = (1, before.shape[0])
        write_growth(s, 0, kind, before.reshape(rows), rewards.reshape(rows), totals.reshape(rows), scoring)
    elif s["end"] == 0:
        rewards[: s["players"]] = 0.0
    else:
        write_rewards(s, kind, rewards, totals)


@loop
def replay_game(
    s: State,
    seed: Word,
    common: np.void,
    kind: int,
    actions: np.ndarray,
    before: np.ndarray,
    rewards: np.ndarray,
    totals: np.ndarray,
) -> bool:
    """Play the game of a seed up to the end of ``actions``, whole numbers (m,); return whether all of them are legal.

    s: overwritten. before, rewards, totals: overwritten, as :func:`begin_rewards` and :func:`write_gains` do.
    """
    scoring = new_scoring()
    deal_game(s, seed, common)
    begin_rewards(s, kind, before, totals, scoring)
    for k in range(actions.shape[0]):
        action: Action = np.int64(actions[k])  # type: ignore[assignment] # what int is in compiled code
        if not is_legal(s, action):
            return False
        push(s, action)
        deal_seeded(s, seed)
        write_gains(s, kind, before, rewards, totals, scoring)
    return True
