"""The agent of algorithms that learn a number for each action: it takes the legal one of the highest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Self

import numpy as np
import torch
from torch import nn

from bohemian_env import observation_scale

__all__ = ["ScoresAgent", "layers_of", "tensors_of"]

_LAYERS: Final[dict[str, Any]] = {layer.__name__: layer for layer in (nn.Linear, nn.LayerNorm, nn.Tanh, nn.ReLU)}


def tensors_of(net: nn.Sequential) -> dict[str, torch.Tensor]:
    """Return all that a network is: weights by number and kind of layer; of a layer that has none, an empty tensor."""
    found: dict[str, torch.Tensor] = {}
    for number, layer in enumerate(net):
        name = f"{number}.{type(layer).__name__}"
        weights = {f"{name}.{key}": value.detach().clone() for key, value in layer.state_dict().items()}
        found |= weights or {name: torch.zeros(0)}
    return found


def layers_of(tensors: Mapping[str, torch.Tensor]) -> nn.Sequential:
    """Return the network of such weights. Raises ValueError if they are none."""
    by_layer: dict[tuple[int, str], dict[str, torch.Tensor]] = {}
    for name, value in tensors.items():
        number, _, rest = name.partition(".")
        kind, _, key = rest.partition(".")
        if not number.isdecimal() or kind not in _LAYERS:
            raise ValueError(f"{name!r} is no layer: known are {', '.join(_LAYERS)}")
        by_layer.setdefault((int(number), kind), {}).update({key: value} if key else {})
    layers = []
    for (_, kind), weights in sorted(by_layer.items()):
        sizes = weights["weight"].shape[::-1] if weights else ()
        layer = _LAYERS[kind](*map(int, sizes))
        layer.load_state_dict(weights)
        layers.append(layer)
    return nn.Sequential(*layers)


class ScoresAgent:
    """Takes the legal action to which a network gives the highest number.

    net: from observations, each entry divided by its scale, float32 (m, OBSERVATION_SIZE), to a number for each action.
    """

    def __init__(self, net: nn.Sequential) -> None:
        self.net = net
        self._scale = torch.tensor(observation_scale())

    @torch.no_grad()
    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return legal actions, int64 (m,)."""
        scores = self.net(torch.tensor(observations) / self._scale)
        return scores.masked_fill(torch.tensor(masks) == 0, -torch.inf).argmax(1).numpy()

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return all that it is."""
        return tensors_of(self.net)

    @classmethod
    def of(cls, tensors: Mapping[str, torch.Tensor]) -> Self:
        """Make it again. Raises ValueError if these are no network."""
        return cls(layers_of(tensors))
