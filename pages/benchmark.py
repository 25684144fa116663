"""Fill docs/benchmark.md with what the runs of the benchmark have found, and draw its curves.

    python -m pages.benchmark

Takes seconds. The runs themselves, whose rows are in benchmarks/results, are those of `python -m benchmarks.learning`.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

import agents
from agents.common.markdown import table
from agents.common.statistics import Estimate
from agents.positions.report import costs
from benchmarks.algorithms import ALGORITHMS
from benchmarks.learning import RANKED, VERSION
from benchmarks.learning.cells import BUDGETS, BadCell, book, read_row
from benchmarks.learning.play import ANCHORS
from benchmarks.learning.reference import REFERENCE
from benchmarks.learning.score import score
from benchmarks.learning.settings import FILE, read
from benchmarks.learning.statistics import difference, improvement, interquartile_mean
from bohemian_env import TASKS
from pages import DOCS, ROOT
from pages.analysis_pictures import drawn
from pages.lessons import lessons
from pages.positions import SEED
from pages.program import make_files, measured_page, parser
from pages.program import read as read_options

PROGRAM: Final = "pages.benchmark"
RESULTS: Final = ROOT / "benchmarks" / "results"
PICTURE: Final = "benchmark.svg"
TRANSFERS: Final = (
    (
        "first sides learnt; plays first, second",
        ("2p-planner-fixed", "first sides"),
        ("2p-planner-fixed", "second sides"),
    ),
    ("both sides learnt; plays first, second", ("2p-planner", "first sides"), ("2p-planner", "second sides")),
    ("plays with 5 players; learnt with 5, with 4", ("5p-planner", ""), ("4p-planner", "5 players")),
)
"""What is compared: task and what is played of those who have seen it, and of those who have not."""
NAMED: Final = ("random", "greedy", "planner")
"""Agents beside which those that learn are seen."""
JUDGED: Final = (*NAMED, "appraiser", "ppo")
"""Those whose decisions are judged beside theirs."""
NAMED_GAMES: Final = 4000
NAMED_SEED: Final = 12_000_000
LONG: Final = 10_000_000.0
"""Decisions of the runs that show what more of them are worth."""
NONE: Final = "No runs yet."
_COLOURS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#999999", "#f0e442")

Row = Mapping[str, Any]
Runs = Mapping[tuple[str, str], Sequence[Row]]
"""Rows by task and algorithm, in the order of their seeds."""


def rows_of(results: Path, unit: str, budget: float) -> Runs:
    """Return the rows of one budget. Raises BadCell for a file that holds none, or one of another version."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for path in sorted((results / f"{unit}-{budget:.12g}").glob("*/*.json")):
        row = read_row(path)
        if row["benchmark"] != VERSION:
            raise BadCell(f"{path} is of version {row['benchmark']} of the benchmark, not {VERSION}")
        found[row["task"], row["algorithm"]].append(row)
    return {key: sorted(rows, key=lambda row: row["seed"]) for key, rows in found.items()}


def shares(rows: Sequence[Row], played: str = "") -> np.ndarray:
    """Return the win shares of runs, (seeds,): at their own task, or at what they have not learnt."""
    return np.array([(row["transfer"][played] if played else row["score"])["share"] for row in rows])


def has(rows: Sequence[Row], played: str) -> bool:
    """Return whether there are runs, and all of them have played something."""
    return bool(rows) and all(not played or played in row["transfer"] for row in rows)


def tasks_of(runs: Runs) -> list[str]:
    """Return the tasks that were run, in their order."""
    return [task for task in TASKS if any(task == other for other, _ in runs)]


def ranking(runs: Runs) -> list[str]:
    """Return the tasks by which algorithms are ranked, as far as they were run; all if none of them was."""
    return [task for task in tasks_of(runs) if task in RANKED] or tasks_of(runs)


def scores(runs: Runs, algorithm: str) -> list[np.ndarray]:
    """Return an algorithm's scores by task, a fair share being 1; none if it has not run all by which it is ranked."""
    tasks = ranking(runs)
    if not all((task, algorithm) in runs for task in tasks):
        return []
    return [TASKS[task].players * shares(runs[task, algorithm]) for task in tasks]


def ranked(runs: Runs) -> list[str]:
    """Return the algorithms, the best first; those that have not run all tasks last."""
    names = [name for name in ALGORITHMS if any(name == other for _, other in runs)]
    values = {name: interquartile_mean(found).value if (found := scores(runs, name)) else -1.0 for name in names}
    return sorted(names, key=lambda name: -values[name])


def learn(runs: Runs) -> str:
    """Return the win shares of each algorithm at each task, and over all."""
    if not runs:
        return NONE
    rows = []
    for name in ranked(runs):
        cells = [interquartile_mean([shares(runs[task, name])]).text() if (task, name) in runs else "–"
                 for task in tasks_of(runs)]  # fmt: skip
        whole = scores(runs, name)
        rows.append([f"`{name}`", interquartile_mean(whole).text() if whole else "–", *cells])
    head = [
        "algorithm",
        "all, a fair share being 1",
        *(f"{t} (fair: {1 / TASKS[t].players:.2f})" for t in tasks_of(runs)),
    ]
    return table(head, rows, range(1, len(head)))


def clock(runs: Runs) -> str:
    """Return the same of runs by the clock, and what their minutes were counted by."""
    found = sorted({row.get("reference", 0.0) for rows in runs.values() for row in rows})
    if not found:
        return NONE
    rates = " or ".join(f"{one:,.0f}" if one else "an untold number of" for one in found)
    told = f"Minutes of a reference on which `planner` plays {rates} games a second"
    if found != [REFERENCE]:
        told += f", as it was when these were run; the same machine plays {REFERENCE:,.0f} with that of today"
    return f"{learn(runs)}\n\n{told}."


def longer(runs: Runs, long: Runs) -> str:
    """Return what longer runs have reached, beside those of the same algorithms and tasks that were not so long."""
    rows = []
    for task in tasks_of(long):
        for name in ranked(long):
            both = [found[task, name] for found in (runs, long) if (task, name) in found]
            if len(both) == 2:
                won = [interquartile_mean([shares(found)]).text() for found in both]
                minutes = [f"{median(row['seconds'] for row in found) / 60:.0f}" for found in both]
                rows.append([f"`{name}`", task, *won, " → ".join(minutes)])
    decisions = [f"{budget / 1e6:.0f} million" for budget in (BUDGETS["decisions"], LONG)]
    head = ["algorithm", "task", *decisions, "core-minutes of learning"]
    return table(head, rows, (2, 3, 4)) if rows else NONE


def named(runs: Runs) -> str:
    """Return the win shares of agents that learn nothing at the same tasks."""
    tasks = [TASKS[task] for task in tasks_of(runs)]
    rows = []
    for name in NAMED:
        found = [score(agents.make(name, seed=0), task, NAMED_GAMES, NAMED_SEED) for task in tasks]
        rows.append([f"`{name}`", *(Estimate(one.share, one.low, one.high).text() for one in found)])
    return table(["agent", *(task.name for task in tasks)], rows, range(1, len(tasks) + 1))


def _from_to(numbers: Sequence[int]) -> str:
    return " to ".join(dict.fromkeys(f"{number:,}" for number in (numbers[0], numbers[-1])))


def conditions(runs: Runs) -> str:
    """Return how many runs there are, and how they were judged."""
    every = [row for rows in runs.values() for row in rows]
    if not every:
        return NONE
    seeds = sorted({len(rows) for rows in runs.values()})
    games = sorted({row["score"]["games"] for row in every})
    told = {
        "version": VERSION,
        "runs": f"{len(every):,}",
        "seeds": _from_to(seeds),
        "games for a score": _from_to(games),
        "core-hours of learning": f"{sum(row['seconds'] for row in every) / 3600:.1f}",
        "environment": every[0]["versions"]["environment"],
        "torch": every[0]["versions"]["torch"],
    }
    return table(list(told), [list(told.values())], range(1, len(told)))


def better(runs: Runs) -> str:
    """Return how likely a run of each algorithm is to be better than one of those below it."""
    names = [name for name in ranked(runs) if scores(runs, name)]
    if len(names) < 2:
        return NONE
    found = {pair: improvement(*(scores(runs, name) for name in pair)).text() for pair in combinations(names, 2)}
    rows = [[f"`{one}`", *(found.get((one, other), "") for other in names[1:])] for one in names[:-1]]
    return table(["better than", *(f"`{name}`" for name in names[1:])], rows, range(1, len(names)))


def transfer(runs: Runs) -> str:
    """Return how far what was learnt carries: among villages, and at a table, that were not seen in learning."""
    rows = []
    for what, (seen, known), (unseen, other) in TRANSFERS:
        for name in ranked(runs):
            if all(has(runs.get(key, ()), played) for key, played in (((seen, name), known), ((unseen, name), other))):
                at_home, away = shares(runs[seen, name], known), shares(runs[unseen, name], other)
                # in pairs only where both are of the same runs
                gap = interquartile_mean([at_home - away]) if seen == unseen else difference([at_home], [away])
                found = interquartile_mean([at_home]), interquartile_mean([away]), gap
                rows.append([what, f"`{name}`", *(one.text() for one in found)])
    head = ("", "algorithm", "seen", "unseen", "gap")
    return table(head, rows, (2, 3, 4)) if rows else NONE


def cost(runs: Runs) -> str:
    """Return what each algorithm takes at the tasks by which it is ranked."""
    rows = []
    for name in ranked(runs):
        mine = [row for task in ranking(runs) for row in runs.get((task, name), ())]
        if not mine:
            continue
        seconds = [row["seconds"] for row in mine]
        move = median(row["score"]["milliseconds"] for row in mine)
        told = f"{median(seconds):.0f} ({min(seconds):.0f} to {max(seconds):.0f})"
        rows.append([f"`{name}`", ALGORITHMS[name], told, f"{1000 * move:.0f}"])
    head = ["algorithm", "what it is", "seconds of learning", "microseconds a move"]
    return table(head, rows, (2, 3)) if rows else NONE


def kept(results: Path, name: str) -> Any:
    """Return what a file of results holds that is one for all, None where there is none. Raises ValueError."""
    path = results / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def play(found: Any) -> str:
    """Return the ratings of agents by what a move of theirs may take."""
    if found is None:
        return NONE
    rows = []
    for row in sorted(found["rows"], key=lambda row: (row["price"] or math.inf, -row["rating"]["value"])):
        times, e = row["milliseconds"], row["rating"]
        price = "above" if row["price"] is None else f"at most {row['price']:g}"
        rating = f"{e['value']:.0f}" + ("" if e["low"] is None else f" ({e['low']:.0f} to {e['high']:.0f})")
        rows.append([price, f"`{row['agent']}`", f"{min(times):.3g} to {max(times):.3g}", rating])
    games = found["games"]
    among = f"{games['quick']:,} games of each agent among {' and as many among '.join(f'`{one}`' for one in ANCHORS)}"
    told = f"{among}, {games['slow']:,} where it searches; seeds from {found['seed']:,}."
    return f"{table(['milliseconds a move', 'agent', 'measured', 'rating'], rows, (2, 3))}\n\n{told}"


def exploit(found: Any) -> str:
    """Return what best responses win of agents, each algorithm's that looked for them, beyond a fair share."""
    if found is None:
        return NONE
    fair = 1 / TASKS[found["task"]].players
    by = list(dict.fromkeys(row["by"] for row in found["rows"]))
    won: dict[str, dict[str, str]] = defaultdict(dict)
    for row in found["rows"]:
        won[row["agent"]][row["by"]] = Estimate(*(row[name] - fair for name in ("share", "low", "high"))).text()
    rows = [[f"`{agent}`", *(cells[name] for name in by)] for agent, cells in won.items()]
    told = f"At {found['task']}, after {found['decisions']:,.0f} decisions; {found['games']:,} games of each."
    return f"{table(['against', *(f'`{name}`' for name in by)], rows, range(1, len(by) + 1))}\n\n{told}"


def positions(runs: Runs) -> str:
    """Return what decisions of the agents of runs cost at each task, and those of named agents. Raises BadBook."""
    tasks, judging = tasks_of(runs), book()

    def cell(name: str, task: str) -> str:
        judged = [row["positions"] for row in runs.get((task, name), ())]
        values = [one["value"] for one in judged if one["book"] == judging.digest]
        return interquartile_mean([np.array(values)]).text(1) if values else "–"

    rows = [[f"`{name}`", *(cell(name, task) for task in tasks)] for name in ranked(runs)]
    for name in JUDGED:
        found = costs(judging, agents.make(name, SEED))
        rows.append([f"`{name}`, as it comes", *(found[str(TASKS[task].players)].text(1) for task in tasks)])
    return table(["algorithm", *tasks], rows, range(1, len(tasks) + 1))


def settings(path: Path = FILE) -> str:
    """Return the settings that were chosen, and with what budget."""
    tables = read(path)
    if not tables:
        return "Nothing was chosen yet: all have their defaults."
    rows = [[f"`{name}`", ", ".join(f"{key} {value}" for key, value in found.items()) or "the defaults"]
            for name, found in tables.items()]  # fmt: skip
    return table(["", ""], rows)


def curves(runs: Runs) -> str:
    """Draw what each algorithm has reached after so many decisions: the interquartile mean, and its interval."""
    names = ranked(runs)
    panels = {task: {name: runs[task, name] for name in names if (task, name) in runs} for task in tasks_of(runs)}

    def draw(axes: Any, task: str, found: Mapping[str, Sequence[Row]]) -> None:
        for name, rows in found.items():
            points = min(len(row["curve"]) for row in rows)
            x = [np.mean([row["curve"][k]["decisions"] for row in rows]) / 1e6 for k in range(points)]
            y = [interquartile_mean([np.array([row["curve"][k]["share"] for row in rows])]) for k in range(points)]
            colour = _COLOURS[list(ALGORITHMS).index(name) % len(_COLOURS)]
            axes.fill_between(x, [e.low for e in y], [e.high for e in y], color=colour, alpha=0.2, linewidth=0)
            axes.plot(x, [e.value for e in y], color=colour, label=name, linewidth=1.5)
        axes.axhline(1 / TASKS[task].players, color="0.5", linestyle="--", linewidth=1)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("decisions, millions")
        axes.set_ylabel("win share")
        if task == next(iter(panels)):
            axes.figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize="small")

    columns = next(n for n in (3, 2, 1) if len(panels) % n == 0)
    lines = len(panels) // columns
    return drawn(panels, (4.2 * columns, 3.4 * lines), draw, nrows=lines, ncols=columns)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument(
        "--results", type=Path, default=RESULTS, help="folder of the rows (default: benchmarks/results)"
    )
    options.add_argument("--out", type=Path, default=DOCS, help="folder for the page and its picture (default: docs)")
    o = read_options(options, argv)

    def texts() -> list[str]:
        runs, timed = (rows_of(o.results, unit, budget) for unit, budget in BUDGETS.items())
        if not runs:
            raise BadCell(f"{o.results} has no rows of {BUDGETS['decisions']:,.0f} decisions")
        blocks = {
            "conditions": conditions(runs),
            "learn": learn(runs),
            "lessons": lessons(runs, ranked(runs)),
            "named": named(runs),
            "better": better(runs),
            "clock": clock(timed),
            "longer": longer(runs, rows_of(o.results, "decisions", LONG)),
            "transfer": transfer(runs),
            "play": play(kept(o.results, "play")),
            "positions": positions(runs),
            "exploit": exploit(kept(o.results, "exploit")),
            "cost": cost(runs),
            "settings": settings(),
        }
        return [measured_page(o, blocks), curves(runs)]

    def checked() -> list[str]:
        try:
            return texts()
        except (AttributeError, KeyError, TypeError) as error:
            raise BadCell(f"{o.results} holds rows of another form: {error!r:.200}") from error

    return make_files(o, [o.out / "benchmark.md", o.out / PICTURE], checked)


if __name__ == "__main__":
    sys.exit(main())
