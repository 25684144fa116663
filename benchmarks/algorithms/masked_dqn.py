"""Double DQN (van Hasselt et al. 2016) among legal actions, with a replay buffer and n-step returns."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from benchmarks.algorithms.agent import ScoresAgent
from bohemian_env import observation_scale
from bohemian_env.envs.tasks import Task
from bohemian_env.envs.vector import VillagesVectorEnv
from bohemian_env.game.actions import NUM_ACTIONS

Agent = ScoresAgent

SPACE: Final[dict[str, list[Any]]] = {
    "rate": [3e-4, 5e-4, 1e-3],
    "steps": [5, 10, 20, 40],
    "every": [1, 2],
    "sync": [250, 500, 1000],
    "explore": [0.1, 0.3],
    "reward": ["win", "mixed", "margin"],
}
LEAST: Final = 0.02
"""The part of random actions, once exploration has come down."""


class Memory:
    """The last decisions of games played side by side, a row for each step.

    length: rows. games: columns. size: entries of an observation. actions: of a mask.
    """

    def __init__(self, length: int, games: int, size: int, actions: int) -> None:
        self.seen = np.zeros((length, games, size), np.int8)
        self.masks = np.zeros((length, games, actions), np.int8)
        self.actions = np.zeros((length, games), np.int64)
        self.rewards = np.zeros((length, games), np.float32)
        self.over = np.zeros((length, games), np.bool_)
        self.written = 0

    def add(self, seen: np.ndarray, mask: np.ndarray, action: np.ndarray, reward: np.ndarray, over: np.ndarray) -> None:
        """Write a step over the oldest."""
        row = self.written % len(self.seen)
        self.seen[row], self.masks[row], self.actions[row] = seen, mask, action
        self.rewards[row], self.over[row] = reward, over
        self.written += 1

    def draw(self, rng: np.random.Generator, count: int, steps: int) -> tuple[torch.Tensor, ...]:
        """Return decisions drawn at random: what was seen, the action, the reward of so many steps from there, and what
        was seen and allowed after them, and whether the game still went on then.
        """
        length = len(self.seen)
        row = rng.integers(max(0, self.written - length), self.written - steps, count)
        game = rng.integers(0, self.seen.shape[1], count)
        reward, going = np.zeros(count, np.float32), np.ones(count, np.bool_)
        for step in range(steps):
            there = (row + step) % length, game
            reward += going * self.rewards[there]
            going &= ~self.over[there]
        here, then = (row % length, game), ((row + steps) % length, game)
        found = self.seen[here], self.actions[here], reward, self.seen[then], self.masks[then], going
        return tuple(map(torch.from_numpy, found))


def learn(
    task: Task,
    left: Callable[[int], float],
    seed: int,
    *,
    games: int = 64,
    width: int = 128,
    rate: float = 5e-4,
    steps: int = 20,
    every: int = 2,
    minibatch: int = 256,
    memory: int = 100_000,
    sync: int = 500,
    explore: float = 0.1,
    reward: str = "margin",
) -> Iterator[tuple[int, Agent]]:
    """Learn.

    steps: of a return. every: steps of all games between two minibatches. memory: decisions that are kept. sync:
    minibatches between two copies to the target network. explore: the part of the budget in which the part of random
    actions falls from 1 to LEAST.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    env = VillagesVectorEnv(games, **task.parameters(reward=reward))
    scale = torch.tensor(observation_scale())
    size = len(scale)
    net = nn.Sequential(
        nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, NUM_ACTIONS)
    )
    target, agent = copy.deepcopy(net), Agent(net)
    adam = torch.optim.Adam(net.parameters(), rate)
    kept = Memory(memory // games, games, size, NUM_ACTIONS)
    shown, _ = env.reset(seed=seed)
    decisions = minibatches = 0
    while (part := left(decisions)) > 0:
        seen, mask = shown["observation"], shown["action_mask"]
        random = rng.random(games) < max(LEAST, 1 - (1 - part) / explore)
        action = np.where(random, (rng.random(mask.shape) * mask).argmax(1), agent.act(seen, mask))
        shown, gain, ended, cut_off, _ = env.step(action)
        kept.add(seen, mask, action, gain, ended | cut_off)  # cut-off games are scored: no bootstrapping
        decisions += games
        if kept.written > 20 + steps and kept.written % every == 0:
            was, chosen, gained, now, allowed, going = kept.draw(rng, minibatch, steps)
            with torch.no_grad():
                best = net(now / scale).masked_fill(allowed == 0, -torch.inf).argmax(1, keepdim=True)
                worth = gained + going * target(now / scale).gather(1, best)[:, 0]
            loss = functional.smooth_l1_loss(net(was / scale).gather(1, chosen[:, None])[:, 0], worth)
            adam.param_groups[0]["lr"] = rate * part
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 10.0)
            adam.step()
            minibatches += 1
            if minibatches % sync == 0:
                target.load_state_dict(net.state_dict())
        yield decisions, agent
