"""python -m examples.td_lambda

TD(λ) on after-states, by self-play: a network judges where each action leads before the dice fall.
"""

import time

import numpy as np
import torch
from torch import nn

from bohemian_env import Batch, afterstates, observation_scale
from examples.measure import options, report

N, LAMBDA = 128, 0.8
o = options(__doc__, decisions=600_000)
torch.manual_seed(o.seed)
scale = torch.tensor(observation_scale())
net = nn.Sequential(nn.Linear(len(scale), 128), nn.ReLU(), nn.Linear(128, 1), nn.Tanh())
adam = torch.optim.Adam(net.parameters(), 1e-3)


@torch.no_grad()
def judge(after, seats):
    """Return the value of each after-state for the seat that decides: its reward where the game ends."""
    value = net(torch.tensor(after.observations) / scale)[:, 0].numpy()
    return np.where(after.ended, np.take_along_axis(after.rewards, seats[:, None], 1)[:, 0], value)


batch, start, decisions = Batch(N, o.players), time.process_time(), 0
batch.reset(o.seed)
paths = [[[] for _ in range(o.players)] for _ in range(N)]  # of each seat of each game: after-states and their values
seen, targets = [], []
while decisions < o.decisions:
    after, seats = batch.afterstates(), batch.seats.copy()
    value = judge(after, seats[after.games])
    order = np.lexsort((value, after.games))
    best = order[np.flatnonzero(np.diff(after.games[order], append=N))]  # the last of each game
    for i, k in enumerate(best):
        paths[i][seats[i]].append((after.observations[k], value[k]))
    batch.step(after.actions[best])
    decisions += N
    for i in np.flatnonzero(batch.terminations | batch.truncations):
        for path, target in zip(paths[i], batch.rewards[i], strict=True):
            for k in reversed(range(len(path))):
                if k < len(path) - 1:
                    target = LAMBDA * target + (1 - LAMBDA) * path[k + 1][1]
                seen.append(path[k][0])
                targets.append(target)
            path.clear()
    if len(seen) > 2048:
        loss = (net(torch.tensor(np.array(seen)) / scale)[:, 0] - torch.tensor(np.array(targets))).square().mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        seen, targets = [], []


class Agent:
    """The action that leads to the best after-state."""

    def move(self, game):
        after = afterstates(game)
        return after.actions[judge(after, np.full(len(after.actions), game.to_move)).argmax()]


report(Agent(), o, decisions, time.process_time() - start)
