"""The tasks of the benchmark (docs/benchmark.md): one seat learns, and players, opponents and villages are fixed.

Each is an environment of Gymnasium, ``gymnasium.make("bohemian_env/Villages-2p-planner-v0")``; the other faces take
``**TASKS["2p-planner"].parameters()``.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ..engine.errors import BadSetup, brief
from .board import Board
from .faces import Opponent, VillagesEnv, VillagesVectorEnv

VILLAGES: Final = {
    "drawn": "a side of every tile is drawn for each game",
    "first": "the first side of every tile: seen in training",
    "second": "the second side of every tile: never seen by who learnt among the first ones",
}
"""Which villages a task is played among, by name."""


@dataclass(frozen=True, slots=True)
class Task:
    """Who sits at the table beside the learner, and among which villages; the learner is shown no advice."""

    game: ClassVar[str] = "villages"
    name: str
    players: int
    """At the table, the learner among them."""
    opponents: tuple[str | Opponent, ...]
    """Scripted ones by name, or others; one plays each other seat. Several are drawn, for each seat and game anew."""
    villages: str = "drawn"
    """A name of :data:`VILLAGES`."""

    @property
    def id(self) -> str:
        """The id by which Gymnasium knows it, where it is one of :data:`TASKS`."""
        return f"bohemian_env/Villages-{self.name}-v0"

    def parameters(self, **options: Any) -> dict[str, Any]:
        """Return the parameters of an environment that shows one seat, such as ``VillagesVecEnv``.

        options: further ones, which a task does not fix: ``reward`` and those of the environment itself. Raises
        BadSetup: an option is one of what every task fixes.
        """
        fixed = {"num_players": self.players, "opponents": list(self.opponents)}
        fixed |= {"mixed": float(len(self.opponents) > 1), "villages": self._villages()}
        left = ("shares", "advice", "board", "coin_supply", "special_action_tiles", "max_turns")
        if given := [name for name in (*fixed, *left) if name in options]:
            raise BadSetup(f"task {self.name}: {given[0]}: the task fixes it; bohemian_env/Villages-v0 is free")
        return fixed | options

    def _villages(self) -> str | tuple[str, ...]:
        if self.villages == "drawn":
            return "random"
        board, kept = Board.standard(), Board.standard().kept_tiles(self.players)
        sides = board.one_side(list(VILLAGES).index(self.villages) - 1)
        return tuple(village.name for village in sides if village.tile in kept)


TASKS: Final = {
    task.name: task
    for task in (
        Task("2p-greedy", 2, ("greedy",)),
        Task("2p-planner", 2, ("planner",)),
        Task("2p-planner-fixed", 2, ("planner",), "first"),
        Task("4p-planner", 4, ("planner",)),
        Task("4p-mixed", 4, ("greedy", "planner", "rusher", "hoarder")),
        Task("5p-planner", 5, ("planner",)),
    )
}
"""The tasks by name."""


def task_named(name: str) -> Task:
    """Return a task by its name. Raises BadSetup if there is none of that name."""
    if not isinstance(name, str) or name not in TASKS:
        raise BadSetup(f"unknown task {brief(name)}; known are {', '.join(TASKS)}")
    return TASKS[name]


def single(task: str, **options: Any) -> VillagesEnv:
    """Return a task as one game. options: those of :class:`VillagesEnv` that a task does not fix."""
    return VillagesEnv(**task_named(task).parameters(**options))


def vector(task: str, num_envs: int = 1, **options: Any) -> VillagesVectorEnv:
    """Return a task as many games. options: those of :class:`VillagesVectorEnv` that a task does not fix."""
    return VillagesVectorEnv(num_envs, **task_named(task).parameters(**options))
