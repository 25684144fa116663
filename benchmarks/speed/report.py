"""What was measured, as JSON; and what is made of that: tables and a picture."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from agents.common.markdown import table

from .comparisons import LEGEND, MARK, middle, span
from .machine import Machine
from .ours import LAYERS
from .startup import NAMES

__all__ = ["conditions", "page", "plot", "tables"]


# --- tables ---

Data = Mapping[str, Any]
"""All that a run of the command measured, as JSON has it, or a row of it."""


def _unit(row: Data) -> str:
    """Return what a row counts: "steps", "games" …"""
    return next(name for name in row if name.endswith("_per_second")).removesuffix("_per_second")


def _rate(row: Data) -> str:
    return middle("rate", row, f"{_unit(row)}_per_second")


def _batches(rows: Iterable[Data]) -> str:
    """Return the layers of Batch, a column for each size."""
    rows = [row for row in rows if row["name"] in LAYERS]
    cells = {(row["name"], row["players"], row["threads"], row["batch"]): _rate(row) for row in rows}
    sizes = sorted({batch for *_, batch in cells})
    lines = []
    for players, threads in sorted({key[1:3] for key in cells}):
        for layer in LAYERS:
            found = [cells.get((layer, players, threads, size), "") for size in sizes]
            lines += [[layer, players, threads, *found]] if any(found) else []
    head = ["steps per second", "players", "threads", *(f"{size:,}" for size in sizes)]
    return table(head, lines, range(1, len(head))) if lines else ""


def _of(rows: Iterable[Data]) -> str:
    """Return rows with what one of their units includes."""
    lines = [[row["name"], f"{row['batch']:,}", _rate(row), row["includes"]] for row in rows]
    return table(["", "batch", "per second", "one is"], lines, (1, 2)) if lines else ""


OURS, NOTHING, PEERS = "this environment", "an environment that does nothing", "peers"


def _kind(row: Data) -> str:
    if row["name"].startswith("null_"):
        return NOTHING
    return OURS if row["library"] in ("ours", "stable-baselines3") else PEERS


def tables(data: Data) -> dict[str, str]:
    """Return the tables as Markdown by name, as far as they have rows. data: all of a run."""
    rows = data["rows"]
    steps = [row for row in rows if _unit(row) == "steps"]
    ratios = [[one["label"], middle(one["kind"], one), span(one["kind"], one)] for one in data["comparisons"]]
    times = [
        [one["name"], middle("seconds", one, "seconds"), span("seconds", one), NAMES[one["name"]]]
        for one in data["start_up"]
    ]
    missing = [[one["name"], one["reason"]] for one in data["skipped"]]
    found = {
        "comparisons": table(["ours", "median", "range"], ratios, (1, 2)) if ratios else "",
        "batches": _batches(steps),
        "ours": _of(row for row in rows if _kind(row) == OURS and row["name"] not in LAYERS),
        "others": _of(row for row in steps if _kind(row) != OURS),
        "start-up": table(["", "seconds", "range", "what it is"], times, (1, 2)) if times else "",
        "skipped": table(["not measured", "why"], missing) if missing else "",
    }
    return {name: text for name, text in found.items() if text}


def conditions(data: Data) -> list[str]:
    """Return where, when and how it was measured, a line each."""
    machine = Machine(**data["machine"])
    took = f"{data['rounds']} rounds of {data['seconds']:g} s, {data['took'] / 60:.0f} minutes: `{data['command']}`"
    free = "" if machine.pinned_to else "**This system does not let a process be pinned to a core.**"
    return [*machine.lines(), took, *filter(None, [free])]


def page(data: Data) -> str:
    """Return all tables, with how they were measured."""
    told = "\n".join(f"- {line}" for line in [*conditions(data), LEGEND])
    parts = (f"## {name.capitalize()}\n\n{text}" for name, text in tables(data).items())
    return "\n\n".join(["# How fast it is", told, *parts]) + "\n"


# --- the picture ---

COLOURS: Final = {OURS: "#1f6fb4", NOTHING: "#9a9a9a", PEERS: "#e08a2c"}


def _shown(rows: Sequence[Data]) -> list[Data]:
    """Return what the picture shows, fastest first: games of two players."""
    shown = [row for row in rows if _unit(row) == "steps" and row["players"] == 2]
    return sorted(shown, key=lambda row: -row["steps_per_second"])


def _label(row: Data) -> str:
    more = [f"batch {row['batch']:,}"] if row["batch"] > 1 or row["name"] in LAYERS else []
    more += [f"{row['threads']} threads"] if row["threads"] > 1 else []
    return ", ".join([row["name"], *more])


def plot(data: Data) -> bytes:
    """Draw steps per second on a logarithmic scale, as SVG."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    rows = _shown(data["rows"])
    drawing = Figure(figsize=(10, 1.6 + 0.24 * len(rows)), layout="constrained")
    axes = drawing.subplots()
    places = range(len(rows))
    kinds = [_kind(row) for row in rows]
    axes.barh(
        places,
        [row["steps_per_second"] for row in rows],
        color=[COLOURS[kind] for kind in kinds],
        xerr=[[abs(row[end] - row["steps_per_second"]) for row in rows] for end in ("low", "high")],
        error_kw={"elinewidth": 1, "ecolor": "#333333"},
    )
    for place, row in zip(places, rows, strict=True):
        axes.text(row["high"] * 1.08, place, _rate(row), va="center", fontsize=8)
    axes.set_yticks(places, [_label(row) for row in rows], fontsize=8)
    axes.set(ylim=(len(rows) - 0.4, -0.6), xscale="log")
    if rows:
        axes.set_xlim(right=max(row["high"] for row in rows) * 3)
    axes.set_xlabel("steps per second, median and range (what a step includes differs: see the tables)")
    cpu, date = data["machine"]["cpu"], data["machine"]["date"]
    axes.set_title(f"{cpu}, one core unless said, {date}; {MARK} disturbed", fontsize=9)
    patches = [Patch(color=colour, label=kind) for kind, colour in COLOURS.items() if kind in kinds]
    axes.legend(handles=patches, loc="lower right", fontsize=8)
    axes.grid(axis="x", which="major", alpha=0.3)
    axes.set_axisbelow(True)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "speed"}):
        drawing.savefig(file := io.BytesIO(), format="svg", metadata={"Date": None})
    return file.getvalue()
