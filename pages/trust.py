"""Measure docs/trust.md: how far the chances of winning that agents state can be trusted.

    python -m pages.trust

Takes some 12 minutes on one core.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from agents.analysis.trust import TENTHS, Trust, trust
from agents.common.markdown import table
from agents.common.statistics import Estimate
from pages import DOCS, TABLE_SIZES
from pages.program import make_files, measured_page, parser, read

PROGRAM: Final = "pages.trust"
SEED: Final = 8_000_000
AGENT: Final = "appraiser"


def _score(score: Estimate) -> str:
    return f"{score.value:.4f} ± {score.high - score.value:.4f}"


def _widest(found: Trust) -> float:
    """Return half the widest interval of a cell."""
    return max((cell.high - cell.low) / 2 for cells in found.stated_less_won for cell in cells)


def trust_table(found: Mapping[int, Trust]) -> str:
    """Return a column for each number of players: each tenth with all seats, then what sums it up."""

    def seats(one: Trust, tenth: int) -> str:
        return " / ".join(f"{cell.value:+.3f}" for cell in one.stated_less_won[tenth])

    rows = [[f"tenth {k + 1}", *(seats(one, k) for one in found.values())] for k in range(TENTHS)]
    rows.append(["95 % of a cell, at most ±", *(f"{_widest(one):.3f}" for one in found.values())])
    rows.append(["furthest", *(f"{one.furthest:.3f}" for one in found.values())])
    rows.append(["Brier score", *(_score(one.brier) for one in found.values())])
    rows.append(["… of equal shares", *(_score(one.constant) for one in found.values())])
    rows.append([f"games, from seed {SEED:,}", *(f"{one.games:,}" for one in found.values())])
    return table(["", *(f"{players} players" for players in found)], rows, range(1, len(found) + 1))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--games", type=int, default=20_000, help="with each number of players (default: 20,000)")
    o = read(options, argv)
    if o.games < 2:
        options.error(f"--games {o.games}: at least 2")

    def texts() -> list[str]:
        return [measured_page(o, {"trust": trust_table({n: trust(AGENT, n, o.games, SEED) for n in TABLE_SIZES})})]

    return make_files(o, [DOCS / "trust.md"], texts)


if __name__ == "__main__":
    sys.exit(main())
