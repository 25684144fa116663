"""python -m examples.rllib_ppo

RLlib's PPO (new API stack) with action masks, on single environments: RLlib makes a vector of them itself.
"""

import os
import secrets
import time

os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex()}  # Ray listens to the network

import gymnasium
import numpy as np
import ray
import torch
from gymnasium.wrappers import TransformObservation
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from bohemian_env import observation_scale
from examples.measure import options, report

o = options(__doc__, decisions=100_000)
ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)


def masked(seen):
    """Return an observation with RLlib's keys."""
    return {"observations": seen["observation"], "action_mask": seen["action_mask"].astype(np.float32)}


def make(_):
    """Return an environment with them."""
    env = gymnasium.make("bohemian_env/Villages-v0", num_players=o.players, opponents=["greedy"], normalized=True)
    mask = gymnasium.spaces.Box(0, 1, (241,), np.float32)
    space = gymnasium.spaces.Dict(observations=env.observation_space["observation"], action_mask=mask)
    return TransformObservation(env, masked, space)


register_env("villages", make)
layers = {"fcnet_hiddens": [256], "fcnet_activation": "tanh", "head_fcnet_hiddens": []}
config = PPOConfig().environment("villages").debugging(seed=o.seed)
config.env_runners(num_env_runners=0, num_envs_per_env_runner=32)
config.rl_module(rl_module_spec=RLModuleSpec(ActionMaskingTorchRLModule, model_config=layers))
config.training(gamma=1.0, lr=1e-3, train_batch_size=4096, minibatch_size=512, num_epochs=3, entropy_coeff=0.01)
algorithm, start, decisions = config.build_algo(), time.process_time(), 0
while decisions < o.decisions:
    decisions = int(algorithm.train()["num_env_steps_sampled_lifetime"])
module, seconds = algorithm.get_module(), time.process_time() - start


class Agent:
    """The policy's likeliest legal actions."""

    @torch.no_grad()
    def act(self, observations, masks):
        seen = {"observation": observations / observation_scale(), "action_mask": masks}
        batch = {key: torch.tensor(value) for key, value in masked(seen).items()}
        return module.forward_inference({"obs": batch})["action_dist_inputs"].argmax(1).numpy()


report(Agent(), o, decisions, seconds)
