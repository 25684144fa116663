"""Measures the results of the room's agents, alone and on the same stacks, and writes them into measured.toml.

    python -m table.rooms.dorfromantik.measure

It takes some five minutes of a core.
"""

import functools
import tomllib
from collections import Counter
from pathlib import Path
from typing import Final, TypedDict

import agents
from bohemian_env.dorfromantik.faces import Batch

_FILE: Final = Path(__file__).with_name("measured.toml")
GAMES: Final = {"greedy": 2000, "planner": 2000, "values": 2000, "search:values:250": 200}
"""The agents and how many games each plays: those of the seeds from 0 on."""


class Measured(TypedDict):
    """The results of an agent."""

    games: int
    mean: float
    lowest: int
    counts: list[int]
    """How many games came to the lowest result, to one point more, and so on up to the highest."""


def results(agent: str, games: int) -> Measured:
    """Return the results of some games."""
    player, batch = agents.make(agent, seed=0, game="dorfromantik"), Batch(games, autoreset=False)
    batch.reset(0)
    while not batch.states["end"].all():
        batch.step(player.act_batch(batch))
    totals = batch.states["score"][:, -1].tolist()
    counts = Counter(totals)
    whole = [counts[total] for total in range(min(totals), max(totals) + 1)]
    return {"games": games, "mean": round(sum(totals) / games, 1), "lowest": min(totals), "counts": whole}


@functools.cache
def measured() -> dict[str, Measured]:
    """Return the results that are kept, by the agent's name."""
    found: dict[str, Measured] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Measure, and write the file."""
    told = "# Written by python -m table.rooms.dorfromantik.measure.\n"
    for agent, games in GAMES.items():
        told += f'\n["{agent}"]\n' + "".join(f"{key} = {value}\n" for key, value in results(agent, games).items())
    _FILE.write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
