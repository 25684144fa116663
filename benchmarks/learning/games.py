"""The games of a task, and the files of algorithms for it: the same files, whatever the game.

The files were written for *Bohemian Villages* and name its classes. For a task of another game a file is run once more,
and what it imports from ``bohemian_env`` by these names is that game's: its games, the size and the scale of what it
shows, and the number of its actions. A file that imports what has no counterpart cannot learn that game.

Algorithms count on one reward, within −1 and 1, at the end, and know three names of it. In other games these are, of
rivals: ``win``, of n seats (n × share of the win − 1) / (n − 1); ``margin``, the total less the mean of the others',
over 50 and clipped; ``mixed``, the mean of the two. Where a total is the result all three are the same: 0 for what the
task's planner reaches in the mean, −1 for what random play does (:func:`anchors`), and clipped.
"""

import builtins
import functools
import importlib
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import numpy as np

from bohemian_env.engine.afterstates import Afterstates
from bohemian_env.engine.contract import END
from bohemian_env.engine.parts import scale_of
from bohemian_env.engine.reward import MARGIN_SCALE
from bohemian_env.engine.sb3 import LearnerVecEnv
from bohemian_env.engine.states import copy_states
from bohemian_env.engine.vector import ManyEnv
from bohemian_env.games import GAMES, faces_of, rules_of
from bohemian_env.tasks import Task

_PACKAGE: Final = "bohemian_env"
_NEIGHBOURS: Final = "benchmarks.algorithms."
ANCHORS: Final = Path(__file__).with_name("anchors.toml")  # what :func:`anchors` reads


class NoCounterpart(ImportError):
    """The file of an algorithm takes what the game of a task does not have; the message says what."""


@functools.cache
def anchors() -> Mapping[str, Mapping[str, Any]]:
    """Return what random play and the planner reach in the mean at tasks whose result is a total, by task."""
    return tomllib.loads(ANCHORS.read_text(encoding="utf-8"))


def is_total(task: Task) -> bool:
    """Return whether the result of a task is a total, for want of rivals, and no win share."""
    return bool(rules_of(task.game).verbs.TEAM) or task.players == 1


def normal(task: Task, value: float) -> float:
    """Return a result on the scale of the game's scores: of rivals win share × players, so that 1 is a fair share; of a
    total 0 for random play, 1 for the planner's."""
    if not is_total(task):
        return value * task.players
    found = anchors()[task.name]
    return float((value - found["random"]) / (found["planner"] - found["random"]))


@functools.cache
def games_of(name: str, game: str, players: int) -> type:
    """Return the class of many games of a task: ``SelfPlay`` of its game, with the reward that algorithms count on."""
    base = faces_of(game).SelfPlay
    if game == GAMES[0]:
        return base
    rules, team = rules_of(game), rules_of(game).verbs.TEAM or players == 1
    end = next(one for one, reward in rules.rewards.items() if reward.kind == END)
    low, middle = (float(anchors().get(name, {}).get(one, 0)) for one in ("random", "planner"))

    def worth(kind: str, share: np.ndarray, margin: np.ndarray, total: np.ndarray) -> np.ndarray:
        if team:
            return np.clip((total - middle) / max(middle - low, 1e-9), -1, 1)
        parts = {"win": (players * share - 1) / (players - 1), "margin": np.clip(margin / MARGIN_SCALE, -1, 1)}
        return (parts["win"] + parts["margin"]) / 2 if kind == "mixed" else parts[kind]

    class Games(base):  # type: ignore[valid-type, misc]
        """``SelfPlay`` of the game, whose rewards are those of the benchmark."""

        def __init__(
            self, n: int, opponents: Sequence[Any], shares: Any = None, *, reward: str = "margin", **more: Any
        ) -> None:
            self._learnt = reward
            super().__init__(n, opponents, shares, reward=end, **more)

        def step(self, actions: Any) -> None:
            super().step(actions)
            ended = self.ended
            self.rewards[:] = np.where(self.dones, worth(self._learnt, ended.win, ended.margin, ended.total), 0)

        def afterstates(self, games: Any = None) -> Afterstates:
            found = super().afterstates(games)
            found.rewards[:] = 0
            for k in np.flatnonzero(found.ended):
                after = copy_states(self.states[found.games[k]][None])
                seat = int(after[0]["to_move"])
                rules.verbs.push(after[0], int(found.actions[k]))
                totals = np.array([one[rules.scoring[-1]] for one in rules.scoring_of(after[0])], np.float64)
                best = totals == totals.max()
                ahead = totals[seat] - np.delete(totals, seat).mean() if players > 1 else totals[seat]
                told = worth(self._learnt, best[seat] / best.sum(), ahead, totals[seat])
                found.rewards[k, seat] = told
            return found

    return Games


def _names(task: Task) -> dict[str, Any]:
    """Return what the names of one game that algorithms import are in the game of a task."""
    rules, own = rules_of(task.game), games_of(task.name, task.game, task.players)
    return {
        "SelfPlay": own,
        "VillagesVecEnv": type("VecEnv", (LearnerVecEnv,), {"self_play": own}),
        "VillagesVectorEnv": type("VectorEnv", (ManyEnv,), {"self_play": own}),
        "observation_scale": functools.partial(scale_of, rules.parts),
        "NUM_ACTIONS": rules.verbs.NUM_ACTIONS,
        "Batch": faces_of(task.game).Batch,
        "Game": rules.game,
        "Task": type(task),
    }


_KNOWN: Final[dict[tuple[str, str], ModuleType]] = {}


def module_for(algorithm: str, task: Task) -> Any:
    """Return the file of an algorithm as a module that learns a task.

    Raises NoCounterpart if it takes what the game does not have.
    """
    usual = importlib.import_module(_NEIGHBOURS + algorithm)
    if task.game == GAMES[0]:
        return usual
    found = _KNOWN.get((task.name, algorithm))
    if found is not None and found.__file__ == usual.__file__:
        return found
    names, real = _names(task), builtins.__import__

    def imported(name: str, own: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        if wanted and name.startswith(_NEIGHBOURS):
            return module_for(name.removeprefix(_NEIGHBOURS), task)
        found = real(name, own, local, wanted, level)
        if not wanted or name.partition(".")[0] != _PACKAGE:
            return found
        return SimpleNamespace(**{one: _counterpart(one, name, getattr(found, one)) for one in wanted})

    def _counterpart(one: str, where: str, usual: Any) -> Any:
        if one in names:
            return names[one]
        if not getattr(usual, "__module__", "").startswith(f"{_PACKAGE}.engine"):
            raise NoCounterpart(
                f"{algorithm} cannot learn {task.name}: it takes {one} of {where}, which is of {GAMES[0]}"
            )
        return usual

    module = ModuleType(f"{usual.__name__} for {task.name}", usual.__doc__)
    module.__dict__.update(__file__=usual.__file__, __builtins__={**vars(builtins), "__import__": imported})
    source = Path(str(usual.__file__)).read_text(encoding="utf-8")
    exec(compile(source, str(usual.__file__), "exec"), module.__dict__)
    _KNOWN[task.name, algorithm] = module
    return module
