"""Tables that tests play."""

from collections.abc import Callable, Sequence

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
    *,
    games_at_once: int = 2048,
    progress: Callable[[int], None] | None = None,
    records: bool = False,
) -> Played:
    """Play any number of blocks of one table, ``games_at_once`` games at a time."""
    parts = chunks(line_up, blocks, seed, games_at_once)
    return Played.join([play_chunk(part, entrants, setup, progress=progress, records=records) for part in parts])
