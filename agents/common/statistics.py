"""Statistics of games: win shares and margins of final totals, and means with 95 % intervals.

The unit is the *block*: games that share their luck, such as those of one seed, count as one observation. Blocks are
independent of each other; the games of a block are not. An agent that wins with lucky dice in seat 0 tends to lose when
it sits in the other seat, so blocks vary less than as many unrelated games would. Counting games instead of blocks
would give that gain away.
"""

import math
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
from scipy import special

LEVEL: Final = 0.95  # coverage of the intervals, each taken by itself
LEVEL_TEXT: Final = f"{100 * LEVEL:g} %"  # the coverage as people read it
_PRIOR: Final = 0.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its interval."""

    value: float
    low: float
    high: float
    """The ends of the interval; infinite where nothing can be said."""

    def text(self, digits: int = 3) -> str:
        """Return it for people, such as ``0.520 (0.510 to 0.530)``, or ``0.520 (unknown)``."""
        if not math.isfinite(self.low + self.high):
            return f"{self.value:.{digits}f} (unknown)"
        return f"{self.value:.{digits}f} ({self.low:.{digits}f} to {self.high:.{digits}f})"

    def plain(self) -> dict[str, float | None]:
        """Return it for JSON, with None where nothing can be said."""
        return {name: value if math.isfinite(value) else None for name, value in asdict(self).items()}


def win_shares(totals: np.ndarray) -> np.ndarray:
    """Return each seat's part of the win, which winners share (R26): float64 (…, seats), sum 1.

    totals: final totals, (…, seats).
    """
    winners = totals == totals.max(axis=-1, keepdims=True)
    return winners / winners.sum(axis=-1, keepdims=True)


def margins(totals: np.ndarray) -> np.ndarray:
    """Return how far each seat is ahead of the mean of the others, in coins: float64 (…, seats).

    totals: final totals, (…, seats).
    """
    seats = totals.shape[-1]
    return (seats * totals - totals.sum(axis=-1, keepdims=True)) / (seats - 1)


def _t_quantile(blocks: int) -> float:
    return float(special.stdtrit(blocks - 1, (1 + LEVEL) / 2))


def mean_estimate(values: np.ndarray) -> Estimate:
    """Return the mean of independent values (blocks,), with Student's interval."""
    return ratio_estimate(values, np.ones(len(values)))


def ratio_estimate(sums: np.ndarray, counts: np.ndarray) -> Estimate:
    """Return the mean of values whose sums (blocks,) and numbers (blocks,) are known, with Student's interval.

    One block alone says nothing about the spread, so its interval is infinite.
    """
    blocks = len(sums)
    mean = float(sums.sum() / counts.sum())
    if blocks < 2:
        return Estimate(mean, -math.inf, math.inf)
    spread = float(np.sum((sums - mean * counts) ** 2)) / (blocks - 1)
    half = _t_quantile(blocks) * math.sqrt(blocks * spread) / float(counts.sum())
    return Estimate(mean, mean - half, mean + half)


def wilson(share: float, trials: float, blocks: int) -> Estimate:
    """Return a share with Wilson's interval, in which Student's quantile takes the place of the normal one.

    The interval stays inside 0 to 1 and does not shrink to nothing at the ends. One block alone says nothing about the
    spread, so its interval is 0 to 1.

    trials: the *effective* number: as many, won or lost independently, would spread as much. blocks: observations.
    """
    share = min(max(share, 0.0), 1.0)
    if blocks < 2:
        return Estimate(share, 0.0, 1.0)
    q = _t_quantile(blocks)
    centre = (share + q * q / (2 * trials)) / (1 + q * q / trials)
    half = q * math.sqrt(share * (1 - share) / trials + (q / (2 * trials)) ** 2) / (1 + q * q / trials)
    return Estimate(share, min(max(centre - half, 0.0), share), max(min(centre + half, 1.0), share))


def share_estimate(shares: np.ndarray) -> Estimate:
    """Return the mean of independent shares in 0 to 1, (blocks,), with Wilson's interval.

    m blocks count for m / d trials, where d, the design effect, compares the variance of blocks with that of trials,
    p (1 - p). d is 1 if a block is won or lost as a whole, 1 / players if its games are unrelated, and less if the
    rotation of seats evens luck out or wins are shared. Since few blocks, or a share near 0 or 1, say little about d,
    it is drawn towards 1 as by two more blocks, one won and one lost as a whole.
    """
    blocks = len(shares)
    share = min(max(float(np.mean(shares)), 0.0), 1.0)
    spread = float(np.sum((shares - share) ** 2))
    effect = (spread + _PRIOR) / ((blocks - 1) * share * (1 - share) + _PRIOR)
    return wilson(share, blocks / effect, blocks)
