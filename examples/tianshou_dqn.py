"""python -m examples.tianshou_dqn

Tianshou's double DQN with masks, on single environments: its n-step returns are then of one seat's own decisions.
"""

import time

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import TransformObservation
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from bohemian_env import observation_scale
from examples.measure import options, report

N = 16
o = options(__doc__, decisions=30_000)
np.random.seed(o.seed)  # noqa: NPY002 - which Tianshou draws from
torch.manual_seed(o.seed)


def masked(seen):
    """Return an observation with Tianshou's keys."""
    return {"obs": seen["observation"], "mask": seen["action_mask"].astype(np.bool_)}


def make():
    """Return an environment with them."""
    env = gymnasium.make("bohemian_env/Villages-v0", num_players=o.players, opponents=["greedy"], normalized=True)
    space = gymnasium.spaces.Dict(obs=env.observation_space["observation"], mask=gymnasium.spaces.MultiBinary(241))
    return TransformObservation(env, masked, space)


envs = DummyVectorEnv([make] * N)
envs.seed(o.seed)
net = Net(state_shape=observation_scale().shape, action_shape=241, hidden_sizes=[256, 256])
policy = DiscreteQLearningPolicy(model=net, action_space=make().action_space, eps_training=0.1)
adam = AdamOptimizerFactory(lr=5e-4)
learner = DQN(policy=policy, optim=adam, gamma=1.0, n_step_return_horizon=5, target_update_freq=250)
collector = Collector(learner, envs, VectorReplayBuffer(100_000, N), exploration_noise=True)
start = time.process_time()
params = OffPolicyTrainerParams(
    training_collector=collector, max_epochs=1, epoch_num_steps=o.decisions, collection_step_num_env_steps=64,
    update_step_num_gradient_steps_per_sample=1 / 16, batch_size=256, verbose=False, show_progress=False,
)  # fmt: skip
learner.run_training(params)


class Agent:
    """The legal actions of the highest value."""

    @torch.no_grad()
    def act(self, observations, masks):
        seen = {"observation": observations / observation_scale(), "action_mask": masks}
        return policy(Batch(obs=Batch(masked(seen)), info=Batch())).act


report(Agent(), o, collector.collect_step, time.process_time() - start)
