"""Settings chosen for every algorithm with the same budget: some draws from its ``SPACE``, each with the same seeds.

The first draw is what the file has by default. The best is the one of the highest mean reward, ``reward="mixed"``, of
which a win is one half and the margin the other: so algorithms that hardly win in this time can be told apart, too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchmarks.algorithms import ALGORITHMS

from .cells import BadCell, Cell, Plan, module_of
from .settings import TUNING

__all__ = ["PLAN", "Budget", "best", "cells", "draws", "tables"]

PLAN: Final = Plan(points=0, games=1000, transfer=False)
"""How agents are judged while settings are chosen."""


@dataclass(frozen=True)
class Budget:
    """What the choice of one algorithm's settings may cost."""

    task: str = "2p-planner"
    draws: int = 8
    decisions: int = 200_000
    first_seed: int = 1000
    """The seed of the first run; no result has these seeds."""
    seeds: int = 2

    def __post_init__(self) -> None:
        for name in ("draws", "decisions", "seeds"):
            if getattr(self, name) < 1:
                raise BadCell(f"--{name} {getattr(self, name)}: at least 1")


def draws(algorithm: str, count: int) -> list[dict[str, Any]]:
    """Return settings to try, the defaults first; all different, unless there are fewer."""
    space: Mapping[str, Sequence[Any]] = module_of(algorithm).SPACE
    rng = np.random.default_rng(list(algorithm.encode()))
    found: list[dict[str, Any]] = [{}]
    for _ in range(100 * count):
        drawn = {name: values[int(rng.integers(len(values)))] for name, values in space.items()}
        if len(found) < count and drawn not in found:
            found.append(drawn)
    return found


def cells(algorithm: str, budget: Budget) -> list[list[Cell]]:
    """Return the runs of each draw."""
    seeds = range(budget.first_seed, budget.first_seed + budget.seeds)
    return [
        [Cell(algorithm, budget.task, seed, "decisions", budget.decisions, drawn) for seed in seeds]
        for drawn in draws(algorithm, budget.draws)
    ]


def best(tried: Sequence[Sequence[Mapping[str, Any]]]) -> Sequence[Mapping[str, Any]]:
    """Return the rows of the best draw, of the rows of each."""
    return max(tried, key=lambda rows: float(np.mean([row["score"]["mixed"] for row in rows])))


def others(
    budget: Budget, names: Collection[str], before: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the settings that stay as they are where those of some algorithms are chosen anew.

    before: what settings.toml holds.

    Raises:
        BadCell: those that stay were chosen with another budget.
    """
    kept = {name: dict(table) for name, table in before.items() if name in ALGORITHMS and name not in names}
    if kept and before.get(TUNING) != _told(budget):
        raise BadCell(f"the settings of {', '.join(kept)} were chosen with another budget: choose all anew")
    return kept


def tables(
    budget: Budget, chosen: Mapping[str, Sequence[Mapping[str, Any]]], before: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return what settings.toml is to hold.

    chosen: the rows of the best draw of each algorithm. before: what it holds; the settings of other algorithms stay.

    Raises:
        BadCell: as for :func:`others`.
    """
    found = others(budget, chosen, before) | {name: dict(rows[0]["settings"]) for name, rows in chosen.items()}
    return {TUNING: _told(budget)} | {name: found[name] for name in ALGORITHMS if name in found}


def _told(budget: Budget) -> dict[str, Any]:
    """Return what settings.toml says of a budget."""
    return {**vars(budget), "games": PLAN.games}
