"""python -m examples.sb3_unmasked

Stable-Baselines3's PPO, without masks: a random legal action takes the place of an illegal one. Masks are far better.
"""

import time

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from bohemian_env import observation_scale
from examples.measure import options, report

o = options(__doc__, decisions=200_000)
kind = {"num_players": o.players, "opponents": ["greedy"], "illegal": "random", "flat": True, "normalized": True}
model = PPO(
    "MlpPolicy",
    make_vec_env("bohemian_env/Villages-v0", 32, seed=o.seed, env_kwargs=kind),
    n_steps=128,
    batch_size=1024,
    n_epochs=4,
    gamma=1.0,
    learning_rate=1e-3,
    ent_coef=0.005,
    policy_kwargs={"net_arch": [256, 256]},
    seed=o.seed,
    device="cpu",
)
start = time.process_time()
model.learn(o.decisions)


class Agent:
    """The policy's likeliest actions among the legal ones."""

    @torch.no_grad()
    def act(self, observations, masks):
        logits = model.policy.get_distribution(torch.tensor(observations / observation_scale())).distribution.logits
        return logits.masked_fill(torch.tensor(masks) == 0, -torch.inf).argmax(1)


report(Agent(), o, model.num_timesteps, time.process_time() - start)
