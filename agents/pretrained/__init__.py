"""The agents that come with the project: files of their networks, and how strong they were when they were measured.

``pages/strength.py`` measures them and writes strength.json; the agents' card (README.md), the README of the project
and ``table/seating.py`` have their figures from it. selftaught/ has the networks of the agent of that name. Nothing
here needs PyTorch.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, Final, TypedDict

from bohemian_env.villages.board import check_players

__all__ = [
    *("SELF_TAUGHT_FOLDER", "STRENGTH", "Duel", "Interval", "Strength"),
    *("about", "duel", "shipped_path", "strength", "values_folder", "weights_digest"),
]

_FOLDER: Final = Path(__file__).resolve().parent
STRENGTH: Final = _FOLDER / "strength.json"
"""The file of what was measured."""
SELF_TAUGHT_FOLDER: Final = _FOLDER / "selftaught"
"""Where the networks of ``selftaught`` lie, ``2-players.npz`` and so on."""


def values_folder(game: str) -> Path:
    """Return where the agent ``values`` of a game lies."""
    return _FOLDER / game


class Interval(TypedDict):
    """A number and its interval."""

    value: float
    low: float
    high: float


class Duel(TypedDict):
    """What the games of one agent alone among copies of another say."""

    players: int
    agent: str
    among: str
    games: int
    win_share: Interval
    """Joint winners share the win."""
    win_share_by_seat: list[float]
    margin: Interval
    """Coins by which the agent's total is ahead of the mean of the others'."""


class Strength(TypedDict):
    """What strength.json holds. JSON has texts for keys, so numbers of players are texts in it."""

    format: str
    command: str
    machine: str
    first_seed: int
    """The seed of the first game with each number of players; the others count on; each is played from every seat."""
    response_decisions: int
    """Decisions that each best response was trained on, an agent that met only the one it responds to."""
    interval: float
    """Coverage of the intervals."""
    weights: dict[str, str]
    """:func:`weights_digest` of ``ppo`` as it was measured, by number of players."""
    selftaught: dict[str, str]
    """:func:`weights_digest` of ``selftaught``, by number of players."""
    appraiser: int
    """The version of the networks of ``appraiser``."""
    microseconds: dict[str, dict[str, list[float]]]
    """Time of a move on one thread, by number of players and agent: one at a time, the median; of those that do not
    search also each of ``batch`` at once."""
    batch: int
    duels: list[Duel]


def shipped_path(players: int) -> Path:
    """Return the path of the weights of the shipped agent for tables of 2 to 5 players. Raises BadSetup for others."""
    check_players(players)
    return _FOLDER / f"{players}-players.safetensors"


def about(players: int) -> dict[str, Any]:
    """Return what the description of a shipped agent says about its training."""
    return json.loads(shipped_path(players).with_suffix(".json").read_text(encoding="utf-8"))["about"]


def weights_digest(players: int, *, self_taught: bool = False) -> str:
    """Return the SHA-256 of the weights of ``ppo``, or of ``selftaught``, in hexadecimal."""
    path = SELF_TAUGHT_FOLDER / f"{players}-players.npz" if self_taught else shipped_path(players)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def strength() -> Strength:
    """Return what was measured."""
    return json.loads(STRENGTH.read_text(encoding="utf-8"))


def duel(agent: str, among: str, players: int) -> Duel | None:
    """Return how an agent did alone among copies of another; None if that was not measured.

    agent, among: their names; ``search:appraiser`` and ``montecarlo`` whatever they may spend on a move.
    """

    def called(one: str, name: str) -> bool:
        return one == name or one.startswith(f"{name}:")

    for one in strength()["duels"]:
        if called(one["agent"], agent) and called(one["among"], among) and one["players"] == players:
            return one
    return None
