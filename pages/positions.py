"""Measure docs/positions.md: what decisions cost in rolled-out positions, and whether that predicts who wins games.

    python -m pages.positions

Takes about 4 minutes on two cores. Finished games are kept in the work folder, so that after an interrupt the same
command goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from scipy import stats

import agents
from agents.common.markdown import table
from agents.common.statistics import Estimate
from agents.positions.book import BOOK, Book
from agents.positions.report import ALL, costs
from agents.tournament import Comparison
from pages import DOCS, TABLE_SIZES
from pages.program import measured_page, parser, read
from pages.tournaments import alone_among, half, make_files_of_games

PROGRAM: Final = "pages.positions"
AGENTS: Final = ("random", "greedy", "rusher", "hoarder", "planner", "ppo", "appraiser", "selftaught")
AMONG: Final = "planner"
SEED: Final = 8_100_000


def costs_table(lost: Mapping[str, Mapping[str, Estimate]]) -> str:
    """Return what decisions cost, the agent that loses least first. lost: as :func:`predicted` has it."""
    rows = [
        [name, *(f"{own[str(players)].value:.1f}" for players in TABLE_SIZES), half(own[ALL], 1)]
        for name, own in sorted(lost.items(), key=lambda item: item[1][ALL].value)
    ]
    sizes = [f"{players} players" for players in TABLE_SIZES]
    return table(("agent", *sizes, "all (95 %)"), rows, range(1, 2 + len(sizes)))


def predicted(lost: Mapping[str, Mapping[str, Estimate]], won: Mapping[tuple[str, int], Estimate]) -> str:
    """Return how far the order of agents by what their decisions cost is that by the games they win.

    lost: by agent and number of players, as text. won: win shares by agent and number of players.
    """
    rows = []
    for players in TABLE_SIZES:
        pairs = [(lost[name][str(players)].value, won[name, players].value) for name in AGENTS]
        less, shares = zip(*pairs, strict=True)
        rank, line = stats.spearmanr(less, shares), stats.pearsonr(less, shares)
        low, high = line.confidence_interval(0.95)
        rows.append([str(players), f"{rank.statistic:.2f}", f"{line.statistic:.2f} ({low:.2f} to {high:.2f})"])
    return table(("players", "of the order", "of the values (95 %)"), rows, range(3))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--games", type=int, default=2000, help="of each agent at each table (default: 2,000)")
    options.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    options.add_argument("--work", default="runs/tournaments", help="folder for what is finished")
    o = read(options, argv)

    games: list[Comparison] = []

    def texts() -> list[str]:
        book = Book.load(BOOK)
        lost = {name: costs(book, agents.make(name, SEED)) for name in AGENTS}
        found = {
            (name, n): alone_among(n, name, AMONG, o.games, SEED, jobs=o.jobs, work=o.work)
            for name in AGENTS
            for n in TABLE_SIZES
        }
        games.extend(found.values())
        won = {key: one.tables[0].results[0].share for key, one in found.items()}
        counts = ", ".join(f"{len(book.positions(players))} of {players} players" for players in book.sizes)
        blocks = {
            "book": f"{counts}.",
            "costs": costs_table(lost),
            "predicts": f"{o.games:,} games each, seeds from {SEED:,}:\n\n{predicted(lost, won)}",
        }
        return [measured_page(o, blocks)]

    return make_files_of_games(o, [DOCS / "positions.md"], texts, games)


if __name__ == "__main__":
    sys.exit(main())
