"""What the games of a line-up say, with 95 % intervals that know which games share their luck.

The unit is the block: the games of one seed, one per rotation, with the same villages and dice. Blocks are
independent of each other; games of a block are not. An agent that wins with lucky dice in seat 0 tends to lose when it
sits in the other seat, so blocks vary less than as many unrelated games would: that is the gain of the rotation, and
counting games instead of blocks would give it away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import stats

from .play import Played
from .schedule import LineUp

__all__ = ["LEVEL", "Estimate", "Result", "margins", "mean_estimate", "share_estimate", "summarise", "win_shares"]

LEVEL: Final = 0.95
"""Coverage of the intervals, each taken by itself."""
_PRIOR: Final = 0.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its interval."""

    value: float
    low: float
    high: float
    """The ends of the interval; infinite where nothing can be said."""


def win_shares(totals: np.ndarray) -> np.ndarray:
    """What each seat has of the win: winners share it (R26). Totals (…, seats) to float64 (…, seats), sum 1."""
    winners = totals == totals.max(axis=-1, keepdims=True)
    return winners / winners.sum(axis=-1, keepdims=True)


def margins(totals: np.ndarray) -> np.ndarray:
    """How far each seat is ahead of the mean of the others. Totals (…, seats) to float64 (…, seats)."""
    seats = totals.shape[-1]
    return (seats * totals - totals.sum(axis=-1, keepdims=True)) / (seats - 1)


def _t_quantile(blocks: int) -> float:
    return float(stats.t.ppf((1 + LEVEL) / 2, blocks - 1))


def mean_estimate(values: np.ndarray) -> Estimate:
    """Mean of independent values (blocks,), with Student's interval.

    One block alone says nothing of its spread: the interval is infinite then.
    """
    mean = float(np.mean(values))
    if len(values) < 2:
        return Estimate(mean, -math.inf, math.inf)
    half = _t_quantile(len(values)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Estimate(mean, mean - half, mean + half)


def share_estimate(shares: np.ndarray) -> Estimate:
    """Mean of independent shares in 0 to 1, (blocks,), with Wilson's interval for clustered games.

    Wilson's interval stays inside 0 to 1 and does not shrink to nothing at its ends. It is made for counts of won
    and lost trials, so it is given the *effective* number of them: m blocks count for m / d, where d, the design
    effect, compares the variance of blocks with that of trials, p (1 - p). d is 1 if a block is won or lost as a whole,
    1 / players if its games have nothing to do with each other, and less if the rotation evens luck out or wins are
    shared. As few blocks, or a share near 0 or 1, say little of d, it is drawn towards 1 as by two more blocks, one
    won and one lost as a whole; and Student's quantile takes the place of the normal one.
    """
    blocks = len(shares)
    share = min(max(float(np.mean(shares)), 0.0), 1.0)
    if blocks < 2:
        return Estimate(share, 0.0, 1.0)
    spread = float(np.sum((shares - share) ** 2))
    effect = (spread + _PRIOR) / ((blocks - 1) * share * (1 - share) + _PRIOR)
    trials = blocks / effect
    q = _t_quantile(blocks)
    centre = (share + q * q / (2 * trials)) / (1 + q * q / trials)
    half = q * math.sqrt(share * (1 - share) / trials + (q / (2 * trials)) ** 2) / (1 + q * q / trials)
    return Estimate(share, min(max(centre - half, 0.0), share), max(min(centre + half, 1.0), share))


@dataclass(frozen=True, slots=True)
class Result:
    """What the games of a line-up say of its first entrant."""

    line_up: LineUp
    blocks: int
    share: Estimate
    """Its part of the wins, shared ones split: 1 / players if all are equally strong."""
    by_seat: tuple[Estimate, ...]
    """The same, from the games in which it had each seat."""
    margin: Estimate
    """Its total less the mean of the others', in coins."""
    turns: float
    """Mean length of a game in turns, over all seats."""
    truncated: int
    """Games that were cut off (R24)."""

    @property
    def games(self) -> int:
        """Games played."""
        return self.blocks * self.line_up.players


def summarise(line_up: LineUp, played: Played) -> Result:
    """The statistics of a line-up's games, from the point of view of the first entrant of its order."""
    shares = np.diagonal(
        win_shares(played.totals), axis1=1, axis2=2
    )  # (blocks, rotations): it has seat r in rotation r
    ahead = np.diagonal(margins(played.totals), axis1=1, axis2=2)
    return Result(
        line_up=line_up,
        blocks=len(shares),
        share=share_estimate(shares.mean(axis=1)),
        by_seat=tuple(share_estimate(column) for column in shares.T),
        margin=mean_estimate(ahead.mean(axis=1)),
        turns=float(played.turns.mean()),
        truncated=int(played.truncated.sum()),
    )
