"""What was measured, told as tables on the terminal, as JSON, as a page and as a picture."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from .comparisons import Compared, compare
from .harness import Row, Skipped
from .machine import Machine
from .startup import NAMES, Timing

__all__ = ["Report", "as_json", "markdown", "plot", "print_report", "row_as_json"]

LAYERS: Final = ("step", "step+mask", "step+mask+int8")
FULL_CORE: Final = 0.97
"""Processor time per second below which something else took the core of a measurement."""


@dataclass(frozen=True, slots=True)
class Report:
    """A run of the benchmark."""

    command: str
    machine: Machine
    rounds: int
    seconds: float
    rows: Sequence[Row]
    skipped: Sequence[Skipped]
    timings: Sequence[Timing]
    bytes_per_game: dict[str, float]
    torch_free: bool = True
    took: float = 0.0
    """Seconds of the whole run."""

    @property
    def compared(self) -> list[Compared]:
        """All that can be compared."""
        return compare(self.rows, self.timings)

    @property
    def disturbances(self) -> list[str]:
        """Signs that something else ran on the machine."""
        found = []
        if not self.machine.quiet:
            found.append(f"The machine was not quiet: load average {self.machine.load:.2f} at the start.")
        shares = [cpu for row in self.rows if row.case.threads == 1 for cpu in row.cpu]
        robbed = sum(cpu < FULL_CORE for cpu in shares)
        if robbed > len(shares) / 100:
            found.append(
                f"In {robbed} of {len(shares)} measurements with one thread something else took more than "
                f"{1 - FULL_CORE:.0%} of the core, {1 - min(shares):.0%} at worst."
            )
        return found

    @property
    def warnings(self) -> list[str]:
        """Why the figures are not to be trusted; empty if nothing speaks against them."""
        found = self.disturbances
        if found:
            found.append("Do not quote these figures.")
        if not self.machine.pinned_to:
            found.append("This system does not let a process be pinned to a core.")
        if not self.torch_free:
            found.append("Importing the package brought torch along.")
        return found

    @property
    def method(self) -> list[str]:
        """How it was measured, a sentence each."""
        cores = ", ".join(map(str, self.machine.pinned_to[:1])) or "none"
        two = " and ".join(map(str, self.machine.pinned_to[:2])) or "none"
        return [
            f"{self.rounds} rounds of {self.seconds:g} s per measurement, every case once a round, forwards and "
            "backwards in turn; each is warmed up before its time begins; Python's garbage collector is off meanwhile.",
            f"Every library has one process of its own, pinned to core {cores}, in rows with two threads to {two}; "
            "while one is measured the others wait. JAX sees one core and is told not to share out work "
            "(--xla_cpu_multi_thread_eigen=false).",
            "Figures are medians over the rounds, with the lowest and the highest. A ratio is taken within each round.",
            "All play is uniformly random among legal actions. Ours is the public interface at default settings: a "
            "step is a whole move, dice and restarts on newly drawn villages are inside the time.",
            "The AEC loop is PettingZoo's own: agent_iter(), last() with observation and mask, choice, step(), and "
            "reset() after the game. It is the same around every environment, with the same choice from the int8 mask; "
            "the steps of agents whose game is over are done and not counted.",
        ]


# --- figures as text ---


def _rate(value: float) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{_three(value / size)} {unit}"
    return _three(value)


def _three(value: float) -> str:
    """Three figures."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def _figure(kind: str, value: float | None) -> str:
    if value is None:
        return ""
    if kind == "ratio":
        return f"{_three(value)} ×"
    return f"{value:.2f} s" if kind == "seconds" else _rate(value)


def _span(kind: str, low: float, high: float) -> str:
    """A range; a unit that both ends have is said once."""
    first, last = _figure(kind, low), _figure(kind, high)
    number, _, unit = first.partition(" ")
    return f"{number if unit == last.partition(' ')[2] else first} – {last}"


# --- tables ---


@dataclass(frozen=True, slots=True)
class Table:
    """A table in plain text; columns from ``text_from`` on hold words."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: tuple[int, ...]
    """Columns of words, which are set to the left; the others hold figures."""


VERDICTS: Final = {"aim": "aim reached", "must": "must reached", "missed": "missed"}


def _comparison_table(title: str, compared: Iterable[Compared]) -> Table:
    rows = []
    for one in compared:
        limit = "at most " if one.kind == "seconds" else ""
        rows.append(
            (
                one.label,
                _figure(one.kind, one.median),
                _span(one.kind, one.low, one.high),
                limit + _figure(one.kind, one.must) if one.must is not None else "",
                _figure(one.kind, one.aim),
                VERDICTS.get(one.verdict, one.verdict),
                f"{one.ours} : {one.against}" if one.against else one.ours,
            )
        )
    return Table(title, ("", "median", "range", "must", "aim", "", "rows"), rows, (0, 5, 6))


def _ratio_table(compared: Iterable[Compared]) -> Table:
    rows = [
        (
            one.label,
            _figure(one.kind, one.median),
            _span(one.kind, one.low, one.high),
            f"{one.ours} : {one.against}",
        )
        for one in compared
    ]
    return Table("Other comparisons", ("", "median", "range", "rows"), rows, (0, 3))


def _batch_table(rows: Sequence[Row]) -> Table:
    """The layers of Batch, a column per size."""
    layers = [row for row in rows if row.case.name in LAYERS]
    sizes = sorted({row.case.batch for row in layers})
    kinds = sorted(
        {(row.case.players, row.case.threads, row.case.name) for row in layers},
        key=lambda kind: (kind[0], kind[1], LAYERS.index(kind[2])),
    )
    by_key = {row.case.key: row for row in layers}
    body = []
    for players, threads, name in kinds:
        found = [by_key.get((name, players, size, threads)) for size in sizes]
        cells = (f"{_rate(row.median)} ({_span('rate', row.low, row.high)})" if row else "" for row in found)
        body.append((name, str(players), str(threads), *cells))
    head = ("Batch, steps per second", "players", "threads", *(f"{size:,}" for size in sizes))
    return Table("Many games at once, by the size of the batch", head, body, (0,))


def _row_table(title: str, rows: Iterable[Row]) -> Table:
    body = [
        (
            row.case.name,
            str(row.case.players),
            f"{row.case.batch:,}",
            _rate(row.median),
            _span("rate", row.low, row.high),
            row.case.includes,
        )
        for row in rows
    ]
    return Table(title, ("", "players", "batch", "per second", "range", "what one includes"), body, (0, 5))


def _tables(report: Report) -> Iterator[Table]:
    compared = report.compared
    steps = [row for row in report.rows if row.case.unit == "steps"]
    layers = {row.case.name: row.case.includes for row in steps if row.case.name in LAYERS}
    yield _comparison_table("Targets", (one for one in compared if one.must is not None or one.aim is not None))
    yield _ratio_table(one for one in compared if one.must is None and one.aim is None)
    yield _batch_table(steps)
    yield Table("What a step includes there", ("", "what one includes"), list(layers.items()), (0, 1))
    yield _row_table(
        "This environment, other ways in", (row for row in steps if row.case.ours and row.case.name not in LAYERS)
    )
    yield _row_table("Peers", (row for row in steps if not row.case.ours))
    yield _row_table("Games and copies", (row for row in report.rows if row.case.unit != "steps"))
    yield Table(
        "Start-up, in fresh processes",
        ("", "seconds", "range", "what it is"),
        [
            (one.name, _figure("seconds", one.median), _span("seconds", one.low, one.high), NAMES[one.name])
            for one in report.timings
        ],
        (0, 3),
    )
    yield Table(
        "Bytes per game, 2 players",
        ("", "bytes"),
        [(name, f"{size:,.0f}") for name, size in report.bytes_per_game.items()],
        (0,),
    )
    yield Table("Not measured", ("", "why"), [(one.case.id, one.reason) for one in report.skipped], (0, 1))


def _machine_lines(machine: Machine) -> list[str]:
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    cores = f"{machine.cores} core{'s' if machine.cores > 1 else ''}"
    return [
        f"{machine.cpu}, {cores}, {machine.system}, {machine.python}",
        versions,
        f"{machine.date}, commit {machine.commit}, load average {machine.load:.2f} at the start",
    ]


def print_report(report: Report, console: Console | None = None) -> None:
    """Tell it on the terminal."""
    if console is None:
        console = Console()
        if not console.is_terminal:
            console = Console(width=170)
    for line in _machine_lines(report.machine):
        console.print(escape(line))
    for table in _tables(report):
        if not table.rows:
            continue
        shown = RichTable(title=table.title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
        for column, head in enumerate(table.head):
            shown.add_column(head, justify="left" if column in table.words else "right")
        for row in table.rows:
            shown.add_row(*map(escape, row))
        console.print(shown)
    for warning in report.warnings:
        console.print(f"[bold yellow]{escape(warning)}[/]")


def _markdown_table(table: Table) -> list[str]:
    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"

    rule = "|" + "|".join("---" if column in table.words else "---:" for column in range(len(table.head))) + "|"
    return [line(table.head), rule, *map(line, table.rows)]


def markdown(report: Report, page: Path | None = None, picture: Path | None = None) -> str:
    """The page: all of it is written by the command.

    page, picture: where both will be, if the page is to show the picture.
    """
    lines = [
        "# How fast it is",
        "",
        f"Written by `{report.command}`; a later run replaces all of it. That run took {report.took / 60:.0f} minutes.",
        "",
    ]
    lines += [f"> **{warning}**\n" for warning in report.warnings]
    lines += ["## Measured on", "", *(f"- {line}" for line in _machine_lines(report.machine)), ""]
    lines += ["## How", "", *(f"- {line}" for line in report.method), ""]
    if page is not None and picture is not None:
        where = Path(os.path.relpath(picture.resolve(), page.resolve().parent)).as_posix()
        lines += [f"![Steps per second, ours and the peers']({where})", ""]
    for table in _tables(report):
        if table.rows:
            lines += [f"## {table.title}", "", *_markdown_table(table), ""]
    return "\n".join(lines).rstrip() + "\n"


# --- JSON ---


def row_as_json(row: Row) -> dict[str, Any]:
    """A row in plain Python types: ``steps_per_second`` is the median of ``values``, one of each round."""
    case = row.case
    return {
        "name": case.name,
        "players": case.players,
        "batch": case.batch,
        "threads": case.threads,
        f"{case.unit}_per_second": row.median,
        "low": row.low,
        "high": row.high,
        "values": list(row.values),
        "cpu": list(row.cpu),
        "library": case.library,
        "includes": case.includes,
    }


def as_json(report: Report) -> dict[str, Any]:
    """All of it in plain Python types."""
    return {
        "command": report.command,
        "machine": report.machine.as_json(),
        "rounds": report.rounds,
        "seconds": report.seconds,
        "took": report.took,
        "warnings": report.warnings,
        "method": report.method,
        "rows": [row_as_json(row) for row in report.rows],
        "comparisons": [one.as_json() for one in report.compared],
        "start_up": [
            {"name": one.name, "seconds": one.median, "low": one.low, "high": one.high, "values": list(one.values)}
            for one in report.timings
        ],
        "torch_free": report.torch_free,
        "bytes_per_game": report.bytes_per_game,
        "skipped": [{"name": one.case.id, "reason": one.reason} for one in report.skipped],
    }


# --- the picture ---

COLOURS: Final = {"this environment": "#1f6fb4", "an environment that does nothing": "#9a9a9a", "peers": "#e08a2c"}


def _kind(row: Row) -> str:
    if row.case.name.startswith("null_"):
        return "an environment that does nothing"
    return "this environment" if row.case.ours else "peers"


def _shown(rows: Sequence[Row]) -> list[Row]:
    """What the picture shows, fastest first: of ours some sizes of two players' games, of a peer its best size."""
    best: dict[tuple[str, int], Row] = {}
    chosen = []
    for row in rows:
        case = row.case
        if case.unit != "steps":
            continue
        if not case.ours:
            name = (case.name, case.players)
            best[name] = max(best.get(name, row), row, key=lambda row: row.median)
        elif case.players == 2 and (case.name not in LAYERS or (case.batch, case.threads) in SHOWN_SIZES):
            chosen.append(row)
    return sorted([*chosen, *best.values()], key=lambda row: row.median, reverse=True)


SHOWN_SIZES: Final = {(1, 1), (1024, 1), (65536, 1), (8192, 2)}


def _label(row: Row) -> str:
    case = row.case
    more = [f"{case.players} players"] if case.players > 2 else []
    more += [f"batch {case.batch:,}"] if case.batch > 1 or case.name in LAYERS else []
    more += [f"{case.threads} threads"] if case.threads > 1 else []
    return ", ".join([case.name, *more])


def plot(report: Report, path: Path) -> None:
    """Steps per second on a logarithmic scale; the ending of the path (.png, .svg) says in what format."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    rows = _shown(report.rows)
    figure = Figure(figsize=(10, 1.6 + 0.24 * len(rows)), layout="constrained")
    axes = figure.subplots()
    medians = [row.median for row in rows]
    errors = [[row.median - row.low for row in rows], [row.high - row.median for row in rows]]
    places = range(len(rows))
    axes.barh(
        places,
        medians,
        color=[COLOURS[_kind(row)] for row in rows],
        xerr=errors,
        error_kw={"elinewidth": 1, "ecolor": "#333333"},
    )
    for place, row in zip(places, rows, strict=True):
        axes.text(row.high * 1.08, place, _rate(row.median), va="center", fontsize=8)
    axes.set_yticks(places, [_label(row) for row in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xscale("log")
    if rows:
        axes.set_xlim(right=max(row.high for row in rows) * 3)
    axes.set_xlabel("steps per second, median and range (what a step includes differs: see the tables)")
    axes.set_title(
        f"{report.machine.cpu}, one core unless said, {report.machine.date}"
        + ("\nNOT A QUIET MACHINE" if report.disturbances else ""),
        fontsize=9,
    )
    kinds = {_kind(row) for row in rows}
    axes.legend(
        handles=[Patch(color=colour, label=kind) for kind, colour in COLOURS.items() if kind in kinds],
        loc="lower right",
        fontsize=8,
    )
    axes.grid(axis="x", which="major", alpha=0.3)
    axes.set_axisbelow(True)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "throughput"}):
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
