"""Settings chosen for every algorithm with the same budget: some draws from its ``SPACE``, each with the same seeds.

The first draw is what the file has by default. The best is the one of the highest mean reward, ``reward="mixed"``, of
which a win is one half and the margin the other: so algorithms that hardly win in this time can be told apart, too.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from benchmarks.algorithms import ALGORITHMS

from .cells import Cell, Plan, module_of
from .settings import TUNING

TASK: Final = "2p-planner"
DRAWS: Final = 8
DECISIONS: Final = 200_000
SEEDS: Final = range(1000, 1002)  # the seeds of the runs; no result has these
PLAN: Final = Plan(points=0, games=1000, transfer=False)  # how agents are judged while settings are chosen


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


def cells(algorithm: str) -> list[list[Cell]]:
    """Return the runs of each draw."""
    return [
        [Cell(algorithm, TASK, seed, "decisions", DECISIONS, drawn) for seed in SEEDS]
        for drawn in draws(algorithm, DRAWS)
    ]


def best(tried: Sequence[Sequence[Mapping[str, Any]]]) -> Sequence[Mapping[str, Any]]:
    """Return the rows of the best draw, of the rows of each."""
    return max(tried, key=lambda rows: float(np.mean([row["score"]["mixed"] for row in rows])))


def tables(
    chosen: Mapping[str, Sequence[Mapping[str, Any]]], before: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return what settings.toml is to hold.

    chosen: the rows of the best draw of each algorithm. before: what it holds; the settings of other algorithms stay.
    """
    budget = {"task": TASK, "draws": DRAWS, "decisions": DECISIONS, "first_seed": SEEDS[0], "seeds": len(SEEDS)}
    found = {**before, **{name: dict(rows[0]["settings"]) for name, rows in chosen.items()}}
    told = {TUNING: {**budget, "games": PLAN.games}}
    return told | {name: dict(found[name]) for name in ALGORITHMS if name in found}
