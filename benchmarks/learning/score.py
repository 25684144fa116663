"""How strong an agent is: the part of the games of a task that it wins, or the mean of its totals."""

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.common.statistics import mean_estimate, share_estimate
from bohemian_env import TASKS
from bohemian_env.tasks import Task
from bohemian_env.villages import tasks as villages

from .games import games_of, is_total


@dataclass(frozen=True, slots=True)
class Score:
    """What an agent reached in some games."""

    value: float  # the share of the games won, where joint winners share a win; the mean total where that is the result
    low: float
    high: float  # the ends of its interval over these games
    mixed: float  # the mean reward of the same games, as ``reward="mixed"`` has it: it still tells losers apart
    games: int
    seed: int  # the seed of the first game; the others have the seeds after it
    milliseconds: float  # milliseconds of the processor for a decision, many games at once
    kind: str = "share"  # what the value is: "share" or "total"

    def told(self) -> dict[str, Any]:
        """Return it as a row has it, with the value under the name of its kind."""
        found = asdict(self)
        return {found.pop("kind"): found.pop("value"), **found}


def score(agent: Any, task: Task, games: int, seed: int) -> Score:
    """Let an agent play a task, from every seat in turn.

    agent: it has ``act(observations, masks)``, or ``act_batch(games)``, which goes before; actions must be legal.
    """
    own = games_of(task.name, task.game, task.players)
    play = own(games, **task.parameters(seed=seed, reward="mixed"), autoreset=False)
    seconds, decisions, mixed = 0.0, 0, 0.0
    while not play.over.all():
        here = np.flatnonzero(~play.over)
        start = time.process_time()
        if hasattr(agent, "act_batch"):
            actions = agent.act_batch(play)
        else:
            actions = np.zeros(games, np.int64)
            actions[here] = agent.act(play.observations[here], play.masks[here])
        seconds += time.process_time() - start
        decisions += len(here)
        play.step(actions)
        mixed += float(play.rewards.sum())
    total = is_total(task)
    found = mean_estimate(play.ended.total.astype(float)) if total else share_estimate(play.ended.win.astype(float))
    value, low, high = (round(number, 5) for number in (found.value, found.low, found.high))
    told = round(mixed / games, 5), games, seed, round(1000 * seconds / decisions, 4)
    return Score(value, low, high, *told, "total" if total else "share")


def transfers(task: Task) -> dict[str, Task]:
    """Return by name what an agent that has learnt a task plays besides, to see how far that carries."""
    planners = ("planner",)
    if task.opponents != planners or not isinstance(task, villages.Task):
        return {}
    if task.players == 2:
        return {f"{sides} sides": villages.Task("", 2, planners, sides) for sides in ("first", "second")}
    return {"5 players": TASKS["5p-planner"]} if task.players < 5 else {}
