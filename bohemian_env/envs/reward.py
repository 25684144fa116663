"""Rewards, one per seat, at the end of a game. Before the end every reward is 0."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..compiled import njit
from ..errors import BadSetup, brief
from ..game.facts import MAX_PLAYERS, SCORING
from ..game.game import Game
from ..game.rules import TOTAL, score, winners
from ..game.state import State, copy_states

__all__ = ["MARGIN_SCALE", "REWARDS", "reward_number", "rewards", "write_rewards", "write_rewards_of_first"]

REWARDS: Final = {
    "win": "the winners share +1, the others share −1; 0 for all if all win",
    "margin": "(own total − mean of the others' totals) / 50, clipped to ±1",
    "mixed": "the mean of `win` and `margin`",
}
"""The formula of every reward, by name."""
MARGIN_SCALE: Final = 50.0
_WIN, _MARGIN = 0, 1
_COLUMNS: Final = len(SCORING)


def reward_number(name: str) -> int:
    """Return the number of a reward in compiled code. Raises BadSetup for an unknown name."""
    if not isinstance(name, str) or name not in REWARDS:
        raise BadSetup(f"unknown reward {brief(name)}; known are {', '.join(REWARDS)}")
    return list(REWARDS).index(name)


@njit
def write_rewards(s: State, reward: int, rewards: np.ndarray, totals: np.ndarray) -> None:
    """Score the position ``s`` (R25) and write what each seat receives.

    reward: a number from :func:`reward_number`. rewards: float32, and totals: int32, shape (players,), overwritten.
    """
    players = s["players"]
    scoring = np.empty((MAX_PLAYERS, _COLUMNS), np.int64)
    score(s, scoring)
    best = winners(scoring[:, TOTAL], players)
    won = 0
    everything = 0
    for seat in range(players):
        totals[seat] = scoring[seat, TOTAL]
        everything += scoring[seat, TOTAL]
        won += (best >> seat) & 1
    for seat in range(players):
        win = 0.0
        if won < players:
            win = 1.0 / won if (best >> seat) & 1 else -1.0 / (players - won)
        own = scoring[seat, TOTAL]
        margin = (own - (everything - own) / (players - 1)) / MARGIN_SCALE
        margin = min(max(margin, -1.0), 1.0)
        if reward == _WIN:
            rewards[seat] = win
        elif reward == _MARGIN:
            rewards[seat] = margin
        else:
            rewards[seat] = (win + margin) / 2


@njit
def write_rewards_of_first(states: np.ndarray, reward: int, rewards: np.ndarray, totals: np.ndarray) -> None:
    """Do what :func:`write_rewards` does, for the first of some positions: plain Python passes an array at less cost
    than a record.
    """
    write_rewards(states[0], reward, rewards, totals)


def rewards(game: Game, reward: str = "win") -> np.ndarray:
    """Return what each seat receives at this moment of a game: float32, (players,); 0 while it goes on.

    reward: a name of REWARDS; raises BadSetup for an unknown one.
    """
    number, found = reward_number(reward), np.zeros(game.players, np.float32)
    if game.over:
        write_rewards_of_first(copy_states(game.states), number, found, np.empty(game.players, np.int32))
    return found
