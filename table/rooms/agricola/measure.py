"""Measures the room's agents at each size of table, and writes what they did into measured.toml.

    python -m table.rooms.agricola.measure

Each sits alone among planners, or alone, and planner among its like, as ``python evaluate.py --game agricola AGENT
planner --players N --tables single --games GAMES`` has them. It takes some ten minutes of a core.
"""

import functools
import tomllib
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from bohemian_env.agricola.setup import Setup

_FILE: Final = Path(__file__).with_name("measured.toml")
AMONG: Final = "planner"
GAMES: Final = {"random": 240, "greedy": 240, AMONG: 240, "values": 120, "search:values:250": 20}
"""The agents and how many games each plays at each size of table: those of the seeds from 0 on."""


class Measured(TypedDict):
    """The results of an agent at a size of table."""

    games: int
    mean: float
    """Points in the end."""
    share: NotRequired[float]
    """Its share of the wins, where others sit at the table."""


def results(agent: str, players: int, games: int) -> Measured:
    """Return the results of some games."""
    from agents.tournament import compare, enter  # only to measure: it wants what the extra train brings

    alone = players == 1 or agent == AMONG
    entrants = enter([agent] if alone else [agent, AMONG], seed=0, game="agricola")
    found = compare(entrants, Setup(players), games=games, tables="own" if alone else "single")
    told: Measured = {"games": found.games, "mean": round(float(found.totals[0]), 1)}
    if not alone:
        told["share"] = round(found.results[0].share.value, 3)
    return told


@functools.cache
def measured() -> dict[str, dict[str, Measured]]:
    """Return the results that are kept, by the agent's name and the number of players."""
    found: dict[str, dict[str, Measured]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Measure, and write the file."""
    told = "# Written by python -m table.rooms.agricola.measure.\n"
    for agent, games in GAMES.items():
        told += f'\n["{agent}"]\n'
        for players in range(1, 6):
            pairs = ", ".join(f"{key} = {value}" for key, value in results(agent, players, games).items())
            told += f"{players} = {{ {pairs} }}\n"
            print(agent, players, pairs, flush=True)
    _FILE.write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
