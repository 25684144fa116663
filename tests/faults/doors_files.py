"""The doors of agents' files, of runs and of kept games."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import save

from agents.common import files
from agents.common.files import BadAgent
from agents.network.files import checksum, conditions, load_net, save_net
from agents.network.net import PolicyNet, Shape
from agents.players.policy import load_agent
from agents.tournament.kept import Kept
from agents.tournament.play import Played, enter, play_chunk
from agents.tournament.schedule import Chunk, LineUp
from agents.training import checkpoint as checkpoints
from agents.training import run as runs
from agents.training.config import TrainConfig
from agents.training.folder import BadRun
from bohemian_env import Board, Setup

from .doors_game import simple
from .fuzz import Doors, Opened
from .odd import Arguments, as_json

__all__ = ["DOORS", "keep_chunk", "small_net", "small_settings"]


def small_net() -> PolicyNet:
    """Return a little network that takes advice."""
    torch.manual_seed(0)
    return PolicyNet(Shape((8,), (6,), (4,), adviser="planner")).eval()


# --- files of agents ---


def _put(path: Path, content: Any) -> None:
    """Write a file anew: to cut one that is there waits for the disk on some file systems."""
    path.unlink(missing_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else b"")


def _description(folder: Path) -> Opened:
    """The description that the weights of an agent carry with their numbers."""
    path = folder / "agent.safetensors"
    save_net(small_net(), path, Board.standard(), {"samples": 7})
    with safe_open(path, "pt") as file:
        text = file.metadata()["description"]
        weights = {name: file.get_tensor(name).numpy().copy() for name in file.keys()}  # noqa: SIM118 - not a dict
    described = json.loads(text)

    def call(given: dict[str, Any]) -> None:
        tensors = {name: torch.from_numpy(value) for name, value in weights.items()}
        _put(path, save(tensors, {"description": as_json(given["inside"])}))
        load_agent(path)

    return Opened(call, lambda below: Arguments(inside=described), (BadAgent,))


def _weights(folder: Path) -> Opened:
    """The bytes of an agent."""
    path = folder / "agent.safetensors"
    save_net(small_net(), path, Board.standard(), {"samples": 7})
    good = path.read_bytes()
    header = 8 + int.from_bytes(good[:8], "little")

    def call(given: dict[str, Any]) -> None:
        head = given["head"] if isinstance(given["head"], bytes) else b""
        whole = given["whole"] if isinstance(given["whole"], bytes) else b""
        _put(path, head + whole[header:] if head is not good_head else whole)
        load_net(path)

    good_head = good[:header]  # most of a file is numbers: half of the changes are in what stands before them
    return Opened(call, lambda below: Arguments(whole=good, head=good_head), (BadAgent,))


# --- checkpoints ---


def small_settings() -> TrainConfig:
    """Return the settings of a training that ends in a moment."""
    return TrainConfig(
        minutes=0.0, steps=128, games=8, horizon=8, minibatch=32, trunk="8", head="8", max_turns=40, pool=2,
        snapshot_every=0.5, scripted="greedy,random", panel_games=0, advice=False,
    )  # fmt: skip


def _resume(folder: Path) -> Opened:
    """A run to go on with: the state in its checkpoint and its tensors, with a checksum that fits."""
    home = folder / "run"
    run = runs.TrainingRun(home, small_settings())
    run.train()
    path, board = home / runs.CHECKPOINT, Board.standard()
    good = checkpoints.Checkpoint.read(path, board)
    tensors = {name: value.numpy().copy() for name, value in good.tensors.items()}  # not of the file
    content = path.read_bytes()

    def call(given: dict[str, Any]) -> None:
        if given["whole"] is not content:
            _put(path, given["whole"])
        else:
            found = given["tensors"] if isinstance(given["tensors"], dict) else {}
            made = {
                _name(name): torch.from_numpy(np.array(value))
                for name, value in found.items()
                if isinstance(value, np.ndarray) and value.dtype.kind in "fib"
            }
            state = json.loads(as_json(given["state"]))
            text = json.dumps({**conditions(checkpoints._FORMAT, "villages", board), "state": state})
            _put(path, save(made, {"run": text, "sha256": checksum(made, text)}))
        with (
            mock.patch.object(runs, "SummaryWriter"),
            mock.patch.object(files, "sync"),
        ):  # no logs, no waiting for the disk
            runs.TrainingRun(home, None).close()

    return Opened(call, lambda below: Arguments(state=good.state, tensors=tensors, whole=content), (BadRun,))


# --- kept games ---


def keep_chunk(folder: Path) -> tuple[Kept, Chunk, Played]:
    """Keep the first two games of a tournament; return where they are kept, which they are, and what came of them."""
    chunk, kept = Chunk(LineUp((0, 1)), 0, 0, 2), Kept(folder, "tournament")
    played = play_chunk(chunk, enter(["greedy", "random"], 0), Setup.of(2, max_turns=20), records=True)
    kept.prepare()
    kept.save(0, played)
    return kept, chunk, played


def _kept(folder: Path) -> Opened:
    """A piece of a tournament that was kept: its bytes, or its arrays, their label and the records."""
    kept, chunk, played = keep_chunk(folder)
    path = kept.folder / "0.npz"
    whole = path.read_bytes()
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}

    def call(given: dict[str, Any]) -> None:
        if given["whole"] is not whole:
            _put(path, given["whole"])
        else:
            content = io.BytesIO()
            found = given["arrays"] if isinstance(given["arrays"], dict) else {}
            np.savez(content, allow_pickle=False, **{_name(k): v for k, v in found.items() if _plain_array(v)})
            _put(path, content.getvalue())
        loaded = kept.load(0, chunk, 2, True)
        if loaded is not None:
            assert loaded.totals.shape == played.totals.shape
            assert len(loaded.records) == chunk.games

    return Opened(call, lambda below: Arguments(arrays=arrays, whole=whole), ())


def _name(key: object) -> str:
    return str(key).encode(errors="replace").decode()


def _plain_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and not value.dtype.hasobject


DOORS: Final = Doors({
    "the description in an agent": _description,
    "agent.safetensors": _weights,
    "train.py --resume": _resume,
    "kept games": _kept,
    "settings.json": simple(
        lambda data: TrainConfig.from_json(as_json(data)),
        [json.loads(small_settings().to_json())],
        ValueError,
    ),
})  # fmt: skip
"""Doors of agents' files, by their names in the table."""
