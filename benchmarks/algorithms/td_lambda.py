"""TD(λ) on after-states (TD-Gammon, Tesauro 1995): a network says what each action is worth by where it leads before
the dice fall, and the best is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Self

import numpy as np
import torch
from torch import nn

from benchmarks.algorithms.agent import layers_of, tensors_of
from bohemian_env import Game, afterstates, observation_scale
from bohemian_env.envs.afterstates import Afterstates
from bohemian_env.envs.self_play import SelfPlay
from bohemian_env.envs.tasks import Task

SPACE: Final[dict[str, list[Any]]] = {
    "rate": [5e-4, 1e-3, 2e-3],
    "lam": [0.7, 0.9, 0.97, 1.0],
    "minibatch": [128, 256, 512],
    "epochs": [2, 3, 4],
    "stray": [0.0, 0.02, 0.1],
    "reward": ["win", "mixed", "margin"],
}


class Agent:
    """Takes the action that leads to the best after-state.

    net: from what the seat sees there, float32 (m, OBSERVATION_SIZE), to its reward in the end, float32 (m, 1).
    """

    def __init__(self, net: nn.Sequential) -> None:
        self.net = net
        self._scale = torch.tensor(observation_scale())

    @torch.no_grad()
    def values(self, after: Afterstates, seats: np.ndarray) -> np.ndarray:
        """Return what after-states are worth: where the game ends, the reward. seats: for whom, whole numbers (k,)."""
        found = self.net(torch.tensor(after.observations) / self._scale)[:, 0].numpy()
        return np.where(after.ended, after.rewards[np.arange(len(seats)), seats], found)

    def best(self, games: Any, numbers: np.ndarray | None = None) -> tuple[Afterstates, np.ndarray, np.ndarray]:
        """Return the after-states of games, their values, and the place of the best of each game among them."""
        after = games.afterstates(numbers)
        values = self.values(after, games.states["to_move"][after.games])
        order = np.lexsort((values, after.games))
        return after, values, order[np.flatnonzero(np.diff(after.games[order], append=-1))]

    def act_batch(self, games: Any, numbers: np.ndarray | None = None) -> np.ndarray:
        """Return actions, int64 (m,), 0 where a game is over. games: they have ``states`` and ``afterstates``."""
        after, _, best = self.best(games, numbers)
        actions = np.zeros(len(games.states), np.int64)
        actions[after.games[best]] = after.actions[best]
        return actions if numbers is None else actions[numbers]

    def move(self, game: Game) -> int:
        """Return its action in a game."""
        after = afterstates(game)
        return int(after.actions[self.values(after, np.full(len(after.actions), game.to_move)).argmax()])

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return all that it is."""
        return tensors_of(self.net)

    @classmethod
    def of(cls, tensors: Mapping[str, torch.Tensor]) -> Self:
        """Make it again. Raises ValueError if these are no network."""
        return cls(layers_of(tensors))


def learn(
    task: Task,
    left: Callable[[int], float],
    seed: int,
    *,
    games: int = 128,
    width: int = 128,
    rate: float = 1e-3,
    lam: float = 0.9,
    minibatch: int = 128,
    epochs: int = 3,
    stray: float = 0.02,
    reward: str = "margin",
) -> Iterator[tuple[int, Agent]]:
    """Learn. lam: λ. stray: the part of the decisions in which any legal action is taken."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    play = SelfPlay(games, **task.parameters(reward=reward, seed=seed))
    scale = torch.tensor(observation_scale())
    net = nn.Sequential(
        nn.Linear(len(scale), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1), nn.Tanh()
    )
    agent, adam = Agent(net), torch.optim.Adam(net.parameters(), rate)
    paths: list[list[tuple[np.ndarray, float]]] = [[] for _ in range(games)]  # after-states of each game, their values
    seen: list[np.ndarray] = []
    targets: list[float] = []
    decisions = 0
    while (part := left(decisions)) > 0:
        after, values, taken = agent.best(play)
        for i in np.flatnonzero(rng.random(games) < stray):
            taken[i] = rng.choice(np.flatnonzero(after.games == i))
        for path, place in zip(paths, taken, strict=True):
            path.append((after.observations[place].copy(), float(values[place])))  # a view would keep all of them
        play.step(after.actions[taken])
        decisions += games
        for i in np.flatnonzero(play.dones):
            target = float(play.rewards[i])
            following = target
            for observation, value in reversed(paths[i]):
                target = lam * target + (1 - lam) * following
                seen.append(observation)
                targets.append(target)
                following = value
            paths[i].clear()
        if len(seen) >= 4 * minibatch:
            rows, wanted = torch.from_numpy(np.array(seen)), torch.tensor(targets)
            adam.param_groups[0]["lr"] = rate * part
            for _ in range(epochs):
                for some in torch.randperm(len(rows)).split(minibatch):
                    loss = nn.functional.mse_loss(net(rows[some] / scale)[:, 0], wanted[some])
                    adam.zero_grad()
                    loss.backward()
                    adam.step()
            seen, targets = [], []
        yield decisions, agent
