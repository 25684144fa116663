"""What an agent is, and agents by name."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Protocol

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import Batch, Board
from bohemian_env.opponents import SCRIPTED

from .explanation import Explanation

__all__ = ["Agent", "UnknownAgent", "known", "make"]


_MONTE_CARLO, _SHIPPED, _SEARCH = "montecarlo", "ppo", "search"


class UnknownAgent(ValueError):
    """A name that is neither a known agent nor the path of a trained one."""


class Agent(Protocol):
    """A player. It chooses only legal actions, and the same ones for the same seed and position."""

    name: str
    """How tables and records call it."""

    def act(self, env: AECEnv) -> int:
        """The action of the agent selected in one of our AEC environments, wrapped or raw."""
        ...

    def explain(self, env: AECEnv) -> Explanation:
        """What it thinks of each legal action of the agent selected in one of our AEC environments.

        Raises:
            ValueError: the environment was not reset, or its game is over.
        """
        ...

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """Actions for the current seats of a batch.

        Args:
            batch: games that wait for a decision.
            games: numbers of the games to decide, int64, (m,); all of them by default.

        Returns:
            int64, (m,). Where a game is over, the action is 0 and means nothing.
        """
        ...


def known() -> list[str]:
    """Names that :func:`make` knows."""
    return [*SCRIPTED, _MONTE_CARLO, _SHIPPED, f"{_SEARCH}:{_SHIPPED}"]


def make(name: str | Path, seed: int | None = None, board: Board | None = None) -> Agent:
    """An agent by name, or a trained one from its folder or file.

    Args:
        name: one of :func:`known`, where ``montecarlo`` and ``search`` may say what they have for a move, playouts
            (``montecarlo:64``) or time (``search:ppo:20ms``); or the path of a training run, or of the ``.safetensors``
            file in it, which may take the place of ``ppo`` in a search too.
        seed: of the agent's own chances, 0 to 2**63 - 1; None for any.
        board: on which it is to play; the shipped board by default. A trained agent plays on the board it learnt on.

    Raises:
        UnknownAgent: neither a known name nor such a path.
        agents.policy.BadAgent: the path holds an agent that cannot play here, with the reason.
    """
    if seed is None:
        seed = secrets.randbits(63)
    if str(name) in SCRIPTED:
        from .scripted import ScriptedAgent

        return ScriptedAgent(str(name), seed)
    kind = str(name).partition(":")[0]
    if str(name) == _SHIPPED:
        from .shipped import ShippedAgent  # torch is needed only for trained agents

        return ShippedAgent(seed, board)
    if kind in (_MONTE_CARLO, _SEARCH) and not Path(name).exists():
        try:
            if kind == _MONTE_CARLO:
                from .montecarlo import MonteCarloAgent

                return MonteCarloAgent(str(name), seed)
            from .shipped import SearchAgent

            return SearchAgent(str(name), seed, board)
        except ValueError as error:
            raise UnknownAgent(str(error)) from None
    path = Path(name)
    if not path.exists():
        raise UnknownAgent(
            f"unknown agent {str(name)!r}: known are {', '.join(known())}, and the path of a trained one"
        )
    from .policy import load_agent

    return load_agent(path, seed, board)
