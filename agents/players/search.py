"""``search``: looks ahead with a trained agent, for a number of playouts or of milliseconds for each move."""

from __future__ import annotations

import numpy as np

from agents.network.net import bfloat16_pays
from bohemian_env import Board
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.facts import MIN_PLAYERS
from bohemian_env.villages.opponents.chances import action_chances

from .agent import EXPECTED_REWARD, Player, Thoughts
from .lookahead import Search
from .names import SHIPPED, AgentName
from .policy import PolicyAgent, load_agent
from .shipped import ShippedAgent


class SearchAgent(Player):
    """A player that looks ahead with a trained network (``lookahead.py``).

    Args:
        name: ``search:`` and the name or path of a trained agent, then optionally ``:`` and a budget: ``search:ppo``
            has 20 ms for each move, ``search:ppo:300`` playouts, ``search:runs/first:50ms`` another time. With a time,
            moves depend on the machine.
        seed: the seed of its dice, 0 to 2**63 - 1.
        board: the board that it is to play on; the shipped board by default.

    Raises:
        UnknownAgent: the name has another form.
        BadAgent: the agent cannot play here.
    """

    games_at_once = 16
    """The games that a tournament gives it at once."""

    def __init__(self, name: str, seed: int = 0, board: Board | None = None) -> None:
        named = AgentName.parse(name)
        self.name = name
        self.budget = named.budget
        self._seed = seed
        self._policy = ShippedAgent(seed, board) if named.source == SHIPPED else load_agent(named.source, seed, board)
        self.files = self._policy.files
        self.learned_with = getattr(self._policy, "learned_with", None)
        self._searches: dict[int, Search] = {}
        self._at(MIN_PLAYERS)  # so that errors are raised now

    def _at(self, players: int) -> tuple[PolicyAgent, Search]:
        """Return the agent and the search for so many players."""
        agent = self._policy.at(players) if isinstance(self._policy, ShippedAgent) else self._policy
        if players not in self._searches:
            timed = bool(self.budget.milliseconds)
            bfloat16 = timed and bfloat16_pays("cpu")  # so many playouts are to find the same on every processor
            self._searches[players] = Search(agent.net, agent.reward, self.budget, self._seed, bfloat16=bfloat16)
        return agent, self._searches[players]

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        """See :meth:`Player.decide`."""
        policy, search = self._at(int(states[0]["players"]))
        actions = np.zeros(len(games), np.int64)
        going = np.flatnonzero(states["end"][games] == 0)
        if going.size:
            probabilities = policy.probabilities(*policy.show(states, games[going]))
            for place, chances in zip(going, probabilities, strict=True):
                actions[place] = search.look(states[games[place]], chances)[0][0]
        return actions

    def think(self, states: np.ndarray) -> Thoughts:
        """Return the expected reward of each action; see :meth:`Player.think`.

        An action that was not looked into is put a little below the worst of those that were, the lower the less likely
        it is to the policy. Chances of winning are those of ``bohemian_env.villages.opponents.chances``.
        """
        policy, search = self._at(int(states[0]["players"]))
        observations, masks, advice = policy.show(states, np.zeros(1, np.int64))
        probabilities = policy.probabilities(observations, masks, advice)[0]
        actions, rewards = search.look(states[0], probabilities)
        if np.isnan(rewards).any():  # there was only one action to look into, which the network's own value judges
            rewards = policy.values(observations, advice).astype(np.float64)
        values = dict(zip(actions.tolist(), np.minimum(rewards, rewards[0]).tolist(), strict=True))
        least = min(values.values())
        for action in legal_actions(states[0]):
            values.setdefault(action, least - 1e-3 * (1 - float(probabilities[action])))
        chances = action_chances(states[0])
        return Thoughts(EXPECTED_REWARD, values, chances, max(chances.values()))
