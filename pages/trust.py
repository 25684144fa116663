"""Measure docs/trust.md: how far the chances of winning that agents state can be trusted.

    python -m pages.trust

Takes some 20 minutes on one core.
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
OTHERS: Final = ("planner", "ppo", "selftaught")
"""Agents whose games go on otherwise than the stated chances have it."""


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


def others_table(found: Mapping[str, Mapping[int, Trust]]) -> str:
    """Return a row for each agent: the furthest cell, and the first seat's at the start, by number of players."""

    def told(one: Trust) -> str:
        first = one.stated_less_won[0][0]
        return f"{one.furthest:.3f}; {first.value:+.3f} ({first.low:+.3f} to {first.high:+.3f})"

    rows = [[f"`{name}`", *(told(one) for one in by_size.values())] for name, by_size in found.items()]
    return table(["games among", *(f"{players} players" for players in TABLE_SIZES)], rows)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--games", type=int, default=20_000, help="with each number of players (default: 20,000)")
    options.add_argument(
        "--few", type=int, default=4_000, help="the same of agents other than appraiser (default: 4,000)"
    )
    o = read(options, argv)
    for name in ("games", "few"):
        if getattr(o, name) < 2:
            options.error(f"--{name} {getattr(o, name)}: at least 2")

    def measured(name: str, games: int) -> dict[int, Trust]:
        return {players: trust(name, players, games, SEED) for players in TABLE_SIZES}

    def texts() -> list[str]:
        others = {name: measured(name, o.few) for name in OTHERS}
        return [measured_page(o, {"trust": trust_table(measured(AGENT, o.games)), "others": others_table(others)})]

    return make_files(o, [DOCS / "trust.md"], texts)


if __name__ == "__main__":
    sys.exit(main())
