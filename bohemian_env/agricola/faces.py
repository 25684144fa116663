"""The faces of Agricola: what the floor makes of its rules, by the names that users know."""

from typing import Any

from ..engine import batch, self_play
from ..engine.aec import TableEnv
from ..engine.self_play import AgentOpponent, Ended, Opponent, PolicyOpponent
from ..engine.single import SingleEnv
from ..engine.vector import ManyEnv
from .contract import RULES
from .game import Game
from .setup import SetupOptions

__all__ = [
    "AgentOpponent", "AgricolaEnv", "AgricolaVectorEnv", "Batch", "Ended", "EnvOptions", "Game", "Opponent",
    "PolicyOpponent", "SelfPlay", "env", "raw_env",
]  # fmt: skip


class EnvOptions(SetupOptions, total=False):
    """The parameters of the environment that are given as keywords."""

    reward: str
    render_mode: str | None


class Batch(batch.Batch):
    """``Batch(n, num_players=2, **options)``: many games side by side; see the floor's ``Batch``."""

    rules = RULES


class SelfPlay(self_play.SelfPlay):
    """Many games in which one seat learns; see the floor's ``SelfPlay``."""

    rules = RULES


class AgricolaEnv(SingleEnv):
    """One game, as ``gymnasium.make("bohemian_env/Agricola-v0")`` makes it; see the floor's class."""

    self_play = SelfPlay


class AgricolaVectorEnv(ManyEnv):
    """Many games, as ``gymnasium.make_vec("bohemian_env/Agricola-v0", num_envs=64)`` makes them."""

    self_play = SelfPlay


class raw_env(TableEnv):  # noqa: N801 - PettingZoo's name
    """Agricola for 1 to 5 agents: ``raw_env(num_players=2, **options)``.

    Its parameters are those of :meth:`Setup.of`, ``reward`` and ``render_mode``.
    """

    rules = RULES
    metadata: dict[str, Any] = TableEnv.metadata | {"name": RULES.env_name}


env = raw_env.wrapped
