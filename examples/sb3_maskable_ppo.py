"""python -m examples.sb3_maskable_ppo

MaskablePPO of sb3-contrib on VillagesVecEnv: all games in one step, masks told by the environment.
"""

import time

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from bohemian_env import observation_scale
from bohemian_env.villages.sb3 import VillagesVecEnv
from examples.measure import options, report

o = options(__doc__, decisions=400_000)
games = VillagesVecEnv(128, ["greedy"], num_players=o.players, seed=o.seed, normalized=True)
model = MaskablePPO(
    "MlpPolicy",
    VecMonitor(games),
    n_steps=32,
    batch_size=1024,
    n_epochs=3,
    gamma=1.0,  # the only reward is that of the end
    learning_rate=1e-3,
    ent_coef=0.01,
    policy_kwargs={"net_arch": [256, 256]},
    seed=o.seed,
    device="cpu",
)
start = time.process_time()
model.learn(o.decisions)


class Agent:
    """The policy's likeliest legal actions."""

    def act(self, observations, masks):
        seen = observations / observation_scale()
        return model.predict(seen, action_masks=masks, deterministic=True)[0]


report(Agent(), o, model.num_timesteps, time.process_time() - start)
