"""python -m examples.pettingzoo_ppo

All seats learn: PPO by self-play in PettingZoo, game by game. `raw_env` is several times as fast as `env`.
"""

import time

import torch
from torch import nn
from torch.distributions import Categorical

from bohemian_env import bohemian_villages_v0, observation_scale
from examples.measure import options, report

GAMES, EPOCHS, MINIBATCH = 32, 3, 512
o = options(__doc__, decisions=150_000)
torch.manual_seed(o.seed)
env = bohemian_villages_v0.raw_env(num_players=o.players)
scale = torch.tensor(observation_scale())
body = nn.Sequential(nn.Linear(len(scale), 128), nn.Tanh())
actor, critic = nn.Linear(128, 241), nn.Linear(128, 1)
nets = nn.ModuleList([body, actor, critic])
adam = torch.optim.Adam(nets.parameters(), 1e-3)


def look(observation, mask):
    """Return the policy and the value."""
    hidden = body(observation / scale)
    return Categorical(logits=actor(hidden).masked_fill(mask == 0, -1e9)), critic(hidden)[..., 0]


start, decisions, played = time.process_time(), 0, 0
while decisions < o.decisions:
    kept, results = [], []
    for _ in range(GAMES):
        env.reset(seed=o.seed + played)
        seats, rewards, played = [], {}, played + 1
        for agent in env.agent_iter():
            observation, reward, ended, cut_off, _ = env.last()  # the reward is the agent's own, since it last acted
            if ended or cut_off:
                rewards[agent] = reward
                env.step(None)
                continue
            seen, mask = map(torch.tensor, (observation["observation"], observation["action_mask"]))
            with torch.no_grad():
                policy, value = look(seen, mask)
            action = policy.sample()
            kept.append((seen, mask, action, policy.log_prob(action), value))
            seats.append(agent)
            env.step(int(action))
        results += [rewards[agent] for agent in seats]
    decisions += len(kept)
    data = [*map(torch.stack, zip(*kept, strict=True)), torch.tensor(results, dtype=torch.float)]
    for batch in torch.cat([torch.randperm(len(kept)) for _ in range(EPOCHS)]).split(MINIBATCH):
        seen, mask, action, before, value, result = (x[batch] for x in data)
        gain = (result - value - (result - value).mean()) / (result - value).std()
        policy, value = look(seen, mask)
        ratio = (policy.log_prob(action) - before).exp()
        loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
        loss += 0.5 * (value - result).square().mean() - 0.01 * policy.entropy().mean()
        adam.zero_grad()
        loss.backward()
        adam.step()


class Agent:
    """The policy's likeliest legal actions."""

    @torch.no_grad()
    def act(self, observations, masks):
        return look(torch.tensor(observations), torch.tensor(masks))[0].logits.argmax(1).numpy()


report(Agent(), o, decisions, time.process_time() - start)
