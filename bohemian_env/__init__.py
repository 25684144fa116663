"""Bohemian Villages (Reiner Stockhausen, dlp games, 2016) as a reinforcement-learning environment.

The game itself is :class:`Game`; ``bohemian_villages_v0`` is the PettingZoo environment; :class:`Batch` plays many
games at once. The folders in the order data flows: game/ is the game, opponents/ plays it, render/ draws it, envs/
shows it to learners; errors.py, compiled.py, bits.py and chance.py stand below them.
"""

import gymnasium

from . import bohemian_villages_v0
from .envs.afterstates import afterstates
from .envs.batch import Batch
from .envs.observation import observation_parts, observation_scale
from .envs.observe import observe
from .envs.reward import rewards
from .envs.tasks import TASKS
from .errors import (
    BadBoard,
    BadDice,
    BadNetwork,
    BadNotation,
    BadPosition,
    BadRecord,
    BadSetup,
    BohemianError,
    GameOver,
    IllegalMove,
    MissingExtra,
    NoRecord,
    NoRollNeeded,
    RollNeeded,
)
from .game.board import Board
from .game.game import Game
from .game.record import Outcome
from .game.setup import Setup

__all__ = [
    "TASKS",
    "BadBoard",
    "BadDice",
    "BadNetwork",
    "BadNotation",
    "BadPosition",
    "BadRecord",
    "BadSetup",
    "Batch",
    "Board",
    "BohemianError",
    "Game",
    "GameOver",
    "IllegalMove",
    "MissingExtra",
    "NoRecord",
    "NoRollNeeded",
    "Outcome",
    "RollNeeded",
    "Setup",
    "afterstates",
    "bohemian_villages_v0",
    "observation_parts",
    "observation_scale",
    "observe",
    "rewards",
]

__version__ = "0.2.0"

_ID = "bohemian_env/Villages-v0"
gymnasium.register(
    _ID,
    entry_point="bohemian_env.envs.single:VillagesEnv",
    vector_entry_point="bohemian_env.envs.vector:VillagesVectorEnv",
)

for _name, _task in TASKS.items():
    gymnasium.register(
        _task.id,
        entry_point="bohemian_env.envs.tasks:single",
        vector_entry_point="bohemian_env.envs.tasks:vector",
        kwargs={"task": _name},
    )

try:
    from pettingzoo import register
except ImportError:  # PettingZoo before 1.27 has no registry
    pass
else:
    register("aec", _ID, entry_point="bohemian_env.envs.aec:env")
