"""python -m examples.torchrl_ppo

TorchRL's PPO with masks on the Gymnasium vector environment, whose games TorchRL begins itself.
"""

import time

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import bohemian_env
from examples.measure import options, report

N, HORIZON, EPOCHS, MINIBATCH = 128, 32, 3, 1024
o = options(__doc__, decisions=200_000)
torch.manual_seed(o.seed)
kind = {"num_players": o.players, "opponents": ["greedy"], "normalized": True, "autoreset_mode": "disabled"}
games = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=N, **kind)
truth = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
env = TransformedEnv(GymWrapper(games, categorical_action_encoding=True), Compose(truth, ActionMask()))
env.set_seed(o.seed)
scale = bohemian_env.observation_scale()
policy, value = (
    nn.Sequential(nn.Linear(len(scale), 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, size))
    for size in (241, 1)
)
logits = TensorDictModule(policy, in_keys=["observation"], out_keys=["logits"])
keys = {"logits": "logits", "mask": "action_mask"}
actor = ProbabilisticActor(logits, in_keys=keys, distribution_class=MaskedCategorical, return_log_prob=True)
critic = ValueOperator(value, in_keys=["observation"])
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
ppo = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
adam = torch.optim.Adam(ppo.parameters(), 1e-3)
start, decisions = time.process_time(), 0
for data in Collector(env, actor, frames_per_batch=N * HORIZON, total_frames=o.decisions):
    decisions += data.numel()
    advantage(data)
    flat = data.reshape(-1)
    for batch in torch.cat([torch.randperm(len(flat)) for _ in range(EPOCHS)]).split(MINIBATCH):
        losses = ppo(flat[batch])
        adam.zero_grad()
        sum(losses[f"loss_{name}"] for name in ("objective", "critic", "entropy")).backward()
        nn.utils.clip_grad_norm_(ppo.parameters(), 0.5)
        adam.step()


class Agent:
    """The policy's likeliest legal actions."""

    @torch.no_grad()
    def act(self, observations, masks):
        return policy(torch.tensor(observations / scale)).masked_fill(torch.tensor(masks) == 0, -torch.inf).argmax(1)


report(Agent(), o, decisions, time.process_time() - start)
