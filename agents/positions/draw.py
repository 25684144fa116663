"""Drawing positions from games of many agents, who know little and much about the game."""

from __future__ import annotations

from typing import Final

import numpy as np

import agents
from bohemian_env import Batch, Setup
from bohemian_env.game.rules import legal_count

__all__ = ["PLAYERS", "draw"]

PLAYERS: Final = ("random", "greedy", "rusher", "hoarder", "planner", "appraiser")
"""Who sits at the tables, each seat drawn anew. None is trained anew unless the networks that roll out are."""


def draw(players: int, count: int, seed: int) -> list[tuple[int, bytes]]:
    """Return positions in which somebody has a choice, one of each game: the seed of the game, and its moves so far.

    players: at the table. count: positions; fewer of them are the first of more. seed: that of the first game; the next
    have the following ones.
    """
    rngs = [np.random.default_rng([seed + game, players]) for game in range(count)]
    at_table = [agents.make(name, seed=seed) for name in PLAYERS]
    batch = Batch(count, Setup.of(players), autoreset=False)
    batch.reset(seed)
    who = np.array([rng.integers(0, len(at_table), players) for rng in rngs])
    moves: list[list[int]] = [[] for _ in range(count)]
    choices: list[list[int]] = [[] for _ in range(count)]
    while (going := np.flatnonzero(~batch.over)).size:
        actions = np.zeros(count, np.int64)
        to_move = who[going, batch.seats[going]]
        for number, agent in enumerate(at_table):
            games = going[to_move == number]
            if games.size:
                actions[games] = agent.act_batch(batch, games)
        for game in going:
            if legal_count(batch.arrays[0][game]) > 1:
                choices[game].append(len(moves[game]))
            moves[game].append(int(actions[game]))
        batch.step(actions)
    return [(seed + game, bytes(moves[game][: rngs[game].choice(choices[game])])) for game in range(count)]
