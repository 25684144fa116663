"""Intervals for numbers counted from many games, where all that happens in one game counts as one observation."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from agents.tournament.statistics import LEVEL, Estimate, mean_estimate, ratio_estimate

__all__ = ["mean_of", "ratio_of", "share_of"]

_NOTHING = Estimate(math.nan, -math.inf, math.inf)


def _by_game(values: np.ndarray, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sum and number of the values of each game that has any."""
    counts = np.bincount(games)
    sums = np.bincount(games, values)
    return sums[counts > 0], counts[counts > 0]


def mean_of(values: np.ndarray) -> Estimate:
    """Mean of one value a game, nan where a game has none; nan with infinite ends of nothing."""
    values = values[~np.isnan(values)]
    return mean_estimate(values) if len(values) else _NOTHING


def ratio_of(values: np.ndarray, games: np.ndarray) -> Estimate:
    """Mean of values (m,) of which games (m,) are the games; nan with infinite ends of nothing."""
    return ratio_estimate(*_by_game(values.astype(np.float64), games)) if len(values) else _NOTHING


def share_of(flags: np.ndarray, games: np.ndarray) -> Estimate:
    """Mean of values from 0 to 1, (m,), of which games (m,) are the games, with Wilson's interval.

    It is given the effective number of trials: those that, unrelated, would spread as much as the games do. There are
    no more of them than values, and as many as games where nothing spreads.
    """
    if not len(flags):
        return Estimate(math.nan, 0.0, 1.0)
    sums, counts = _by_game(flags.astype(np.float64), games)
    blocks, total = len(sums), float(counts.sum())
    share = min(max(float(sums.sum()) / total, 0.0), 1.0)
    if blocks < 2:
        return Estimate(share, 0.0, 1.0)
    variance = float(np.sum((sums - share * counts) ** 2)) * blocks / (blocks - 1) / total**2
    trials = min(share * (1 - share) / variance, total) if variance > 0 else float(blocks)
    q = float(stats.t.ppf((1 + LEVEL) / 2, blocks - 1))
    centre = (share + q * q / (2 * trials)) / (1 + q * q / trials)
    half = q * math.sqrt(share * (1 - share) / trials + (q / (2 * trials)) ** 2) / (1 + q * q / trials)
    return Estimate(share, min(max(centre - half, 0.0), share), max(min(centre + half, 1.0), share))
