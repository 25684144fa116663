"""Scores of runs summed up as Agarwal et al. (2021) propose: interquartile means with bootstrap intervals.

Scores are arrays by task, each of the runs with one algorithm, (seeds,). Bootstraps are stratified: runs are drawn with
replacement within each task. Intervals are the percentiles of 95 %. Of few runs they are too narrow.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy import stats

from agents.common.statistics import LEVEL, Estimate

_RESAMPLES: Final = 2000
_SEED: Final = 20161023


def _iqm(scores: np.ndarray) -> np.ndarray:
    """Return the interquartile mean over the last axis: a quarter of the scores is left out at either end."""
    return np.asarray(stats.trim_mean(scores, 1 / 4, axis=-1))


def _means(rng: np.random.Generator, scores: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the interquartile mean over all tasks, and that of each resample. Raises ValueError without scores."""
    if not (scores and all(len(task) for task in scores)):
        raise ValueError("no scores: there is a task without a run, or no task")
    drawn = [one[rng.integers(0, len(one), (_RESAMPLES, len(one)))] for one in scores]
    return _iqm(np.concatenate(scores)), _iqm(np.concatenate(drawn, axis=1))


def _estimate(value: Any, drawn: np.ndarray) -> Estimate:
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(drawn, [tail, 100 - tail])
    return Estimate(float(value), float(low), float(high))


def interquartile_mean(scores: Sequence[np.ndarray]) -> Estimate:
    """Return the mean of the middle half of all scores, over all tasks. Raises ValueError if a task has no scores."""
    return _estimate(*_means(np.random.default_rng(_SEED), scores))


def difference(scores: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> Estimate:
    """Return the interquartile mean of some runs less that of others which have nothing to do with them.

    Raises ValueError if a task has no scores.
    """
    rng = np.random.default_rng(_SEED)
    (value, drawn), (other, drawn_too) = (_means(rng, each) for each in (scores, others))
    return _estimate(value - other, drawn - drawn_too)
