"""Players that decide by playouts, for a number of these or of milliseconds for each move."""

import time
from abc import abstractmethod

import numpy as np

from bohemian_env.engine.bits import Word
from bohemian_env.engine.checks import check_seed
from bohemian_env.engine.legal import legal_count
from bohemian_env.villages.opponents import lookahead, montecarlo
from bohemian_env.villages.opponents.appraiser import load_weights, of_size
from bohemian_env.villages.opponents.halving import keep_half, phases, playout_seed, rounds_of, value_of
from bohemian_env.villages.state import State

from .agent import CHANCE_OF_WINNING, Player, Thoughts
from .names import AgentName


class PlayoutAgent(Player):
    """A player that decides by playouts with dice of its own.

    name: with or without a budget: playouts, or milliseconds, with which moves depend on the machine. seed: the seed of
    its dice, 0 to 2**63 - 1. candidates: where the moves stand that are looked into, dtype CANDIDATE.
    """

    games_at_once = 16  # the games that a tournament gives it at once
    _rounds_at_once = 1  # rounds before the clock is read again

    def __init__(self, name: str, seed: int, candidates: np.ndarray) -> None:
        self.name = name
        self.budget = AgentName.parse(name).budget
        self._seed = np.uint64(check_seed(seed))
        self._candidates = candidates

    @abstractmethod
    def _name_moves(self, state: State) -> int:
        """List all legal moves as candidates, the best first, and return how many of them to look into."""

    @abstractmethod
    def _play_rounds(self, state: State, seed: Word, first: int, rounds: int, moves: int) -> None:
        """Play rounds, from number ``first`` on, from each of the first ``moves`` candidates."""

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        going = (states[game] for game in games)
        return np.array([0 if state["end"] else self._search(state) for state in going], np.int64)

    def _search(self, state: State) -> int:
        """Return the best action. Every phase has a round at least; where only one turn is possible none is played."""
        start = time.perf_counter()
        seed = np.uint64(playout_seed(state, self._seed))
        moves = self._name_moves(state)
        total = int(phases(moves))
        done, rest = 0, self.budget.playouts
        for phase in range(total):
            if self.budget.playouts:
                rounds = int(rounds_of(rest, total - phase, moves))
                self._play_rounds(state, seed, done, rounds, moves)
                done += rounds
                rest -= rounds * moves
            else:
                end = start + self.budget.milliseconds / 1000 * (phase + 1) / total
                while True:  # one round at least
                    began = time.perf_counter()
                    self._play_rounds(state, seed, done, self._rounds_at_once, moves)
                    done += self._rounds_at_once
                    finished = time.perf_counter()
                    if 2 * finished - began > end:  # there is no time for more
                        break
            moves = keep_half(moves, self._candidates)
        return int(self._candidates[0]["action"])

    def think(self, states: np.ndarray) -> Thoughts:
        """Return chances of winning; see :meth:`Player.think`.

        For moves that were not looked into they are the first opinion. Neither these nor those of moves that were
        dropped after a few playouts are put above the chance of the chosen move.
        """
        chosen = self._search(states[0])
        found = self._candidates[: legal_count(states[0])]
        values = {int(c["action"]): float(value_of(c)) for c in found}
        values = {action: min(value, values[chosen]) for action, value in values.items()}
        return Thoughts(CHANCE_OF_WINNING, values, values)


class MonteCarloAgent(PlayoutAgent):
    """A player that decides by playouts of planners (``bohemian_env/villages/opponents/montecarlo.py``).

    name: ``montecarlo``, ``montecarlo:64`` or ``montecarlo:20ms``.
    """

    def __init__(self, name: str = "montecarlo", seed: int = 0) -> None:
        self._room = montecarlo.search_room()
        super().__init__(name, seed, self._room.candidates)

    def _name_moves(self, state: State) -> int:
        return min(montecarlo.name_moves(state, self._room), int(montecarlo.MOVES[state["players"]]))

    def _play_rounds(self, state: State, seed: Word, first: int, rounds: int, moves: int) -> None:
        montecarlo.play_rounds(state, seed, first, rounds, moves, self._room)


class AppraiserSearch(PlayoutAgent):
    """A player that looks ahead with the network of ``appraiser`` (``bohemian_env/villages/opponents/lookahead.py``).

    name: ``search:appraiser``, ``search:appraiser:300`` or ``search:appraiser:20ms``.
    """

    def __init__(self, name: str = "search:appraiser", seed: int = 0) -> None:
        self._room = lookahead.search_room()
        super().__init__(name, seed, self._room.candidates)

    def _name_moves(self, state: State) -> int:
        weights = of_size(load_weights(), int(state["players"]))
        return min(lookahead.name_moves(state, weights, self._room), lookahead.MOVES)

    def _play_rounds(self, state: State, seed: Word, first: int, rounds: int, moves: int) -> None:
        players = int(state["players"])
        weights = of_size(load_weights(), players)
        turns = 2 * players - 1  # to where its turn after the next begins
        lookahead.play_rounds(state, seed, first, rounds, moves, turns, weights, self._room)
