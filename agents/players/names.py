"""The names of agents: the one grammar that every command, table and page uses.

===============================  ====================================================================================
name                             agent
===============================  ====================================================================================
``greedy``, ``planner``, …       a scripted opponent (``bohemian_env.villages.opponents.SCRIPTED``)
``montecarlo``                   playouts of planners; ``montecarlo:64`` sets their number, ``montecarlo:20ms`` the time
``selftaught``                   as ``appraiser``, with networks from which that one went on, after less than an hour
``appraiser:FOLDER``             as ``appraiser``, with the networks in a folder, such as that of a run of
                                 ``agents.training.td``
``ppo``                          the shipped agent for the number of players at the table
``search:appraiser``             playouts that its network judges; ``search:appraiser:300``, ``search:appraiser:20ms``
``search:ppo``                   lookahead with a trained agent; ``search:ppo:300``, ``search:ppo:20ms`` likewise
``runs/first``                   the trained agent of a run's folder, or of a ``.safetensors`` file; it may take the
                                 place of ``ppo`` in a search
``python:FILE``                  the object that a file of Python calls ``agent`` (foreign.py), which runs that file;
                                 only commands take it that compare agents (SECURITY.md)
``program:COMMAND``              a program that speaks the protocol of docs/protocol.md, such as ``program:./mine``,
                                 which is started; ``program:500ms:./mine`` has that time for a move, by default 5 s
===============================  ====================================================================================

A name goes before a path: what is called like an agent is reached by ``./montecarlo``, ``search:./ppo``.
"""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from difflib import get_close_matches
from os.path import exists, isdir, isfile
from pathlib import Path
from typing import Final, Literal

from bohemian_env.engine.errors import brief
from bohemian_env.villages.opponents import SCRIPTED

MONTE_CARLO: Final = "montecarlo"
SEARCH: Final = "search"
APPRAISER: Final = "appraiser"
SELF_TAUGHT: Final = "selftaught"
PYTHON: Final = "python"
PROGRAM: Final = "program"
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
            raise ValueError(f"{brief(text)} is neither playouts a move (64) nor a time (20ms)")
        budget = cls(int(found[1] or 0), float(found[2] or 0))
        if not 1 <= budget.playouts + budget.milliseconds <= _MOST:
            raise ValueError(f"{brief(text)}: the number must be from 1 to {_MOST:,}")
        return budget


DEFAULT_BUDGETS: Final = {MONTE_CARLO: Budget(playouts=256), SEARCH: Budget(milliseconds=20)}
"""The budget of a name without one."""
_MOVE: Final = Budget(milliseconds=5000)
"""The budget of a program's name without one."""


@dataclass(frozen=True, slots=True)
class AgentName:
    """A name, taken apart."""

    text: str
    kind: Literal["scripted", "montecarlo", "selftaught", "appraiser", "ppo", "search", "trained", "python", "program"]
    source: str = ""
    """What plays or a search uses: ``ppo``, ``appraiser``, the path of a trained agent, that of the folder of an
    ``appraiser``'s networks, that of a file of Python, or the command of a program."""
    budget: Budget = Budget()
    """The budget of a searching agent or a program."""

    @classmethod
    def parse(cls, text: str | Path) -> AgentName:
        """Read a name.

        Raises:
            UnknownAgent: it is neither a known name nor the path of something that exists.
        """
        text = str(text) if isinstance(text, str | Path) else brief(text)
        try:
            return cls._parsed(text)
        except ValueError as error:
            raise UnknownAgent(f"unknown agent {brief(text)}: {error}") from None

    @classmethod
    def _parsed(cls, text: str) -> AgentName:
        kind, colon, rest = text.partition(":")
        if text in SCRIPTED:
            return cls(text, "scripted")
        if text == SELF_TAUGHT:
            return cls(text, "selftaught")
        if text == SHIPPED:
            return cls(text, "ppo", SHIPPED)
        if kind in DEFAULT_BUDGETS:
            source, told = "", rest if colon else None
            if kind == SEARCH:
                before, _, last = rest.rpartition(":")
                source, told = (before, last) if before and last[:1].isdigit() else (rest, None)
                if source not in (SHIPPED, APPRAISER) and not exists(source):
                    missing = f"there is no file or folder {brief(source)}; " if source else ""
                    takes = "search takes appraiser or a trained agent, such as search:ppo or search:runs/first"
                    raise ValueError(f"{missing}{takes}")
            budget = DEFAULT_BUDGETS[kind] if told is None else Budget.parse(told)
            return cls(text, "montecarlo" if kind == MONTE_CARLO else "search", source, budget)
        if kind == APPRAISER and colon:
            if not isdir(rest):
                raise ValueError(f"there is no folder {brief(rest)}")
            return cls(text, APPRAISER, rest)
        if kind == PYTHON and colon:
            if not isfile(rest):
                raise ValueError(f"there is no file {brief(rest)}")
            return cls(text, PYTHON, rest)
        if kind == PROGRAM and colon:
            told, command = time_of(rest)
            budget = Budget.parse(told.rstrip(":")) if told else _MOVE
            words = shlex.split(command)
            if not words:
                raise ValueError("no command")
            if shutil.which(words[0]) is None:
                raise ValueError(f"there is no program {brief(words[0])} that can be started")
            return cls(text, PROGRAM, command, budget)
        if not exists(text):
            near = "".join(f"; {one} is like it" for one in get_close_matches(text, known(), 1))
            others = f"the path of a trained one, {APPRAISER}:FOLDER, {PYTHON}:FILE and {PROGRAM}:COMMAND"
            raise ValueError(f"known are {', '.join(known())}, {others}{near}")
        return cls(text, "trained", text)


def time_of(program: str) -> tuple[str, str]:
    """Return what stands behind ``program:`` in two: its time for a move with a colon, or nothing; its command.

    Raises:
        TypeError: it is no text.
    """
    found = re.match(r"[0-9.]+ms:", program)
    return (found[0], program[found.end() :]) if found else ("", program)


def known() -> list[str]:
    """Return the names of all agents that come with the project."""
    return [*SCRIPTED, MONTE_CARLO, f"{SEARCH}:{APPRAISER}", SELF_TAUGHT, SHIPPED, f"{SEARCH}:{SHIPPED}"]
