"""Evolution of the weights of ``planner`` by the cross-entropy method, from a guess on.

Each generation draws weights from a normal distribution, lets each draw play the task over the same villages and dice,
and goes on from the mean and the spread of the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Self

import numpy as np
import torch

from agents.training.tuning import FIRST, LARGEST
from bohemian_env import Game
from bohemian_env.compiled import njit
from bohemian_env.envs.self_play import SelfPlay
from bohemian_env.envs.tasks import Task
from bohemian_env.game.state import STATE
from bohemian_env.opponents.planner import planner_action

SPACE: Final[dict[str, list[Any]]] = {
    "population": [16, 32, 64],
    "games": [20, 40, 60],
    "elite": [0.15, 0.25, 0.4],
    "spread": [0.2, 0.35, 0.5],
    "least": [0.05, 0.1, 0.2],
    "margin": [0.0, 0.005, 0.02],
}


@njit
def _act(states: np.ndarray, weights: np.ndarray, scratch: np.ndarray, actions: np.ndarray) -> None:
    """Write what a planner would do in positions, (n,), with the weights of each; 0 where the game is over."""
    for i in range(states.shape[0]):
        actions[i] = planner_action(states[i], weights[i], scratch) if states[i]["end"] == 0 else 0


class Agent:
    """A planner with weights of its own, float64 in the order of ``planner.NAMES``."""

    def __init__(self, weights: np.ndarray) -> None:
        self.weights = weights
        self._scratch = np.zeros(2, STATE)

    def _decide(self, states: np.ndarray) -> np.ndarray:
        actions = np.zeros(len(states), np.int64)
        _act(states, np.broadcast_to(self.weights, (len(states), len(self.weights))).copy(), self._scratch, actions)
        return actions

    def act_batch(self, games: Any, numbers: np.ndarray | None = None) -> np.ndarray:
        """Return actions, int64 (m,), 0 where a game is over. games: they have ``states``."""
        actions = self._decide(games.states)
        return actions if numbers is None else actions[numbers]

    def move(self, game: Game) -> int:
        """Return its action in a game."""
        return int(self._decide(game.states.copy())[0])

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return all that it is."""
        return {"weights": torch.tensor(self.weights)}

    @classmethod
    def of(cls, tensors: Mapping[str, torch.Tensor]) -> Self:
        """Make it again. Raises ValueError if these are no weights of a planner."""
        if {name: value.shape for name, value in tensors.items()} != {"weights": FIRST.shape}:
            raise ValueError(f"{', '.join(tensors)}: not the {len(FIRST)} weights of a planner")
        if not (tensors["weights"].abs() <= LARGEST).all():
            raise ValueError(f"weights beyond {LARGEST:g}")
        return cls(tensors["weights"].double().numpy())


def learn(
    task: Task,
    left: Callable[[int], float],
    seed: int,
    *,
    population: int = 32,
    games: int = 40,
    elite: float = 0.25,
    spread: float = 0.35,
    least: float = 0.1,
    margin: float = 0.005,
) -> Iterator[tuple[int, Agent]]:
    """Learn.

    population: draws of a generation. games: of each of them. elite: the part of them that is kept. spread: of the
    first draws, as a part of the weights; least: the least of it, as a part of that. margin: what a coin by which it is
    ahead counts where a won game counts 1.
    """
    rng = np.random.default_rng(seed)
    each = -(-games // task.players) * task.players  # so that all sit in every seat as often
    play = SelfPlay(population * each, **task.parameters(seed=seed), autoreset=False)
    mean, widest = FIRST.copy(), spread * np.abs(FIRST) + 0.4 * spread
    width, scratch = widest.copy(), np.zeros(2, STATE)
    actions, decisions, dealt = np.zeros(play.n, np.int64), 0, seed
    while left(decisions) > 0:
        draws = rng.normal(mean, width, (population, len(mean)))
        draws[0] = mean
        play.reset(np.tile(np.arange(dealt, dealt + each), population))
        dealt += each
        while not play.over.all():
            decisions += int((~play.over).sum())
            _act(play.states, np.repeat(draws, each, 0), scratch, actions)
            play.step(actions)
        found = (play.ended.win + margin * play.ended.margin).reshape(population, each).mean(1)
        best = draws[np.argsort(-found)[: max(2, round(elite * population))]]
        mean = best.mean(0)
        width = np.maximum(0.9 * best.std(0) + 0.1 * width, least * widest)
        yield decisions, Agent(mean)
