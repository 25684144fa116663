"""``montecarlo`` as an agent: so many playouts a move, or so many milliseconds."""

from __future__ import annotations

import time
from typing import Final

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import Batch
from bohemian_env.game.rules import legal_count
from bohemian_env.opponents import montecarlo as search
from bohemian_env.opponents.planner import WEIGHTS

from .explanation import CHANCE_OF_WINNING, Explanation, position_to_explain
from .names import Budget

__all__ = ["DEFAULT_PLAYOUTS", "MonteCarloAgent", "budget"]

DEFAULT_PLAYOUTS: Final = 256
"""Of the name without a number."""


def budget(name: str) -> Budget:
    """What a name asks for: ``montecarlo``, ``montecarlo:64`` for playouts a move, or ``montecarlo:20ms``.

    Raises:
        ValueError: another form, or a number outside 1 to 1,000,000.
    """
    _, colon, text = name.partition(":")
    if not colon:
        return Budget(playouts=DEFAULT_PLAYOUTS)
    try:
        return Budget.parse(text)
    except ValueError as error:
        raise ValueError(f"unknown agent {name!r}: {error}") from None


class MonteCarloAgent:
    """Plays by playouts (``bohemian_env/opponents/montecarlo.py``); its dice follow from its seed and the moment.

    Args:
        name: as :func:`budget` reads it. With a time instead of a number of playouts, moves depend on the machine.
        seed: of its dice, 0 to 2**63 - 1.
    """

    games_at_once = 16
    """Games that a tournament gives it in one go."""

    def __init__(self, name: str = "montecarlo", seed: int = 0) -> None:
        self.name = name
        self.budget = budget(name)
        self._seed = np.uint64(seed)
        self._scratch, self._candidates = search.search_room()

    def act(self, env: AECEnv) -> int:
        """As :meth:`agents.Agent.act`."""
        return int(self._choose(np.zeros(1, np.int64), env.unwrapped.states)[0])

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`agents.Agent.act_batch`."""
        return self._choose(np.arange(batch.n) if games is None else games, batch.states)

    def explain(self, env: AECEnv) -> Explanation:
        """As :meth:`agents.Agent.explain`: chances of winning.

        Of moves that were not looked into it is the planner's opinion. That, and what the few playouts of a move say
        that was dropped early, counts for no more than the chance of the move that is chosen.
        """
        state = position_to_explain(env)
        chosen = self.act(env)
        values = {int(c["action"]): float(search.value_of(c)) for c in self._candidates[: legal_count(state)]}
        values = {action: min(value, values[chosen]) for action, value in values.items()}
        return Explanation(CHANCE_OF_WINNING, values, values)

    def _choose(self, games: np.ndarray, states: np.ndarray) -> np.ndarray:
        actions = np.zeros(len(games), np.int64)
        if self.budget.playouts:
            search.search_all(games, states, self._seed, self.budget.playouts, self._scratch, self._candidates, actions)
        else:
            for place, game in enumerate(games):
                if states[game]["end"] == 0:
                    actions[place] = self._search_for_a_time(states[game])
        return actions

    def _search_for_a_time(self, state: np.void) -> int:
        """As ``search.search``, but every phase ends with its part of the time."""
        start = time.perf_counter()
        players = int(state["players"])
        weights, scales = WEIGHTS[0, players], search.CHANCE[players]
        scratch, candidates = self._scratch, self._candidates
        seed = np.uint64(search.playout_seed(state, self._seed))
        moves = min(search.name_moves(state, weights, scales, scratch, candidates), int(search.MOVES[players]))
        phases = search.phases(moves)
        done = 0
        for phase in range(phases):
            end = start + self.budget.milliseconds / 1000 * (phase + 1) / phases
            while True:  # one round at least
                search.play_rounds(state, weights, scales, seed, done, 1, moves, scratch, candidates)
                done += 1
                if time.perf_counter() >= end:
                    break
            moves = search.keep_half(moves, candidates)
        return int(candidates[0]["action"])
