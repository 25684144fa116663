"""An agent measured for its row: alone among copies of planner at tables of every size, and in rolled-out positions.

``python -m benchmarks.submit`` writes what is found, ``python -m benchmarks.verify`` finds it again.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.statistics import Estimate, mean_estimate
from agents.players.names import APPRAISER, SHIPPED, AgentName, UnknownAgent
from agents.players.program import ProgramAgent
from agents.positions.report import SCALE
from agents.tournament import BadTournament, Entrant, GamesBar, compare, enter
from agents.tournament.play import dismiss
from benchmarks.learning.cells import BadCell, Cell, algorithm_file, book, judged, load_agent, source_digest
from benchmarks.learning.rows import LAST_SEED
from benchmarks.learning.score import Score, score, transfers
from bohemian_env import Setup
from bohemian_env.envs.tasks import Task, task_named
from bohemian_env.game.board import is_whole
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS

__all__ = [
    *("FEWEST", "GAMES", "MOST_GAMES", "OPPONENT", "POSITIONS", "TASKS", "Figure", "Make"),
    *("check_games", "check_seed", "files_of", "is_ours", "lost", "maker", "measure", "measure_run", "tasks_of"),
]

GAMES: Final = 2000
"""Games of each task, unless another number is asked for."""
FEWEST: Final = 100
MOST_GAMES: Final = 1_000_000
"""Games of a task, at least and at most."""
OPPONENT: Final = "planner"
TASKS: Final = {f"{players}p-{OPPONENT}": players for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
"""The tasks of any agent by name, with their players: its win share alone among copies of OPPONENT."""
POSITIONS: Final = "positions"
"""The score beside them, in rolled-out positions: the chance of winning lost a decision, × 1,000."""

Make = Callable[[int], list[Entrant]]
"""Makes an agent and OPPONENT, from a seed."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What an agent reached in one task, with a 95 % interval."""

    value: float
    low: float
    high: float
    games: int
    """The games it was found in; positions, for the score POSITIONS."""
    failed: int = 0
    """Games that it lost by a failure, if it is a program."""
    milliseconds: float = 0.0
    """Time of a decision between two or more moves; depends on the machine, and is not compared."""


def check_seed(seed: int | None) -> None:
    """Refuse a seed that the first game cannot have. Raises BadCell."""
    if seed is not None and not is_whole(seed, 0, LAST_SEED):
        raise BadCell(f"--seed {seed}: expected a number from 0 to {LAST_SEED}")


def check_games(games: int | None) -> None:
    """Refuse a number of games that no task has. Raises BadCell."""
    if games is not None and not FEWEST <= games <= MOST_GAMES:
        raise BadCell(f"--games {games}: expected a number from {FEWEST} to {MOST_GAMES:,} for each task")


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
        return enter([agent if cell is None else load_agent(cell.algorithm, Path(agent)), OPPONENT], seed)

    return make


def files_of(agent: str, cell: Cell | None = None) -> dict[str, str]:
    """Return the SHA-256 of the files that an agent is made of, by name; that of a run has its algorithm's among them.

    An interpreter that the system finds for a program is not among its files. Raises BadTournament, BadCell or OSError.
    """

    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    if cell is not None:
        weights = {f"{cell.algorithm}-{cell.seed}.safetensors": digest(Path(agent))}
        return {algorithm_file(cell.algorithm): source_digest(cell.algorithm), **weights}
    entrants = maker(agent)(0)
    files: list[Path] = list(getattr(entrants[0].agent, "files", ()))
    if isinstance(entrants[0].agent, ProgramAgent):
        command = [Path(word) for word in shlex.split(AgentName.parse(agent).source)]
        files = [path for path in files if path in command]
    dismiss(entrants)
    found: dict[str, str] = {}
    for path in files:
        same = sum(name.partition(" (")[0] == path.name for name in found)
        found[path.name + (f" ({same + 1})" if same else "")] = digest(path)
    return found


def measure(
    make: Make, tasks: Mapping[str, int], seed: int, jobs: int, work: Path, program: str, judged: int | None = None
) -> dict[str, Figure]:
    """Return what an agent reaches in some tasks, and in the positions.

    Args:
        make: as :func:`maker` returns it. tasks: the games of each, by name. seed: the seed of the first game.
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


def tasks_of(cell: Cell) -> dict[str, Task]:
    """Return what the agent of a run is measured in, by name: its task, and what it has not learnt."""
    task = task_named(cell.task)
    return {cell.task: task} | {f"{cell.task} on {name}": other for name, other in transfers(task).items()}


def measure_run(cell: Cell, agent: Path, tasks: Mapping[str, int], seed: int) -> dict[str, Figure]:
    """Return what the agent of a run reaches in some of its tasks, and what its decisions lose.

    tasks: their games. seed: the seed of the first game. Raises BadCell if the file does not hold an agent of this
    algorithm; BadBook.
    """
    player, known = load_agent(cell.algorithm, agent), tasks_of(cell)

    def figure(one: Score) -> Figure:
        return Figure(one.share, one.low, one.high, one.games, milliseconds=one.milliseconds)

    found = {name: figure(score(player, known[name], games, seed)) for name, games in tasks.items()}
    loss, count = judged(player, known[cell.task]), len(book().positions(known[cell.task].players))
    return found | {POSITIONS: Figure(loss["value"], loss["low"], loss["high"], count)}
