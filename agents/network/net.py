"""The network of a trained agent: a policy and a value over shared layers."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import nn

from bohemian_env.engine.contract import Rules
from bohemian_env.engine.parts import scale_of, size_of
from bohemian_env.games import GAMES, rules_of

MASKED: Final = -60.0
"""The logit of an illegal action where that of the best legal one is 0: a probability below 1e-25. Much lower numbers
are slow, since their exp is denormal."""
_STANDING_SCALE: Final = 16.0  # coins or points
_FIRST_TRUST: Final = {"planner": 1.5, "appraiser": 2.0}  # per coin, and per point


def sizes_of(rules: Rules) -> tuple[int, int, int]:
    """Return the numbers of entries of an observation, of its mask, and of the advice; 0 where a game has none."""
    return *rules.sizes, size_of(rules.advice.parts) if rules.advice else 0


def _layers(*widths: int) -> Iterator[nn.Module]:
    for before, after in itertools.pairwise(widths):
        yield from (nn.Linear(before, after), nn.ReLU())


class RunAway(ValueError):
    """A network's numbers are no longer finite; the message says what can be done."""


class Trunk(nn.Module):
    """The layers that policy and value share: from observations (m, their size), any dtype, to (m, widths[-1]).

    With advice, how the seats stand by it, (m, standing), is put beside the observation.
    """

    scale: torch.Tensor

    def __init__(self, widths: Sequence[int], rules: Rules, standing: int) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(1.0 / scale_of(rules.parts)), persistent=False)
        self.layers = nn.Sequential(*_layers(size_of(rules.parts) + standing, *widths))

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
    """What a network is: the widths of its layers, and the game that gives it its inputs and outputs."""

    trunk: tuple[int, ...] = (256,)
    policy: tuple[int, ...] = (256,)
    value: tuple[int, ...] = (256,)
    adviser: str = ""
    """Whose advice it takes, one of the game's advisers; ``""`` for nobody's."""
    game: str = GAMES[0]
    """The game whose observations it sees, and whose actions it chooses among."""

    @property
    def rules(self) -> Rules:
        """The game."""
        return rules_of(self.game)

    def to_json(self) -> dict[str, Any]:
        """Return the widths and the adviser as agent.json writes them; of the game it has the environment besides."""
        widths = {"trunk": list(self.trunk), "policy": list(self.policy), "value": list(self.value)}
        advice = self.rules.advice
        return {**widths, "advice": advice.names.get(self.adviser) if advice else None}


class PolicyNet(nn.Module):
    """A policy and a value over a shared trunk.

    With advice, a learned multiple of what an action falls behind the adviser's best is added to its logit: before it
    has learned anything, such a network plays nearly as the adviser does.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        rules = shape.rules
        _, actions, told = sizes_of(rules)
        self._standing = told - actions  # entries about the seats, which come before those about the actions
        self.trunk = Trunk(shape.trunk, rules, self._standing if shape.adviser else 0)
        self.policy = _head(actions, shape.trunk[-1], *shape.policy)
        self.value = _head(1, shape.trunk[-1], *shape.value)
        if shape.adviser:
            self.trust = nn.Parameter(torch.tensor(_FIRST_TRUST[shape.adviser]))

    def forward(
        self, observations: torch.Tensor, advice: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return unmasked logits (m, NUM_ACTIONS) and values (m,).

        Args:
            observations: (m, size of an observation), any dtype.
            advice: float32, (m, size of the advice), for a network that takes advice and for no other.
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
        return self.trunk(observations, None if advice is None else advice[:, : self._standing])

    def _logits(self, features: torch.Tensor, advice: torch.Tensor | None) -> torch.Tensor:
        logits = self.policy(features)
        return logits if advice is None else logits.float() + self.trust * advice[:, self._standing :]


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
