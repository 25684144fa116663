"""The names of agents: the one grammar that every command, table and page uses.

Which names there are depends on the game that is played; those of *Bohemian Villages* are the most.

===============================  ====================================================================================
name                             agent
===============================  ====================================================================================
``greedy``, ``planner``, …       a scripted opponent of the game (``Rules.opponents``)
``montecarlo``                   playouts of planners; ``montecarlo:64`` sets their number, ``montecarlo:20ms`` the time
``selftaught``                   as ``appraiser``, with networks from which that one went on, after less than an hour
``appraiser:FOLDER``             as ``appraiser``, with the networks in a folder, such as that of a run of
                                 ``agents.training.td``
``ppo``                          the shipped agent for the number of players at the table
``search:appraiser``             playouts that its network judges; ``search:appraiser:300``, ``search:appraiser:20ms``
``search:ppo``                   lookahead with a trained agent; ``search:ppo:300``, ``search:ppo:20ms`` likewise
``runs/first``                   the trained agent of a run's folder, or of a ``.safetensors`` file, in the game that
                                 it learnt; it may take the place of ``ppo`` in a search
``python:FILE``                  the object that a file of Python calls ``agent`` (foreign.py), which runs that file;
                                 only commands take it that compare agents (SECURITY.md)
``run:ROW.json``                 the agent of a run of the benchmark (docs/benchmark.md) by its row, if its weights lie
                                 beside the row or in ``runs/benchmark``
``program:COMMAND``              a program that speaks the protocol of docs/protocol.md, such as ``program:./mine``,
                                 which is started; ``program:500ms:./mine`` has that time for a move, by default 5 s
===============================  ====================================================================================

A name goes before a path: what is called like an agent is reached by ``./montecarlo``, ``search:./ppo``.
"""

from __future__ import annotations

import importlib
import json
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from os.path import exists, isdir, isfile
from pathlib import Path
from typing import Any, Final, Literal

from bohemian_env.engine.errors import brief
from bohemian_env.games import GAMES, game_of_environment, offered, rules_of

MONTE_CARLO: Final = "montecarlo"
SEARCH: Final = "search"
APPRAISER: Final = "appraiser"
SELF_TAUGHT: Final = "selftaught"
PYTHON: Final = "python"
PROGRAM: Final = "program"
RUN: Final = "run"
ROWS: Final = "benchmarks.learning.player"
"""The module that knows the agents of rows; it stands on this one, and is loaded where a name asks for it."""
SHIPPED: Final = "ppo"  # the name of the shipped agents
SHIPPED_VALUES: Final = "values"  # the name of those that know what positions are worth
BESIDES: Final = {
    "villages": (MONTE_CARLO, f"{SEARCH}:{APPRAISER}", SELF_TAUGHT, SHIPPED, f"{SEARCH}:{SHIPPED}"),
    "dorfromantik": (SHIPPED_VALUES, f"{SEARCH}:{SHIPPED_VALUES}"),
    "agricola": (SHIPPED_VALUES, f"{SEARCH}:{SHIPPED_VALUES}"),
}
"""The agents that a game comes with besides its scripted opponents, by its name."""
VALUES: Final = "bohemian-values/"
"""How the format of an agent begins that knows what positions are worth; all others are networks with a policy."""
_MOST: Final = 1_000_000
_MOST_TOLD: Final = 1_000_000  # the most bytes of what an agent says of itself


class UnknownAgent(ValueError):
    """A name that is neither a known agent nor the path of a trained one, or an agent of another game."""


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
_MOVE: Final = Budget(milliseconds=5000)  # the budget of a program's name without one


@dataclass(frozen=True, slots=True)
class AgentName:
    """A name, taken apart."""

    text: str
    kind: Literal[
        "scripted", "montecarlo", "selftaught", "appraiser", "ppo", "search", "trained", "python", "program", "run"
    ]
    source: str = ""
    """What plays or a search uses: ``ppo``, ``values``, ``appraiser``, the path of a trained agent, that of a folder of
    networks of ``appraiser``, that of a file of Python or of a row, or the command of a program."""
    budget: Budget = Budget()
    """The budget of a searching agent or a program."""

    game: str = GAMES[0]
    """The game that it plays."""

    @classmethod
    def parse(cls, text: str | Path, game: str | None = None) -> AgentName:
        """Read a name.

        game: the one that is played; by default the one that its file says, else the first of ``GAMES``.

        Raises:
            UnknownAgent: it is neither a known name nor the path of something that exists, or of another game.
            BadSetup: there is no such game.
        """
        text = str(text) if isinstance(text, str | Path) else brief(text)
        game = game_of([text], game)
        try:
            return replace(cls._parsed(text, known(game)), game=game)
        except ValueError as error:
            raise UnknownAgent(f"unknown agent {brief(text)}: {error}") from None

    @classmethod
    def _parsed(cls, text: str, names: list[str]) -> AgentName:
        kind, colon, rest = text.partition(":")
        if text == SELF_TAUGHT and text in names:
            return cls(text, "selftaught")
        if text == SHIPPED and text in names:
            return cls(text, "ppo", SHIPPED)
        if text == SHIPPED_VALUES and text in names:
            return cls(text, "trained", SHIPPED_VALUES)
        if text in names and kind not in DEFAULT_BUDGETS:
            return cls(text, "scripted")
        if kind == SEARCH or (kind == MONTE_CARLO and kind in names):
            source, told = "", rest if colon else None
            if kind == SEARCH:
                source, told = _search_of(rest)
                others = [name.partition(":")[2] for name in names if name.startswith(f"{SEARCH}:")]
                if source not in others and not exists(source):
                    missing = f"there is no file or folder {brief(source)}; " if source else ""
                    more = f"{APPRAISER} or " * (APPRAISER in others)
                    such = f"search:{SHIPPED} or " * (SHIPPED in others)
                    raise ValueError(f"{missing}search takes {more}a trained agent, such as {such}search:runs/first")
            budget = DEFAULT_BUDGETS[kind] if told is None else Budget.parse(told)
            return cls(text, "montecarlo" if kind == MONTE_CARLO else "search", source, budget)
        if kind == APPRAISER and colon and kind in names:
            if not isdir(rest):
                raise ValueError(f"there is no folder {brief(rest)}")
            return cls(text, APPRAISER, rest)
        if kind == RUN and colon:
            return cls(text, RUN, rest)
        if kind == PYTHON and colon:
            if not isfile(rest):
                raise ValueError(f"there is no file {brief(rest)}")
            return cls(text, PYTHON, rest)
        if kind == PROGRAM and colon:
            limit, command = time_of(rest)
            budget = Budget.parse(limit.rstrip(":")) if limit else _MOVE
            words = shlex.split(command)
            if not words:
                raise ValueError("no command")
            if shutil.which(words[0]) is None:
                raise ValueError(f"there is no program {brief(words[0])} that can be started")
            return cls(text, PROGRAM, command, budget)
        if not exists(text):
            near = "".join(f"; {one} is like it" for one in get_close_matches(text, names, 1))
            folder = f"{APPRAISER}:FOLDER, " * (APPRAISER in names)
            besides = f"the path of a trained one, {folder}{PYTHON}:FILE and {PROGRAM}:COMMAND"
            raise ValueError(f"known are {', '.join(names)}, {besides}{near}")
        return cls(text, "trained", text)


def _search_of(rest: str) -> tuple[str, str | None]:
    """Return what stands behind ``search:`` in two: whom it asks, and its budget, if it has one."""
    before, _, last = rest.rpartition(":")
    return (before, last) if before and last[:1].isdigit() else (rest, None)


def told_by(path: str | Path) -> dict[str, Any]:
    """Return what the trained agent at a path says of itself; nothing where nothing can be read.

    It stands in the weights themselves, or in the JSON beside them.
    """
    if not isinstance(path, str | Path):
        return {}
    try:
        weights = Path(path) / "agent.safetensors" if isdir(path) else Path(path)
        with weights.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")  # the format begins with the length of its header
            text = json.loads(file.read(size)).get("__metadata__", {}).get("description") if size < _MOST_TOLD else None
        beside = weights.with_suffix(".json")
        if text is None and beside.stat().st_size < _MOST_TOLD:
            text = beside.read_text(encoding="utf-8")
        told = json.loads(text or "{}")
    except (OSError, ValueError, AttributeError, TypeError, OverflowError, RecursionError):
        return {}  # whoever loads the agent says what is wrong with it
    return told if isinstance(told, dict) else {}


def game_told_by(name: str | Path) -> str | None:
    """Return the game that an agent's files say; None for one that has no such file."""
    text = str(name) if isinstance(name, str | Path) else ""
    kind, _, rest = text.partition(":")
    if kind == RUN:
        try:
            return str(importlib.import_module(ROWS).game_of_row(rest))
        except (ValueError, OSError):
            return None  # as told_by
    path = _search_of(rest)[0] if kind == SEARCH else text
    if text in known() or text == SHIPPED_VALUES or kind in (PYTHON, PROGRAM) or not exists(path):
        return None
    told = told_by(path)
    if told.get("game") in GAMES + offered():
        return str(told["game"])
    return game_of_environment(told.get("environment"))


def game_of(names: Sequence[str | Path], game: str | None = None) -> str:
    """Return the game that some agents meet in: the one that is asked for, or what their files say, else the first of
    ``GAMES``.

    Raises:
        UnknownAgent: their files say different games, or another one than is asked for.
        BadSetup: there is no such game.
    """
    if not isinstance(names, list | tuple):
        raise UnknownAgent(f"agents {brief(names)} are not a list of names and paths")
    if game is not None:
        rules_of(game)
    said = {told: str(name) for name in names if (told := game_told_by(name)) is not None}
    if len(said) > 1:
        (one, first), (other, second) = [*said.items()][:2]
        raise UnknownAgent(f"{first} plays {one} and {second} plays {other}: expected agents of one game")
    for told, name in said.items():
        if game not in (None, told):
            raise UnknownAgent(f"{name} plays {told}, not {game}")
    return game or next(iter(said), GAMES[0])


def time_of(program: str) -> tuple[str, str]:
    """Return what stands behind ``program:`` in two: its time for a move with a colon, or nothing; its command.

    Raises:
        TypeError: it is no text.
    """
    found = re.match(r"[0-9.]+ms:", program)
    return (found[0], program[found.end() :]) if found else ("", program)


def known(game: str = GAMES[0]) -> list[str]:
    """Return the names of all agents that come with a game. Raises BadSetup if there is no such game."""
    return [*rules_of(game).opponents, *BESIDES.get(game, ())]
