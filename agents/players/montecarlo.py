"""``montecarlo`` as an agent, with a number of playouts or of milliseconds for each move."""

from __future__ import annotations

import time

import numpy as np

from bohemian_env.game.actions import Action
from bohemian_env.game.rules import legal_count
from bohemian_env.game.setup import check_seed
from bohemian_env.game.state import State
from bohemian_env.opponents import montecarlo as search

from .agent import Player, Thoughts
from .explanation import CHANCE_OF_WINNING
from .names import AgentName

__all__ = ["MonteCarloAgent"]


class MonteCarloAgent(Player):
    """A player that decides by playouts (``bohemian_env/opponents/montecarlo.py``) with dice of its own.

    Args:
        name: ``montecarlo``, ``montecarlo:64`` or ``montecarlo:20ms``. With a time, moves depend on the machine.
        seed: the seed of its dice, 0 to 2**63 - 1.
    """

    games_at_once = 16
    """The games that a tournament gives it at once."""

    def __init__(self, name: str = "montecarlo", seed: int = 0) -> None:
        self.name = name
        self.budget = AgentName.parse(name).budget
        self._seed = np.uint64(check_seed(seed))
        self._room = search.search_room()

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        """See :meth:`Player.decide`."""
        actions = np.zeros(len(games), np.int64)
        if self.budget.playouts:
            search.search_all(games, states, self._seed, self.budget.playouts, self._room, actions)
        else:
            for place, game in enumerate(games):
                if states[game]["end"] == 0:
                    actions[place] = self._search_for_a_time(states[game])
        return actions

    def think(self, states: np.ndarray) -> Thoughts:
        """Return chances of winning; see :meth:`Player.think`.

        For moves that were not looked into they are the planner's opinion. Neither these nor those of moves that were
        dropped after a few playouts are put above the chance of the chosen move.
        """
        one = np.zeros(1, np.int64)
        chosen = int(self.decide(states, np.zeros(1, np.uint64), one)[0])
        count = legal_count(states[0])
        values = {int(c["action"]): float(search.value_of(c)) for c in self._room.candidates[:count]}
        values = {action: min(value, values[chosen]) for action, value in values.items()}
        return Thoughts(CHANCE_OF_WINNING, values, values)

    def _search_for_a_time(self, state: State) -> Action:
        """Return an action like ``search.search``, but end each phase after its part of the time."""
        start = time.perf_counter()
        seed = np.uint64(search.playout_seed(state, self._seed))
        moves = min(search.name_moves(state, self._room), int(search.MOVES[state["players"]]))
        phases = search.phases(moves)
        done = 0
        for phase in range(phases):
            end = start + self.budget.milliseconds / 1000 * (phase + 1) / phases
            while True:  # one round at least
                search.play_rounds(state, seed, done, 1, moves, self._room)
                done += 1
                if time.perf_counter() >= end:
                    break
            moves = search.keep_half(moves, self._room.candidates)
        return int(self._room.candidates[0]["action"])
