"""How fast this machine is, in a unit that means the same everywhere: games of ``planner`` with itself in a second."""

import time
from typing import Final

import agents
from bohemian_env import Batch

REFERENCE: Final = 6400.0
"""Games of two in a second, on one quiet core of the reference machine (AMD EPYC). It was 4,800 while ``planner`` took
a third longer: the same machine, so that minutes of either are as long."""


def planner_games(seconds: float = 2.0) -> float:
    """Return how many games of two ``planner`` plays with itself in a second of the processor, on one core."""
    batch, planner = Batch(256, 2), agents.make("planner")
    batch.reset(seed=0)
    for _ in range(30):  # what is compiled or loaded at first, and games at all stages
        batch.step(planner.act_batch(batch))
    games, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        batch.step(planner.act_batch(batch))
        games += int(batch.terminations.sum())
    return games / spent


def another_reference(unit: str, reference: float | None) -> str:
    """Return what is to be said of a run whose budget is minutes of another reference than this one; "" if nothing.

    unit, reference: what its row says; None if it does not tell the reference.
    """
    if unit != "minutes" or reference == REFERENCE:
        return ""
    other = "a reference that it does not tell" if reference is None else f"a reference of {reference:,.0f}"
    return f"its minutes were counted by {other}, here they are by {REFERENCE:,.0f} games of planner a second"


def core_seconds(minutes: float, rate: float) -> float:
    """Return how many seconds of the processor core-minutes of the reference are on a machine of this rate."""
    return 60 * minutes * REFERENCE / rate
