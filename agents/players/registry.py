"""Agents made by name."""

from __future__ import annotations

import secrets
from pathlib import Path

from bohemian_env import Board

from .agent import Agent
from .names import AgentName

__all__ = ["make"]


def make(name: str | Path, seed: int | None = None, board: Board | None = None) -> Agent:
    """Return an agent by name, or a trained one from its folder or file.

    Args:
        name: as :mod:`agents.players.names` has it, for example ``"planner"``, ``"montecarlo:64"``, ``"ppo"``,
            ``"search:ppo:20ms"`` or ``"runs/first"``.
        seed: of the agent's own chances, 0 to 2**63 - 1; None for any.
        board: on which it is to play; the shipped board by default. A trained agent plays on the board it learnt on.

    Raises:
        UnknownAgent: neither a known name nor such a path.
        agents.network.files.BadAgent: the path holds an agent that cannot play here, with the reason.
    """
    named = AgentName.parse(name)
    if seed is None:
        seed = secrets.randbits(63)
    # Torch is needed only for trained agents, so each kind is imported when it is asked for.
    if named.kind == "scripted":
        from .scripted import ScriptedAgent

        return ScriptedAgent(named.text, seed)
    if named.kind == "montecarlo":
        from .montecarlo import MonteCarloAgent

        return MonteCarloAgent(named.text, seed)
    if named.kind == "ppo":
        from .shipped import ShippedAgent

        return ShippedAgent(seed, board)
    if named.kind == "search":
        from .search import SearchAgent

        return SearchAgent(named.text, seed, board)
    from .policy import load_agent

    return load_agent(named.source, seed, board)
