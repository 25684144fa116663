"""A comparison as a table for people, as Markdown for a page, as JSON for programs."""

from __future__ import annotations

import math
import platform
import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

import rich.box
from rich.console import Console
from rich.table import Table
from rich.text import Text

import bohemian_env
from bohemian_env.compiled import source_hash
from bohemian_env.envs.aec import NAME as ENVIRONMENT

from .comparison import Comparison
from .statistics import LEVEL, Estimate, Result

__all__ = ["FORMAT", "as_json", "markdown", "print_report"]

FORMAT: Final = "bohemian-comparison/1"
_DIGITS: Final = 12
"""Of the board's digest: enough to tell boards apart."""
_OTHERS: Final = {
    2: "",
    3: ", one agent against two of the other",
    4: ", one agent against three of the other",
    5: ", one agent against four of the other",
}
_INTERVAL: Final = f"{LEVEL:.0%}".replace("%", " %")


def _share(estimate: Estimate) -> str:
    return f"{estimate.value:.3f}"


def _margin(estimate: Estimate) -> str:
    return f"{estimate.value:.2f}"


def _share_range(estimate: Estimate) -> str:
    return f"{estimate.low:.3f} to {estimate.high:.3f}"


def _margin_range(estimate: Estimate) -> str:
    if math.isinf(estimate.low):
        return "unknown"
    return f"{estimate.low:.2f} to {estimate.high:.2f}"


def _names(comparison: Comparison, result: Result) -> tuple[str, str]:
    one, other = result.line_up.order[:2]
    return comparison.entrants[one].name, comparison.entrants[other].name


def _notes(comparison: Comparison) -> list[str]:
    """What a reader of the table has to know, a sentence or two a line."""
    players = comparison.setup.players
    first, last = comparison.seed, comparison.seed + comparison.blocks - 1
    limit = comparison.setup.max_turns
    asked = ""
    if comparison.games != comparison.games_asked:
        asked = f" ({comparison.games_asked:,} asked for, rounded up to whole seeds)"
    seeds = f"Seeds {first} to {last}" if comparison.blocks > 1 else f"Seed {first}"
    times = ", ".join(
        f"{entrant.name} {comparison.microseconds_per_move(number):.3g}"
        for number, entrant in enumerate(comparison.entrants)
    )
    return [
        f"{seeds}, the same villages and dice for every pairing, each played once from every seat: "
        f"{comparison.games:,} games a pairing{asked}.",
        f"{players} players{_OTHERS[players]}: equals would win 1/{players} = {1 / players:.3f}.",
        "Win share: joint winners share the win. Margin: own total less the mean of the others', in coins. "
        f"Intervals: {_INTERVAL}, each for itself; the games of a seed count as one observation.",
        f"Turns: of all seats, mean over the games; a game is cut off after {limit:,}.",
        f"Microseconds per move, over all decisions, forced ones too, many games at once on one thread: {times}.",
        f"{ENVIRONMENT}, bohemian-villages {bohemian_env.__version__}, "
        f"board {comparison.setup.board.digest[:_DIGITS]}.",
    ]


def _rich_table(*columns: str) -> Table:
    """Columns with names left, those with numbers right."""
    table = Table(box=rich.box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="left" if column in ("agent", "against") else "right", overflow="fold")
    return table


def print_report(comparison: Comparison, command: str, console: Console) -> None:
    """Print the tables, what has to be known to read them, and the command."""
    main = _rich_table("agent", "against", "win share", _INTERVAL, "margin", _INTERVAL)
    seats = [f"seat {seat}" for seat in range(comparison.setup.players)]
    more = _rich_table("agent", "against", *seats, "turns", "cut off")
    more.title, more.title_justify = "Win share by seat", "left"
    for result in comparison.results:
        names = _names(comparison, result)
        share, margin = result.share, result.margin
        cells = [_share(share), _share_range(share), _margin(margin), _margin_range(margin)]
        main.add_row(*map(Text, (*names, *cells)))
        cells = [*map(_share, result.by_seat), f"{result.turns:.1f}", f"{result.truncated:,}"]
        more.add_row(*map(Text, (*names, *cells)))
    for table in (main, more):
        console.print(table)
        console.print()
    for line in _notes(comparison):
        console.print(Text(line))
    console.print(Text(command), soft_wrap=True)


def _cell(text: str) -> str:
    """Text that cannot be taken for Markdown's own signs."""
    return "".join(f"\\{c}" if c in "\\|`*_[]<>" else c for c in text)


def markdown(comparison: Comparison, command: str) -> str:
    """The command, a table and the notes, to be pasted into a page."""
    rows = [
        [
            "agent",
            "against",
            "games",
            f"win share ({_INTERVAL})",
            f"margin ({_INTERVAL})",
            "win share by seat",
            "turns",
        ],
        ["---", "---", "--:", "--:", "--:", "--:", "--:"],
    ]
    for result in comparison.results:
        rows.append(
            [
                *map(_cell, _names(comparison, result)),
                f"{result.games:,}",
                f"{_share(result.share)} ({_share_range(result.share)})",
                f"{_margin(result.margin)} ({_margin_range(result.margin)})",
                " / ".join(map(_share, result.by_seat)),
                f"{result.turns:.1f}",
            ]
        )
    truncated = sum(result.truncated for result in comparison.results)
    table = [f"| {' | '.join(row)} |" for row in rows]
    notes = [f"- {_cell(note)}" for note in (*_notes(comparison), f"Games cut off: {truncated:,}.")]
    return "\n".join(["```", command, "```", "", *table, "", *notes, ""])


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"value": _number(estimate.value), "low": _number(estimate.low), "high": _number(estimate.high)}


def _versions() -> dict[str, str]:
    """Versions of everything that can change a number; torch only if an agent needed it."""
    packages = ["numpy", "numba", "scipy", *(["torch"] if "torch" in sys.modules else [])]
    return {
        "environment": ENVIRONMENT,
        "bohemian-villages": bohemian_env.__version__,
        "sources": source_hash(),
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


def as_json(comparison: Comparison, command: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """All numbers, with arguments and versions, in plain types; null where nothing can be said.

    ``sources`` of the versions is the SHA-256 of the sources of ``bohemian_env``.
    """
    results = []
    for result in comparison.results:
        name, against = _names(comparison, result)
        results.append(
            {
                "agent": name,
                "against": against,
                "players": result.line_up.players,
                "games": result.games,
                "seeds": result.blocks,
                "win_share": _estimate(result.share),
                "fair_share": 1 / result.line_up.players,
                "win_share_by_seat": [_estimate(estimate) for estimate in result.by_seat],
                "margin": _estimate(result.margin),
                "turns": result.turns,
                "truncated": result.truncated,
            }
        )
    return {
        "format": FORMAT,
        "command": command,
        "arguments": dict(arguments),
        "versions": _versions(),
        "board": comparison.setup.board.digest,
        "first_seed": comparison.seed,
        "seeds": comparison.blocks,
        "interval": LEVEL,
        "agents": [
            {
                "name": entrant.name,
                "argument": entrant.argument,
                "seed": entrant.seed,
                "decisions": int(comparison.decisions[number]),
                "microseconds_per_move": comparison.microseconds_per_move(number),
            }
            for number, entrant in enumerate(comparison.entrants)
        ],
        "results": results,
    }
