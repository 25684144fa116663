"""Trained agents: the network, the agent that plays with it, and the two files in which it is shared.

A trained agent is ``agent.safetensors`` (numbers only, nothing that runs when it is loaded) beside ``agent.json``,
which says what it was trained for. Everything that must fit is checked on load.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from pettingzoo import AECEnv
from safetensors import safe_open
from safetensors.torch import save
from torch import nn

from bohemian_env import Batch, Board
from bohemian_env.envs.aec import NAME as ENVIRONMENT
from bohemian_env.envs.observation import OBSERVATION_SIZE, PARTS
from bohemian_env.game.dice import NUM_ACTIONS

from .advice import ADVICE, STANDING, advise
from .explanation import PROBABILITY, Explanation, position_to_explain

__all__ = [
    "NAME",
    "BadAgent",
    "PolicyAgent",
    "PolicyNet",
    "Shape",
    "Trunk",
    "bfloat16_pays",
    "draw",
    "find_weights",
    "legal_probabilities",
    "load_agent",
    "load_net",
    "masked_logits",
    "save_net",
    "write_atomically",
]

FORMAT: Final = "bohemian-agent/1"
NAME: Final = "agent"
_DESCRIPTION: Final = "description"
_REASONS: Final = {
    "board": "it was trained on another board",
    "environment": "it was trained for another version of the environment",
}
MASKED: Final = -60.0
"""Logit of an illegal action where the best legal one has 0: a chance below 1e-25. Much lower numbers are slow, since
their exp is denormal."""
_LARGEST: Final = 1e30
"""Logits are cut off here when acting, so that even a network that has run away plays a legal action."""


_STANDING_SCALE: Final = 16.0  # coins
_FIRST_TRUST: Final = 1.5  # per coin

Advice: TypeAlias = tuple[torch.Tensor, ...]
"""What ``advise`` returns, as tensors, or nothing."""


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
    """The layers that policy and value share: observation (m, OBSERVATION_SIZE), any dtype, to (m, width[-1]).

    With advice, how the seats stand (m, STANDING) comes in beside the observation.
    """

    scale: torch.Tensor

    def __init__(self, widths: Sequence[int], advice: bool = False) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(1.0 / _scales()), persistent=False)
        sizes = [OBSERVATION_SIZE + (STANDING if advice else 0), *widths]
        layers: list[nn.Module] = []
        for before, after in itertools.pairwise(sizes):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor, standing: torch.Tensor | None = None) -> torch.Tensor:
        """Scale what is seen and run the layers."""
        seen = observations * self.scale
        if standing is not None:
            seen = torch.cat([seen, standing / _STANDING_SCALE], dim=1)
        return self.layers(seen)


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
    advice: bool = False
    """Whether it is told what the planner thinks (``agents/advice.py``)."""

    def to_json(self) -> dict[str, Any]:
        """As agent.json writes it."""
        widths = {"trunk": list(self.trunk), "policy": list(self.policy), "value": list(self.value)}
        return {**widths, "advice": ADVICE if self.advice else None}


class PolicyNet(nn.Module):
    """A policy and a value over a shared trunk.

    With advice, the logit of an action is what the layers say and, times a factor that is learnt, how many coins it
    falls behind the planner's best: before it has learnt anything such a network plays nearly as the planner does.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.trunk = Trunk(shape.trunk, shape.advice)
        self.policy = _head(shape.trunk[-1], shape.policy, NUM_ACTIONS)
        self.value = _head(shape.trunk[-1], shape.value, 1)
        if shape.advice:
            self.trust = nn.Parameter(torch.tensor(_FIRST_TRUST))

    def advice(self, observations: torch.Tensor) -> Advice:
        """What the planner thinks of int8 observations (m, OBSERVATION_SIZE), on their device; empty without advice."""
        if not self.shape.advice:
            return ()
        return tuple(
            torch.from_numpy(array).to(observations.device)
            for array in advise(observations.to("cpu", torch.int8).numpy())
        )

    def forward(self, observations: torch.Tensor, advice: Advice | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (m, NUM_ACTIONS), not masked, and values (m,) for observations (m, OBSERVATION_SIZE).

        advice: of these observations, if it is known already.
        """
        advice = self.advice(observations) if advice is None else advice
        features = self.trunk(observations, *advice[:1])
        return self._logits(features, advice), self.value(features).squeeze(-1)

    def logits(self, observations: torch.Tensor) -> torch.Tensor:
        """Logits alone, (m, NUM_ACTIONS), not masked."""
        advice = self.advice(observations)
        return self._logits(self.trunk(observations, *advice[:1]), advice)

    def values(self, observations: torch.Tensor) -> torch.Tensor:
        """Values alone, (m,)."""
        return self.value(self.trunk(observations, *self.advice(observations)[:1])).squeeze(-1)

    def _logits(self, features: torch.Tensor, advice: Advice) -> torch.Tensor:
        logits = self.policy(features)
        return logits.float() + self.trust * advice[1] if advice else logits


def masked_logits(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Logits, shifted so that the best legal one is 0, in which illegal actions have practically no chance.

    logits: finite. masks: bool, of the same shape, with a legal action in every row.
    """
    best = torch.where(masks, logits, -torch.inf).amax(dim=1, keepdim=True)
    return torch.where(masks, logits - best.detach(), MASKED)


def legal_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Chance of each action, (m, NUM_ACTIONS); exactly 0 for illegal ones. masks: bool, of the same shape."""
    return torch.where(masks, torch.softmax(masked_logits(logits, masks), dim=1), 0.0)


def draw(probabilities: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """An action (m,) by each row of chances (m, NUM_ACTIONS), never one without a chance.

    One uniform number a row is turned into an action by the sums of the chances: torch.multinomial draws one for every
    entry, which takes as long as the network.
    """
    sums = probabilities.cumsum(dim=1)
    if not (sums[:, -1] > 0).all():
        raise ValueError("the network's logits are nan: training has run away; try a lower learning rate")
    uniform = torch.rand((len(sums), 1), generator=generator, device=sums.device)
    # Below 1 by more than rounding, so that there is always an entry whose sum is larger.
    return torch.searchsorted(sums, uniform * (1 - 1e-6) * sums[:, -1:], right=True).squeeze(1)


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


def _description(board: Board, shape: dict[str, list[int]], about: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "environment": ENVIRONMENT,
        "board": board.digest,
        "observation_size": OBSERVATION_SIZE,
        "num_actions": NUM_ACTIONS,
        "network": shape,
        "about": dict(about),
    }


def save_net(net: PolicyNet, path: Path, board: Board, about: Mapping[str, Any]) -> None:
    """Write ``path`` (``….safetensors``) and, beside it, the JSON that describes it.

    The weights carry the description too, so that whatever interrupts the writing of the two files, the weights and
    what is said of them belong together.

    Args:
        net: the network.
        path: of the weights; the JSON has the same name with ``.json``.
        board: on which it was trained.
        about: what a reader may want to know of the training; not checked on load.
    """
    text = json.dumps(_description(board, net.shape.to_json(), about), indent=1) + "\n"
    weights = {key: value.detach().float().cpu().contiguous() for key, value in net.state_dict().items()}
    write_atomically(path.with_suffix(".json"), text.encode())  # first: there are never weights without it
    write_atomically(path, save(weights, {_DESCRIPTION: text}))


def find_weights(path: Path) -> Path:
    """The weights that a path means: a file, or those in a folder.

    Raises:
        BadAgent: it is neither.
    """
    if path.is_dir():
        inside = path / f"{NAME}.safetensors"
        if not inside.exists():
            raise BadAgent(f"{path}: no trained agent in this folder: {inside.name} is missing")
        return inside
    if path.suffix != ".safetensors":
        raise BadAgent(f"{path}: a trained agent is a .safetensors file, or the folder of a training run")
    return path


def _check(text: str, where: Path, board: Board) -> tuple[dict[str, Any], Shape]:
    """What a description says, if it fits; else BadAgent."""
    try:
        description = json.loads(text)
    except ValueError as error:
        raise BadAgent(f"{where}: cannot be read: {error}") from None
    if not isinstance(description, dict):
        raise BadAgent(f"{where}: not a JSON object")
    for key, value in _description(board, {}, {}).items():
        if key not in ("network", "about") and description.get(key) != value:
            reason = _REASONS.get(key, "it does not fit this version of the project")
            raise BadAgent(f"{where}: {key} is {description.get(key)!r}, not {value!r}: {reason}")
    return description, _shape_from(description.get("network"), where)


def _shape_from(network: Any, where: Path) -> Shape:
    widths = {}
    for part in ("trunk", "policy", "value"):
        given = network.get(part) if isinstance(network, Mapping) else None
        if not isinstance(given, list) or not all(isinstance(w, int) and 1 <= w <= 4096 for w in given):
            raise BadAgent(f"{where}: network: {part} {given!r} is not a list of widths from 1 to 4,096")
        widths[part] = tuple(given)
    if not widths["trunk"]:
        raise BadAgent(f"{where}: network: trunk has no layer")
    advice = network.get("advice")
    if advice not in (None, ADVICE):
        raise BadAgent(f"{where}: network: advice {advice!r} is neither null nor {ADVICE!r}, which this version gives")
    return Shape(**widths, advice=advice is not None)


def load_net(path: str | Path, board: Board | None = None) -> tuple[PolicyNet, dict[str, Any]]:
    """The network of a trained agent and its description.

    Args:
        path: a training run's folder, or a ``.safetensors`` file with its JSON beside it.
        board: on which it is to play; the shipped board by default.

    Raises:
        BadAgent: there is none, or it was made for another format, environment, board or network.
    """
    weights_path = find_weights(Path(path))
    json_path = weights_path.with_suffix(".json")
    try:
        text = json_path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadAgent(f"{json_path}: cannot be read: {error}") from None
    try:
        with safe_open(weights_path, "pt") as file:
            own_text = (file.metadata() or {}).get(_DESCRIPTION, "")
            weights = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - not a dict
    except Exception as error:  # safetensors has an error class of its own
        raise BadAgent(f"{weights_path}: cannot be read: {error}") from None
    board = board or Board.standard()
    _, described = _check(text, json_path, board)
    description, shape = _check(own_text, weights_path, board)
    if described != shape:
        raise BadAgent(f"{json_path}: network is {described.to_json()}, but {weights_path.name} has {shape.to_json()}")
    net = PolicyNet(shape)
    try:
        net.load_state_dict(weights, strict=True)
    except (RuntimeError, ValueError) as error:
        raise BadAgent(f"{weights_path}: the weights do not fit the network that they describe: {error}") from None
    return net.eval(), description


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


# --- playing ----------------------------------------------------------------------------------------------------


def bfloat16_pays(device: str) -> bool:
    """Whether bfloat16 is quicker than float32 there: on processors with instructions for it, and on GPUs."""
    if torch.device(device).type == "cpu":
        supported: Callable[[], bool] | None = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
        return supported is not None and supported()
    return torch.cuda.is_bf16_supported()


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

        The chance of winning is there if the agent was calibrated, see ``agents/calibration.py``.
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
