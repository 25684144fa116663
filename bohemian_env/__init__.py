"""Modern board games as reinforcement-learning environments, each by the rules of its rulebook.

engine/ is the floor, which knows no game: what a game hands over to it is in ``engine/contract.py``. villages/ is
*Bohemian Villages*; every game is in a room of its own, or in another package, which games.py finds and new.py begins
with the files of skeleton/. moved.py keeps the names of version 0.2.0. The names here are those of *Bohemian Villages*:
the game itself is :class:`Game`; ``bohemian_villages_v0`` is its PettingZoo environment.
"""

import gymnasium

from . import (
    bohemian_villages_v0,
    games,
    moved,  # noqa: F401 - from here on, the names of version 0.2.0 are found
)
from .engine.contract import Outcome
from .engine.errors import (
    BadNotation,
    BadPosition,
    BadRecord,
    BadSetup,
    BohemianError,
    GameOver,
    IllegalMove,
    MissingExtra,
    NoRecord,
)
from .engine.plain import title_of
from .tasks import TASKS
from .villages.board import Board
from .villages.errors import BadBoard, BadDice, BadNetwork, NoRollNeeded, RollNeeded
from .villages.faces import Batch, afterstates, observe, rewards
from .villages.game import Game
from .villages.observation import observation_parts, observation_scale
from .villages.setup import Setup

__all__ = [
    "TASKS", "BadBoard", "BadDice", "BadNetwork", "BadNotation", "BadPosition", "BadRecord", "BadSetup", "Batch",
    "Board", "BohemianError", "Game", "GameOver", "IllegalMove", "MissingExtra", "NoRecord", "NoRollNeeded",
    "Outcome", "RollNeeded", "Setup", "afterstates", "bohemian_villages_v0", "observation_parts",
    "observation_scale", "observe", "rewards",
]  # fmt: skip

__version__ = "0.2.0"

_ID = "bohemian_env/Villages-v0"
gymnasium.register(
    _ID,
    entry_point="bohemian_env.villages.faces:VillagesEnv",
    vector_entry_point="bohemian_env.villages.faces:VillagesVectorEnv",
)
_OTHERS = ("Dorfromantik", "Agricola")
for _name in _OTHERS:
    gymnasium.register(
        f"bohemian_env/{_name}-v0",
        entry_point=f"bohemian_env.{_name.lower()}.faces:{_name}Env",
        vector_entry_point=f"bohemian_env.{_name.lower()}.faces:{_name}VectorEnv",
    )

for _name in games.offered():
    gymnasium.register(
        f"bohemian_env/{title_of(_name)}-v0",
        entry_point="bohemian_env.games:single",
        vector_entry_point="bohemian_env.games:vector",
        kwargs={"game": _name},
    )

for _name, _task in TASKS.items():
    gymnasium.register(
        _task.id,
        entry_point="bohemian_env.tasks:single",
        vector_entry_point="bohemian_env.tasks:vector",
        kwargs={"task": _name},
    )

try:
    from pettingzoo import register
except ImportError:  # PettingZoo before 1.27 has no registry
    pass
else:
    register("aec", _ID, entry_point="bohemian_env.villages.faces:env")
    for _name in _OTHERS:
        register("aec", f"bohemian_env/{_name}-v0", entry_point=f"bohemian_env.{_name.lower()}.faces:env")
    for _name in games.offered():
        _named = f"bohemian_env/{title_of(_name)}-v0"
        register("aec", _named, entry_point="bohemian_env.games:table", kwargs={"game": _name})
