"""Ratings: one number an agent, from all tables together.

The model is Luce's choice among the seats of a table: a seat wins with a chance of exp(r) of its agent over the sum of
exp(r) over all seats. With two seats that is the model of Bradley and Terry, which Elo's ratings go by. Shared wins are
split. Ratings are the most likely ones, given the wins and one game more of each pair of agents that both win: so an
agent that has won nothing, or everything, has a finite rating too, and agents that never met have one scale.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy import special

from agents.common.statistics import LEVEL, Estimate

from .statistics import Table

ELO: Final = 400 / math.log(10)  # points of a unit of r: ten to one are 400 points
ANCHOR: Final = 1000.0  # rating of the anchor; without one, the mean of all ratings
_RESAMPLES: Final = 1000
_SEED: Final = 20161023
_ROOM: Final = 2**22  # numbers in the largest array that resampling makes


def fit_ratings(seats: np.ndarray, wins: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Return the most likely ratings, in Elo points, with mean 0, for many sets of wins at once: float64, (…, agents).

    Newton's method.

    Args:
        seats: copies of each agent at each table, (tables, agents).
        wins: of each agent at each table, shared ones split; they add up to the games: float64, (…, tables, agents).
        start: ratings to begin with, (agents,); near ones save time. All equal by default.
    """
    agents = seats.shape[1]
    first, second = np.triu_indices(agents, 1)
    pairs = np.zeros((len(first), agents))
    pairs[np.arange(len(first)), first] = pairs[np.arange(len(first)), second] = 1
    seats = np.concatenate([seats, pairs])
    prior = np.broadcast_to(pairs / 2, (*wins.shape[:-2], *pairs.shape))
    wins = np.concatenate([wins, prior], axis=-2)
    games = wins.sum(axis=-1, keepdims=True)
    won = wins.sum(axis=-2)
    ratings = np.zeros(won.shape) if start is None else np.broadcast_to((start - start.mean()) / ELO, won.shape).copy()
    for _ in range(200):
        strength = seats * np.exp(ratings - ratings.max(axis=-1, keepdims=True))[..., None, :]
        chance = strength / strength.sum(axis=-1, keepdims=True)
        expected = games * chance
        slope = won - expected.sum(axis=-2)
        # The curvature of the log-likelihood, negated; ones fix the mean, of which the likelihood says nothing.
        curve = -np.swapaxes(expected, -1, -2) @ chance + 1.0
        curve[..., np.arange(agents), np.arange(agents)] += expected.sum(axis=-2)
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        # Far from the top Newton's steps are too long.
        step *= np.minimum(1, 1 / np.maximum(1e-300, np.abs(step).max(axis=-1, keepdims=True)))
        ratings += step
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    return ELO * (ratings - ratings.mean(axis=-1, keepdims=True))


def _anchored(ratings: np.ndarray, anchor: int | None) -> np.ndarray:
    zero = 0.0 if anchor is None else ratings[..., anchor, None]
    return ratings - zero + ANCHOR


def rate(tables: Sequence[Table], anchor: int | None) -> tuple[Estimate, ...]:
    """Return the rating of each entrant in Elo points, with its interval.

    The interval is the bootstrap's, by percentiles: seeds are drawn with replacement, each with all the tables that
    were played with it, since these share their luck. A bootstrap of few seeds spreads too little: the interval is
    widened as Student's is beside the normal one, by the seeds of the tables that link an entrant with those that it is
    rated against. One seed alone, or no table, says nothing of an entrant: its interval is infinite then.

    tables: with block k of the same seed in all of them. anchor: entrant whose rating is 1000; None where the mean is.
    """
    entrants = tables[0].wins.shape[1]
    seats = np.array([[table.line_up.order.count(number) for number in range(entrants)] for table in tables])
    found = _anchored(fit_ratings(seats, np.stack([table.wins.sum(axis=0) for table in tables])), anchor)
    rng = np.random.default_rng(_SEED)
    most = max(table.blocks for table in tables)
    drawn = np.zeros((_RESAMPLES, len(tables), entrants))
    size = max(1, _ROOM // most)  # resamples that are drawn at a time
    for k in range(0, _RESAMPLES, size):
        times = _times_drawn(rng, min(size, _RESAMPLES - k), most)
        for number, table in enumerate(tables):
            drawn[k : k + size, number] = times[:, : table.blocks] @ table.wins
    size = max(1, _ROOM // (len(tables) * entrants))  # resamples that are fitted at a time
    parts = [fit_ratings(seats, drawn[k : k + size], np.array(found)) for k in range(0, _RESAMPLES, size)]
    tail = 100 * (1 - LEVEL) / 2
    ends = np.percentile(_anchored(np.concatenate(parts), anchor), [tail, 100 - tail], axis=0)
    widening = np.array([_widening(seeds) for seeds in _linking_seeds(seats, tables, anchor)])
    low, high = found + widening * (ends - found)
    unknown = ~np.isfinite(low) | ~np.isfinite(high)
    low[unknown], high[unknown] = -math.inf, math.inf
    return tuple(Estimate(*map(float, row)) for row in zip(found, low, high, strict=True))


def _linking_seeds(seats: np.ndarray, tables: Sequence[Table], anchor: int | None) -> np.ndarray:
    """Return the number of seeds that link each entrant with those that it is rated against.

    A chain of tables is as good as that with the fewest seeds, and the best chain counts.
    """
    blocks = np.array([table.blocks for table in tables])
    met = (seats[:, :, None] > 0) & (seats[:, None, :] > 0)
    links = (met * blocks[:, None, None]).max(axis=0)  # of an entrant with itself: its longest table
    for middle in range(len(links)):
        links = np.maximum(links, np.minimum(links[:, middle, None], links[middle]))
    return np.where(links > 0, links, links.diagonal()[:, None]).min(axis=1) if anchor is None else links[:, anchor]


def _widening(seeds: int) -> float:
    """Return the factor by which the interval of a bootstrap of this number of seeds is to be made wider."""
    if seeds < 2:
        return math.nan
    part = (1 + LEVEL) / 2
    return float(special.stdtrit(seeds - 1, part) / special.ndtri(part)) * math.sqrt(seeds / (seeds - 1))


def _times_drawn(rng: np.random.Generator, resamples: int, seeds: int) -> np.ndarray:
    """Return how often each seed is in each resample of as many seeds: float64, (resamples, seeds)."""
    drawn = rng.integers(0, seeds, (resamples, seeds)) + seeds * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=resamples * seeds).reshape(resamples, seeds).astype(float)
