"""``search``: looks ahead with a trained agent, for so many playouts a move or so many milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from pettingzoo import AECEnv

from agents.network.files import find_weights
from agents.network.net import bfloat16_pays
from bohemian_env import Batch, Board
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.state import MAX_PLAYERS, MIN_PLAYERS

from .explanation import EXPECTED_REWARD, Explanation, position_to_explain
from .lookahead import Search
from .names import Budget
from .policy import PolicyAgent, load_agent
from .shipped import SHIPPED, ByTable, shipped_path

__all__ = ["DEFAULT_BUDGET", "SearchAgent"]

DEFAULT_BUDGET: Final = Budget(milliseconds=20)
"""Of a search that is not told another."""


class SearchAgent:
    """Looks ahead with a trained network, see ``lookahead.py``.

    Args:
        name: ``search:`` and the name or path of a trained agent, then perhaps ``:`` and a budget: ``search:ppo``,
            ``search:ppo:300`` for playouts a move, ``search:runs/first:20ms`` for a time, in which case moves depend
            on the machine. By default 20 ms.
        seed: of its dice, 0 to 2**63 - 1.
        board: on which it is to play; the shipped board by default.

    Raises:
        ValueError: the name has another form, or no such agent can play here (BadAgent).
    """

    games_at_once = 16
    """Games that a tournament gives it in one go."""

    def __init__(self, name: str, seed: int = 0, board: Board | None = None) -> None:
        self.name = name
        source, self.budget = _parts(name)
        shipped = source == SHIPPED
        players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
        self.files = tuple(shipped_path(n) for n in players) if shipped else (find_weights(Path(source)),)
        self._bfloat16 = bfloat16_pays("cpu")

        def make(players: int) -> tuple[PolicyAgent, Search]:
            agent = load_agent(shipped_path(players) if shipped else source, seed, board)
            return agent, Search(agent.net, agent.reward, self.budget, seed, bfloat16=self._bfloat16)

        self._at = ByTable(make)
        self._at(MIN_PLAYERS)  # so that an error comes now

    def act(self, env: AECEnv) -> int:
        """As :meth:`agents.Agent.act`."""
        policy, search = self._at(env.unwrapped.num_players)
        seen = env.unwrapped.observe(env.agent_selection)
        probabilities = policy.probabilities(seen["observation"][None], seen["action_mask"][None])
        return int(search.look(env.unwrapped.states[0], probabilities[0])[0][0])

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`agents.Agent.act_batch`."""
        policy, search = self._at(batch.num_players)
        games = np.arange(batch.n) if games is None else games
        actions = np.zeros(len(games), np.int64)
        going = np.flatnonzero(~batch.over[games])
        if going.size:
            probabilities = policy.probabilities(*batch.observe(games[going]))
            for place, chances in zip(going, probabilities, strict=True):
                actions[place] = search.look(batch.states[games[place]], chances)[0][0]
        return actions

    def explain(self, env: AECEnv) -> Explanation:
        """As :meth:`agents.Agent.explain`: the reward to be expected after each action.

        What was looked into has its own number; all else counts for a little less than the worst of these, by how
        unlikely the policy holds it. Chances of winning are there if the agent was calibrated: those that its value
        would stand for if it were the reward that was found.
        """
        state = position_to_explain(env)
        policy, search = self._at(env.unwrapped.num_players)
        seen = env.unwrapped.observe(env.agent_selection)
        probabilities = policy.probabilities(seen["observation"][None], seen["action_mask"][None])[0]
        actions, rewards = search.look(state, probabilities)
        if np.isnan(rewards).any():  # the policy sees one action alone: its own value says what that is worth
            rewards = policy.values(seen["observation"][None]).astype(np.float64)
        values = dict(zip(actions.tolist(), np.minimum(rewards, rewards[0]).tolist(), strict=True))
        least = min(values.values())
        for action in range(NUM_ACTIONS):
            if seen["action_mask"][action] and action not in values:
                values[action] = least - 1e-3 * (1 - float(probabilities[action]))
        if policy.calibration is None:
            return Explanation(EXPECTED_REWARD, values)
        chances = {action: policy.chance_of(value) for action, value in values.items()}
        return Explanation(EXPECTED_REWARD, values, chances, chances[int(actions[0])])


def _parts(name: str) -> tuple[str, Budget]:
    """Source and budget of a search."""
    _, _, rest = name.partition(":")
    source, colon, last = rest.rpartition(":")
    if colon and last[:1].isdigit():
        try:
            return source, Budget.parse(last)
        except ValueError as error:
            raise ValueError(f"unknown agent {name!r}: {error}") from None
    if not rest:
        raise ValueError(
            f"unknown agent {name!r}: search takes a trained agent, such as search:ppo or search:runs/first"
        )
    return rest, DEFAULT_BUDGET
