"""python -m examples.cleanrl_ppo

PPO in one file, in the manner of CleanRL: a loop of your own on the Gymnasium vector environment.
"""

import time

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

import bohemian_env
from examples.measure import options, report

N, HORIZON, EPOCHS, MINIBATCH = 256, 32, 3, 1024
o = options(__doc__, decisions=400_000)
torch.manual_seed(o.seed)
env = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=N, num_players=o.players, opponents=["greedy"])
scale = torch.tensor(bohemian_env.observation_scale())
body = nn.Sequential(nn.Linear(len(scale), 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh())
actor, critic = nn.Linear(256, 241), nn.Linear(256, 1)
nets = nn.ModuleList([body, actor, critic])
adam = torch.optim.Adam(nets.parameters(), 1e-3, eps=1e-5)


def look(observation, mask):
    """Return the policy and the value."""
    hidden = body(observation / scale)
    return Categorical(logits=actor(hidden).masked_fill(mask == 0, -1e9)), critic(hidden)[:, 0]


shown, _ = env.reset(seed=o.seed)
start, updates = time.process_time(), -(-o.decisions // (N * HORIZON))
for update in range(updates):
    adam.param_groups[0]["lr"] = 1e-3 * (1 - update / updates)
    kept = []
    for _ in range(HORIZON):
        seen, mask = map(torch.tensor, (shown["observation"], shown["action_mask"]))
        with torch.no_grad():
            policy, value = look(seen, mask)
        action = policy.sample()
        shown, reward, ended, cut_off, _ = env.step(action.numpy())
        end = torch.tensor(reward).float(), torch.tensor(ended | cut_off)  # cut-off games are scored: no bootstrapping
        kept.append((seen, mask, action, policy.log_prob(action), value, *end))
    seen, mask, action, before, value, reward, over = map(torch.stack, zip(*kept, strict=True))
    with torch.no_grad():
        following = look(torch.tensor(shown["observation"]), torch.tensor(shown["action_mask"]))[1]
    advantage, running = torch.zeros_like(value), torch.zeros(N)
    for t in reversed(range(HORIZON)):
        goes_on = (~over[t]).float()
        running = reward[t] + goes_on * following - value[t] + 0.95 * goes_on * running
        advantage[t], following = running, value[t]
    data = [x.flatten(0, 1) for x in (seen, mask, action, before, advantage, advantage + value)]
    for batch in torch.cat([torch.randperm(N * HORIZON) for _ in range(EPOCHS)]).split(MINIBATCH):
        seen, mask, action, before, gain, target = (x[batch] for x in data)
        policy, value = look(seen, mask)
        ratio, gain = (policy.log_prob(action) - before).exp(), (gain - gain.mean()) / (gain.std() + 1e-8)
        loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
        loss += 0.5 * (value - target).square().mean() - 0.01 * policy.entropy().mean()
        adam.zero_grad()
        loss.backward()
        adam.step()


class Agent:
    """The policy's likeliest legal actions."""

    @torch.no_grad()
    def act(self, observations, masks):
        return look(torch.tensor(observations), torch.tensor(masks))[0].logits.argmax(1).numpy()


report(Agent(), o, updates * N * HORIZON, time.process_time() - start)
