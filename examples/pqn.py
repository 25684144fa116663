"""python -m examples.pqn

PQN: Q-learning on many games at once, with λ-returns and layer norm in place of a replay buffer and a target network.
"""

import time

import gymnasium
import torch
from torch import nn

import bohemian_env
from examples.measure import options, report

N, HORIZON, EPOCHS, MINIBATCH, LAMBDA = 128, 16, 2, 256, 0.9
o = options(__doc__, decisions=800_000)
torch.manual_seed(o.seed)
env = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=N, num_players=o.players, opponents=["greedy"])
scale = torch.tensor(bohemian_env.observation_scale())
layers = [nn.Linear(len(scale), 256), nn.LayerNorm(256), nn.ReLU(), nn.Linear(256, 256), nn.LayerNorm(256), nn.ReLU()]
net = nn.Sequential(*layers, nn.Linear(256, 241))
adam = torch.optim.RAdam(net.parameters(), 1e-3)


def values(observation, mask):
    """Return the value of each action, -inf where it is not legal."""
    return net(observation / scale).masked_fill(mask == 0, -torch.inf)


shown, _ = env.reset(seed=o.seed)
start, updates = time.process_time(), -(-o.decisions // (N * HORIZON))
for update in range(updates):
    explore, kept = max(0.02, 0.5 - update / updates), []
    for _ in range(HORIZON):
        seen, mask = torch.tensor(shown["observation"]), torch.tensor(shown["action_mask"])
        with torch.no_grad():
            best, action = values(seen, mask).max(1)
        drawn = mask.float().multinomial(1)[:, 0]
        action = torch.where(torch.rand(N) < explore, drawn, action)
        shown, reward, ended, cut_off, _ = env.step(action.numpy())
        kept.append((seen, mask, action, best, torch.tensor(reward).float(), torch.tensor(ended | cut_off)))
    seen, mask, action, best, reward, over = map(torch.stack, zip(*kept, strict=True))
    with torch.no_grad():
        following = values(torch.tensor(shown["observation"]), torch.tensor(shown["action_mask"])).max(1)[0]
    target, then = torch.zeros_like(reward), following
    for t in reversed(range(HORIZON)):
        target[t] = reward[t] + (~over[t]) * (LAMBDA * then + (1 - LAMBDA) * following)
        then, following = target[t], best[t]
    data = [x.flatten(0, 1) for x in (seen, action, target)]
    for batch in torch.cat([torch.randperm(N * HORIZON) for _ in range(EPOCHS)]).split(MINIBATCH):
        seen, action, target = (x[batch] for x in data)
        loss = (net(seen / scale).gather(1, action[:, None])[:, 0] - target).square().mean()
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        adam.step()


class Agent:
    """The legal actions of the highest value."""

    @torch.no_grad()
    def act(self, observations, masks):
        return values(torch.tensor(observations), torch.tensor(masks)).argmax(1).numpy()


report(Agent(), o, updates * N * HORIZON, time.process_time() - start)
