"""A player that asks a network alone: one forward pass a move."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import torch
from pettingzoo import AECEnv

from agents.network.files import find_weights, load_net
from agents.network.net import PolicyNet, draw, legal_probabilities
from bohemian_env import Batch, Board

from .explanation import PROBABILITY, Explanation, position_to_explain

__all__ = ["PolicyAgent", "load_agent"]

_LARGEST: Final = 1e30
"""Logits are cut off here when acting, so that even a network that has run away plays a legal action."""


def load_agent(path: str | Path, seed: int = 0, board: Board | None = None) -> PolicyAgent:
    """A trained agent as a player. Arguments and errors as :func:`load_net`."""
    net, description = load_net(path, board)
    agent = PolicyAgent(net, str(path), seed)
    agent.files = (find_weights(Path(path)),)
    agent.reward = str(description["about"].get("reward", agent.reward))
    known = description["about"].get("calibration")
    if isinstance(known, Mapping):
        agent.calibration = float(known["offset"]), float(known["slope"])
    return agent


class PolicyAgent:
    """Plays with a network: the most likely action, or one drawn by the policy.

    Args:
        net: the network.
        name: how tables and records call it.
        seed: of its draws.
        sample: draw by the policy instead of taking the most likely action.
        bfloat16: run the matrix products in bfloat16.
        device: torch device.
    """

    files: tuple[Path, ...] = ()
    """The weights' file, if they came from one."""
    reward: str = "mixed"
    """Name of the reward that its value predicts."""
    calibration: tuple[float, float] | None = None
    """Offset and slope of the logistic curve that makes a chance of winning of a value, if they are known."""

    def __init__(
        self,
        net: PolicyNet,
        name: str = "policy",
        seed: int = 0,
        *,
        sample: bool = False,
        bfloat16: bool = False,
        device: str = "cpu",
    ) -> None:
        self.net = net.to(device).eval()
        self.name = name
        self.sample = sample
        self.bfloat16 = bfloat16
        self.device = torch.device(device)
        self._generator = torch.Generator(self.device).manual_seed(seed)

    @torch.inference_mode()
    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 (m,), for int8 observations (m, OBSERVATION_SIZE) and masks (m, NUM_ACTIONS)."""
        logits, legal = self._logits(observations), torch.from_numpy(masks).to(self.device).bool()
        if self.sample:
            actions = draw(legal_probabilities(logits, legal), self._generator)
        else:
            actions = torch.where(legal, logits, -torch.inf).argmax(1)
        return actions.cpu().numpy()

    @torch.inference_mode()
    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The policy's chance of each action, float32 (m, NUM_ACTIONS); arguments as of :meth:`choose`."""
        legal = torch.from_numpy(masks).to(self.device).bool()
        return legal_probabilities(self._logits(observations), legal).cpu().numpy()

    @torch.inference_mode()
    def values(self, observations: np.ndarray) -> np.ndarray:
        """The network's value, float32 (m,): the reward to be expected; int8 observations (m, OBSERVATION_SIZE)."""
        seen = torch.from_numpy(observations).to(self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16):
            return self.net.values(seen).float().cpu().numpy()

    def _logits(self, observations: np.ndarray) -> torch.Tensor:
        """float32, (m, NUM_ACTIONS), bounded."""
        seen = torch.from_numpy(observations).to(self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16):
            return self.net.logits(seen).float().clamp(-_LARGEST, _LARGEST)

    def act(self, env: AECEnv) -> int:
        """As :meth:`agents.Agent.act`."""
        seen = env.unwrapped.observe(env.agent_selection)
        return int(self.choose(seen["observation"][None], seen["action_mask"][None])[0])

    def explain(self, env: AECEnv) -> Explanation:
        """As :meth:`agents.Agent.explain`: the probabilities of the policy, from which an agent draws that samples.

        The chance of winning is there if the agent was calibrated, see ``agents/training/calibration.py``.
        """
        position_to_explain(env)
        seen = env.unwrapped.observe(env.agent_selection)
        legal = np.flatnonzero(seen["action_mask"])
        probabilities = self.probabilities(seen["observation"][None], seen["action_mask"][None])[0]
        chance = self.chance_of(float(self.values(seen["observation"][None])[0]))
        return Explanation(PROBABILITY, {int(action): float(probabilities[action]) for action in legal}, chance=chance)

    def chance_of(self, value: float) -> float | None:
        """The chance of winning that a value stands for; None if the agent was not calibrated."""
        if self.calibration is None:
            return None
        offset, slope = self.calibration
        return float(1 / (1 + np.exp(-(offset + slope * value))))

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`agents.Agent.act_batch`."""
        if games is None:
            return self.choose(batch.observations, batch.masks)
        return self.choose(*batch.observe(games))
