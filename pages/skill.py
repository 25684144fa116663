"""Measure docs/skill.md: what luck adjustment is worth, and how often the sequential test errs.

    python -m pages.skill

Takes some two hours on two cores; with ``--games 400`` some 10 minutes. Finished games are kept in the work folder,
so that after an interrupt the same command goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import numpy as np

from agents.common.markdown import table
from agents.common.statistics import Estimate, mean_estimate
from agents.tournament import Comparison
from agents.tournament.sure import FALSE, MARGIN, MISSED, Sure, simulate
from pages import DOCS, TABLE_SIZES
from pages.program import measured_page, parser, read
from pages.tournaments import alone_among, make_files_of_games

PROGRAM: Final = "pages.skill"
SEED: Final = 8_000_000
PAIR: Final = ("appraiser", "planner")
LEADS: Final = (-1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
"""True leads of the simulated tests, in margins."""
STEP: Final = 128
"""Blocks between two looks."""
SELDOM: Final = (-1.0, 0.0, 1.0)
"""True leads of tests of agents that seldom differ, in margins."""
FEW: Final = 8
"""Blocks between two looks at these, as at agents that search."""


def _plain(comparison: Comparison) -> Estimate:
    """Return the win share of the first agent with its luck."""
    return mean_estimate(comparison.tables[0].wins[:, 0] / comparison.setup.players)


def luck_row(comparison: Comparison) -> list[str]:
    """Return what luck adjustment makes of a comparison."""
    ((one, other), found) = (entrant.argument for entrant in comparison.entrants), comparison.tables[0]
    plain, less = _plain(comparison), found.results[0].share
    players = comparison.setup.players
    return [str(players), one, other, f"{found.games:,}", plain.text(4), less.text(4), f"{found.worth or 1:.2f}"]


def sure_rows(tests: int) -> list[list[str]]:
    """Return how often simulated tests said what, for blocks of two games: won both, one or none. One is won in half of
    the blocks, or by agents that seldom differ in all but a few.
    """
    rng, rows = np.random.default_rng(SEED), []
    unlike = [(times, STEP, np.repeat([-0.5, 0.0, 0.5], [250, 500, 250]) + times * MARGIN) for times in LEADS]
    few = {times: [30 - round(1000 * times * MARGIN), 940, 30 + round(1000 * times * MARGIN)] for times in SELDOM}
    alike = [(times, FEW, np.repeat([-0.5, 0.0, 0.5], counts)) for times, counts in few.items()]
    for times, step, shares in (*unlike, *alike):
        *said, blocks = simulate(shares, tests, step, Sure, rng)
        differ = "50 %" if step == STEP else "6 %"
        rows.append([differ, f"{times * MARGIN:+.3f}", *(f"{each:.4f}" for each in said), f"{2 * blocks:,.0f}"])
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    text = "at each table, or at those of 2, 3, 4 and 5 players (default: 5,000)"
    options.add_argument("--games", type=int, nargs="+", default=[5000], help=text)
    options.add_argument("--tests", type=int, default=4000, help="simulated for each true lead (default: 4,000)")
    options.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    options.add_argument("--work", default="runs/tournaments", help="folder for what is finished")
    o = read(options, argv)
    games = o.games * len(TABLE_SIZES) if len(o.games) == 1 else o.games
    if len(games) != len(TABLE_SIZES):
        options.error(f"--games with {len(games)} numbers: one, or one for each of {len(TABLE_SIZES)} tables")

    if o.tests < 1:
        options.error(f"--tests {o.tests}: at least 1")

    found: list[Comparison] = []

    def texts() -> list[str]:
        for n, asked in zip(TABLE_SIZES, games, strict=True):
            found.append(alone_among(n, *PAIR, asked, SEED, jobs=o.jobs, work=o.work, luck=True))
        begun = f"games, from seed {SEED:,}"
        head = ("players", "agent", "alone among", begun, "win share (95 %)", "less luck (95 %)", "worth")
        luck = table(head, [luck_row(one) for one in found], (0, 3, 6))
        said = ("blocks not shared", "true lead", "said: stronger", "weaker", "neither", "games, mean")
        blocks = {"luck": luck, "sure": table(said, sure_rows(o.tests), range(6))}
        blocks["errors"] = f"Equal agents are called different in {FALSE:.0%} of cases at most, and a lead of {MARGIN} "
        blocks["errors"] += f"is missed in {MISSED:.0%}. {o.tests:,} simulated tests of each lead:"
        return [measured_page(o, blocks)]

    return make_files_of_games(o, [DOCS / "skill.md"], texts, found)


if __name__ == "__main__":
    sys.exit(main())
