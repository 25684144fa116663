"""Games of an agent with itself, written down decision by decision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.common.coin_sources import COIN_SOURCES, add_final, follow
from agents.common.statistics import win_shares
from agents.players.policy import PolicyAgent
from bohemian_env import Batch
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.state import STATE, copy_states
from bohemian_env.opponents.chances import chances_of
from bohemian_env.opponents.planner import WEIGHTS

from .moves import DECISION, log_decisions

__all__ = ["Log", "play"]


@dataclass(frozen=True, slots=True)
class Log:
    """Finished games."""

    players: int
    seed: int
    """The seed of the first game; the others count on from it."""
    decisions: np.ndarray
    """In the order of play, so that those of a game are in order among those of others. DECISION, (m,)."""
    totals: np.ndarray
    """Final totals (R25). int32, (games, players)."""
    coins_by_source: np.ndarray
    """Where they come from. int64, (games, players, len(COIN_SOURCES))."""
    states: np.ndarray
    """The final positions. STATE, (games,)."""
    shares: np.ndarray
    """Part of the win of each seat, 1 in all. float64, (games, players)."""

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.totals)

    @property
    def won(self) -> np.ndarray:
        """Whether each seat won, alone or with others. bool, (games, players)."""
        return self.shares > 0


def play(agent: PolicyAgent, players: int, games: int, seed: int) -> Log:
    """Let an agent play all seats of so many games, on villages at random.

    seed: of the first game; the others count on from it.
    """
    batch = Batch(games, players, autoreset=False)
    batch.reset(seed)
    states = copy_states(batch.states)
    coins = np.zeros((games, players, len(COIN_SOURCES)), np.int64)
    scratch, values = np.zeros(2, STATE), np.empty(NUM_ACTIONS)
    parts = []
    while (going := np.flatnonzero(~batch.over)).size:
        seen, masks, advice = agent.show(batch.states, going)
        chosen = agent.choose(seen, masks, advice)
        rows = np.zeros(len(going), DECISION)
        rows["chances"][:, :players] = chances_of(batch.states, going)
        log_decisions(going, batch.states, chosen, WEIGHTS[0, players], scratch, values, rows)
        actions = np.zeros(games, np.int64)
        actions[going] = chosen
        batch.step(actions)
        follow(going, states, batch.seeds, actions, coins)
        rows["left"] = batch.states["figures"][going, rows["seat"]]
        rows["over"] = batch.over[going]
        parts.append(rows)
    totals = add_final(states, coins)
    return Log(players, seed, np.concatenate(parts), totals, coins, states, win_shares(totals))
