"""Measure docs/ceiling.md: what more time for a move is worth to the agents that search.

    python -m pages.ceiling
    python -m pages.ceiling --games 60 --budgets 320 1280

Takes some five hours on one core, and the second command about fifteen more. Finished games are kept in the work
folder, so that after an interrupt the same command goes on. The budgets are playouts, so that the results do not depend
on the machine; they take the milliseconds that the page tells on a core that has nothing else to do.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from agents.common.markdown import table
from agents.common.statistics import Estimate
from agents.tournament import Comparison, LineUp, compare, enter
from bohemian_env import Setup
from pages import DOCS, TABLE_SIZES
from pages.analysis_pictures import drawn
from pages.program import make_files, measured_page, parser, read

PROGRAM: Final = "pages.ceiling"
SEED: Final = 10_000_000
BUDGETS: Final = (5, 20, 80)
"""Milliseconds for a move."""
RATES: Final = {
    "search:appraiser": {2: 45.0, 3: 26.0, 4: 15.0, 5: 9.0},
    "montecarlo": {2: 31.0, 3: 17.5, 4: 15.5, 5: 10.0},
}
"""Playouts a millisecond by number of players."""
SEARCH, PLAYOUTS = RATES


def named(agent: str, players: int, budget: int) -> str:
    """Return the name of an agent that takes so many milliseconds for a move."""
    return f"{agent}:{round(RATES[agent][players] * budget)}"


def played(players: int, one: str, other: str, games: int, jobs: int, work: str) -> Comparison:
    """Return the games of one agent alone among copies of another, with the luck taken out of the results."""
    schedule = [(LineUp((0, *[1] * (players - 1))), games)]
    return compare(enter([one, other], SEED), Setup.of(players), schedule=schedule, seed=SEED, jobs=jobs, work=work)


Cell = tuple[int, str, str, int]
"""Number of players, the agent, those among whom it plays alone, milliseconds."""


def meetings(budgets: Sequence[int]) -> list[Cell]:
    """Return what is played: both among planners, and the search among the playouts of the same time."""
    pairs = [(SEARCH, "planner"), (PLAYOUTS, "planner"), (SEARCH, PLAYOUTS)]
    return [(players, *pair, budget) for budget in budgets for players in TABLE_SIZES for pair in pairs]


def share(found: Comparison) -> Estimate:
    """Return the win share of the agent that is alone."""
    return found.tables[0].results[0].share


def rows(found: Mapping[Cell, Comparison]) -> str:
    """Return the table: a row for each agent and time, a column for each number of players."""

    def cell(players: int, one: str, other: str, budget: int) -> str:
        estimate = share(found[players, one, other, budget])
        return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"

    asked = dict.fromkeys((one, other, budget) for _, one, other, budget in found)
    lines = []
    for one, other, budget in sorted(asked, key=lambda key: (key[0], key[1], key[2])):
        times = [found[players, one, other, budget].milliseconds_per_move(0) for players in TABLE_SIZES]
        shares = [cell(players, one, other, budget) for players in TABLE_SIZES]
        lines.append([one, other, str(budget), f"{min(times):.0f} to {max(times):.0f}", *shares])
    heads = [f"{players} players (equals: {1 / players:.2f})" for players in TABLE_SIZES]
    return table(["agent", "alone among", "ms", "ms here", *heads], lines, range(2, 4 + len(heads)))


def picture(found: Mapping[Cell, Comparison]) -> str:
    """Return the picture: a panel for each number of players, win share by time."""
    panels = {players: [cell for cell in found if cell[0] == players] for players in TABLE_SIZES}

    def draw(axes: Any, players: int, cells: Sequence[Cell]) -> None:
        for one, other in dict.fromkeys(cell[1:3] for cell in cells):
            budgets = sorted(cell[3] for cell in cells if cell[1:3] == (one, other))
            shares = [share(found[players, one, other, budget]) for budget in budgets]
            reach = [[e.value - e.low for e in shares], [e.high - e.value for e in shares]]
            look = "--" if other == PLAYOUTS else "-"
            label = f"{one} among {other}"
            axes.errorbar(budgets, [e.value for e in shares], reach, fmt=f"o{look}", capsize=3, label=label)
        axes.axhline(1 / players, color="grey", linewidth=1)
        axes.set(xscale="log", xticks=sorted({cell[3] for cell in cells}), ylim=(0, 1))
        axes.set_xticklabels([str(budget) for budget in sorted({cell[3] for cell in cells})])
        axes.minorticks_off()
        axes.set(xlabel="milliseconds a move", ylabel="win share")
        if players == max(TABLE_SIZES):
            axes.legend(fontsize="small")

    return drawn(panels, (9.6, 7.2), draw, nrows=2, ncols=2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--games", type=int, default=200, help="games of each cell (default: 200)")
    options.add_argument("--budgets", type=int, nargs="+", default=list(BUDGETS), metavar="MS", help="a move")
    options.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    options.add_argument("--out", type=Path, default=DOCS, help="where to (default: docs)")
    options.add_argument("--work", default="runs/tournaments", help="folder for what is finished")
    o = read(options, argv)

    def texts() -> list[str]:
        found = {
            (players, one, other, budget): played(
                players,
                named(one, players, budget),
                named(other, players, budget) if other in RATES else other,
                o.games,
                o.jobs,
                o.work,
            )
            for players, one, other, budget in meetings(o.budgets)
        }
        return [measured_page(o, {"ceiling": rows(found)}), picture(found)]

    return make_files(o, [o.out / "ceiling.md", o.out / "ceiling.svg"], texts, "finished games are kept")


if __name__ == "__main__":
    sys.exit(main())
