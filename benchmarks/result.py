"""A result file: what an agent reached in the benchmark, and what is needed to find that out again.

``python -m benchmarks.submit`` writes it, ``python -m benchmarks.verify`` plays it again. It is data, and believed in
nothing: :func:`read` checks its form, and nothing in it is ever run.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.statistics import Estimate, mean_estimate
from agents.players.names import APPRAISER, SHIPPED, AgentName, UnknownAgent
from agents.players.program import ProgramAgent
from agents.positions.report import SCALE
from agents.tournament import BadTournament, Entrant, GamesBar, compare, enter
from agents.tournament.play import dismiss
from benchmarks.learning import VERSION
from benchmarks.learning.cells import MOST_BUDGET, BadCell, Cell, book, load_agent
from bohemian_env import Board, Setup
from bohemian_env.envs.aec import NAME as ENVIRONMENT
from bohemian_env.game.board import is_whole
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS

__all__ = [
    *(
        "FEWEST",
        "GAMES",
        "LARGEST",
        "LAST_SEED",
        "MOST_GAMES",
        "OPPONENT",
        "POSITIONS",
        "TASKS",
        "BadResult",
        "Figure",
        "Make",
        "Result",
    ),
    *("check_games", "check_seed", "check_told", "files_of", "is_ours", "lost", "maker", "measure"),
    "read",
]

FORMAT: Final = "bohemian-result/1"
LARGEST: Final = 65_536
"""Bytes of a result file at most."""
GAMES: Final = 2000
"""Of each task, unless other numbers are asked for."""
LAST_SEED: Final = 2**62
"""The last seed that a first game may have, so that all after it have one, too."""
FEWEST: Final = 100
MOST_GAMES: Final = 1_000_000
"""Games of a task, at least and at most."""
OPPONENT: Final = "planner"
TASKS: Final = {f"{players}p-{OPPONENT}": players for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
"""The tasks of a result by name, with their players: the win share of the agent alone among copies of OPPONENT."""
POSITIONS: Final = "positions"
"""The score beside them, in rolled-out positions: the chance of winning lost a decision, × 1,000."""
_LONGEST: Final = 300
_MOST: Final = 1e9

Make = Callable[[int], list[Entrant]]
"""Makes an agent and OPPONENT, from a seed."""


class BadResult(ValueError):
    """A file that holds no result, or one that cannot be found out again here; the message says why."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What an agent reached in one task, with a 95 % interval."""

    value: float
    low: float
    high: float
    games: int
    """Those it was found in; positions, for the score POSITIONS."""
    failed: int = 0
    """Games that it lost by a failure, if it is a program."""
    milliseconds: float = 0.0
    """Wall time of a decision between two or more moves; depends on the machine, and is not compared."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a result file holds."""

    agent: str
    """What it was made from, in the words of ``evaluate.py``; of a program or a path the submitter's."""
    said: str
    """What a program calls itself."""
    files: Mapping[str, str]
    """SHA-256 of its files by their names."""
    seed: int
    """Of the first game of each task."""
    figures: Mapping[str, Figure]
    hours: float
    """That the games took."""
    training: Mapping[str, Any] | None
    """``command`` and ``hours``, as the submitter told them, and ``cell``, the fields of a :class:`Cell` or None."""
    commit: str
    date: str
    machine: Mapping[str, Any]
    """``cpu``, ``cores``, and ``planner_games_per_second``, one core's; of a row, its ``reference``."""
    versions: Mapping[str, str]
    board: str
    """The digest of the board."""

    @property
    def cell(self) -> Cell | None:
        """The run of the benchmark that the agent comes from, if it does.

        Raises:
            BadResult: there is no such run.
        """
        if self.training is None or self.training["cell"] is None:
            return None
        try:
            return Cell(**self.training["cell"])
        except BadCell as error:
            raise BadResult(f"no run of the benchmark: {error}") from None

    def as_json(self) -> str:
        """Return the text of the file."""
        head = {"format": FORMAT, "benchmark": VERSION, "environment": ENVIRONMENT}
        return json.dumps(head | asdict(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def check_seed(seed: int | None) -> None:
    """Refuse what the first game cannot have. Raises BadResult."""
    if seed is not None and not _seed(seed):
        raise BadResult(f"--seed {seed}: from 0 to {LAST_SEED}")


def files_of(entrant: Entrant) -> dict[str, str]:
    """Return the SHA-256 of an agent's files by name; an interpreter that the system finds for a program is not its."""
    files: list[Path] = list(getattr(entrant.agent, "files", ()))
    if isinstance(entrant.agent, ProgramAgent):
        command = [Path(word) for word in shlex.split(AgentName.parse(entrant.argument).source)]
        files = [path for path in files if path in command]
    found: dict[str, str] = {}
    for path in files:
        same = sum(name.partition(" (")[0] == path.name for name in found)
        found[path.name + (f" ({same + 1})" if same else "")] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def is_ours(agent: str) -> bool:
    """Return whether an agent comes with the project, by its name."""
    try:
        named = AgentName.parse(agent)
    except UnknownAgent:
        return False
    ours = named.kind == "search" and named.source in (SHIPPED, APPRAISER)
    return ours or named.kind in ("scripted", "montecarlo", "selftaught", "ppo")


def maker(agent: str, cell: Cell | None = None) -> Make:
    """Return what makes an agent, in the words of evaluate.py; with a cell, that of a finished run, from its file.

    What it makes raises BadTournament or BadCell if there is no such agent.
    """

    def make(seed: int) -> list[Entrant]:
        if cell is None:
            return enter([agent, OPPONENT], seed)
        found = load_agent(cell.algorithm, Path(agent))
        found.files = [Path(agent)]
        return enter([found, OPPONENT], seed)

    return make


def measure(
    make: Make, tasks: Mapping[str, int], seed: int, jobs: int, work: Path, program: str, judged: int | None = None
) -> dict[str, Figure]:
    """Return what an agent reaches in some tasks, and in the positions.

    Args:
        make: as :func:`maker` returns it. tasks: the games of each, by name. seed: of the first game.
        judged: the seed of the agent that decides in the positions; that of the first game by default.
        jobs: processes. work: folder of finished games. program: what is said to speak beside the bar.

    Raises:
        BadBook: the rolled-out positions are missing or damaged. BadTournament, BadForeign, OSError: as ``compare``.
    """
    _check_sizes(make, {*book().sizes, *(TASKS[name] for name in tasks)})
    found, kept = {}, []
    for name, games in tasks.items():
        entrants = make(seed)
        with GamesBar(program, name) as bar:
            options: dict[str, Any] = {"begin": bar.begin, "progress": bar.progress, "luck": False}
            if entrants[0].argument:  # an object plays in this process alone
                options |= {"jobs": jobs, "work": work}
            one = compare(entrants, Setup.of(TASKS[name]), games=games, seed=seed, tables="single", **options)
        kept += [one.kept] if one.kept else []
        share, table = one.results[0].share, one.tables[0]
        found[name] = _figure(share, table.games, table.failed[0], round(one.milliseconds_per_move(0), 4))
    losses = lost(make, seed if judged is None else judged)
    found[POSITIONS] = _figure(mean_estimate(losses), len(losses))
    for folder in kept:  # only now: who was interrupted goes on
        folder.remove()
    return found


def _check_sizes(make: Make, wanted: set[int]) -> None:
    """Raise BadTournament, before any game, for an agent that does not play at tables of all sizes."""
    entrants = make(0)
    sizes = getattr(entrants[0].agent, "sizes", None)
    dismiss(entrants)
    if sizes and (unknown := wanted - {*sizes}):
        known = ", ".join(map(str, sizes))
        raise BadTournament(
            f"{entrants[0].name} plays with {known} players; tasks and positions ask for {min(unknown)}"
        )


def lost(make: Make, seed: int) -> np.ndarray:
    """Return the chance of winning that an agent loses in each of the positions, × 1,000: float64. Raises BadBook,
    BadTournament, BadForeign.
    """
    judging, entrants = book(), make(seed)
    found = np.concatenate([SCALE * judging.losses(entrants[0].agent, players) for players in judging.sizes])
    dismiss(entrants)
    return found


def _figure(estimate: Estimate, games: int, failed: int = 0, milliseconds: float = 0.0) -> Figure:
    value, low, high = (round(each, 6) for each in (estimate.value, estimate.low, estimate.high))
    return Figure(value, low, high, games, failed, milliseconds)


def check_games(games: int | None) -> None:
    """Refuse a number of games that no task has. Raises BadResult."""
    if games is not None and not FEWEST <= games <= MOST_GAMES:
        raise BadResult(f"--games {games}: from {FEWEST} to {MOST_GAMES:,} a task")


def check_told(agent: str | None, command: str | None, hours: float | None) -> None:
    """Refuse what :func:`read` would refuse of an agent's name and of its training. Raises BadResult."""
    for what, text in (("the agent", agent), ("--training", command)):
        if text is not None and not (text and _text(text)):
            raise BadResult(f"{what} {text!r:.60}: from 1 to {_LONGEST} printable characters")
    if hours is not None and not _amount(hours):
        raise BadResult(f"--hours {hours}: from 0 to below {_MOST:,.0f}")


# --- reading -----------------------------------------------------------------------------------------------------


def _text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST and value.isprintable()


def _amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MOST


def _budget(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST_BUDGET


def _real(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST


def _texts(value: object) -> bool:
    return isinstance(value, dict) and len(value) <= 100 and all(map(_text, (*value, *value.values())))


def _digests(value: object) -> bool:
    return _texts(value) and all(len(digest) == 64 for digest in value.values())  # type: ignore[attr-defined]


def _seed(value: object) -> bool:
    return is_whole(value, 0, LAST_SEED)


def _count(value: object) -> bool:
    return is_whole(value, 0, 100_000_000)


def _games(value: object) -> bool:
    return is_whole(value, 0, MOST_GAMES)


_MACHINE: Final = {"cpu": _text, "cores": _count, "planner_games_per_second": _amount}
_CELL: Final = {
    "algorithm": _text, "task": _text, "seed": _count, "unit": _text, "budget": _budget, "settings": dict,
}  # fmt: skip
_TRAINING: Final = {"command": _text, "hours": _amount, "cell": (None, _CELL)}
_FIGURE: Final = {
    "value": _real, "low": _real, "high": _real, "games": _games, "failed": _count, "milliseconds": _amount,
}  # fmt: skip
_FORM: Final[dict[str, Any]] = {
    "format": _text, "benchmark": _count, "environment": _text, "agent": _text, "said": _text, "files": _digests,
    "seed": _seed, "figures": dict, "hours": _amount, "training": (None, _TRAINING), "commit": _text, "date": _text,
    "machine": _MACHINE, "versions": _texts, "board": _text,
}  # fmt: skip


def _check(data: Any, form: Mapping[str, Any], where: str) -> None:
    """Raise BadResult unless data are an object of exactly the fields of a form."""
    if not isinstance(data, dict):
        raise BadResult(f"{where} is no object")
    if wrong := sorted(set(data) ^ set(form), key=str):
        raise BadResult(f"{where}: {wrong[0]!r:.60} is {'not known' if wrong[0] in data else 'missing'}")
    for name, wanted in form.items():
        value, inside = data[name], f"{where}: {name}"
        if isinstance(wanted, tuple):
            if value is not None:
                _check(value, wanted[1], inside)
        elif isinstance(wanted, dict):
            _check(value, wanted, inside)
        elif not (isinstance(value, wanted) if isinstance(wanted, type) else wanted(value)):
            raise BadResult(f"{inside}: {value!r:.60} is not what stands there")


def read(path: Path) -> Result:
    """Return the result in a file.

    Raises:
        BadResult: it is larger than a result can be, holds none, or one of another version, environment or board.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise BadResult(f"{path} has more than {LARGEST:,} bytes, which no result has")
    try:
        data = json.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise BadResult(f"{path} is not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadResult(f"{path} is no result: its format is not {FORMAT!r}")
    here = {"benchmark": VERSION, "environment": ENVIRONMENT, "board": Board.standard().digest}
    for name, own in here.items():
        if data.get(name) != own:
            raise BadResult(f"{path}: {name} {data.get(name)!r:.80} is not the {own!r} of this checkout")
    _check(data, _FORM, str(path))
    figures = data["figures"]
    if not figures or not set(figures) <= {*TASKS, POSITIONS} or set(figures) == {POSITIONS}:
        raise BadResult(f"{path}: figures are of {', '.join(TASKS)}, one or more, and of {POSITIONS}")
    for name, figure in figures.items():
        _check(figure, _FIGURE, f"{path}: {name}")
        inside = figure["low"] <= figure["value"] <= figure["high"]
        if not inside or (name in TASKS and not 0 <= figure["low"] <= figure["high"] <= 1):
            raise BadResult(f"{path}: {name}: {figure['value']} ({figure['low']} to {figure['high']}) is no win share")
        if figure["games"] < (FEWEST if name in TASKS else 1) or figure["failed"] > figure["games"]:
            raise BadResult(f"{path}: {name}: {figure['games']} games, {figure['failed']} failed: fewest {FEWEST}")
    rest = {
        name: value for name, value in data.items() if name not in ("format", "benchmark", "environment", "figures")
    }
    return Result(figures={name: Figure(**figure) for name, figure in figures.items()}, **rest)
