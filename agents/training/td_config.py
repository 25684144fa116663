"""The settings of a run of agents.training.td, and those that the shipped networks were learned with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bohemian_env.opponents.appraiser import WIDTHS

__all__ = ["PRESETS", "TdConfig"]


@dataclass(frozen=True)
class TdConfig:
    """What a run follows from."""

    players: int
    games: int
    """How many games it learns from, in whole batches of ``games_at_once``: the last is not cut short."""
    lessons: int = 0
    """So many of them, the first, are played by ``planner`` in all seats, and learned from by their results alone."""
    seed: int = 0
    lam: float = 0.9
    """λ: how much of a target comes from later than the next roll."""
    among: float = 0.0
    """The part of the other games in which the network plays one seat and ``planner`` all others."""
    searched: float = 0.0
    """The part of the network's decisions among planners that are searched: expert iteration. Where that is the first
    decision with some dice, what the search finds counts in the target with weight 1 - λ, as what the network states at
    the next roll does."""
    playouts: int = 64
    """Of each search."""
    stray: float = 0.02
    """The part of the decisions in which any legal action is taken."""
    games_at_once: int = 1000
    """Games between two times of learning."""
    memory: int = 1_000_000
    """The positions that are learned from at a time: the latest."""
    reuse: float = 3.0
    """How often each position is learned from; those of lessons once, since there are always more."""
    minibatch: int = 1024
    rate: float = 1e-3
    """The learning rate at the start, from which it falls to 0."""
    width: int = WIDTHS[0]
    """The units of the first hidden layer, at most these; an appraiser reads those that a narrower one lacks as 0."""
    places: bool = False
    """Only what the seats' places in the order of play are worth is learned: what is stated changes, and hardly what is
    played."""


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
