"""Trained agents: the network, the agent that plays with it, and the two files in which it is shared.

A trained agent is ``agent.safetensors`` (numbers only, nothing that runs when it is loaded) beside ``agent.json``,
which says what it was trained for. Everything that must fit is checked on load.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from pettingzoo import AECEnv
from safetensors.torch import load, save
from torch import nn

from bohemian_env import Batch, Board
from bohemian_env.envs.aec import NAME as ENVIRONMENT
from bohemian_env.envs.observation import OBSERVATION_SIZE, PARTS
from bohemian_env.game.dice import NUM_ACTIONS

__all__ = [
    "NAME",
    "BadAgent",
    "PolicyAgent",
    "PolicyNet",
    "Shape",
    "Trunk",
    "load_agent",
    "load_net",
    "masked_logits",
    "save_net",
    "write_atomically",
]

FORMAT: Final = "bohemian-agent/1"
NAME: Final = "agent"
MASKED: Final = -60.0
"""Logit of an illegal action: a chance below 1e-25. Much lower numbers are slow, since their exp is denormal."""


class BadAgent(ValueError):
    """A path holds no trained agent, or one that cannot play here; the message says why."""


def _scales() -> np.ndarray:
    """What each entry of the observation is divided by, so that all are about as large: float32."""
    large = {"figures": 8.0, "special_supply": 8.0, "town_hall_value": 8.0, "manor_value": 8.0, "turn": 32.0}
    scales = []
    for part in PARTS:
        scale = np.full(part.shape, large.get(part.name, 1.0), np.float32)
        if part.name in ("coins", "bank"):
            scale[..., 0], scale[..., 1] = 1.0, 32.0
        scales.append(scale.ravel())
    return np.concatenate(scales)


class Trunk(nn.Module):
    """The layers that policy and value share: observation (m, OBSERVATION_SIZE), any dtype, to (m, width[-1])."""

    scale: torch.Tensor

    def __init__(self, widths: Sequence[int]) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(1.0 / _scales()), persistent=False)
        sizes = [OBSERVATION_SIZE, *widths]
        layers: list[nn.Module] = []
        for before, after in itertools.pairwise(sizes):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Scale the observation and run the layers."""
        return self.layers(observations * self.scale)


def _head(before: int, widths: Sequence[int], out: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for width in widths:
        layers += [nn.Linear(before, width), nn.ReLU()]
        before = width
    return nn.Sequential(*layers, nn.Linear(before, out))


@dataclass(frozen=True, slots=True)
class Shape:
    """Widths of the layers of a network."""

    trunk: tuple[int, ...] = (256,)
    policy: tuple[int, ...] = (256,)
    value: tuple[int, ...] = (256,)

    def to_json(self) -> dict[str, list[int]]:
        """As agent.json writes it."""
        return {"trunk": list(self.trunk), "policy": list(self.policy), "value": list(self.value)}


class PolicyNet(nn.Module):
    """A policy and a value over a shared trunk."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.trunk = Trunk(shape.trunk)
        self.policy = _head(shape.trunk[-1], shape.policy, NUM_ACTIONS)
        self.value = _head(shape.trunk[-1], shape.value, 1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (m, NUM_ACTIONS), not masked, and values (m,) for observations (m, OBSERVATION_SIZE)."""
        features = self.trunk(observations)
        return self.policy(features), self.value(features).squeeze(-1)

    def logits(self, observations: torch.Tensor) -> torch.Tensor:
        """Logits alone, (m, NUM_ACTIONS), not masked."""
        return self.policy(self.trunk(observations))


def masked_logits(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Logits in which illegal actions have practically no chance. masks: bool, of the same shape."""
    return torch.where(masks, logits, MASKED)


# --- files ------------------------------------------------------------------------------------------------------


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: under a temporary name in the same folder, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def save_net(net: PolicyNet, path: Path, board: Board, about: Mapping[str, Any]) -> None:
    """Write ``path`` (``….safetensors``) and, beside it, the JSON that describes it.

    Args:
        net: the network.
        path: of the weights; the JSON has the same name with ``.json``.
        board: on which it was trained.
        about: what a reader may want to know of the training; not checked on load.
    """
    weights = save({key: value.detach().float().cpu().contiguous() for key, value in net.state_dict().items()})
    description = {
        "format": FORMAT,
        "environment": ENVIRONMENT,
        "board": board.digest,
        "observation_size": OBSERVATION_SIZE,
        "num_actions": NUM_ACTIONS,
        "network": net.shape.to_json(),
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
        "about": dict(about),
    }
    write_atomically(path, weights)
    write_atomically(path.with_suffix(".json"), (json.dumps(description, indent=1) + "\n").encode())


def _find(path: Path) -> Path:
    """The weights that a path means: a file, or those in a folder."""
    if path.is_dir():
        inside = path / f"{NAME}.safetensors"
        if not inside.exists():
            raise BadAgent(f"{path}: no trained agent in this folder: {inside.name} is missing")
        return inside
    if path.suffix != ".safetensors":
        raise BadAgent(f"{path}: a trained agent is a .safetensors file, or the folder of a training run")
    return path


def _shape_from(network: Any, where: Path) -> Shape:
    widths = {}
    for part in ("trunk", "policy", "value"):
        given = network.get(part) if isinstance(network, Mapping) else None
        if not isinstance(given, list) or not all(isinstance(w, int) and 1 <= w <= 4096 for w in given):
            raise BadAgent(f"{where}: network: {part} {given!r} is not a list of widths from 1 to 4,096")
        widths[part] = tuple(given)
    if not widths["trunk"]:
        raise BadAgent(f"{where}: network: trunk has no layer")
    return Shape(**widths)


def load_net(path: str | Path, board: Board | None = None) -> tuple[PolicyNet, dict[str, Any]]:
    """The network of a trained agent and its description.

    Args:
        path: a training run's folder, or a ``.safetensors`` file with its JSON beside it.
        board: on which it is to play; the shipped board by default.

    Raises:
        BadAgent: there is none, or it was made for another format, environment, board or network.
    """
    weights_path = _find(Path(path))
    json_path = weights_path.with_suffix(".json")
    try:
        description = json.loads(json_path.read_text(encoding="utf-8"))
        weights = weights_path.read_bytes()
    except (OSError, ValueError) as error:
        raise BadAgent(
            f"{json_path if json_path.name in str(error) else weights_path}: cannot be read: {error}"
        ) from None
    if not isinstance(description, dict):
        raise BadAgent(f"{json_path}: not a JSON object")
    expected = {
        "format": FORMAT,
        "environment": ENVIRONMENT,
        "board": (board or Board.standard()).digest,
        "observation_size": OBSERVATION_SIZE,
        "num_actions": NUM_ACTIONS,
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
    }
    reasons = {
        "board": "it was trained on another board",
        "environment": "it was trained for another version of the environment",
        "weights_sha256": f"{weights_path.name} is not the file that the JSON describes",
    }
    for key, value in expected.items():
        if description.get(key) != value:
            reason = reasons.get(key, "it does not fit this version of the project")
            raise BadAgent(f"{json_path}: {key} is {description.get(key)!r}, not {value!r}: {reason}")
    net = PolicyNet(_shape_from(description.get("network"), json_path))
    try:
        net.load_state_dict(load(weights), strict=True)
    except (RuntimeError, ValueError, OSError) as error:
        raise BadAgent(f"{weights_path}: the weights do not fit the network that the JSON describes: {error}") from None
    except Exception as error:  # safetensors has an error class of its own
        raise BadAgent(f"{weights_path}: cannot be read: {error}") from None
    return net.eval(), description


def load_agent(path: str | Path, seed: int = 0, board: Board | None = None) -> PolicyAgent:
    """A trained agent as a player. Arguments and errors as :func:`load_net`."""
    net, _ = load_net(path, board)
    return PolicyAgent(net, str(path), seed)


# --- playing ----------------------------------------------------------------------------------------------------


class PolicyAgent:
    """Plays with a network: the most likely action, or one drawn by the policy.

    Args:
        net: the network.
        name: how tables and records call it.
        seed: of its draws.
        sample: draw by the policy instead of taking the most likely action.
        device: torch device.
    """

    def __init__(
        self, net: PolicyNet, name: str = "policy", seed: int = 0, *, sample: bool = False, device: str = "cpu"
    ) -> None:
        self.net = net.to(device).eval()
        self.name = name
        self.sample = sample
        self.device = torch.device(device)
        self._generator = torch.Generator(self.device).manual_seed(seed)

    @torch.inference_mode()
    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 (m,), for int8 observations (m, OBSERVATION_SIZE) and masks (m, NUM_ACTIONS)."""
        seen = torch.from_numpy(observations).to(self.device, torch.float32)
        legal = torch.from_numpy(masks).to(self.device).bool()
        logits = self.net.logits(seen)
        if self.sample:  # the maximum of logits with Gumbel noise is a draw by their softmax
            noise = torch.empty_like(logits).exponential_(generator=self._generator).log_()
            logits = logits - noise
        return torch.where(legal, logits, -torch.inf).argmax(1).cpu().numpy()

    def act(self, env: AECEnv) -> int:
        """As :meth:`agents.Agent.act`."""
        seen = env.unwrapped.observe(env.agent_selection)
        return int(self.choose(seen["observation"][None], seen["action_mask"][None])[0])

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`agents.Agent.act_batch`."""
        if games is None:
            return self.choose(batch.observations, batch.masks)
        return self.choose(*batch.observe(games))
