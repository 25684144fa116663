"""What the games of a table say, with 95 % intervals that know which games share their luck.

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

from bohemian_env.game.facts import ENDS

from .play import Played
from .schedule import LineUp

__all__ = [
    "LEVEL",
    "Estimate",
    "Result",
    "Table",
    "margins",
    "mean_estimate",
    "ratio_estimate",
    "share_estimate",
    "summarise",
    "win_shares",
]

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


def ratio_estimate(sums: np.ndarray, counts: np.ndarray) -> Estimate:
    """Mean of values whose sums (blocks,) and numbers (blocks,) are known by block, with Student's interval.

    Where all blocks have as many values, it is :func:`mean_estimate` of their means.
    """
    blocks = len(sums)
    mean = float(sums.sum() / counts.sum())
    if blocks < 2:
        return Estimate(mean, -math.inf, math.inf)
    spread = float(np.sum((sums - mean * counts) ** 2)) / (blocks - 1)
    half = _t_quantile(blocks) * math.sqrt(blocks * spread) / float(counts.sum())
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
    """What the games of a table say of one agent that sat at it, with one copy or more."""

    agent: int
    """Number of the entrant."""
    copies: int
    """Its seats at the table."""
    share: Estimate
    """Part of the wins that each copy has, shared ones split: 1 / players if all are equally strong."""
    by_seat: tuple[Estimate, ...]
    """The same, from the games in which a copy had each seat."""
    margin: Estimate
    """Total of a copy less the mean of the others' at the table, in coins."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the games of a table say."""

    line_up: LineUp
    blocks: int
    results: tuple[Result, ...]
    """Of each agent that took part, the first entrant of the line-up first."""
    turns: Estimate
    """Length of a game in turns, over all seats."""
    ends: dict[str, int]
    """Games by how they ended (R4, R21, R24), in the words of the game record."""
    wins: np.ndarray
    """Wins of each entrant of the tournament in each block, shared ones split. float64, (blocks, entrants)."""

    @property
    def games(self) -> int:
        """Games played."""
        return self.blocks * self.line_up.players


def _result(agent: int, seating: np.ndarray, shares: np.ndarray, ahead: np.ndarray) -> Result:
    """Arguments as of :class:`Played`, (blocks, rotations, seats); each copy has every seat once in a block."""
    here = seating == agent
    copies = int(here[0, 0].sum())
    by_seat = (shares * here).sum(axis=1) / copies  # (blocks, seats)
    together = share_estimate(by_seat.mean(axis=1) * copies)  # it is the share of all copies that lies in 0 to 1
    return Result(
        agent=agent,
        copies=copies,
        share=Estimate(together.value / copies, together.low / copies, together.high / copies),
        by_seat=tuple(share_estimate(column) for column in by_seat.T),
        margin=mean_estimate((ahead * here).sum(axis=(1, 2)) / (copies * seating.shape[2])),
    )


def summarise(line_up: LineUp, played: Played) -> Table:
    """The statistics of a table's games."""
    shares, ahead = win_shares(played.totals), margins(played.totals)
    entrants = np.arange(len(played.decisions))
    counts = np.bincount(played.ends.ravel(), minlength=len(ENDS))
    return Table(
        line_up=line_up,
        blocks=len(shares),
        results=tuple(_result(agent, played.seating, shares, ahead) for agent in line_up.agents),
        turns=mean_estimate(played.turns.mean(axis=1)),
        ends={name: int(count) for name, count in zip(ENDS, counts, strict=True) if name is not None},
        wins=np.stack([(shares * (played.seating == number)).sum(axis=(1, 2)) for number in entrants], axis=1),
    )
