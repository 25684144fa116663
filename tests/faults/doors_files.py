"""The doors of agents' files, of runs and of kept games."""

import functools
import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import save

from agents.common import files
from agents.common.files import BadAgent
from agents.network.files import board_of, checksum, conditions, load_net, save_net
from agents.network.net import PolicyNet, Shape
from agents.players.policy import load_agent
from agents.players.values import count_weights, load_values, save_values
from agents.tournament.kept import Kept
from agents.tournament.play import enter, play_chunk
from agents.tournament.schedule import Chunk, LineUp
from agents.training import checkpoint as checkpoints
from agents.training import run as runs
from agents.training import values
from agents.training.config import TrainConfig, preset
from agents.training.folder import CONFIG_FILE, BadRun
from bohemian_env.games import rules_of

from .doors_game import simple
from .fuzz import Doors, Opened, Opening
from .odd import Arguments, as_json
from .programs import TRAINED

__all__ = ["DOORS", "small_net"]


def small_net(game: str) -> PolicyNet:
    """Return a little network, which takes advice where somebody advises."""
    torch.manual_seed(0)
    advice = rules_of(game).advice
    return PolicyNet(Shape((8,), (6,), (4,), next(iter(advice.names)) if advice else "", game)).eval()


# --- files of agents ---


def _put(path: Path, content: Any) -> None:
    """Write a file anew: to cut one that is there waits for the disk on some file systems."""
    path.unlink(missing_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else b"")


def _description(game: str, folder: Path) -> Opened:
    """The description that the weights of an agent carry with their numbers."""
    path = folder / "agent.safetensors"
    save_net(small_net(game), path, board_of(game), {"samples": 7})
    with safe_open(path, "pt") as file:
        text = file.metadata()["description"]
        weights = {name: file.get_tensor(name).numpy().copy() for name in file.keys()}  # noqa: SIM118 - not a dict
    described = json.loads(text)

    def call(given: dict[str, Any]) -> None:
        tensors = {name: torch.from_numpy(value) for name, value in weights.items()}
        _put(path, save(tensors, {"description": as_json(given["inside"])}))
        load_agent(path, game=game)

    return Opened(call, lambda below: Arguments(inside=described), (BadAgent,))


def _weights(game: str, folder: Path) -> Opened:
    """The bytes of an agent."""
    path = folder / "agent.safetensors"
    save_net(small_net(game), path, board_of(game), {"samples": 7})
    good = path.read_bytes()
    header = 8 + int.from_bytes(good[:8], "little")

    def call(given: dict[str, Any]) -> None:
        head = given["head"] if isinstance(given["head"], bytes) else b""
        whole = given["whole"] if isinstance(given["whole"], bytes) else b""
        _put(path, head + whole[header:] if head is not good_head else whole)
        load_net(path, game=game)

    good_head = good[:header]  # most of a file is numbers: half of the changes are in what stands before them
    return Opened(call, lambda below: Arguments(whole=good, head=good_head), (BadAgent,))


def _valued(game: str, folder: Path) -> Opened:
    """What an agent that values positions says of itself, and its weights."""
    rules = rules_of(game)
    save_values(folder, rules, np.ones((len(rules.players), count_weights(rules)), np.float32), {"games": 7})
    paths = [folder / name for name in ("agent.json", "agent.safetensors")]
    told, whole = json.loads(paths[0].read_text(encoding="utf-8")), paths[1].read_bytes()

    def call(given: dict[str, Any]) -> None:
        _put(paths[1], given["whole"])
        fits = {"weights_sha256": hashlib.sha256(paths[1].read_bytes()).hexdigest()} if given["told"] is told else {}
        _put(paths[0], as_json(given["told"] | fits if fits else given["told"]).encode(errors="replace"))
        load_values(folder)

    return Opened(call, lambda below: Arguments(told=told, whole=whole), (BadAgent,))


# --- checkpoints ---


def _settings(game: str) -> TrainConfig:
    """Return the settings of a training that ends in a moment."""
    return replace(
        preset("quick", game), minutes=0.0, steps=128, games=8, horizon=8, minibatch=32, trunk="8", head="8", pool=2,
        snapshot_every=0.5, panel_games=0, advice=False, **TRAINED.get(game, {}),
    )  # fmt: skip


def _resume(game: str, folder: Path) -> Opened:
    """A run to go on with: the state in its checkpoint and its tensors, with a checksum that fits."""
    home = folder / "run"
    run = runs.TrainingRun(home, _settings(game))
    run.train()
    path, board = home / runs.CHECKPOINT, board_of(game)
    good = checkpoints.Checkpoint.read(path, board, game)
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
            text = json.dumps({**conditions(checkpoints._FORMAT, game, board), "state": state})
            _put(path, save(made, {"run": text, "sha256": checksum(made, text)}))
        with mock.patch.object(runs, "SummaryWriter"), mock.patch.object(files, "sync"):  # no logs, no waiting
            runs.TrainingRun(home, None).close()

    return Opened(call, lambda below: Arguments(state=good.state, tensors=tensors, whole=content), (BadRun,))


def _resume_values(game: str, folder: Path) -> Opened:
    """A run of learning values to go on with: its settings and its checkpoint."""
    home, settings = folder / "run", {"game": game, "players": None, "seed": 0, "trace": 0.9, "rate": 1.0}
    run = values.ValueRun(home, settings | {"begin": None, "among": 0.5})
    run.save()
    run._own.release()
    paths = [home / name for name in (CONFIG_FILE, values.CHECKPOINT)]
    told, whole = json.loads(paths[0].read_text(encoding="utf-8")), paths[1].read_bytes()

    def call(given: dict[str, Any]) -> None:
        _put(paths[0], as_json(given["told"]).encode(errors="replace"))
        _put(paths[1], given["whole"])
        with mock.patch.object(files, "sync"):
            values.ValueRun(home, None)._own.release()

    return Opened(call, lambda below: Arguments(told=told, whole=whole), (BadRun, BadAgent))


# --- kept games ---


def _kept(game: str, folder: Path) -> Opened:
    """A piece of a tournament that was kept: its bytes, or its arrays, their label and the records."""
    chunk, kept = Chunk(LineUp((0, 1)), 0, 0, 2), Kept(folder, "tournament")
    played = play_chunk(chunk, enter(["greedy", "random"], 0, None, game), rules_of(game).setup(2), records=True)
    kept.prepare()
    kept.save(0, played)
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


def _doors(game: str) -> dict[str, Opening]:
    learnt = all(hasattr(rules_of(game).verbs, name) for name in ("INPUTS", "write_inputs"))
    openings: dict[str, Callable[[str, Path], Opened]] = {
        "the description in an agent": _description, "agent.safetensors": _weights, "train.py --resume": _resume,
        "kept games": _kept,
        **({"agent of values": _valued, "train.py --resume, of values": _resume_values} if learnt else {}),
    }  # fmt: skip
    settings = json.loads(_settings(game).to_json())
    return {name: functools.partial(opening, game) for name, opening in openings.items()} | {
        "settings.json": simple(lambda data: TrainConfig.from_json(as_json(data)), [settings], ValueError)
    }


DOORS: Final = Doors(_doors)
"""Doors of agents' files, by their names in the table."""
