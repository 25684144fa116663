"""Scores of runs summed up as Agarwal et al. (2021) propose: interquartile means with bootstrap intervals.

Scores are arrays by task, each of the runs with one algorithm, (seeds,). Bootstraps are stratified: runs are drawn with
replacement within each task. Intervals are the percentiles of 95 %. Of few runs they are too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy import stats

from agents.common.statistics import LEVEL, Estimate

__all__ = ["difference", "interquartile_mean"]

_RESAMPLES: Final = 2000
_SEED: Final = 20161023


def _iqm(scores: np.ndarray) -> np.ndarray:
    """Return the interquartile mean over the last axis: a quarter of the scores is left out at either end."""
    return np.asarray(stats.trim_mean(scores, 1 / 4, axis=-1))


def _drawn(rng: np.random.Generator, scores: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return, for each task, resamples of its scores: (resamples, seeds)."""
    return [one[rng.integers(0, len(one), (_RESAMPLES, len(one)))] for one in scores]


def _estimate(value: Any, drawn: np.ndarray) -> Estimate:
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(drawn, [tail, 100 - tail])
    return Estimate(float(value), float(low), float(high))


def _check(*scores: Sequence[np.ndarray]) -> None:
    if not all(one and all(len(task) for task in one) for one in scores):
        raise ValueError("no scores: there is a task without a run, or no task")


def interquartile_mean(scores: Sequence[np.ndarray]) -> Estimate:
    """Return the mean of the middle half of all scores, over all tasks. Raises ValueError if a task has no scores."""
    _check(scores)
    drawn = _drawn(np.random.default_rng(_SEED), scores)
    return _estimate(_iqm(np.concatenate(scores)), _iqm(np.concatenate(drawn, axis=1)))


def difference(scores: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> Estimate:
    """Return the interquartile mean of some runs less that of others which have nothing to do with them.

    Raises ValueError if a task has no scores.
    """
    _check(scores, others)
    rng = np.random.default_rng(_SEED)
    values = [_iqm(np.concatenate(each)) for each in (scores, others)]
    drawn = [_iqm(np.concatenate(_drawn(rng, each), axis=1)) for each in (scores, others)]
    return _estimate(values[0] - values[1], drawn[0] - drawn[1])
