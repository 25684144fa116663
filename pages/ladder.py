"""Measure docs/ladder.md: scripted opponents, ``selftaught`` and ``montecarlo`` against one another, at every size.

    python -m pages.ladder

Takes an hour to two on two cores, and should have them to itself, since it measures times. After an interrupt the same
command goes on. The page replaces the old one when all games are played.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from agents.common.markdown import table
from agents.tournament import Comparison, LineUp, line_ups, played_on
from bohemian_env.game.facts import MIN_PLAYERS
from pages import DOCS
from pages.program import measured_page, read
from pages.tournaments import half, play, play_and_write, tournament_parser

PROGRAM: Final = "pages.ladder"
QUICK: Final = ("random", "selftaught", "greedy", "hoarder", "rusher", "planner", "appraiser")
"""The last of these sit at the table of different ones."""
SEARCHING: Final = {
    2: ("montecarlo:120", "montecarlo:1200"),
    3: ("montecarlo:90", "montecarlo:900"),
    4: ("montecarlo:85", "montecarlo:850"),
    5: ("montecarlo:55", "montecarlo:550"),
}
"""By number of players: chosen for some 5 and 50 milliseconds a move. The second meets planners alone."""
SEED: Final = 35_000_000
RUNGS: Final = (
    *(("greedy", "random"), ("rusher", "greedy"), ("hoarder", "greedy"), ("planner", "greedy")),
    *(("planner", "rusher"), ("planner", "hoarder")),
)
"""Who meets whom in the table at the top of the page, besides ``montecarlo`` among planners."""


def schedule(names: Sequence[str], players: int, games: int, few: int) -> list[tuple[LineUp, int]]:
    """Return tables and games: all duels of quick agents, a table of different ones, and the searching ones alone.

    games: at a table of quick agents. few: at one with a searching one.
    """
    number = {name: place for place, name in enumerate(names)}
    found = [(line_up, games) for line_up in line_ups("duels", len(QUICK), players)]
    if players > MIN_PLAYERS:
        found += [(LineUp(tuple(number[name] for name in QUICK[len(QUICK) - players :])), games)]
    light, heavy = (number[name] for name in SEARCHING[players])
    pairs = [(light, number[name]) for name in QUICK if name != "random"]
    pairs += [(heavy, number["planner"])]
    return found + [(LineUp((one, *[other] * (players - 1))), few) for one, other in pairs]


def share(comparison: Comparison, one: str, other: str) -> str:
    """Return the win share of an agent alone among copies of another."""
    for played in comparison.tables:
        names = [comparison.entrants[number].argument for number in played.line_up.agents]
        duel = played.line_up.is_duel and set(names) == {one, other}
        if duel and (names[0] == one or comparison.setup.players == MIN_PLAYERS):
            return half(played.results[names.index(one)].share, 3)
    return "–"


def number_of(comparison: Comparison, name: str) -> int:
    """Return the place of an agent among the entrants."""
    return [entrant.argument for entrant in comparison.entrants].index(name)


def called(comparisons: Mapping[int, Comparison], place: int) -> str:
    """Return how the tables call a searching agent, which has other playouts at each number of players."""
    times = [
        found.milliseconds_per_move(number_of(found, SEARCHING[players][place]))
        for players, found in comparisons.items()
    ]
    return f"montecarlo ({min(times):.0f}–{max(times):.0f} ms)"


def rungs(comparisons: Mapping[int, Comparison]) -> str:
    """Return the table at the top of the page."""
    rows = [[one, other, *(share(found, one, other) for found in comparisons.values())] for one, other in RUNGS]
    for place in range(2):
        cells = [share(found, SEARCHING[players][place], "planner") for players, found in comparisons.items()]
        rows.append([called(comparisons, place), "planner", *cells])
    head = ["agent", "among", *(f"{players} players (equals: {1 / players:.2f})" for players in comparisons)]
    return table(head, rows, range(2, len(head)))


def ratings(comparisons: Mapping[int, Comparison]) -> str:
    """Return the ratings, a column for each number of players."""

    def rated(comparison: Comparison, name: str) -> str:
        return half(comparison.ratings[number_of(comparison, name)], 0)

    rows = [[name, *(rated(found, name) for found in comparisons.values())] for name in QUICK]
    for place in range(2):
        cells = [rated(found, SEARCHING[players][place]) for players, found in comparisons.items()]
        rows.append([called(comparisons, place), *cells])
    return table(["agent", *(f"{players} players" for players in comparisons)], rows, range(1, 1 + len(comparisons)))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    o = read(tournament_parser(PROGRAM, __doc__, 400, DOCS), argv)

    def play_at(players: int) -> Comparison:
        names = [*QUICK, *SEARCHING[players]]
        return play(o, players, names, schedule(names, players, o.games, o.few), SEED)

    def texts(comparisons: dict[int, Comparison]) -> list[str]:
        blocks = {"rungs": rungs(comparisons), "ratings": ratings(comparisons)}
        return [measured_page(o, blocks | {"played on": f"Seeds from {SEED}; {played_on(comparisons[2])}."})]

    return play_and_write(o, [o.out / "ladder.md"], play_at, texts)


if __name__ == "__main__":
    sys.exit(main())
