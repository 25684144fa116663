"""Intervals for numbers counted from many games, where all that happens in one game counts as one observation."""

from __future__ import annotations

import math

import numpy as np

from agents.common.statistics import Estimate, mean_estimate, ratio_estimate, wilson

__all__ = ["mean_of", "ratio_of", "share_of"]

_NOTHING = Estimate(math.nan, -math.inf, math.inf)


def _by_game(values: np.ndarray, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum and the number of the values of each game that has any."""
    counts = np.bincount(games)
    sums = np.bincount(games, values.astype(np.float64))
    return sums[counts > 0], counts[counts > 0]


def mean_of(values: np.ndarray) -> Estimate:
    """Return the mean of one value a game, nan where a game has none; of nothing, nan with infinite ends."""
    values = values[~np.isnan(values)]
    return mean_estimate(values) if len(values) else _NOTHING


def ratio_of(values: np.ndarray, games: np.ndarray) -> Estimate:
    """Return the mean of values (m,) that belong to games (m,); of nothing, nan with infinite ends."""
    return ratio_estimate(*_by_game(values, games)) if len(values) else _NOTHING


def share_of(flags: np.ndarray, games: np.ndarray) -> Estimate:
    """Return the mean of values from 0 to 1, (m,), that belong to games (m,), with Wilson's interval.

    The effective number of trials is that of unrelated ones that would spread as much as the games do: no more than
    there are values, and as many as there are games where nothing spreads.
    """
    if not len(flags):
        return Estimate(math.nan, 0.0, 1.0)
    sums, counts = _by_game(flags, games)
    blocks, total = len(sums), float(counts.sum())
    share = min(max(float(sums.sum()) / total, 0.0), 1.0)
    variance = float(np.sum((sums - share * counts) ** 2)) * blocks / max(blocks - 1, 1) / total**2
    return wilson(share, min(share * (1 - share) / variance, total) if variance > 0 else blocks, blocks)
