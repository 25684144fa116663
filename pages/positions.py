"""Measure docs/positions.md: what decisions cost in rolled-out positions, and whether that predicts who wins games.

    python -m pages.positions

Takes about 4 minutes on two cores. Finished games are kept in the work folder, so that after an interrupt the same
command goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from scipy import stats

import agents
from agents.common.markdown import table
from agents.common.statistics import Estimate, mean_estimate
from agents.positions.book import BOOK, Book
from agents.positions.report import costs, costs_table
from agents.positions.worth import COSTLY, stated, worth
from agents.tournament import Comparison
from pages import DOCS, TABLE_SIZES
from pages.program import measured_page, parser, read
from pages.tournaments import alone_among, make_files_of_games

PROGRAM: Final = "pages.positions"
AGENTS: Final = ("random", "greedy", "rusher", "hoarder", "planner", "ppo", "appraiser", "selftaught")
AMONG: Final = "planner"
SEED: Final = 8_100_000


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


def shares(won: Mapping[tuple[str, int], Estimate]) -> str:
    """Return the win shares as a table, in the order of AGENTS."""
    rows = [[f"`{name}`", *(won[name, players].text() for players in TABLE_SIZES)] for name in AGENTS]
    return table(("agent", *(f"{players} players" for players in TABLE_SIZES)), rows, range(1, 5))


def called_costly(book: Book) -> str:
    """Return what the moves of AMONG lose as the network states, by the rollouts of the page at which people play, and
    by the book; how far the first two are off, as a root of the mean square; and how many of those called costly are so
    by the book.
    """
    rows, agent = [], agents.make(AMONG, SEED)
    for players in TABLE_SIZES:
        batch = book.batch(players)
        moves = zip(batch.arrays[0], agent.act_batch(batch).tolist(), book.positions(players), strict=True)
        found = np.array(
            [
                (*(max(values.values()) - values[action] for values in (stated(state), worth(state, action))), lost)
                for state, action, lost in (
                    (state.tobytes(), action, position.losses[action][0]) for state, action, position in moves
                )
            ]
        )
        off = 1000 * np.sqrt(((found[:, :2] - found[:, 2:]) ** 2).mean(axis=0))
        costly = found >= COSTLY[0]
        right = [f"{(called & costly[:, 2]).sum()} of {called.sum()}" for called in costly.T[:2]]
        means = [mean_estimate(1000 * column).text(1) for column in found.T]
        rows.append([str(players), *means, *(f"{one:.0f}" for one in off), *right, str(costly[:, 2].sum())])
    ways = ("as stated", "rolled out")
    head = ("players", *ways, "by the book", *(f"off, {way}" for way in ways), *(f"costly, {way}" for way in ways))
    return table((*head, "costly, by the book"), rows, range(9))


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
            "games": f"{o.games:,} games each, seeds from {SEED:,}.",
            "won": shares(won),
            "predicts": predicted(lost, won),
            "costly": called_costly(book),
        }
        return [measured_page(o, blocks)]

    return make_files_of_games(o, [DOCS / "positions.md"], texts, games)


if __name__ == "__main__":
    sys.exit(main())
