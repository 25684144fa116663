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

__version__ = "0.3.0"


def _register(name: str, single: str, vector: str, **kwargs: str) -> None:
    gymnasium.register(name, entry_point=single, vector_entry_point=vector, kwargs=kwargs)


_HERE = [*map(title_of, games.GAMES)]
for _name in _HERE:
    _faces = f"bohemian_env.{_name.lower()}.faces:{_name}"
    _register(f"bohemian_env/{_name}-v0", f"{_faces}Env", f"{_faces}VectorEnv")
for _name in games.offered():
    _named = f"bohemian_env/{title_of(_name)}-v0"
    _register(_named, "bohemian_env.games:single", "bohemian_env.games:vector", game=_name)
for _name, _task in TASKS.items():
    _register(_task.id, "bohemian_env.tasks:single", "bohemian_env.tasks:vector", task=_name)

try:
    from pettingzoo import register
except ImportError:  # PettingZoo before 1.27 has no registry
    pass
else:
    for _name in _HERE:
        register("aec", f"bohemian_env/{_name}-v0", entry_point=f"bohemian_env.{_name.lower()}.faces:env")
    for _name in games.offered():
        _named = f"bohemian_env/{title_of(_name)}-v0"
        register("aec", _named, entry_point="bohemian_env.games:table", kwargs={"game": _name})
