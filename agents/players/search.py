"""``search``: looks ahead with a trained agent, for so many playouts a move or so many milliseconds."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agents.network.files import find_weights
from agents.network.net import bfloat16_pays
from bohemian_env import Board
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS
from bohemian_env.game.moves import legal_actions

from .agent import Player, Thoughts
from .explanation import EXPECTED_REWARD
from .lookahead import Search
from .names import SHIPPED, AgentName
from .policy import PolicyAgent, load_agent
from .shipped import ByPlayers, shipped_path

__all__ = ["SearchAgent"]


class SearchAgent(Player):
    """Looks ahead with a trained network, see ``lookahead.py``.

    Args:
        name: ``search:`` and the name or path of a trained agent, then perhaps ``:`` and a budget: ``search:ppo``,
            ``search:ppo:300`` for playouts a move, ``search:runs/first:20ms`` for a time, in which case moves depend
            on the machine. By default 20 ms.
        seed: of its dice, 0 to 2**63 - 1.
        board: on which it is to play; the shipped board by default.

    Raises:
        UnknownAgent: the name has another form. BadAgent: no such agent can play here.
    """

    games_at_once = 16
    """Games that a tournament gives it in one go."""

    def __init__(self, name: str, seed: int = 0, board: Board | None = None) -> None:
        named = AgentName.parse(name)
        self.name = name
        self.budget = named.budget
        shipped = named.source == SHIPPED
        players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
        self.files = tuple(shipped_path(n) for n in players) if shipped else (find_weights(Path(named.source)),)
        bfloat16 = bfloat16_pays("cpu")

        def make(players: int) -> tuple[PolicyAgent, Search]:
            agent = load_agent(shipped_path(players) if shipped else named.source, seed, board)
            return agent, Search(agent.net, agent.reward, self.budget, seed, bfloat16=bfloat16)

        self._at: ByPlayers[tuple[PolicyAgent, Search]] = ByPlayers(make)
        self._at(MIN_PLAYERS)  # so that an error comes now

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        """As :meth:`Player.decide`."""
        policy, search = self._at(int(states[0]["players"]))
        actions = np.zeros(len(games), np.int64)
        going = np.flatnonzero(states["end"][games] == 0)
        if going.size:
            probabilities = policy.probabilities(*policy.show(states, games[going]))
            for place, chances in zip(going, probabilities, strict=True):
                actions[place] = search.look(states[games[place]], chances)[0][0]
        return actions

    def think(self, states: np.ndarray) -> Thoughts:
        """As :meth:`Player.think`: the reward to be expected after each action.

        What was looked into has its own number; all else counts for a little less than the worst of these, by how
        unlikely the policy holds it. Chances of winning are there if the agent was calibrated: those that its value
        would stand for if it were the reward that was found.
        """
        policy, search = self._at(int(states[0]["players"]))
        observations, masks, advice = policy.show(states, np.zeros(1, np.int64))
        probabilities = policy.probabilities(observations, masks, advice)[0]
        actions, rewards = search.look(states[0], probabilities)
        if np.isnan(rewards).any():  # the policy sees one action alone: its own value says what that is worth
            rewards = policy.values(observations, advice).astype(np.float64)
        values = dict(zip(actions.tolist(), np.minimum(rewards, rewards[0]).tolist(), strict=True))
        least = min(values.values())
        for action in legal_actions(states[0]):
            values.setdefault(action, least - 1e-3 * (1 - float(probabilities[action])))
        if policy.calibration is None:
            return Thoughts(EXPECTED_REWARD, values)
        chances = {action: policy.chance_of(value) or 0.0 for action, value in values.items()}
        return Thoughts(EXPECTED_REWARD, values, chances, chances[int(actions[0])])
