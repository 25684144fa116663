"""The settings of a run of agents.training.td, and those that the shipped networks were learned with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from math import nextafter
from typing import Final

from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS

from .config import ABOVE_0, PART, check_settings, setting

SEEDS_APART: Final = 2**40  # how far the seeds of the games of two runs are apart
_MOST_SEED: Final = 2**21 - 1  # the highest seed of a run, whose games' seeds stay below 2**63


@dataclass(frozen=True)
class TdConfig:
    """The settings of a run. The command has options for those with a help. Raises ValueError for bad ones."""

    players: int = setting(MISSING, "players at the table", (MIN_PLAYERS, MAX_PLAYERS))
    games: int = setting(1_000_000, "games to learn from, in whole batches of 1,000", (1, SEEDS_APART))
    lessons: int = setting(0, "of these, the first that planner plays, learned from by their results", (0, SEEDS_APART))
    seed: int = setting(0, "seed of games and network", (0, _MOST_SEED))
    lam: float = setting(0.9, "λ: how much of a target comes from later than the next roll", PART)
    among: float = setting(0.0, "part of the other games in which the network sits alone among planners", PART)
    stray: float = setting(0.02, "", PART)  # the part of the decisions in which any legal action is taken
    games_at_once: int = setting(1000, "", (1, 2**20))  # games between two times of learning
    memory: int = setting(1_000_000, "", (1, 2**30))  # the positions that are learned from at a time: the latest
    reuse: float = setting(3.0, "", ABOVE_0)
    """How often each position is learned from; those of lessons once, since there are always more."""
    minibatch: int = setting(1024, "", (1, 2**24))
    rate: float = setting(1e-3, "first learning rate, which falls to 0", (nextafter(0, 1), 1))
    places: bool = setting(False, "learn only what the order of play is worth in each round")

    def __post_init__(self) -> None:
        check_settings(self)
        if self.lessons > self.games:
            raise ValueError(f"lessons {self.lessons} are more than games {self.games}")


PRESETS: Final[Mapping[str, Mapping[int, TdConfig]]] = {
    "selftaught": {
        players: TdConfig(players, games, among=0.5)
        for players, games in {2: 480_000, 3: 500_000, 4: 400_000, 5: 230_000}.items()
    },
    "appraiser": {
        players: TdConfig(players, games, among=0.5, seed=1, rate=5e-4)
        for players, games in {2: 800_000, 3: 600_000, 4: 520_000, 5: 270_000}.items()
    },
    "places": {players: TdConfig(players, 12_000, seed=2, lam=1.0, rate=3e-3, places=True) for players in (2, 3, 4, 5)},
}
"""By name and number of players: what ``selftaught`` learned with, what ``appraiser`` went on with from there, and how
both then learned what the order of play is worth."""
