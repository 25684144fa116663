"""Making agents by name."""

import importlib
import secrets
from pathlib import Path

from agents.pretrained import SELF_TAUGHT_FOLDER, values_folder
from bohemian_env import Board, MissingExtra
from bohemian_env.engine.checks import check_seed
from bohemian_env.engine.errors import brief
from bohemian_env.games import GAMES, rules_of

from . import names
from .agent import Agent
from .names import APPRAISER, PROGRAM, PYTHON, ROWS, RUN, SELF_TAUGHT, VALUES, AgentName, UnknownAgent, told_by
from .playouts import AppraiserSearch, MonteCarloAgent
from .program import ProgramAgent
from .scripted import OwnAppraiser, ScriptedAgent


def make(name: str | Path, seed: int | None = None, board: Board | None = None, *, game: str | None = None) -> Agent:
    """Return an agent of a game by name, or a trained one from its folder or file.

    Args:
        name: a name as in :mod:`agents.players.names`, for example ``"planner"``, ``"montecarlo:64"``, ``"ppo"``,
            ``"search:ppo:20ms"`` or ``"runs/first"``. ``"program:COMMAND"`` will start that program, so a name that
            comes from elsewhere must be looked at first.
        seed: the seed of the agent's own random choices, 0 to 2**63 - 1; None takes any below 2**53, which every
            reader of JSON keeps.
        board: the board that it is to play on, by default the shipped one. A trained agent needs the one it learned on.
        game: the name of one of ``bohemian_env.games.known_games()``; by default that of a trained agent, and
            ``"villages"`` for all others.

    Raises:
        UnknownAgent: it is neither a known name nor the path of something, or an agent of another game; or it is
            ``python:FILE``: a name may come from anywhere, and to run a file is for
            :func:`agents.players.foreign.run_file`.
        BadSetup: the seed is not as above, or there is no such game.
        MissingExtra: the agent needs PyTorch or another package that is not installed.
        BadNetwork, OSError: a folder holds no networks that ``appraiser`` could play with.
        agents.common.files.BadAgent: the agent at the path cannot play here; the message says why.
    """
    named = AgentName.parse(name, game)
    if named.kind == PYTHON:
        raise UnknownAgent(
            f"unknown agent {brief(named.text)}: only a command line that names a file of Python runs it"
        )
    if named.kind == RUN:
        return importlib.import_module(ROWS).agent_of_row(named.source, named.text)
    if named.kind == PROGRAM:
        return ProgramAgent(named)
    seed = secrets.randbits(53) if seed is None else check_seed(seed)
    if named.kind == "scripted":
        return ScriptedAgent(named.text, seed, rules_of(named.game))
    if named.kind == "selftaught":
        return OwnAppraiser(SELF_TAUGHT, SELF_TAUGHT_FOLDER)
    if named.kind == APPRAISER:
        return OwnAppraiser(named.text, Path(named.source))
    if named.kind == "montecarlo":
        return MonteCarloAgent(named.text, seed)
    if named.kind == "search" and named.source == APPRAISER:
        return AppraiserSearch(named.text, seed)
    shipped = named.source == names.SHIPPED_VALUES and named.source in names.known(named.game)
    path = values_folder(named.game) if shipped else Path(named.source)
    of_values = named.kind != "ppo" and str(told_by(path).get("format", "")).startswith(VALUES)
    try:  # only now: values need safetensors, and all others torch besides
        if of_values:
            from .value_search import ValueSearch
            from .values import load_values
        else:
            from .policy import load_agent
            from .search import SearchAgent
            from .shipped import ShippedAgent
    except ModuleNotFoundError as error:
        needs = f"the agent {brief(named.text)} needs {error.name}, which is not installed"
        raise MissingExtra(f"{needs}: in the clone, run `make setup` or pip install -e '.[train]'") from error

    if of_values and named.kind == "search":
        return ValueSearch(named.text, load_values(path), named.budget, seed)
    if of_values:
        learnt = load_values(path)
        learnt.name = named.text
        return learnt
    if named.kind == "ppo":
        return ShippedAgent(board)
    if named.kind == "search":
        if named.game != GAMES[0]:
            raise UnknownAgent(f"unknown agent {brief(named.text)}: no search asks a network of {named.game}")
        return SearchAgent(named.text, seed, board)
    return load_agent(named.source, seed, board, named.game)
