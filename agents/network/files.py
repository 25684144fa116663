"""The two files of a trained agent.

``agent.safetensors`` holds only numbers, so that loading it runs no code of others; ``agent.json`` beside it says what
the agent was trained for. Everything that must fit is checked when it is loaded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from safetensors import safe_open
from safetensors.torch import save

from agents.common.files import write_atomically
from bohemian_env import Board
from bohemian_env.envs.advice import ADVICE
from bohemian_env.envs.aec import NAME as ENVIRONMENT
from bohemian_env.envs.observation import OBSERVATION_SIZE
from bohemian_env.game.actions import NUM_ACTIONS

from .net import PolicyNet, Shape

__all__ = ["NAME", "BadAgent", "find_weights", "load_net", "save_net"]

FORMAT: Final = "bohemian-agent/1"
NAME: Final = "agent"
_DESCRIPTION: Final = "description"
_REASONS: Final = {
    "board": "it was trained on another board",
    "environment": "it was trained for another version of the environment",
}


class BadAgent(ValueError):
    """A path holds no trained agent, or one that cannot play here; the message says why."""


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

    The weights carry the description too, so that the two belong together whatever interrupts the writing of the files.

    Args:
        net: the network.
        path: the path of the weights; the JSON has the same name with ``.json``.
        board: the board that it was trained on.
        about: what a reader may want to know about the training; it is not checked when the agent is loaded.
    """
    text = json.dumps(_description(board, net.shape.to_json(), about), indent=1) + "\n"
    weights = {key: value.detach().float().cpu().contiguous() for key, value in net.state_dict().items()}
    write_atomically(path.with_suffix(".json"), text.encode())  # first, so that there are never weights without it
    write_atomically(path, save(weights, {_DESCRIPTION: text}))


def find_weights(path: Path) -> Path:
    """Return the weights file that a path means: the file itself, or the one in a folder.

    Raises:
        BadAgent: the path is neither.
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
    """Return the content of a description and the shape of its network. Raises BadAgent if it does not fit."""
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
    """Return the network of a trained agent and its description.

    Args:
        path: the folder of a training run, or a ``.safetensors`` file with its JSON beside it.
        board: the board that it is to play on; the shipped board by default.

    Raises:
        BadAgent: there is no agent, or its format, environment, board or network is another.
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
