"""How far stated chances of winning can be trusted, tenth by tenth of the game and seat by seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

import agents
from agents.common.statistics import Estimate, win_shares
from bohemian_env import Batch
from bohemian_env.opponents.chances import chances_of

from .estimates import ratio_of

__all__ = ["TENTHS", "Trust", "trust"]

TENTHS: Final = 10
"""Parts of a game."""


@dataclass(frozen=True, slots=True)
class Trust:
    """What was stated in games, beside what became of them."""

    games: int
    stated_less_won: tuple[tuple[Estimate, ...], ...]
    """By tenth of the game, by its turns, and by seat: mean chance stated at its decisions, less mean share won."""
    brier: Estimate
    """Mean squared distance of the chances stated from the shares won, of all seats at all decisions."""
    constant: Estimate
    """The same of stating an equal share always."""

    @property
    def furthest(self) -> float:
        """The largest distance between stated and won."""
        return max(abs(cell.value) for row in self.stated_less_won for cell in row)


def trust(name: str, players: int, games: int, seed: int) -> Trust:
    """Let an agent play all seats of games, on villages at random, and compare what is stated with what becomes.

    seed: of the first game; the others count on from it.
    """
    agent, batch = agents.make(name, seed), Batch(games, players, autoreset=False)
    batch.reset(seed)
    owners, turns, stated = [], [], []
    while (going := np.flatnonzero(~batch.over)).size:
        owners.append(going)
        turns.append(batch.states["turn"][going].copy())
        stated.append(chances_of(batch.states, going))
        actions = np.zeros(games, np.int64)
        actions[going] = agent.act_batch(batch, going)
        batch.step(actions)
    owner, turn, said = (np.concatenate(parts) for parts in (owners, turns, stated))
    won = win_shares(batch.totals)[owner]
    tenth = TENTHS * (turn - 1) // batch.states["turn"][owner]

    def cell(k: int, seat: int) -> Estimate:
        here = tenth == k
        return ratio_of((said - won)[here, seat], owner[here])

    def brier(chances: np.ndarray) -> Estimate:
        return ratio_of(((chances - won) ** 2).mean(axis=1), owner)

    rows = tuple(tuple(cell(k, seat) for seat in range(players)) for k in range(TENTHS))
    return Trust(games, rows, brier(said), brier(np.full_like(said, 1 / players)))
