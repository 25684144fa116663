"""The two files of a trained agent.

``agent.safetensors`` holds numbers and what the agent was trained for, so that loading it runs no code of others;
``agent.json`` beside it says the latter to readers, and is not loaded. Everything that must fit is checked, and sizes
before memory is taken.
"""

import hashlib
import json
import os
import reprlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from safetensors.torch import load, save

from agents.common.files import BadAgent, write_atomically
from bohemian_env import Board
from bohemian_env.engine.checks import is_whole
from bohemian_env.engine.errors import brief
from bohemian_env.games import GAMES, game_of_environment, rules_of

from .net import PolicyNet, Shape

_FORMAT: Final = "bohemian-agent/1"
NAME: Final = "agent"  # what the two files of a run's agent are called, before ``.safetensors`` and ``.json``
_DESCRIPTION: Final = "description"
_OWN_CHECKSUM: Final = "description_sha256"
"""The field with the checksum of all that an agent says of itself besides; older agents lack it."""
_CHECKSUM: Final = "weights_sha256"  # the field with the checksum of the weights, which agents of version 0.1.0 lack
_FIELDS: Final = ("network", "about", _CHECKSUM, _OWN_CHECKSUM)  # what an agent says of itself besides the conditions
_MOST_TEXT: Final = 1_000_000  # the most bytes of the header of the weights, which holds the description
_MOST_BYTES: Final = 256_000_000  # the most bytes of the weights
_MOST_LAYERS: Final = 32  # the most layers of each part of a network
_REASONS: Final = {
    "board": "it was trained on another board",
    "environment": "it was trained for another version of the environment",
}


def board_of(game: str, board: Board | None = None) -> Board | None:
    """Return a board, by default the one that a game is usually played on; None for a game without boards."""
    return getattr(rules_of(game).setup(), "board", None) if board is None else board


def conditions(form: str, game: str, board: Board | None) -> dict[str, Any]:
    """Return what a file with a network must say, and the program that reads it too, for the two to fit.

    form: the name and the version of the file's format. board: the one that the network was trained on, if any.
    """
    rules = rules_of(game)
    return {
        "format": form,
        "environment": rules.env_name,
        **({} if board is None else {"board": board.digest}),
        "observation_size": rules.sizes[0],
        "num_actions": rules.sizes[1],
    }


def checksum(tensors: Mapping[str, torch.Tensor], text: str = "") -> str:
    """Return the SHA-256 of float32 tensors in the order of their names, and of a text, in hexadecimal."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(f"{name} {list(tensors[name].shape)}\n".encode())
        digest.update(np.ascontiguousarray(tensors[name].numpy(), "<f4").tobytes())
    digest.update(text.encode())
    return digest.hexdigest()


def _checksum_of(description: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all fields of a description but that of this checksum, in hexadecimal."""
    fields = {key: value for key, value in description.items() if key != _OWN_CHECKSUM}
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def read_tensors(path: Path) -> tuple[dict[str, str], dict[str, torch.Tensor]]:
    """Return the texts and the tensors of a safetensors file.

    The file is opened once, and so of one piece also while a run replaces it; ``safetensors.safe_open`` opens it a
    second time for the tensors.

    Raises BadAgent: it cannot be read, or is no such file.
    """
    try:
        data = Path(path).read_bytes()
        tensors = load(data)
        length = int.from_bytes(data[:8], "little")  # the format begins with the length of its header
        return json.loads(data[8 : 8 + length]).get("__metadata__", {}), tensors
    except Exception as error:  # safetensors has an error class of its own
        raise BadAgent(f"{path if isinstance(path, str | Path) else brief(path)}: cannot be read: {error}") from None


def save_net(net: PolicyNet, path: Path, board: Board | None, about: Mapping[str, Any]) -> None:
    """Write ``path`` (``….safetensors``), which carries its description, and beside it the same as JSON for readers.

    Args:
        net: the network.
        path: the path of the weights; the JSON has the same name with ``.json``.
        board: the board that it was trained on, if its game has boards.
        about: what a reader may want to know about the training; it is not checked when it is loaded.
    """
    weights = {key: value.detach().float().cpu().contiguous() for key, value in net.state_dict().items()}
    description = {
        **conditions(_FORMAT, net.shape.game, board),
        "network": net.shape.to_json(),
        "about": dict(about),
        _CHECKSUM: checksum(weights),
    }
    description = json.loads(json.dumps(description))  # as it is read: keys are texts
    description[_OWN_CHECKSUM] = _checksum_of(description)
    text = json.dumps(description, indent=1) + "\n"
    write_atomically(path.with_suffix(".json"), text.encode())  # first, so that there are never weights without it
    write_atomically(path, save(weights, {_DESCRIPTION: text}))


def find_weights(path: str | Path) -> Path:
    """Return the weights file that a path means: the file itself, or the one in a folder.

    Raises BadAgent: the path is neither.
    """
    try:
        path = Path(path)
    except TypeError:
        raise BadAgent(f"{brief(path)} is not the path of a trained agent") from None
    if os.path.isdir(path):  # False, unlike Path.is_dir, also for names that no system would take
        inside = path / f"{NAME}.safetensors"
        if not os.path.exists(inside):
            raise BadAgent(f"{path}: no trained agent in this folder: {inside.name} is missing")
        return inside
    if path.suffix != ".safetensors":
        raise BadAgent(f"{path}: a trained agent is a .safetensors file, or the folder of a training run")
    return path


def _check(text: str, where: Path, game: str, board: Board | None) -> tuple[dict[str, Any], Shape]:
    """Return the content of a description and the shape of its network. Raises BadAgent if it does not fit."""
    if not text:
        raise BadAgent(f"{where} does not say what it is; python -m benchmarks.verify plays agents of the benchmark")
    try:
        description = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadAgent(f"{where}: cannot be read: {error}") from None
    if not isinstance(description, dict):
        raise BadAgent(f"{where}: not a JSON object")
    for key, value in conditions(_FORMAT, game, board).items():
        if description.get(key) != value:
            reason = _REASONS.get(key, "it does not fit this version of the project")
            if other := game_of_environment(description.get(key)):
                reason = f"it plays {other}, not {game}"
            raise BadAgent(f"{where}: {key} is {reprlib.repr(description.get(key))}, not {brief(value)}: {reason}")
    return description, _shape_from(description.get("network"), where, game)


def _shape_from(network: Any, where: Path, game: str) -> Shape:
    widths = {}
    for part in ("trunk", "policy", "value"):
        given = network.get(part) if isinstance(network, Mapping) else None
        if not isinstance(given, list) or not all(is_whole(w, 1, 4096) for w in given):
            shown = reprlib.repr(given)
            raise BadAgent(f"{where}: network: {part} {shown} is not a list of widths from 1 to 4,096")
        if len(given) > _MOST_LAYERS:
            raise BadAgent(f"{where}: network: {part} has {len(given):,} layers; at most {_MOST_LAYERS} are possible")
        widths[part] = tuple(given)
    if not widths["trunk"]:
        raise BadAgent(f"{where}: network: trunk has no layer")
    advice, offered = network.get("advice"), rules_of(game).advice
    names = offered.names if offered else {}
    for adviser, source in [("", None), *names.items()]:
        if advice == source:
            return Shape(**widths, adviser=adviser, game=game)
    given = " nor ".join(map(repr, names.values())) or "anything else"
    raise BadAgent(
        f"{where}: network: advice {reprlib.repr(advice)} is neither null nor {given}, which this version gives"
    )


def check_shape(shape: Shape) -> None:
    """Raise BadAgent for a network that could not be loaded again: one of too many layers, or too many bytes."""
    if not isinstance(shape, Shape):
        raise BadAgent(f"network: {brief(shape)} is not the shape of one")
    for part in ("trunk", "policy", "value"):
        if (layers := len(getattr(shape, part))) > _MOST_LAYERS:
            raise BadAgent(f"network: {part} has {layers:,} layers; at most {_MOST_LAYERS} are possible")
    with torch.device("meta"):  # where tensors have shapes and take no memory
        size = sum(4 * value.numel() for value in PolicyNet(shape).state_dict().values())
    if size > _MOST_BYTES - _MOST_TEXT:
        raise BadAgent(f"network: {size:,} bytes of weights; at most {_MOST_BYTES - _MOST_TEXT:,} are possible")


def load_net(path: str | Path, board: Board | None = None, game: str = GAMES[0]) -> tuple[PolicyNet, dict[str, Any]]:
    """Return the network of a trained agent and its description.

    path: the folder of a training run, or a ``.safetensors`` file. board: the board that it is to play on; the shipped
    board by default. game: the game that it is to play.

    Raises BadAgent: there is no agent, its format, environment, board or network is another, or its weights are
    damaged.
    """
    if board is not None and not isinstance(board, Board):
        raise BadAgent(f"{brief(board)} is not the board that an agent could play on")
    path, board = find_weights(path), board_of(game, board)
    try:
        if (size := path.stat().st_size) > _MOST_BYTES:
            raise BadAgent(f"{path}: {size:,} bytes; the weights of an agent have at most {_MOST_BYTES:,}")
        with path.open("rb") as raw:
            if (length := int.from_bytes(raw.read(8), "little")) > _MOST_TEXT:
                raise BadAgent(f"{path}: cannot be read: a header of {length:,} bytes; at most {_MOST_TEXT:,} fit")
        texts, weights = read_tensors(path)
        description, shape = _check(texts.get(_DESCRIPTION, ""), path, game, board)
        with torch.device("meta"):  # where tensors have shapes and take no memory, and no weights are drawn
            net = PolicyNet(shape)
        if {key: value.shape for key, value in weights.items()} != {k: v.shape for k, v in net.state_dict().items()}:
            raise BadAgent(f"{path}: the weights do not fit the network that they describe")
    except BadAgent:
        raise
    except Exception as error:
        raise BadAgent(f"{path}: cannot be read: {error}") from None
    if not all(value.dtype == torch.float32 and value.isfinite().all() for value in weights.values()):
        raise BadAgent(f"{path}: some of its weights are not finite numbers of 32 bits")
    if unknown := sorted({*description} - {*_FIELDS, *conditions(_FORMAT, game, board)}):
        shown = reprlib.repr(unknown[0])  # the name of the checksum may be what is damaged
        raise BadAgent(f"{path}: {shown} is unknown in what it says of itself: it is damaged, or of a later version")
    if description.get(_CHECKSUM, written := checksum(weights)) != written:
        raise BadAgent(f"{path}: the weights are damaged: their checksum is not the one that was written with them")
    if description.get(_OWN_CHECKSUM, written := _checksum_of(description)) != written:
        raise BadAgent(f"{path}: what it says of itself is damaged: its checksum is not the one written with it")
    if not isinstance(about := description.get("about"), dict):
        raise BadAgent(f"{path}: about is {reprlib.repr(about)}, not an object")
    net.load_state_dict(weights, assign=True)
    return net.eval(), description
