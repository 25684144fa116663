"""Agents by name."""

from __future__ import annotations

import secrets
from pathlib import Path

from agents.players.agent import Agent
from bohemian_env import Board
from bohemian_env.opponents import SCRIPTED

__all__ = ["UnknownAgent", "known", "make"]

_MONTE_CARLO, _SHIPPED, _SEARCH = "montecarlo", "ppo", "search"


class UnknownAgent(ValueError):
    """A name that is neither a known agent nor the path of a trained one."""


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
        agents.network.files.BadAgent: the path holds an agent that cannot play here, with the reason.
    """
    if seed is None:
        seed = secrets.randbits(63)
    if str(name) in SCRIPTED:
        from .scripted import ScriptedAgent

        return ScriptedAgent(str(name), seed)
    kind = str(name).partition(":")[0]
    if str(name) == _SHIPPED:
        from .shipped import ShippedAgent

        return ShippedAgent(seed, board)
    if kind in (_MONTE_CARLO, _SEARCH) and not Path(name).exists():
        try:
            if kind == _MONTE_CARLO:
                from .montecarlo import MonteCarloAgent

                return MonteCarloAgent(str(name), seed)
            from .search import SearchAgent

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
