"""What the runs of the benchmark teach, in sentences whose numbers are theirs (``pages.benchmark`` writes them)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from benchmarks.learning.statistics import interquartile_mean
from bohemian_env import TASKS

__all__ = ["lessons"]

Runs = Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
"""Rows by task and algorithm."""
TWO, FOUR, FIVE, FIXED, MIXED = "2p-planner", "4p-planner", "5p-planner", "2p-planner-fixed", "4p-mixed"

_FIVE_PLAYED: Final = ((FIVE, ""), (FOUR, "5 players"))


class _Missing(Exception):
    """There is no run that a sentence tells of."""


class _Found:
    """What runs have reached, as texts."""

    def __init__(self, runs: Runs, ranked: Sequence[str]) -> None:
        self.runs = runs
        self.ranked = ranked

    def values(self, name: str, task: str, played: str = "") -> np.ndarray:
        """Return the win shares of an algorithm's runs at a task, or at what they have not learnt. Raises _Missing."""
        if (task, name) not in self.runs:
            raise _Missing
        rows = self.runs[task, name]
        if played and not all(played in row["transfer"] for row in rows):
            raise _Missing
        return np.array([(row["transfer"][played] if played else row["score"])["share"] for row in rows])

    def share(self, name: str, task: str = TWO, played: str = "") -> str:
        """Return the interquartile mean of these."""
        return interquartile_mean([self.values(name, task, played)]).text(2)

    def over_all(self, task: str) -> str:
        """Return the interquartile mean over all algorithms, a fair share being 1."""
        names = [name for name in self.ranked if (task, name) in self.runs]
        if not names:
            raise _Missing
        return interquartile_mean([TASKS[task].players * self.values(name, task) for name in names]).text(2)

    def with_five(self) -> tuple[str, str]:
        """Return the same with five players, after learning with five and with four, of algorithms that did both."""
        names = [name for name in self.ranked if (FIVE, name) in self.runs and (FOUR, name) in self.runs]
        if not names:
            raise _Missing
        after_five, after_four = [[5 * self.values(name, *played) for name in names] for played in _FIVE_PLAYED]
        return interquartile_mean(after_five).text(2), interquartile_mean(after_four).text(2)

    def best(self, task: str) -> str:
        """Return the algorithm with the highest mean at a task."""
        if not self.ranked:
            raise _Missing
        return max(self.ranked, key=lambda name: float(self.values(name, task).mean()))

    def gap(self, name: str) -> str:
        """Return how much more is won among the villages that were seen than among others."""
        seen, unseen = (self.values(name, FIXED, f"{side} sides") for side in ("first", "second"))
        return interquartile_mean([seen - unseen]).text(2)

    def seconds(self, name: str) -> str:
        """Return the median seconds of learning with two players."""
        if (TWO, name) not in self.runs:
            raise _Missing
        return f"{np.median([row['seconds'] for row in self.runs[TWO, name]]):.0f}"


_SENTENCES: Final[Sequence[Callable[[_Found], str]]] = (
    lambda f: (
        f"**The mask**: among `planner` PPO wins {f.share('maskable_ppo')} with it, {f.share('ppo_unmasked')} if an "
        "illegal action ends the game."
    ),
    lambda f: (
        f"**The best**: `{f.best(TWO)}` at {TWO}, {f.share(f.best(TWO))}, where a fair share is 0.50; "
        f"`{f.best(FIXED)}` at {FIXED}, {f.share(f.best(FIXED), FIXED)}; `{f.best(FOUR)}` at {FOUR}, "
        f"{f.share(f.best(FOUR), FOUR)} of 0.25."
    ),
    lambda f: (
        f"**Values or policies**: Q-learning reaches {f.share('pqn')} without a replay buffer and "
        f"{f.share('masked_dqn')} with one, A2C {f.share('a2c')}."
    ),
    lambda f: (
        f"**Imitation**: cloning `planner` reaches {f.share('cloning')} against its teacher, and so does not become it."
    ),
    lambda f: (
        f"**Knowledge**: looking for the 22 weights of `planner` alone, evolution reaches {f.share('evolution')} with "
        f"two players in {f.seconds('evolution')} seconds."
    ),
    lambda f: (
        f"**After-states**: TD(λ), which sees where each move leads, reaches {f.share('td_lambda')} with two players "
        f"and {f.share('td_lambda', FOUR)} with four; PQN, which has to learn that, {f.share('pqn')} and "
        f"{f.share('pqn', FOUR)}."
    ),
    lambda f: (
        f"**Looking ahead**: learning also from games that it imagines, expert iteration reaches "
        f"{f.share('expert_iteration')} and {f.share('expert_iteration', FOUR)}; the former in "
        f"{f.seconds('expert_iteration')} seconds, where TD(λ) takes {f.seconds('td_lambda')}."
    ),
    lambda f: (
        f"**More players**: over all algorithms {f.over_all(TWO)} fair shares are won with two players, "
        f"{f.over_all(FOUR)} with four, and {f.over_all(MIXED)} among four mixed ones."
    ),
    lambda f: (
        f"**An unseen number of players**: with five, over all algorithms {f.with_five()[0]} fair shares are won after "
        f"learning with five, {f.with_five()[1]} after learning with four."
    ),
    lambda f: (
        f"**Other villages**: `pqn` wins {f.share('pqn', FIXED)} where the sides are fixed, {f.share('pqn')} where "
        f"they are drawn; after the former it wins {f.gap('pqn')} less among sides that it has not seen, `cloning` "
        f"{f.gap('cloning')}, `maskable_ppo` {f.gap('maskable_ppo')}."
    ),
)


def lessons(runs: Runs, ranked: Sequence[str]) -> str:
    """Return what the runs teach, a sentence each; those whose runs are not there yet are left out.

    ranked: the algorithms.
    """
    found = _Found(runs, ranked)
    told: list[str] = []
    for sentence in _SENTENCES:
        try:
            told.append(f"{len(told) + 1}. {sentence(found)}")
        except _Missing:
            continue
    return "\n".join(told) or "No runs yet."
