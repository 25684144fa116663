"""The tasks of the benchmark (docs/benchmark.md): one seat learns, and all else of the game is fixed.

Each is an environment of Gymnasium, ``gymnasium.make("bohemian_env/Agricola-2p-planner-v0")``; the other faces of its
game take ``**TASKS["Agricola-2p-planner"].parameters()``. Those of version 1 are in villages/tasks.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from . import games
from .engine.errors import BadSetup, brief
from .engine.self_play import Opponent
from .villages import tasks as villages


@dataclass(frozen=True, slots=True)
class GameTask:
    """A task of one game: its seats, who has the others, and the parameters of the set-up."""

    name: str
    game: str
    players: int = 1
    """At the table, the learner among them."""
    opponents: tuple[str | Opponent, ...] = ()
    """As for ``villages.Task``; none for one player."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the set-up that are not the usual ones."""
    told: str = "the usual set-up"
    """What is played, for readers."""

    @property
    def id(self) -> str:
        """The id by which Gymnasium knows it, where it is one of :data:`TASKS`."""
        return f"bohemian_env/{self.name}-v0"

    def parameters(self, **options: Any) -> dict[str, Any]:
        """Return the parameters of an environment that shows one seat.

        options: further ones, which a task does not fix: ``reward`` and those of the environment itself. Raises
        BadSetup: an option is one of what every task fixes.
        """
        faces = games.faces_of(self.game)
        fixed = {"num_players": self.players, "opponents": list(self.opponents), **self.options}
        fixed |= {"mixed": float(len(self.opponents) > 1)}
        left = ("shares", "advice", *faces.SelfPlay.rules.options)
        if given := [name for name in (*fixed, *left) if name in options]:
            raise BadSetup(f"task {self.name}: {given[0]}: the task fixes it; the game's own environment is free")
        return fixed | options


Task: TypeAlias = GameTask | villages.Task

_MINI: Final = {
    "landscape": ("L17", "L33", "L01", "L31"),
    "tasks": ("W2", "T3"),
    "markers": {"W": [3], "T": [2]},
    "open_tasks": 1,
    "left_in_box": 0,
}
"""Six tiles, of which the best play is known (docs/dorfromantik.md)."""
_LATER: Final = (
    GameTask("Dorfromantik-1p", "dorfromantik"),
    GameTask(
        "Dorfromantik-mini", "dorfromantik", options=_MINI, told="six tiles; the best play reaches 8.1667 in the mean"
    ),
    GameTask("Agricola-1p", "agricola"),
    GameTask("Agricola-2p-planner", "agricola", 2, ("planner",)),
    GameTask("Agricola-4p-planner", "agricola", 4, ("planner",)),
)
TASKS: Final[dict[str, Task]] = {**villages.TASKS, **{task.name: task for task in _LATER}}
"""The tasks by name."""


def task_named(name: str) -> Task:
    """Return a task by its name. Raises BadSetup if there is none of that name."""
    if not isinstance(name, str) or name not in TASKS:
        raise BadSetup(f"unknown task {brief(name)}; known are {', '.join(TASKS)}")
    return TASKS[name]


def single(task: str, **options: Any) -> Any:
    """Return a task as one game. options: those of the game's Gymnasium environment that a task does not fix."""
    found = task_named(task)
    return games.single(found.game, **found.parameters(**options))


def vector(task: str, num_envs: int = 1, **options: Any) -> Any:
    """Return a task as many games. options: those of the game's vector environment that a task does not fix."""
    found = task_named(task)
    return games.vector(found.game, num_envs, **found.parameters(**options))
