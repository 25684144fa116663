"""Expert iteration (Anthony et al. 2017) on after-states: a learner that now and then looks ahead teaches its network.

In a small part of its decisions it plays on from the few actions that its network likes best, several times from each,
with dice of its own and opponents drawn as the task draws them, and takes the action that did best there. The network
learns by TD(λ) from the games that are played, and in the same way from those that are imagined: so it also hears of
actions that it would not have taken. Imagined decisions do not count, since they need the rules alone, but they take
time: with these settings there are one to four of them for each that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from benchmarks.algorithms.td_lambda import Agent
from bohemian_env import observation_scale
from bohemian_env.envs.self_play import SelfPlay
from bohemian_env.envs.tasks import Task

SPACE: Final[dict[str, list[Any]]] = {
    "rate": [5e-4, 1e-3, 2e-3],
    "lam": [0.7, 0.9, 0.97],
    "minibatch": [128, 256, 512],
    "epochs": [2, 3, 4],
    "few": [2, 3, 4],
    "playouts": [1, 2, 4],
    "depth": [4, 16, 64],
    "reward": ["win", "mixed", "margin"],
}

Path = list[tuple[np.ndarray, float]]
"""The after-states that a learner has come to in a game, as it saw them, and what its network said of each."""


def played_on(games: SelfPlay, agent: Agent, actions: np.ndarray, depth: int) -> tuple[list[Path], np.ndarray]:
    """Play games on from some actions, these and ``depth - 1`` further decisions in each at most.

    Return the paths after these actions, and how each game ended, float64 (n,): its reward, or, where it was not played
    to the end, what the network said last.
    """
    paths: list[Path] = [[] for _ in range(games.n)]
    ends = np.zeros(games.n)
    for _ in range(depth):
        games.step(actions)
        ends += games.rewards  # 0 but where a game has just ended
        if games.over.all():
            break
        after, values, best = agent.best(games)
        actions = np.zeros(games.n, np.int64)
        actions[after.games[best]] = after.actions[best]
        for i, place in zip(after.games[best], best, strict=True):
            paths[i].append((after.observations[place].copy(), float(values[place])))
    for i in np.flatnonzero(~games.over):
        ends[i] = paths[i][-1][1]
    return paths, ends


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
    every: int = 10,
    searched: int = 16,
    few: int = 3,
    playouts: int = 4,
    depth: int = 64,
    reward: str = "margin",
) -> Iterator[tuple[int, Agent]]:
    """Learn.

    lam: λ. stray: the part of the decisions in which any legal action is taken. every: decisions of a game between two
    times of looking ahead, which is done in ``searched`` of the games then. few: actions that are tried. playouts: from
    each of them. depth: decisions of a playout at most; cut short, it mostly repeats what the network said before.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    play = SelfPlay(games, **task.parameters(reward=reward, seed=seed))
    imagined = SelfPlay(searched * few * playouts, **task.parameters(reward=reward), autoreset=False)
    scale = torch.tensor(observation_scale())
    net = nn.Sequential(
        nn.Linear(len(scale), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1), nn.Tanh()
    )
    agent, adam = Agent(net), torch.optim.Adam(net.parameters(), rate, fused=True)
    paths: list[Path] = [[] for _ in range(games)]
    seen: list[np.ndarray] = []
    targets: list[float] = []

    def remember(path: Path, end: float) -> float:
        """Keep what a path teaches, and return what it says that its first after-state was worth."""
        target = following = end
        for observation, value in reversed(path):
            target = lam * target + (1 - lam) * following
            seen.append(observation)
            targets.append(target)
            following = value
        return target

    decisions = steps = 0
    while (part := left(decisions)) > 0:
        after, values, taken = agent.best(play)
        for i in np.flatnonzero(rng.random(games) < stray):
            taken[i] = rng.choice(np.flatnonzero(after.games == i))
        if steps % every == 0:
            some = rng.choice(games, searched, replace=False)
            first, legal = np.searchsorted(after.games, some), np.bincount(after.games)[some]
            order = np.lexsort((-values, after.games))
            tried = order[first[:, None] + np.arange(few) % legal[:, None]]  # where fewer are legal, some again
            # The actions of a game are tried with the same dice, so that luck makes less of the difference.
            dice = np.broadcast_to(rng.integers(2**60, size=(searched, 1, playouts)), (searched, few, playouts))
            imagined.reset(dice.reshape(-1))
            rows, places = np.repeat(some, few * playouts), np.repeat(tried, playouts)
            imagined.states[:], imagined.learners[:] = play.states[rows], play.learners[rows]
            begun = [(after.observations[place], float(values[place])) for place in places]
            found = zip(begun, *played_on(imagined, agent, after.actions[places], depth), strict=True)
            worth = np.array([remember([begin, *path], end) for begin, path, end in found])
            taken[some] = tried[np.arange(searched), worth.reshape(searched, few, playouts).mean(2).argmax(1)]
        for path, place in zip(paths, taken, strict=True):
            path.append((after.observations[place].copy(), float(values[place])))
        play.step(after.actions[taken])
        decisions, steps = decisions + games, steps + 1
        for i in np.flatnonzero(play.dones):
            remember(paths[i], float(play.rewards[i]))
            paths[i].clear()
        if len(seen) >= 32 * minibatch:
            learnt, wanted = torch.from_numpy(np.array(seen)), torch.tensor(targets)
            adam.param_groups[0]["lr"] = rate * part
            for _ in range(epochs):
                for one in torch.randperm(len(learnt)).split(minibatch):
                    loss = nn.functional.mse_loss(net(learnt[one] / scale)[:, 0], wanted[one])
                    adam.zero_grad()
                    loss.backward()
                    adam.step()
            seen.clear()
            targets.clear()
        yield decisions, agent
