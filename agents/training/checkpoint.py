"""A checkpoint: what a run needs to go on. A safetensors file of numbers and JSON; reading it runs no code."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import torch
from safetensors.torch import save
from torch import nn
from torch.optim import Optimizer

from agents.common.files import write_atomically
from agents.network.files import checksum, conditions, read_tensors
from agents.network.net import PolicyNet, Shape
from bohemian_env import Board
from bohemian_env.games import GAMES

Named: TypeAlias = Iterable[tuple[str, nn.Parameter]]

_FORMAT: Final = "bohemian-checkpoint/1"
_AVERAGES: Final = ("step", "exp_avg", "exp_avg_sq")  # what Adam keeps of every parameter


def optimised(net: nn.Module, learned: Named, optimizer: Optimizer) -> dict[str, torch.Tensor]:
    """Return the weights of a network, as ``net.NAME``, and what Adam keeps of those that are learned."""
    tensors = {f"net.{name}": value for name, value in net.state_dict().items()}
    for name, parameter in learned:
        for key, value in optimizer.state.get(parameter, {}).items():
            tensors[f"{key}.{name}"] = value
    return {name: value.detach().cpu().contiguous() for name, value in tensors.items()}


def load_averages(learned: Named, optimizer: Optimizer, tensors: Mapping[str, torch.Tensor]) -> None:
    """Give Adam over some parameters what :func:`optimised` returned of them."""
    averages = {
        number: {key: tensors[f"{key}.{name}"] for key in _AVERAGES}
        for number, (name, _) in enumerate(learned)
        if f"step.{name}" in tensors
    }
    optimizer.load_state_dict({"state": averages, "param_groups": optimizer.state_dict()["param_groups"]})


class Checkpoint:
    """The content of a checkpoint.

    state: plain values, as JSON has them. tensors: the weights, as ``net.NAME``, and the state of the optimiser, as
    ``step.NAME`` and so on. game: the game that is learnt.
    """

    def __init__(self, state: dict[str, Any], tensors: dict[str, torch.Tensor], game: str = GAMES[0]) -> None:
        self.state = state
        self.tensors = tensors
        self.game = game

    @classmethod
    def of(cls, state: dict[str, Any], net: PolicyNet, optimizer: Optimizer) -> Checkpoint:
        """Return the checkpoint of a network, Adam over its parameters, and other values."""
        return cls(state, optimised(net, net.named_parameters(), optimizer), net.shape.game)

    def write(self, path: Path, board: Board | None) -> None:
        """Write it whole or not at all. board: the one that is trained on, if the game has boards."""
        text = json.dumps({**conditions(_FORMAT, self.game, board), "state": self.state})
        write_atomically(path, save(self.tensors, {"run": text, "sha256": checksum(self.tensors, text)}))

    @classmethod
    def read(cls, path: Path, board: Board | None, game: str = GAMES[0]) -> Checkpoint:
        """Read a checkpoint; raises an error of some kind if it is damaged or does not fit."""
        texts, tensors = read_tensors(path)
        if odd := [name for name, value in tensors.items() if value.dtype != torch.float32]:
            raise ValueError(f"{odd[0]} is of {tensors[odd[0]].dtype}, not {torch.float32}")
        if texts.get("sha256") != checksum(tensors, texts.get("run", "")):
            raise ValueError("it is damaged: its checksum does not fit")
        described = json.loads(texts["run"])
        for key, value in conditions(_FORMAT, game, board).items():
            if described.get(key) != value:
                raise ValueError(f"{key} is {described.get(key)!r}, not {value!r}")
        return cls(described["state"], tensors, game)

    def check(self, shape: Shape) -> None:
        """Raise ValueError unless weights and optimiser are those of a network of this shape; it is not built."""
        with torch.device("meta"):
            wanted = {name: value.shape for name, value in PolicyNet(shape).state_dict().items()}
        if {name: self.tensors[name].shape for name in self.tensors if name.startswith("net.")} != {
            f"net.{name}": size for name, size in wanted.items()
        }:
            raise ValueError("its network is not the one in the settings")
        for name, size in wanted.items():
            sizes = [self.tensors[f"{key}.{name}"].shape for key in _AVERAGES if f"{key}.{name}" in self.tensors]
            if sizes not in ([], [torch.Size([]), size, size]):
                raise ValueError(f"the state of the optimiser does not fit {name}")

    def load(self, net: PolicyNet, optimizer: Optimizer) -> None:
        """Give a network and Adam over its parameters, as they were built, what the checkpoint has of them."""
        net.load_state_dict({name: self.tensors[f"net.{name}"] for name in net.state_dict()})
        load_averages(net.named_parameters(), optimizer, self.tensors)
