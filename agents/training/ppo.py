"""MaskablePPO over our network, with a leaner update.

The algorithm is sb3-contrib's. Three things around it are ours: the policy *is* the network that agents are shared as;
the buffer keeps observations as int8 and masks as bool, as they come; and the update works on whole arrays, with one
masked softmax for each minibatch, in bfloat16 if asked, instead of building distribution objects.
"""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.utils import explained_variance
from torch import nn
from torch.nn import functional

from agents.network.net import PolicyNet, Shape, draw, legal_probabilities, masked_logits

from .ranks import Ranks

Observations: TypeAlias = torch.Tensor | dict[str, torch.Tensor]


def _initialise(net: PolicyNet) -> None:
    """Make weights orthogonal, and small in the last layers: policies begin nearly uniform, values near 0."""
    for module in net.modules():
        if isinstance(module, nn.Linear):
            nn.init.orthogonal_(module.weight, math.sqrt(2))
            nn.init.zeros_(module.bias)
    for head, gain in ((net.policy, 0.01), (net.value, 0.1)):
        last = head[-1]
        assert isinstance(last, nn.Linear)
        nn.init.orthogonal_(last.weight, gain)


def parted(seen: Any) -> tuple[Any, Any]:
    """Return observations, and advice or None, of what SB3 hands over: arrays or tensors, in a dictionary if there is
    advice."""
    return (seen["observation"], seen["advice"]) if isinstance(seen, dict) else (seen, None)


class NetPolicy(MaskableActorCriticPolicy):
    """SB3's policy interface over :class:`agents.network.net.PolicyNet`, as far as :class:`SelfPlayPPO` asks it."""

    net: PolicyNet
    bfloat16: bool = False  # type: ignore[assignment]
    """Whether the matrix products run in bfloat16."""

    def __init__(self, *args: Any, shape: Shape | None = None, **kwargs: Any) -> None:
        self._shape = shape or Shape()
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        self.net = PolicyNet(self._shape)
        _initialise(self.net)
        self.optimizer = self.optimizer_class(self.net.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]

    @staticmethod
    def _masks(logits: torch.Tensor, action_masks: np.ndarray | torch.Tensor | None) -> torch.Tensor:
        """Return masks as bool, in the shape and on the device of the logits; all True if there are none."""
        if action_masks is None:
            return torch.ones_like(logits, dtype=torch.bool)
        return torch.as_tensor(action_masks, device=logits.device).bool().reshape(logits.shape)

    def forward(
        self, obs: Observations, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions (m,), values (m, 1) and log-probabilities (m,) for observations (m, OBSERVATION_SIZE), or for
        a dictionary of these and advice (m, ADVICE_SIZE)."""
        observations, advice = parted(obs)
        with torch.autocast(observations.device.type, torch.bfloat16, enabled=self.bfloat16):
            logits, values = self.net(observations, advice)
        logits = logits.float()
        masks = self._masks(logits, action_masks)
        if deterministic:
            actions = torch.where(masks, logits, -torch.inf).argmax(1)
        else:
            actions = draw(legal_probabilities(logits, masks))
        log_probabilities = functional.log_softmax(masked_logits(logits, masks), dim=1)
        return actions, values.float().unsqueeze(1), log_probabilities.gather(1, actions.unsqueeze(1)).squeeze(1)

    def predict_values(self, obs: Observations) -> torch.Tensor:
        """Return values (m, 1)."""
        return self.net(*parted(obs))[1].unsqueeze(1)

    def _predict(
        self, observation: Observations, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> torch.Tensor:
        return self.forward(observation, deterministic, action_masks)[0]


class CompactBuffer(MaskableRolloutBuffer):
    """A rollout buffer that keeps observations and masks in the types they come in: an eighth of the memory."""

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        self.observations = np.zeros((self.buffer_size, self.n_envs, *self.obs_shape), np.int8)
        self.action_masks = np.zeros((self.buffer_size, self.n_envs, self.mask_dims), np.bool_)


class CompactDictBuffer(MaskableDictRolloutBuffer):
    """A compact buffer for observations that come with advice."""

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        self.observations = {
            key: array.astype(self.observation_space[key].dtype) for key, array in self.observations.items()
        }
        self.action_masks = np.zeros((self.buffer_size, self.n_envs, self.mask_dims), np.bool_)


def _flat(array: np.ndarray, device: torch.device) -> torch.Tensor:
    """Return an array on a device, with its axes of time and game made one."""
    return torch.from_numpy(array.reshape(-1, *array.shape[2:])).to(device)


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO with the lean update, and schedules that follow a budget of time or of samples.

    Attributes beside those of MaskablePPO:
        progress: returns the part of the budget that is spent, 0 to 1, with which the learning rate and the weight of
            the entropy fall. None follows SB3's count of samples.
        ranks: those that make each update together, each with its own games and its part of every minibatch;
            ``batch_size`` is that part. Samples are counted over all of them.
    """

    progress: Callable[[], float] | None = None
    ranks: Ranks = Ranks()
    first_ent_coef: float | None = None
    policy: NetPolicy

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        if self.progress is not None:
            self._current_progress_remaining = 1.0 - min(self.progress(), 1.0)

    def collect_rollouts(self, *args: Any, **kwargs: Any) -> bool:
        """See MaskablePPO."""
        before = self.num_timesteps
        going = super().collect_rollouts(*args, **kwargs)
        self.num_timesteps += (self.ranks.count - 1) * (self.num_timesteps - before)
        return going

    def train(self) -> None:
        """Make one update from the rollout buffer: MaskablePPO's loss, epoch by epoch over shuffled minibatches."""
        policy, buffer = self.policy, self.rollout_buffer
        assert isinstance(buffer, CompactBuffer | CompactDictBuffer)
        policy.set_training_mode(True)
        self._update_learning_rate(policy.optimizer)
        if self.first_ent_coef is None:
            self.first_ent_coef = self.ent_coef
        self.ent_coef = self.first_ent_coef * self._current_progress_remaining
        clip = float(self.clip_range(self._current_progress_remaining))  # type: ignore[operator]

        device = self.device
        seen, told = parted(buffer.observations)
        observations, advice = _flat(seen, device), None if told is None else _flat(told, device)
        masks, actions = _flat(buffer.action_masks, device), _flat(buffer.actions, device).long().reshape(-1)
        returns, advantages = _flat(buffer.returns, device), _flat(buffer.advantages, device)
        old_log_probabilities = _flat(buffer.log_probs, device)
        parameters = list(policy.parameters())
        sums = torch.zeros(5, device=device)
        batches = 0
        for _ in range(self.n_epochs):
            for chosen in torch.randperm(len(actions), device=device).split(self.batch_size):
                if len(chosen) * self.ranks.count < 2:
                    continue
                # The cache of cast weights would outlive the optimiser's step.
                with torch.autocast(device.type, torch.bfloat16, enabled=policy.bfloat16, cache_enabled=False):
                    logits, values = policy.net(observations[chosen], None if advice is None else advice[chosen])
                log_probabilities = functional.log_softmax(masked_logits(logits.float(), masks[chosen]), dim=1)
                log_probability = log_probabilities.gather(1, actions[chosen, None]).squeeze(1)
                entropy = -(log_probabilities.exp() * log_probabilities).sum(1).mean()
                advantage = advantages[chosen]
                mean, deviation = self.ranks.moments(advantage)
                advantage = (advantage - mean) / (deviation + 1e-8)
                log_ratio = log_probability - old_log_probabilities[chosen]
                ratio = log_ratio.exp()
                policy_loss = -torch.min(advantage * ratio, advantage * ratio.clamp(1 - clip, 1 + clip)).mean()
                value_loss = functional.mse_loss(values.float(), returns[chosen])
                loss = policy_loss - self.ent_coef * entropy + self.vf_coef * value_loss
                policy.optimizer.zero_grad()
                loss.backward()
                self.ranks.average(parameter.grad for parameter in parameters if parameter.grad is not None)
                nn.utils.clip_grad_norm_(parameters, self.max_grad_norm)
                policy.optimizer.step()
                with torch.no_grad():
                    kl = ((ratio - 1) - log_ratio).mean()
                    clipped = ((ratio - 1).abs() > clip).float().mean()
                    sums += torch.stack([policy_loss, value_loss, entropy, kl, clipped])
                batches += 1
            self._n_updates += 1
        self.ranks.share(parameters)  # processors of different kinds round differently
        self.ranks.average([sums])
        means = (sums / max(batches, 1)).tolist()
        names = ("policy_gradient_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
        for name, value in zip(names, means, strict=True):
            self.logger.record(f"train/{name}", value)
        variance = explained_variance(buffer.values.flatten(), buffer.returns.flatten())
        self.logger.record("train/explained_variance", float(variance))
        self.logger.record("train/entropy_weight", self.ent_coef)
