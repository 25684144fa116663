"""A comparison from beginning to end: schedule, games, statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .play import GAMES_AT_ONCE, Entrant, Setup, play_line_up, try_out
from .schedule import pairings, seeds_of_blocks, whole_blocks
from .statistics import Result, summarise

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What :func:`compare` found, and under which conditions."""

    entrants: tuple[Entrant, ...]
    setup: Setup
    games_asked: int
    """Games per pairing that were asked for; those played fill whole blocks."""
    seed: int
    """Of the first block; the following ones have the following seeds. The agents' own seeds come from it too."""
    blocks: int
    results: tuple[Result, ...]
    decisions: np.ndarray
    """Decisions of each entrant, those with only one legal action included. int64, (entrants,)."""
    seconds: np.ndarray
    """Wall time of each for them. float64, (entrants,)."""

    @property
    def games(self) -> int:
        """Games per pairing."""
        return self.blocks * self.setup.players

    def microseconds_per_move(self, entrant: int) -> float:
        """Mean time of a decision of this entrant, among the many that it takes at once."""
        return 1e6 * float(self.seconds[entrant]) / max(1, int(self.decisions[entrant]))


def compare(
    entrants: Sequence[Entrant],
    setup: Setup | None = None,
    *,
    games: int = 2000,
    seed: int = 0,
    games_at_once: int = GAMES_AT_ONCE,
    begin: Callable[[int], None] | None = None,
    progress: Callable[[int], None] | None = None,
    record: Callable[[dict[str, Any]], None] | None = None,
) -> Comparison:
    """Let every pairing of the entrants play the same villages and dice from every seat.

    Args:
        entrants: as :func:`agents.tournament.enter` makes them, two or more.
        setup: of all games; two players on the shipped board by default.
        games: per pairing; rounded up so that each seed is played from every seat.
        seed: of the first block of games.
        games_at_once: games in one batch; changes memory and speed, not the games.
        begin: called once everything was checked, with the number of all games.
        progress: called with the number of games that ended since it was last called.
        record: called with the record of each finished game.

    Raises:
        BadTournament: fewer than two entrants or than one game, or seeds out of range.
        BadSetup: a parameter of ``setup`` is not as ``Game.new`` wants it.
        IllegalMove: an agent chose an action that is not legal.
    """
    setup = setup or Setup()
    setup.batch(1)
    line_ups = pairings(len(entrants), setup.players)
    seeds = seeds_of_blocks(whole_blocks(games, setup.players), seed)
    try_out(entrants, setup)
    if begin is not None:
        begin(len(line_ups) * len(seeds) * setup.players)
    results = []
    decisions = np.zeros(len(entrants), np.int64)
    seconds = np.zeros(len(entrants))
    for line_up in line_ups:
        played = play_line_up(
            line_up, seeds, entrants, setup, games_at_once=games_at_once, progress=progress, record=record
        )
        results.append(summarise(line_up, played))
        decisions += played.decisions
        seconds += played.seconds
    return Comparison(
        entrants=tuple(entrants),
        setup=setup,
        games_asked=games,
        seed=seed,
        blocks=len(seeds),
        results=tuple(results),
        decisions=decisions,
        seconds=seconds,
    )
