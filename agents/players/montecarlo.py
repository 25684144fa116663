"""``montecarlo`` as an agent."""

from __future__ import annotations

from bohemian_env.engine.bits import Word
from bohemian_env.villages.opponents import montecarlo
from bohemian_env.villages.state import State

from .playouts import PlayoutAgent


class MonteCarloAgent(PlayoutAgent):
    """A player that decides by playouts of planners (``bohemian_env/villages/opponents/montecarlo.py``).

    Args:
        name: ``montecarlo``, ``montecarlo:64`` or ``montecarlo:20ms``. With a time, moves depend on the machine.
        seed: the seed of its dice, 0 to 2**63 - 1.
    """

    def __init__(self, name: str = "montecarlo", seed: int = 0) -> None:
        self._room = montecarlo.search_room()
        super().__init__(name, seed, self._room.candidates)

    def _name_moves(self, state: State) -> int:
        return min(montecarlo.name_moves(state, self._room), int(montecarlo.MOVES[state["players"]]))

    def _play_rounds(self, state: State, seed: Word, first: int, rounds: int, moves: int) -> None:
        montecarlo.play_rounds(state, seed, first, rounds, moves, self._room)
