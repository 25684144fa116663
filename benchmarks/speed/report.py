"""What is told of a run: ours beside the peers, with ratios taken within each round; figures, tables, a picture."""

import io
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from statistics import median
from typing import Any, Final

from agents.common.markdown import table

from .harness import figures
from .ours import LAYERS
from .startup import NAMES

MASKED: Final = "step+mask/2/1024/1"
ONE_MASKED: Final = "step+mask/2/1/1"

ASKED: Final = {
    "step + mask, batch 1,024": (MASKED, ""),
    "AEC raw, compiled choice": ("aec_raw/2/1/1", ""),
    # many games at once against the best that a peer offers
    "step + mask to OpenSpiel backgammon, C++ playout": (MASKED, "openspiel_backgammon_rollouts/2/1/1"),
    "step + mask to Catanatron, 2 players": (MASKED, "catanatron/2/1/1"),
    "with observation to pgx backgammon, best batch": ("step+mask+int8/2/1024/1", "pgx_backgammon/2/*/1"),
    "Dorfromantik: step + mask to OpenSpiel backgammon, C++ playout": (
        "dorfromantik step+mask/1/1024/1",
        "openspiel_backgammon_rollouts/2/1/1",
    ),
    "Agricola: step + mask to OpenSpiel backgammon, C++ playout": (
        "agricola step+mask/2/1024/1",
        "openspiel_backgammon_rollouts/2/1/1",
    ),
    # a single game on both sides
    "one game: step + mask to OpenSpiel backgammon, Python": (ONE_MASKED, "openspiel_backgammon_python/2/1/1"),
    "one game: step + mask to Catanatron": (ONE_MASKED, "catanatron/2/1/1"),
    "one game: with observation to pgx backgammon": ("step+mask+int8/2/1/1", "pgx_backgammon/2/1/1"),
    # AEC, the same loop around each
    "AEC raw to connect_four raw": ("aec_raw/2/1/1", "connect_four_raw/2/1/1"),
    "AEC wrapped to connect_four wrapped": ("aec_wrapped/2/1/1", "connect_four_wrapped/2/1/1"),
    "AEC wrapped to the do-nothing loop, wrapped": ("aec_wrapped/2/1/1", "null_aec_wrapped/2/1/1"),
}
"""By label: the id of the row that is compared, and what the ratio is to, as a pattern of ids: the one with the highest
median. Empty for a rate alone."""

Found = Mapping[str, Mapping[str, Any]]  # rows as harness.figures has them, by id


def compare(rows: Found, asked: Mapping[str, tuple[str, str]] = ASKED) -> list[dict[str, Any]]:
    """Compare what was found as far as both sides were measured, in plain Python types."""
    compared = []
    for label, (ours, to) in asked.items():
        others = [name for name in rows if fnmatchcase(name, to)]
        if ours not in rows or (to and not others):
            continue
        best = max(others, key=lambda name: median(rows[name]["values"]), default="")
        values = rows[ours]["values"]
        if best:
            values = [mine / theirs for mine, theirs in zip(values, rows[best]["values"], strict=True)]
        about = {"label": label, "kind": "ratio" if to else "rate", "ours": ours, "against": best}
        compared.append(about | figures(values))
    return compared


def figure(kind: str, value: float) -> str:
    """Return a figure with its unit; ``kind`` is "rate", "ratio" or "seconds"."""
    if kind == "ratio":
        return f"{_three(value)} ×"
    if kind == "seconds":
        return f"{value:.2f} s"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{_three(value / size)} {unit}"
    return _three(value)


def _three(value: float) -> str:
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def told(kind: str, found: Mapping[str, Any], name: str = "median") -> list[str]:
    """Return the median and the range, in which a unit that both ends have is said once.

    found: as :func:`.harness.figures` has it, with the median under this name.
    """
    middle, first, last = (figure(kind, found[one]) for one in (name, "low", "high"))
    number, _, unit = first.partition(" ")
    return [middle, f"{number if unit == last.partition(' ')[2] else first}–{last}"]


Data = Mapping[str, Any]  # all that a run of the command measured, as JSON has it, or a row of it


def _unit(row: Data) -> str:
    """Return what a row counts: "steps", "games" …"""
    return next(name for name in row if name.endswith("_per_second")).removesuffix("_per_second")


def _rate(row: Data) -> str:
    return figure("rate", row[f"{_unit(row)}_per_second"])


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
    ratios = [[one["label"], *told(one["kind"], one)] for one in data["comparisons"]]
    times = [[one["name"], *told("seconds", one, "seconds"), NAMES[one["name"]]] for one in data["start_up"]]
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
    machine = data["machine"]
    lines = [
        "{cpu}, number of cores: {cores}, {system}, {python}".format(**machine),
        ", ".join(f"{name} {version}" for name, version in machine["versions"].items()),
        "{date}, commit {commit}".format(**machine),
        f"{data['rounds']} rounds of {data['seconds']:g} s, {data['took'] / 60:.0f} minutes: `{data['command']}`",
    ]
    return lines + ([] if machine["pinned_to"] else ["**This system does not let a process be pinned to a core.**"])


def page(data: Data) -> str:
    """Return all tables, with how they were measured."""
    told = "\n".join(f"- {line}" for line in conditions(data))
    parts = (f"## {name.capitalize()}\n\n{text}" for name, text in tables(data).items())
    return "\n\n".join(["# How fast it is", told, *parts]) + "\n"


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
    axes.set_title(f"{cpu}, one core unless said, {date}", fontsize=9)
    patches = [Patch(color=colour, label=kind) for kind, colour in COLOURS.items() if kind in kinds]
    axes.legend(handles=patches, loc="lower right", fontsize=8)
    axes.grid(axis="x", which="major", alpha=0.3)
    axes.set_axisbelow(True)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "speed"}):
        drawing.savefig(file := io.BytesIO(), format="svg", metadata={"Date": None})
    return file.getvalue()
