"""A row of the benchmark (docs/benchmark.md), read as a result: so it is played and trained again like any other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.common.versions import ENVIRONMENT
from benchmarks.learning import VERSION
from benchmarks.learning.cells import Cell, book, judged, load_agent, read_row
from benchmarks.learning.score import Score, score, transfers
from bohemian_env.envs.tasks import Task, task_named
from bohemian_env.game.board import is_whole

from .result import FEWEST, LARGEST, LAST_SEED, MOST_GAMES, POSITIONS, BadResult, Figure, Result

__all__ = ["measure_row", "read_as_result"]


def _tasks(cell: Cell) -> dict[str, Task]:
    """Return what the agent of a run is measured in, by name: its task, and what it has not learnt."""
    task = task_named(cell.task)
    return {cell.task: task} | {f"{cell.task} on {name}": other for name, other in transfers(task).items()}


def _figure(one: Any, where: str) -> Figure:
    try:
        value, low, high = (float(one[name]) for name in ("share", "low", "high"))
        if 0 <= low <= value <= high <= 1 and is_whole(one["games"], FEWEST, MOST_GAMES):
            return Figure(value, low, high, one["games"])
    except (KeyError, TypeError, ValueError, OverflowError):
        pass
    raise BadResult(f"{where} is no win share of {FEWEST} games or more")


def _lost(one: Any, task: Task, where: str) -> Figure:
    """Return what a decision loses as a figure, of as many games as there are positions."""
    count = len(book().positions(task.players))
    try:
        value, low, high = (float(one[name]) for name in ("value", "low", "high"))
        if -1000 <= low <= value <= high <= 2000:
            return Figure(value, low, high, count)
    except (KeyError, TypeError, ValueError, OverflowError):
        pass
    raise BadResult(f"{where} are no loss of a decision with its interval")


def read_as_result(path: Path) -> Result | None:
    """Return what a row claims; None if the file holds something else.

    Raises:
        BadCell, BadResult: it is a row, but a broken one or one of another version. BadBook: the rolled-out positions
            here are missing or damaged. OSError: it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    try:
        data = json.loads(content.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or "algorithm" not in data:
        return None
    row = read_row(path)
    if row["benchmark"] != VERSION:
        raise BadResult(f"{path} is a row of version {row['benchmark']} of the benchmark; this is version {VERSION}")
    if row["versions"]["environment"] != ENVIRONMENT:
        raise BadResult(f"{path} is of {row['versions']['environment']!r}, and not of {ENVIRONMENT}")
    cell = Cell(**{name: row[name] for name in Cell.__dataclass_fields__})
    if row.get("defaults") != cell.defaults:
        raise BadResult(f"{path}: its algorithm had other defaults than the one here: {row.get('defaults')!r:.300}")
    others, seed = row.get("transfer"), row["score"].get("seed")
    if not isinstance(others, dict) or not is_whole(seed, 0, LAST_SEED):
        raise BadResult(f"{path}: transfer or the seed of the score is not that of a row")
    claimed = {cell.task: row["score"]} | {f"{cell.task} on {name}": one for name, one in others.items()}
    if unknown := [name for name in claimed if name not in _tasks(cell)]:
        raise BadResult(f"{path}: {unknown[0]!r:.80} is nothing that an agent of this task is measured in")
    figures = {name: _figure(one, f"{path}: {name}") for name, one in claimed.items()}
    if row["positions"]["book"] == book().digest:  # else it tells of positions that are not here
        figures[POSITIONS] = _lost(row["positions"], task_named(cell.task), f"{path}: {POSITIONS}")
    training = {"command": cell.command, "hours": row["seconds"] / 3600, "cell": asdict(cell)}
    return Result(
        agent=cell.name, said="", files={}, seed=seed, figures=figures, hours=0.0,
        training=training, commit="", date="", machine={"reference": row.get("reference")}, versions={}, board="",
    )  # fmt: skip


def measure_row(cell: Cell, agent: Path, tasks: Mapping[str, int], seed: int) -> dict[str, Figure]:
    """Return what the agent of a run reaches in some of its tasks, and what its decisions lose.

    tasks: their games. seed: of the first game. Raises BadCell if the file holds no agent of this algorithm; BadBook.
    """
    player, known = load_agent(cell.algorithm, agent), _tasks(cell)

    def figure(one: Score) -> Figure:
        return Figure(one.share, one.low, one.high, one.games, milliseconds=one.milliseconds)

    found = {name: figure(score(player, known[name], games, seed)) for name, games in tasks.items()}
    return found | {POSITIONS: _lost(judged(player, known[cell.task]), known[cell.task], POSITIONS)}
