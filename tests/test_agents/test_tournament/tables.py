"""Tables that tests play, and games by hand."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agents.tournament import Entrant, LineUp
from agents.tournament.play import Played, play_chunk
from agents.tournament.schedule import chunks
from bohemian_env import Setup


def play_line_up(
    line_up: LineUp,
    blocks: int,
    seed: int,
    entrants: Sequence[Entrant],
    setup: Setup,
    games_at_once: int = 2048,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Play any number of blocks of one table, ``games_at_once`` games at a time."""
    parts = chunks(line_up, blocks, seed, games_at_once)
    return Played.join([play_chunk(part, entrants, setup, progress=progress) for part in parts])


def games_of_two(seating: Any, totals: Any, turns: Any, ends: Any, luck: Any = 0.0) -> Played:
    """Games of two agents: seating, totals and luck are (blocks, rotations, seats), turns and ends without the last."""
    return Played(
        seating=np.array(seating),
        totals=np.array(totals, np.int32),
        turns=np.array(turns, np.int32),
        ends=np.array(ends, np.uint8),
        decisions=np.zeros(2, np.int64),
        seconds=np.zeros(2),
        luck=np.broadcast_to(luck, np.shape(seating)),
        failed=np.zeros(np.shape(seating), np.bool_),
    )
