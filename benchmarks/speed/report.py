"""What was measured, told as a page (for the terminal too), as JSON and as a picture."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markdown import Markdown

from agents.common import markdown

from .comparisons import Compared, compare
from .figures import LEGEND, MARK, compared, middle, told
from .harness import Rounds, Row
from .machine import Machine
from .ours import LAYERS
from .startup import NAMES

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
    skipped: Mapping[str, str]
    timings: Mapping[str, Rounds]
    bytes_per_game: dict[str, float]
    torch_free: bool = True
    took: float = 0.0
    """Seconds of the whole run."""

    @property
    def compared(self) -> list[Compared]:
        """All that can be compared."""
        return compare({**{row.case.id: row for row in self.rows}, **self.timings})

    @property
    def warnings(self) -> list[str]:
        """What speaks against the whole page."""
        found = []
        if not self.machine.pinned_to:
            found.append("This system does not let a process be pinned to a core.")
        if not self.torch_free:
            found.append("Importing the package brought torch along.")
        return found


# --- the page ---


Table = tuple[str, Sequence[str], Sequence[Sequence[str]]]
"""Title, head and rows, in plain text."""
WORDS: Final = {"", "reached", "rows", "steps per second", "what one includes", "what it is", "why"}
"""Heads of columns that hold no figures."""


def _batch_table(rows: Iterable[Row]) -> Table:
    """The layers of Batch, a column per size."""
    cases = {row.case.id: row for row in rows if row.case.name in LAYERS}
    sizes = sorted({row.case.batch for row in cases.values()})
    head = ("steps per second", "players", "threads", *(f"{size:,}" for size in sizes))
    body = []
    for players, threads in sorted({(row.case.players, row.case.threads) for row in cases.values()}):
        for layer in LAYERS:
            found = [cases.get(f"{layer}/{players}/{size}/{threads}") for size in sizes]
            cells = ["{} ({})".format(*told("rate", row)) if row else "" for row in found]
            if any(cells):
                body.append((layer, str(players), str(threads), *cells))
    return "Many games at once, by the size of the batch", head, body


def _row_table(title: str, rows: Iterable[Row]) -> Table:
    cases = ((row, row.case) for row in rows)
    body = [(case.name, str(case.players), f"{case.batch:,}", *told("rate", row), case.includes) for row, case in cases]
    return title, ("", "players", "batch", "per second", "range", "what one includes"), body


def _tables(report: Report) -> list[Table]:
    """All tables; some may have no rows."""
    results = [(one, compared(one), " : ".join(filter(None, (one.ours, one.against)))) for one in report.compared]
    steps = [row for row in report.rows if row.case.unit == "steps"]
    return [
        (
            "Targets",
            ("", "median", "range", "must", "aim", "reached", "rows"),
            [(one.label, *cells, sides) for one, cells, sides in results if one.reached],
        ),
        (
            "Other comparisons",
            ("", "median", "range", "rows"),
            [(one.label, *cells[:2], sides) for one, cells, sides in results if not one.reached],
        ),
        _batch_table(steps),
        ("What a step includes there", ("", "what one includes"), list(LAYERS.items())),
        _row_table(
            "This environment, other ways in", (row for row in steps if row.case.ours and row.case.name not in LAYERS)
        ),
        _row_table("Peers", (row for row in steps if not row.case.ours)),
        _row_table("Games, after-states, chances and copies", (row for row in report.rows if row.case.unit != "steps")),
        (
            "Start-up, in fresh processes",
            ("", "seconds", "range", "what it is"),
            [(name, *told("seconds", one), NAMES[name]) for name, one in report.timings.items()],
        ),
        (
            "Bytes per game, 2 players",
            ("", "bytes"),
            [(name, f"{size:,.0f}") for name, size in report.bytes_per_game.items()],
        ),
        ("Not measured", ("", "why"), list(report.skipped.items())),
    ]


def page(report: Report, path: Path | None = None, picture: Path | None = None) -> str:
    """Return the page, which shows the picture if it is told where both will be."""
    took = f"{report.rounds} rounds of {report.seconds:g} s, {report.took / 60:.0f} minutes"
    lines = ["# How fast it is", "", f"Written by `{report.command}`; a later run replaces all of it.", ""]
    lines += [f"> **{warning}**\n" for warning in report.warnings]
    lines += ["## How to read it", "", *(f"- {line}" for line in READING), ""]
    lines += ["## Measured on", "", *(f"- {line}" for line in (*report.machine.lines(), took)), ""]
    if path is not None and picture is not None:
        where = Path(os.path.relpath(picture.resolve(), path.resolve().parent)).as_posix()
        lines += [f"![Steps per second, ours and the peers']({where})", ""]
    for title, head, rows in _tables(report):
        if rows:
            numbers = [column for column, name in enumerate(head) if name not in WORDS]
            lines += [f"## {title}", "", markdown.table(head, rows, numbers), ""]
    return "\n".join(lines).rstrip() + "\n"


def print_report(report: Report) -> None:
    """Show the page on the terminal; where there is none, 170 characters wide."""
    Console(width=None if sys.stdout.isatty() else 170).print(Markdown(page(report)))


def as_json(report: Report) -> dict[str, Any]:
    """Return all of it in plain Python types."""
    return {
        "command": report.command,
        "machine": asdict(report.machine),
        "rounds": report.rounds,
        "seconds": report.seconds,
        "took": report.took,
        "warnings": report.warnings,
        "reading": list(READING),
        "rows": [row.as_json() for row in report.rows],
        "comparisons": [one.as_json() for one in report.compared],
        "start_up": [{"name": name, **one.figures("seconds")} for name, one in report.timings.items()],
        "torch_free": report.torch_free,
        "bytes_per_game": report.bytes_per_game,
        "skipped": [{"name": name, "reason": reason} for name, reason in report.skipped.items()],
    }


# --- the picture ---

COLOURS: Final = {"this environment": "#1f6fb4", "an environment that does nothing": "#9a9a9a", "peers": "#e08a2c"}
SHOWN_SIZES: Final = {(1, 1), (1024, 1), (65536, 1), (8192, 2)}
"""Sizes and threads of the layers of Batch."""


def _kind(row: Row) -> str:
    if row.case.name.startswith("null_"):
        return "an environment that does nothing"
    return "this environment" if row.case.ours else "peers"


def _shown(rows: Sequence[Row]) -> list[Row]:
    """What the picture shows, fastest first: of ours some sizes of two players' games, of a peer its best size."""
    shown: dict[Any, Row] = {}
    for row in sorted(rows, key=lambda row: row.median, reverse=True):
        case = row.case
        if case.unit != "steps":
            continue
        if not case.ours:
            shown.setdefault((case.name, case.players), row)
        elif case.players == 2 and (case.name not in LAYERS or (case.batch, case.threads) in SHOWN_SIZES):
            shown[case.id] = row
    return list(shown.values())


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
    places = range(len(rows))
    kinds = [_kind(row) for row in rows]
    axes.barh(
        places,
        [row.median for row in rows],
        color=[COLOURS[kind] for kind in kinds],
        xerr=[[row.median - row.low for row in rows], [row.high - row.median for row in rows]],
        error_kw={"elinewidth": 1, "ecolor": "#333333"},
    )
    for place, row in zip(places, rows, strict=True):
        axes.text(row.high * 1.08, place, middle("rate", row), va="center", fontsize=8)
    axes.set_yticks(places, [_label(row) for row in rows], fontsize=8)
    axes.set(ylim=(len(rows) - 0.4, -0.6), xscale="log")
    if rows:
        axes.set_xlim(right=max(row.high for row in rows) * 3)
    axes.set_xlabel("steps per second, median and range (what a step includes differs: see the tables)")
    axes.set_title(f"{report.machine.cpu}, one core unless said, {report.machine.date}; {MARK} disturbed", fontsize=9)
    patches = [Patch(color=colour, label=kind) for kind, colour in COLOURS.items() if kind in kinds]
    axes.legend(handles=patches, loc="lower right", fontsize=8)
    axes.grid(axis="x", which="major", alpha=0.3)
    axes.set_axisbelow(True)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "speed"}):
        drawing.savefig(file := io.BytesIO(), format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return file.getvalue()
