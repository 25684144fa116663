"""The names of agents: the one grammar that every command, table and page uses.

===============================  ====================================================================================
name                             agent
===============================  ====================================================================================
``greedy``, ``planner``, …       a scripted opponent (``bohemian_env.opponents.SCRIPTED``)
``montecarlo``                   playouts of planners; ``montecarlo:64`` sets their number, ``montecarlo:20ms`` the time
``ppo``                          the shipped agent for the number of players at the table
``search:appraiser``             playouts that its network judges; ``search:appraiser:300``, ``search:appraiser:20ms``
``search:ppo``                   lookahead with a trained agent; ``search:ppo:300``, ``search:ppo:20ms`` likewise
``runs/first``                   the trained agent of a run's folder, or of a ``.safetensors`` file; it may take the
                                 place of ``ppo`` in a search
``python:FILE``                  the object that a file of Python calls ``agent`` (foreign.py), which runs that file;
                                 ``evaluate.py`` alone takes it
===============================  ====================================================================================

A name goes before a path: what is called like an agent is reached by ``./montecarlo``, ``search:./ppo``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from os.path import exists, isfile
from pathlib import Path
from typing import Final, Literal

from bohemian_env.opponents import SCRIPTED

__all__ = ["APPRAISER", "MONTE_CARLO", "PYTHON", "SEARCH", "SHIPPED", "AgentName", "Budget", "UnknownAgent", "known"]

MONTE_CARLO: Final = "montecarlo"
SEARCH: Final = "search"
APPRAISER: Final = "appraiser"
PYTHON: Final = "python"
SHIPPED: Final = "ppo"
"""The name of the shipped agents."""
_MOST: Final = 1_000_000


class UnknownAgent(ValueError):
    """A name that is neither a known agent nor the path of a trained one."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a searching agent may think about one move; one of the two is 0."""

    playouts: int = 0
    milliseconds: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Read ``64`` for playouts, ``20ms`` for milliseconds.

        Raises:
            ValueError: the text has another form, or the number is not from 1 to 1,000,000.
        """
        found = isinstance(text, str) and re.fullmatch(r"([0-9]{1,9})|([0-9]{1,9}(?:\.[0-9]{1,9})?)ms", text)
        if not found:
            raise ValueError(f"{text!r} is neither playouts a move (64) nor a time (20ms)")
        budget = cls(int(found[1] or 0), float(found[2] or 0))
        if not 1 <= budget.playouts + budget.milliseconds <= _MOST:
            raise ValueError(f"{text!r}: the number must be from 1 to {_MOST:,}")
        return budget


DEFAULT_BUDGETS: Final = {MONTE_CARLO: Budget(playouts=256), SEARCH: Budget(milliseconds=20)}
"""The budget of a name without one."""


@dataclass(frozen=True, slots=True)
class AgentName:
    """A name, taken apart."""

    text: str
    kind: Literal["scripted", "montecarlo", "ppo", "search", "trained", "python"]
    source: str = ""
    """What plays or a search uses: ``ppo``, ``appraiser``, the path of a trained agent, or that of a file of Python."""
    budget: Budget = Budget()
    """The budget of a searching agent."""

    @classmethod
    def parse(cls, text: str | Path) -> AgentName:
        """Read a name.

        Raises:
            UnknownAgent: it is neither a known name nor the path of something that exists.
        """
        text = str(text)
        kind, colon, rest = text.partition(":")
        if text in SCRIPTED:
            return cls(text, "scripted")
        if text == SHIPPED:
            return cls(text, "ppo", SHIPPED)
        if kind in DEFAULT_BUDGETS:
            source, told = "", rest if colon else None
            if kind == SEARCH:
                before, _, last = rest.rpartition(":")
                source, told = (before, last) if before and last[:1].isdigit() else (rest, None)
                if source not in (SHIPPED, APPRAISER) and not exists(source):
                    missing = f"there is no file or folder {source!r}; " if source else ""
                    takes = "search takes appraiser or a trained agent, such as search:ppo or search:runs/first"
                    raise UnknownAgent(f"unknown agent {text!r}: {missing}{takes}")
            try:
                budget = DEFAULT_BUDGETS[kind] if told is None else Budget.parse(told)
            except ValueError as error:
                raise UnknownAgent(f"unknown agent {text!r}: {error}") from None
            return cls(text, "montecarlo" if kind == MONTE_CARLO else "search", source, budget)
        if kind == PYTHON and colon:
            if not isfile(rest):
                raise UnknownAgent(f"unknown agent {text!r}: there is no file {rest!r}")
            return cls(text, PYTHON, rest)
        if not exists(text):
            raise UnknownAgent(f"unknown agent {text!r}: known are {', '.join(known())}, and the path of a trained one")
        return cls(text, "trained", text)


def known() -> list[str]:
    """Return the names of all agents that come with the project."""
    return [*SCRIPTED, MONTE_CARLO, f"{SEARCH}:{APPRAISER}", SHIPPED, f"{SEARCH}:{SHIPPED}"]
