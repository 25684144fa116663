"""Measure docs/ladder.md: scripted opponents, ``selftaught`` and ``montecarlo`` against one another, at every size.

    python -m pages.ladder

Takes an hour to two on two cores, and should have them to itself, since it measures times. After an interrupt the same
command goes on. The page and its pictures replace the old ones when all games are played.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from agents.common.markdown import table
from agents.tournament import Comparison, LineUp, line_ups, markdown_parts, picture, played_on
from bohemian_env.game.facts import MIN_PLAYERS
from pages import DOCS
from pages.program import measured_page, read
from pages.tournaments import play, play_and_write, tournament_parser

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
    *(("planner", "rusher"), ("planner", "hoarder"), ("selftaught", "planner"), ("appraiser", "planner")),
)
"""Who meets whom in the table at the top of the page, besides the searching ones among planners."""


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
    """Return the win share of an agent alone among copies of another, with its interval."""
    for played in comparison.tables:
        names = [comparison.entrants[number].argument for number in played.line_up.agents]
        duel = played.line_up.is_duel and set(names) == {one, other}
        if duel and (names[0] == one or comparison.setup.players == MIN_PLAYERS):
            return played.results[names.index(one)].share.text()
    return "–"


def rungs(comparisons: Mapping[int, Comparison]) -> str:
    """Return the table at the top of the page."""
    rows = [[one, other, *(share(found, one, other) for found in comparisons.values())] for one, other in RUNGS]
    for place in range(2):
        times, cells = [], []
        for players, found in comparisons.items():
            name = SEARCHING[players][place]
            number = [entrant.argument for entrant in found.entrants].index(name)
            times.append(found.milliseconds_per_move(number))
            cells.append(share(found, name, "planner"))
        rows.append([f"montecarlo, {min(times):.0f} to {max(times):.0f} ms a move", "planner", *cells])
    head = ["agent", "alone among", *(f"{players} players (equals: {1 / players:.2f})" for players in comparisons)]
    return table(head, rows, range(2, len(head)))


def section(comparison: Comparison) -> str:
    """Return the tables of one number of players."""
    parts = markdown_parts(comparison)
    return "\n\n".join(parts[name] for name in ("ratings", "duels", "others", "coins") if name in parts)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    o = read(tournament_parser(PROGRAM, __doc__, 400, DOCS), argv)

    def play_at(players: int) -> Comparison:
        names = [*QUICK, *SEARCHING[players]]
        return play(o, players, names, schedule(names, players, o.games, o.few), SEED)

    def texts(comparisons: dict[int, Comparison]) -> list[str]:
        blocks = {f"{players} players": section(comparison) for players, comparison in comparisons.items()}
        blocks |= {"rungs": rungs(comparisons), "played on": f"Seeds from {SEED}; {played_on(comparisons[2])}."}
        page = measured_page(o, blocks)
        return [page, *(picture(comparison, "svg").decode() for comparison in comparisons.values())]

    pictures = [o.out / f"ladder-{players}.svg" for players in SEARCHING]
    return play_and_write(o, [o.out / "ladder.md", *pictures], play_at, texts)


if __name__ == "__main__":
    sys.exit(main())
