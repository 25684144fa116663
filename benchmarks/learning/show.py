"""Chosen rows beside those of the reference, whatever budgets they are of, as one table."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from agents.common.markdown import table
from bohemian_env.tasks import TASKS, task_named

from .cells import BadCell
from .games import is_total, normal
from .rows import read_row, rows_of
from .statistics import interquartile_mean

_HEAD = ("task", "agent", "budget", "runs", "result", "score")


def _found(paths: Iterable[Path]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of files, and of all files and lines of folders. Raises BadCell or OSError."""
    for path in paths:
        if not path.is_dir():
            yield read_row(path)
            continue
        budgets = {one.stem if one.suffix == ".jsonl" else one.name for one in path.glob("*-[0-9]*")}
        known = [name.partition("-") for name in sorted(budgets) if name.startswith(("decisions-", "minutes-"))]
        if not known:
            raise BadCell(f"{path} has no rows of the benchmark")
        for unit, _, budget in known:
            yield from rows_of(path, unit, float(budget))


def _results(row: Mapping[str, Any]) -> Iterator[tuple[str, str, str, float]]:
    """Yield task, agent, budget and result of a row: one of a run, several of another agent."""
    if "score" in row:
        result = row["score"].get("total", row["score"].get("share"))
        yield row["task"], f"`{row['algorithm']}`", f"{row['budget']:,.12g} {row['unit']}", result
        return
    for task, score in row["scores"].items():
        if task in TASKS:
            yield task, f"`{row['agent']}`", "–", score["share"]


def shown(paths: Iterable[Path], results: Path) -> str:
    """Return chosen rows, marked, and the reference's of the same tasks, the best of each task first.

    paths: files of rows, or folders of them. results: the folder of the reference's rows. A result is a win share or a
    mean total: of several runs the interquartile mean, with its interval. A score is that of ``games.normal``.

    Raises BadCell for what is no row, or OSError.
    """
    chosen: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in _found(paths):
        for task, agent, budget, value in _results(row):
            chosen[task, f"{agent}, chosen", budget].append(value)
    if not chosen:
        raise BadCell("no row is of a task of the benchmark")
    tasks = {task for task, _, _ in chosen}
    for row in _found([results]):
        for task, agent, budget, value in _results(row):
            if task in tasks:
                chosen[task, agent, budget].append(value)
    lines = []
    for (task, agent, budget), values in chosen.items():
        e = interquartile_mean([np.array(values)])
        digits = 1 if is_total(task_named(task)) else 3
        result = e.text(digits) if len(values) > 1 else f"{e.value:.{digits}f}"
        score = normal(task_named(task), e.value)
        lines.append((list(TASKS).index(task), -score, [task, agent, budget, str(len(values)), result, f"{score:.2f}"]))
    return table(_HEAD, [line for *_, line in sorted(lines)], range(3, len(_HEAD)))
