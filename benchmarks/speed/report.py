"""What was measured, told as tables on the terminal, as JSON, as a page and as a picture."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from agents.common import markdown

from .comparisons import Compared, compare
from .figures import LEGEND, MARK, figure, middle, span
from .harness import Row, Skipped
from .machine import Machine
from .ours import LAYERS
from .startup import NAMES, Timing

__all__ = ["Report", "as_json", "page", "plot", "print_report"]

READING: Final = (
    "Figures are medians over the rounds, with the lowest and the highest. A ratio is taken within each round. Targets "
    "are to be reached; those in seconds are not to be exceeded.",
    LEGEND,
    "Cases are measured once a round, forwards and backwards in turn, each warmed up before, without Python's garbage "
    "collector. Every library has a process of its own, pinned to one core (two for two threads); the others wait.",
    "All play is uniformly random among legal actions. Ours is the public interface at default settings: a step is a "
    "whole move, dice and restarts on newly drawn villages are inside the time.",
    "The AEC loop is PettingZoo's own, with the same choice from the int8 mask around every environment: agent_iter(), "
    "last(), choice, step(), and reset() after the game. Steps of agents whose game is over are done and not counted.",
)
"""How to read the figures, a line each."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run measured, and on what."""

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
    def warnings(self) -> list[str]:
        """What speaks against the whole page."""
        found = {
            "This system does not let a process be pinned to a core.": not self.machine.pinned_to,
            "Importing the package brought torch along.": not self.torch_free,
        }
        return [text for text, holds in found.items() if holds]


# --- tables ---


@dataclass(frozen=True, slots=True)
class Table:
    """A table in plain text."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    numbers: Sequence[int] = ()
    """The columns, counted from 0, that hold figures and are set flush right."""


def _target_table(compared: Iterable[Compared]) -> Table:
    rows = [
        (
            one.label,
            middle(one.kind, one),
            span(one.kind, one),
            figure(one.kind, one.must),
            figure(one.kind, one.aim),
            one.reached,
            " : ".join(filter(None, (one.ours, one.against))),
        )
        for one in compared
    ]
    head = ("", "median", "range", "must", "aim", "reached", "rows")
    return Table("Targets", head, rows, range(1, 5))


def _ratio_table(compared: Iterable[Compared]) -> Table:
    rows = [(one.label, middle(one.kind, one), span(one.kind, one), f"{one.ours} : {one.against}") for one in compared]
    return Table("Other comparisons", ("", "median", "range", "rows"), rows, (1, 2))


def _batch_table(rows: Sequence[Row]) -> Table:
    """The layers of Batch, a column per size."""
    by_key = {row.case.key: row for row in rows if row.case.name in LAYERS}
    order = list(LAYERS)
    kinds = sorted({(players, threads, order.index(name)) for name, players, _, threads in by_key})
    sizes = sorted({size for _, _, size, _ in by_key})
    body = []
    for players, threads, layer in kinds:
        found = [by_key.get((order[layer], players, size, threads)) for size in sizes]
        cells = (f"{middle('rate', row)} ({span('rate', row)})" if row else "" for row in found)
        body.append((order[layer], str(players), str(threads), *cells))
    head = ("steps per second", "players", "threads", *(f"{size:,}" for size in sizes))
    return Table("Many games at once, by the size of the batch", head, body, range(1, len(head)))


def _row_table(title: str, rows: Iterable[Row]) -> Table:
    body = [
        (
            row.case.name,
            str(row.case.players),
            f"{row.case.batch:,}",
            middle("rate", row),
            span("rate", row),
            row.case.includes,
        )
        for row in rows
    ]
    return Table(title, ("", "players", "batch", "per second", "range", "what one includes"), body, range(1, 5))


def _timing_table(timings: Iterable[Timing]) -> Table:
    body = [(one.name, middle("seconds", one), span("seconds", one), NAMES[one.name]) for one in timings]
    return Table("Start-up, in fresh processes", ("", "seconds", "range", "what it is"), body, (1, 2))


def _tables(report: Report) -> Iterator[Table]:
    """All tables that have rows."""
    compared = report.compared
    steps = [row for row in report.rows if row.case.unit == "steps"]
    tables = (
        _target_table(one for one in compared if one.reached),
        _ratio_table(one for one in compared if not one.reached),
        _batch_table(steps),
        Table("What a step includes there", ("", "what one includes"), list(LAYERS.items())),
        _row_table(
            "This environment, other ways in", (row for row in steps if row.case.ours and row.case.name not in LAYERS)
        ),
        _row_table("Peers", (row for row in steps if not row.case.ours)),
        _row_table("Games and copies", (row for row in report.rows if row.case.unit != "steps")),
        _timing_table(report.timings),
        Table(
            "Bytes per game, 2 players",
            ("", "bytes"),
            [(name, f"{size:,.0f}") for name, size in report.bytes_per_game.items()],
            (1,),
        ),
        Table("Not measured", ("", "why"), [(one.case.id, one.reason) for one in report.skipped]),
    )
    return (table for table in tables if table.rows)


def _measured_on(report: Report) -> list[str]:
    return [*report.machine.lines(), f"{report.rounds} rounds of {report.seconds:g} s, {report.took / 60:.0f} minutes"]


def print_report(report: Report, console: Console | None = None) -> None:
    """Tell it on the terminal."""
    if console is None:
        console = Console()
        if not console.is_terminal:
            console = Console(width=170)
    for line in _measured_on(report):
        console.print(escape(line))
    for table in _tables(report):
        shown = RichTable(title=table.title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
        for column, head in enumerate(table.head):
            shown.add_column(head, justify="right" if column in table.numbers else "left")
        for row in table.rows:
            shown.add_row(*map(escape, row))
        console.print(shown)
    console.print(*READING[:2], sep="\n")
    for warning in report.warnings:
        console.print(f"[bold yellow]{escape(warning)}[/]")


def page(report: Report, path: Path | None = None, picture: Path | None = None) -> str:
    """Return the page, all of which is written by the command.

    path, picture: where both will be, if the page is to show the picture.
    """
    lines = ["# How fast it is", "", f"Written by `{report.command}`; a later run replaces all of it.", ""]
    lines += [f"> **{warning}**\n" for warning in report.warnings]
    lines += ["## How to read it", "", *(f"- {line}" for line in READING), ""]
    lines += ["## Measured on", "", *(f"- {line}" for line in _measured_on(report)), ""]
    if path is not None and picture is not None:
        where = Path(os.path.relpath(picture.resolve(), path.resolve().parent)).as_posix()
        lines += [f"![Steps per second, ours and the peers']({where})", ""]
    for table in _tables(report):
        lines += [f"## {table.title}", "", markdown.table(table.head, table.rows, table.numbers), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_json(report: Report) -> dict[str, Any]:
    """Return all of it in plain Python types."""
    return {
        "command": report.command,
        "machine": report.machine.as_json(),
        "rounds": report.rounds,
        "seconds": report.seconds,
        "took": report.took,
        "warnings": report.warnings,
        "reading": list(READING),
        "rows": [row.as_json() for row in report.rows],
        "comparisons": [one.as_json() for one in report.compared],
        "start_up": [{"name": one.name, **one.figures("seconds")} for one in report.timings],
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


def plot(report: Report, form: str) -> bytes:
    """Draw steps per second on a logarithmic scale; ``form`` is "png" or "svg"."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    rows = _shown(report.rows)
    drawing = Figure(figsize=(10, 1.6 + 0.24 * len(rows)), layout="constrained")
    axes = drawing.subplots()
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
        axes.text(row.high * 1.08, place, middle("rate", row), va="center", fontsize=8)
    axes.set_yticks(places, [_label(row) for row in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xscale("log")
    if rows:
        axes.set_xlim(right=max(row.high for row in rows) * 3)
    axes.set_xlabel("steps per second, median and range (what a step includes differs: see the tables)")
    axes.set_title(f"{report.machine.cpu}, one core unless said, {report.machine.date}; {MARK} disturbed", fontsize=9)
    kinds = {_kind(row) for row in rows}
    axes.legend(
        handles=[Patch(color=colour, label=kind) for kind, colour in COLOURS.items() if kind in kinds],
        loc="lower right",
        fontsize=8,
    )
    axes.grid(axis="x", which="major", alpha=0.3)
    axes.set_axisbelow(True)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "speed"}):
        drawing.savefig(file := io.BytesIO(), format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return file.getvalue()
