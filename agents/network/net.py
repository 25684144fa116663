"""The network of a trained agent: a policy and a value over shared layers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import nn

from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import ADVISERS, STANDING
from bohemian_env.villages.observation import OBSERVATION_SIZE, observation_scale

MASKED: Final = -60.0
"""The logit of an illegal action where that of the best legal one is 0: a probability below 1e-25. Much lower numbers
are slow, since their exp is denormal."""
_STANDING_SCALE: Final = 16.0  # coins or points
_FIRST_TRUST: Final = {"planner": 1.5, "appraiser": 2.0}  # per coin, and per point


def _layers(*widths: int) -> Iterator[nn.Module]:
    for before, after in itertools.pairwise(widths):
        yield from (nn.Linear(before, after), nn.ReLU())


class RunAway(ValueError):
    """A network's numbers are no longer finite; the message says what can be done."""


class Trunk(nn.Module):
    """The layers that policy and value share: from observations (m, OBSERVATION_SIZE), any dtype, to (m, widths[-1]).

    With advice, its first part, how the seats stand (m, STANDING), is put beside the observation.
    """

    scale: torch.Tensor

    def __init__(self, widths: Sequence[int], advice: bool = False) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(1.0 / observation_scale()), persistent=False)
        self.layers = nn.Sequential(*_layers(OBSERVATION_SIZE + (STANDING if advice else 0), *widths))

    def forward(self, observations: torch.Tensor, standing: torch.Tensor | None = None) -> torch.Tensor:
        """Scale the input and run the layers."""
        seen = observations * self.scale
        if standing is not None:
            seen = torch.cat([seen, standing / _STANDING_SCALE], dim=1)
        return self.layers(seen)


def _head(out: int, *widths: int) -> nn.Sequential:
    return nn.Sequential(*_layers(*widths), nn.Linear(widths[-1], out))


@dataclass(frozen=True, slots=True)
class Shape:
    """The widths of the layers of a network."""

    trunk: tuple[int, ...] = (256,)
    policy: tuple[int, ...] = (256,)
    value: tuple[int, ...] = (256,)
    adviser: str = ""
    """Whose advice it takes (``bohemian_env/villages/advice.py``); ``""`` for nobody's."""

    def to_json(self) -> dict[str, Any]:
        """Return the shape as agent.json writes it."""
        widths = {"trunk": list(self.trunk), "policy": list(self.policy), "value": list(self.value)}
        return {**widths, "advice": ADVISERS.get(self.adviser)}


class PolicyNet(nn.Module):
    """A policy and a value over a shared trunk.

    With advice, a learned multiple of what an action falls behind the adviser's best is added to its logit: before it
    has learned anything, such a network plays nearly as the adviser does.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.trunk = Trunk(shape.trunk, bool(shape.adviser))
        self.policy = _head(NUM_ACTIONS, shape.trunk[-1], *shape.policy)
        self.value = _head(1, shape.trunk[-1], *shape.value)
        if shape.adviser:
            self.trust = nn.Parameter(torch.tensor(_FIRST_TRUST[shape.adviser]))

    def forward(
        self, observations: torch.Tensor, advice: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return unmasked logits (m, NUM_ACTIONS) and values (m,).

        Args:
            observations: (m, OBSERVATION_SIZE), any dtype.
            advice: float32, (m, ADVICE_SIZE), for a network that takes advice and for no other.
        """
        features = self._features(observations, advice)
        return self._logits(features, advice), self.value(features).squeeze(-1)

    def logits(self, observations: torch.Tensor, advice: torch.Tensor | None = None) -> torch.Tensor:
        """Return only the unmasked logits, (m, NUM_ACTIONS); the arguments are those of :meth:`forward`."""
        return self._logits(self._features(observations, advice), advice)

    def values(self, observations: torch.Tensor, advice: torch.Tensor | None = None) -> torch.Tensor:
        """Return only the values, (m,); the arguments are those of :meth:`forward`."""
        return self.value(self._features(observations, advice)).squeeze(-1)

    def _features(self, observations: torch.Tensor, advice: torch.Tensor | None) -> torch.Tensor:
        if bool(self.shape.adviser) != (advice is not None):
            told = (
                f"is told what {self.shape.adviser} thinks: give it advice" if self.shape.adviser else "takes no advice"
            )
            raise ValueError(f"this network {told}")
        return self.trunk(observations, None if advice is None else advice[:, :STANDING])

    def _logits(self, features: torch.Tensor, advice: torch.Tensor | None) -> torch.Tensor:
        logits = self.policy(features)
        return logits if advice is None else logits.float() + self.trust * advice[:, STANDING:]


def masked_logits(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return logits shifted so that the best legal one is 0, and so low for illegal actions that they are never drawn.

    logits: finite. masks: bool, of the same shape, with a legal action in every row.
    """
    best = torch.where(masks, logits, -torch.inf).amax(dim=1, keepdim=True)
    return torch.where(masks, logits - best.detach(), MASKED)


def legal_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return the probabilities of actions, (m, NUM_ACTIONS), exactly 0 for illegal ones. masks: bool, same shape."""
    return torch.where(masks, torch.softmax(masked_logits(logits, masks), dim=1), 0.0)


def draw(probabilities: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Draw an action (m,) by each row of probabilities (m, NUM_ACTIONS), never one of probability 0.

    One uniform number for each row is compared with the cumulative probabilities: torch.multinomial draws one for every
    entry, which takes as long as the network.

    Raises:
        RunAway: they are no probabilities.
    """
    sums = probabilities.cumsum(dim=1)
    if not (sums[:, -1] > 0).all():
        raise RunAway("the network's logits are nan: training has run away; try a lower learning rate")
    uniform = torch.rand((len(sums), 1), generator=generator, device=sums.device, dtype=sums.dtype)
    # The factor keeps the number below the last sum in spite of rounding.
    return torch.searchsorted(sums, uniform * (1 - 1e-6) * sums[:, -1:], right=True).squeeze(1)


def bfloat16_pays(device: str) -> bool:
    """Return whether bfloat16 is quicker than float32: on processors with instructions for it, and on CUDA GPUs."""
    kind = torch.device(device).type
    if kind == "cpu":
        supported: Callable[[], bool] | None = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
        return supported is not None and supported()
    return kind == "cuda" and torch.cuda.is_available() and torch.cuda.is_bf16_supported()
