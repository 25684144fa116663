"""``search:appraiser``, and ``appraiser`` with other networks; ``appraiser`` itself is a scripted opponent."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bohemian_env import BadNetwork
from bohemian_env.engine.bits import Word
from bohemian_env.villages.opponents import lookahead
from bohemian_env.villages.opponents.appraiser import load_weights, network_file, of_size, read_networks
from bohemian_env.villages.state import State

from .agent import Thoughts
from .names import APPRAISER
from .playouts import PlayoutAgent
from .scripted import ScriptedAgent


class AppraiserSearch(PlayoutAgent):
    """A player that looks ahead with the network of ``appraiser`` (``bohemian_env/villages/opponents/lookahead.py``).

    Args:
        name: ``search:appraiser``, ``search:appraiser:300`` or ``search:appraiser:20ms``. With a time, moves depend on
            the machine.
        seed: the seed of its dice, 0 to 2**63 - 1.
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


class OwnAppraiser(ScriptedAgent):
    """A player as ``appraiser``, with networks that lie in a folder, such as that of a run of ``agents.training.td``.

    Args:
        name: of the agent.
        folder: of the networks, ``2-players.npz`` to ``5-players.npz`` or some of them.
        seed: not used, since the agent takes the best action.

    Raises:
        BadNetwork: the folder holds none, or a file is another one.
        OSError: a file cannot be read.
    """

    def __init__(self, name: str, folder: Path, seed: int = 0) -> None:
        super().__init__(APPRAISER, seed)
        self.name = name
        self.folder = folder
        weights, self.sizes = read_networks(folder)
        self.files = tuple(network_file(folder, players) for players in self.sizes)
        self._scratch = self._scratch._replace(weights=weights)

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        """See :meth:`Player.decide`. Raises BadNetwork where there is none for a table of this size."""
        self._check(states["players"][games])
        return super().decide(states, seeds, games)

    def think(self, states: np.ndarray) -> Thoughts:
        """See :meth:`ScriptedAgent.think`. Raises BadNetwork where there is none for a table of this size."""
        self._check(states["players"])
        return super().think(states)

    def _check(self, players: np.ndarray) -> None:
        if unknown := {*players.tolist()} - {*self.sizes}:
            known = ", ".join(map(str, self.sizes))
            raise BadNetwork(f"{self.folder} has networks for {known} players, and none for {min(unknown)}")
