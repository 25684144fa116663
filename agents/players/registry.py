"""Making agents by name."""

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
        name: a name as in :mod:`agents.players.names`, for example ``"planner"``, ``"montecarlo:64"``, ``"ppo"``,
            ``"search:ppo:20ms"`` or ``"runs/first"``.
        seed: the seed of the agent's own random choices, 0 to 2**63 - 1; None takes any.
        board: the board that it is to play on, by default the shipped one. A trained agent needs the one it learned on.

    Raises:
        UnknownAgent: it is neither a known name nor the path of something.
        agents.network.files.BadAgent: the agent at the path cannot play here; the message says why.
    """
    named = AgentName.parse(name)
    if seed is None:
        seed = secrets.randbits(63)
    # Each kind is imported when it is asked for, since trained agents alone need torch.
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
