"""How strong an agent is: the part of the games of a task that it wins."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.common.statistics import share_estimate
from bohemian_env import TASKS
from bohemian_env.villages.faces import SelfPlay
from bohemian_env.villages.tasks import Task


@dataclass(frozen=True, slots=True)
class Score:
    """What an agent reached in some games."""

    share: float
    """The share of the games won; joint winners share a win."""
    low: float
    high: float
    """Its interval over these games."""
    mixed: float
    """The mean reward of the same games, as ``reward="mixed"`` has it: it still tells losers apart."""
    games: int
    seed: int
    """The seed of the first game; the others have the seeds after it."""
    milliseconds: float
    """Milliseconds of the processor for a decision, many games at once."""


def score(agent: Any, task: Task, games: int, seed: int) -> Score:
    """Let an agent play a task, from every seat in turn.

    agent: it has ``act(observations, masks)``, or ``act_batch(games)``, which goes before; actions must be legal.
    """
    play = SelfPlay(games, **task.parameters(seed=seed, reward="mixed"), autoreset=False)
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
    found = share_estimate(play.ended.win.astype(float))
    told = round(mixed / games, 5), games, seed, round(1000 * seconds / decisions, 4)
    return Score(round(found.value, 5), round(found.low, 5), round(found.high, 5), *told)


def transfers(task: Task) -> dict[str, Task]:
    """Return by name what an agent that has learnt a task plays besides, to see how far that carries."""
    planners = ("planner",)
    if task.opponents != planners:
        return {}
    if task.players == 2:
        return {f"{villages} sides": Task("", 2, planners, villages) for villages in ("first", "second")}
    return {"5 players": TASKS["5p-planner"]} if task.players < 5 else {}
