"""Pig a second time, plainly: a game of plain numbers, and how likely a way to play wins, by dynamic programming.

The optimal way is that of Neller and Presser, "Optimal Play of the Dice Game Pig" (2004), which wins 53.06 % of its
games against itself if it begins.
"""

from dataclasses import dataclass, field

import numba
import numpy as np

GOAL = 100


@dataclass
class Pig:
    """A game as people write it down: the points of both, and the rolls of the turn."""

    points: list[int] = field(default_factory=lambda: [0, 0])
    rolls: list[int] = field(default_factory=list)
    seat: int = 0

    def winner(self) -> int | None:
        """Who has won, with the points of the turn; None while the game goes on."""
        return self.seat if self.points[self.seat] + sum(self.rolls) >= GOAL else None

    def roll(self, side: int) -> None:
        """Let the die show a side."""
        self.rolls.append(side)
        if side == 1:
            self.rolls, self.seat = [], 1 - self.seat

    def hold(self) -> None:
        """Keep the points of the turn."""
        self.points[self.seat] += sum(self.rolls)
        self.rolls, self.seat = [], 1 - self.seat


@numba.njit
def _turn(wins: np.ndarray, others: np.ndarray, mine: int, theirs: int, holds: np.ndarray, best: bool) -> None:
    """Write the chances of who is to move, by the points of the turn, and, if it is to be the best, where it holds."""
    for more in range(GOAL - mine - 1, -1, -1):
        rolled = (1 - others[theirs, mine, 0]) / 6
        for side in range(2, 7):
            rolled += (1.0 if mine + more + side >= GOAL else wins[mine, theirs, more + side]) / 6
        held = 1 - others[theirs, mine + more, 0]
        if best:
            holds[mine, theirs, more] = more > 0 and held > rolled
        wins[mine, theirs, more] = held if holds[mine, theirs, more] else rolled


@numba.njit
def chances(one: np.ndarray, two: np.ndarray, best: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return how likely each of two ways to play wins if it is to move: by its points, the other's and the turn's.

    one, two: where they hold, bool, (GOAL, GOAL, GOAL). best: ``one`` and ``two``, the same array, become the best way.
    """
    wins, others = np.zeros(one.shape), np.zeros(one.shape)
    for both in range(2 * GOAL - 2, -1, -1):
        for mine in range(max(0, both - GOAL + 1), min(both, GOAL - 1) + 1):
            before = -1.0
            while abs(wins[mine, both - mine, 0] - before) > 1e-12:
                before = wins[mine, both - mine, 0]
                _turn(wins, others, mine, both - mine, one, best)
                _turn(others, wins, both - mine, mine, two, best)
    return wins, others


def optimum() -> np.ndarray:
    """Where the best way to play holds."""
    holds = np.zeros((GOAL, GOAL, GOAL), np.bool_)
    chances(holds, holds, True)
    return holds


def win_share(one: np.ndarray, two: np.ndarray) -> float:
    """The part of the games that one way to play wins against another, if each begins half of them."""
    wins, others = chances(one, two)
    return float(wins[0, 0, 0] + 1 - others[0, 0, 0]) / 2
