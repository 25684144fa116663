"""``ppo``: the agents that come with the project, one for each number of players; and search with a trained agent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import Batch, Board
from bohemian_env.game.dice import NUM_ACTIONS
from bohemian_env.game.state import MAX_PLAYERS, MIN_PLAYERS

from .budget import Budget
from .explanation import EXPECTED_REWARD, Explanation, position_to_explain
from .policy import PolicyAgent, bfloat16_pays, find_weights, load_agent
from .search import Search

__all__ = ["DEFAULT_BUDGET", "SHIPPED", "SearchAgent", "ShippedAgent", "shipped_path"]

SHIPPED: Final = "ppo"
"""Name of the shipped agents."""
DEFAULT_BUDGET: Final = Budget(milliseconds=20)
"""Of a search that is not told another."""
_FOLDER: Final = Path(__file__).resolve().parent / "pretrained"
_T = TypeVar("_T")


def shipped_path(players: int) -> Path:
    """The weights of the shipped agent for tables of 2 to 5 players."""
    return _FOLDER / f"{players}-players.safetensors"


class _ByTable:
    """What is made once for each number of players, when it is first asked for."""

    def __init__(self, make: Callable[[int], _T]) -> None:
        self._make = make
        self._made: dict[int, Any] = {}

    def __call__(self, players: int) -> Any:
        if players not in self._made:
            self._made[players] = self._make(players)
        return self._made[players]


class ShippedAgent:
    """Plays with the shipped network for the table that it sits at.

    Args:
        seed: of its draws; it draws nothing, since it takes the likeliest action.
        board: on which it is to play; the shipped board by default.

    Raises:
        BadAgent: the agents were trained on another board, or are missing.
    """

    name = SHIPPED

    def __init__(self, seed: int = 0, board: Board | None = None) -> None:
        self.files = tuple(shipped_path(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self._at = _ByTable(lambda players: load_agent(shipped_path(players), seed, board))
        self._at(MIN_PLAYERS)  # so that an error comes now

    def act(self, env: AECEnv) -> int:
        """As :meth:`agents.Agent.act`."""
        return self._at(env.unwrapped.num_players).act(env)

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`agents.Agent.act_batch`."""
        return self._at(batch.num_players).act_batch(batch, games)

    def explain(self, env: AECEnv) -> Explanation:
        """As :meth:`agents.Agent.explain`: probabilities of the policy, and the chance of winning."""
        return self._at(env.unwrapped.num_players).explain(env)


class SearchAgent:
    """Looks ahead with a trained network, see ``agents/search.py``.

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

        self._at = _ByTable(make)
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
