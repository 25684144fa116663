"""All that a training run can be told, in one place. ``train.py`` makes its options from here."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from bohemian_env.envs.reward import REWARDS
from bohemian_env.game.state import MAX_PLAYERS, MIN_PLAYERS

__all__ = ["Settings"]


def _setting(default: Any, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class Settings:
    """Settings of a training run; saved with it."""

    minutes: float = _setting(5.0, "minutes of training, over all sessions of the run; 0 for no limit")
    steps: int = _setting(0, "decisions of the learner to train on; 0 for no limit")
    players: int = _setting(2, "players at the table, 2 to 5")
    seed: int = _setting(0, "seed of the games, the network's first weights and its draws")
    reward: str = _setting("mixed", f"what is learnt from: {', '.join(REWARDS)}")
    max_turns: int = _setting(500, "turns after which a game is cut off")
    coin_supply: int = _setting(300, "coins in the bank")
    board: str = _setting("", "board file of your own; empty for the shipped board")

    games: int = _setting(512, "games played side by side")
    horizon: int = _setting(32, "decisions of each game between two updates")
    epochs: int = _setting(3, "passes over the decisions of an update")
    minibatch: int = _setting(2048, "decisions of a minibatch")
    learning_rate: float = _setting(1e-3, "at the start; it falls to 0 along a line")
    gamma: float = _setting(1.0, "discount per decision")
    gae_lambda: float = _setting(0.95, "lambda of the advantage estimate")
    clip: float = _setting(0.2, "clip range of the policy ratio")
    entropy: float = _setting(0.01, "weight of the entropy bonus at the start; it falls with the learning rate")
    value_weight: float = _setting(0.5, "weight of the value loss")
    max_gradient: float = _setting(0.5, "norm to which gradients are clipped")
    trunk: int = _setting(256, "width of the shared layer")
    head: int = _setting(256, "width of the layers of policy and value")
    bfloat16: bool = _setting(True, "run matrix products in bfloat16 where the processor is quick at it")

    current: float = _setting(0.40, "share of games against the current policy")
    snapshots: float = _setting(0.20, "share of games against older snapshots of it")
    greedy: float = _setting(0.35, "share of games against greedy")
    random: float = _setting(0.05, "share of games against random")
    pool: int = _setting(4, "snapshots that play at a time; the run keeps all of them")
    snapshot_every: float = _setting(0.05, "part of the training, 0 to 1, between two snapshots")
    checkpoint_seconds: float = _setting(60.0, "seconds of training between two checkpoints")

    def __post_init__(self) -> None:
        low_and_high = {
            "players": (MIN_PLAYERS, MAX_PLAYERS),
            "games": (1, 2**20),
            "horizon": (1, 2**16),
            "epochs": (1, 1000),
            "minibatch": (2, 2**24),
            "trunk": (1, 4096),
            "head": (1, 4096),
            "pool": (1, 1000),
            "max_turns": (1, 2**31 - 2),
            "coin_supply": (1, 9_999),
            "seed": (0, 2**31 - 1),
            "gamma": (0, 1),
            "gae_lambda": (0, 1),
        }
        for name, (low, high) in low_and_high.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} {getattr(self, name)!r} is not from {low} to {high}")
        if not 0 <= self.minutes < math.inf or self.steps < 0 or not (self.minutes or self.steps):
            raise ValueError(f"minutes {self.minutes!r} and steps {self.steps!r}: at least one above 0, none below")
        for name in ("learning_rate", "snapshot_every", "checkpoint_seconds", "clip", "max_gradient"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} {getattr(self, name)!r} is not above 0")
        for name in ("entropy", "value_weight"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} {getattr(self, name)!r} is not at least 0")
        if self.reward not in REWARDS:
            raise ValueError(f"reward {self.reward!r} is none of {', '.join(REWARDS)}")
        shares = self.shares
        if min(shares) < 0 or sum(shares) <= 0:
            raise ValueError(f"shares of opponents {shares} are not at least 0, with one above 0")

    @property
    def shares(self) -> tuple[float, float, float, float]:
        """Shares of games against current policy, snapshots, greedy and random."""
        return self.current, self.snapshots, self.greedy, self.random

    def to_json(self) -> str:
        """As the run keeps it."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """What :meth:`to_json` wrote.

        Raises:
            ValueError: a setting is unknown, missing, or outside its range.
        """
        data = json.loads(text)
        names = {f.name for f in fields(cls)}
        if not isinstance(data, dict) or set(data) != names:
            odd = sorted(set(data) ^ names) if isinstance(data, dict) else data
            raise ValueError(f"settings of another version of the project: {odd}")
        return cls(**data)
