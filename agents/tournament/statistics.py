"""What the games of a table say, with intervals that know which games share their luck.

A block is the games of one seed, one for each rotation, with the same villages and dice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.common.statistics import Estimate, margins, mean_estimate, share_estimate, win_shares
from bohemian_env.game.facts import ENDS

from .play import Played
from .schedule import LineUp

__all__ = ["Result", "Table", "summarise"]


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
    """The result of each agent that took part, the first entrant of the line-up first."""
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
    """Return what a table says of an agent; arguments as of :class:`Played`, (blocks, rotations, seats)."""
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
    """Return the statistics of a table's games."""
    shares, ahead = win_shares(played.totals), margins(played.totals)
    entrants = range(len(played.decisions))
    counts = np.bincount(played.ends.ravel(), minlength=len(ENDS))
    return Table(
        line_up=line_up,
        blocks=len(shares),
        results=tuple(_result(agent, played.seating, shares, ahead) for agent in line_up.agents),
        turns=mean_estimate(played.turns.mean(axis=1)),
        ends={name: int(count) for name, count in zip(ENDS, counts, strict=True) if name is not None},
        wins=np.stack([(shares * (played.seating == number)).sum(axis=(1, 2)) for number in entrants], axis=1),
    )
