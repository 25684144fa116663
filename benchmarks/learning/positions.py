"""What decisions cost in positions whose moves were rolled out: those of the agents of runs, and of some named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import agents
from agents.players.foreign import ForeignAgent
from agents.positions.book import Book
from agents.positions.report import costs
from bohemian_env import TASKS

from .cells import Cell, load_agent, read_row

__all__ = ["NAMED", "judged"]

NAMED: Final = ("random", "greedy", "planner", "appraiser", "ppo")
"""Agents beside which runs are seen."""


def judged(results: Path, work: Path, tell: Callable[[str], None], book: Path) -> dict[str, Any]:
    """Return the mean chance of winning that a decision loses, × 1,000, as plain data: of named agents by the number of
    players, and of the agent of each run with the players of its task.

    results, work: folders of rows and of agents; whose agent is missing is told and left out. Raises BadBook or BadCell
    for files that hold no positions or no run.
    """
    positions = Book.load(book)
    named = {name: _plain(costs(positions, agents.make(name, seed=0))) for name in NAMED}
    runs = []
    for path in sorted(results.glob("*/*/*.json")):
        row = read_row(path)
        cell = Cell(**{key: row[key] for key in ("algorithm", "task", "seed", "unit", "budget", "settings")})
        file = work / f"{cell.name}.safetensors"
        if not file.exists():
            tell(f"{file} is not there: {cell.command} makes it again, once {path} is deleted")
            continue
        player = load_agent(cell.algorithm, file)
        found = costs(positions, player if hasattr(player, "act_batch") else ForeignAgent(player))
        own = found[str(TASKS[cell.task].players)]
        names: Sequence[str] = ("algorithm", "task", "seed", "unit", "budget")
        runs.append({**{name: getattr(cell, name) for name in names}, **_rounded(own)})
    return {"about": dict(positions.about), "named": named, "runs": runs}


def _rounded(estimate: Any) -> dict[str, float]:
    return {name: round(value, 3) for name, value in asdict(estimate).items()}


def _plain(found: dict[str, Any]) -> dict[str, dict[str, float]]:
    return {size: _rounded(one) for size, one in found.items()}
