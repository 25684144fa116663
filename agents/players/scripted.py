"""The scripted opponents of the environment as agents, and ``appraiser`` with other networks."""

from pathlib import Path

import numpy as np

from bohemian_env import BadNetwork, BadSetup
from bohemian_env.engine.choosing import choose_all
from bohemian_env.engine.contract import Rules
from bohemian_env.engine.errors import brief
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.opponents.appraiser import network_file, read_networks

from .agent import CHANCE_OF_WINNING, COINS_AHEAD, PROBABILITY, Player, Thoughts
from .names import APPRAISER


class ScriptedAgent(Player):
    """A scripted opponent of a game, whose random choices follow from its seed, the seed of the game and the moment.

    Greedy takes any of equally good moves, and in Bohemian Villages rolls again only if it must, whatever it thinks of
    that.

    name: one of ``rules.opponents``. seed: 0 to 2**63 - 1, of its own random choices. rules: the game.

    Raises BadSetup: one of them is not such.
    """

    def __init__(self, name: str, seed: int = 0, rules: Rules = Player.rules) -> None:
        if not isinstance(rules, Rules):
            raise BadSetup(f"rules {brief(rules)} are not those of a game")
        self.name = name
        self.rules = rules
        self.sizes = rules.players
        self.opponent = rules.scripted(name, seed)
        self._own = self.opponent.number, np.uint64(self.opponent.seed)
        self._scratch = rules.scratch()

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        actions = np.empty(len(games), np.int64)
        number, seed = self._own
        self.rules.compiled(choose_all)(number, games, states, seeds, seed, self._scratch, actions)
        return actions

    def think(self, states: np.ndarray) -> Thoughts:
        """Return what its numbers are; see :meth:`Player.think`.

        For ``random`` they are probabilities, for ``appraiser`` chances of winning, for the others coins ahead. Where
        the game does not tell what its opponents think, they are probabilities: 1 for the move that it makes.
        """
        legal = legal_actions(states[0])
        values = np.zeros(self.rules.verbs.NUM_ACTIONS)
        if self.opponent.name == "random":
            values[legal] = 1 / len(legal)
        elif told := getattr(self.rules.verbs, "values_of", None):
            told(self.opponent.number, states[0], self._scratch, values)
        else:
            values[self.decide(states, np.zeros(1, np.uint64), np.zeros(1, np.int64))] = 1
            return Thoughts(PROBABILITY, {action: float(values[action]) for action in legal})
        by_action = {action: float(values[action]) for action in legal}
        if self.opponent.name == "appraiser":
            return Thoughts(CHANCE_OF_WINNING, by_action, by_action, max(by_action.values()))
        return Thoughts(PROBABILITY if self.opponent.name == "random" else COINS_AHEAD, by_action)


class OwnAppraiser(ScriptedAgent):
    """A player as ``appraiser``, with networks that lie in a folder, such as that of a run of ``agents.training.td``.

    name: of the agent. folder: of the networks, ``2-players.npz`` to ``5-players.npz`` or some of them.

    Raises BadNetwork: the folder holds none, or a file is another one. OSError: a file cannot be read.
    """

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(APPRAISER)
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
