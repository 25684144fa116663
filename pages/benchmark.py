"""Fill docs/benchmark.md with what the runs of the benchmark have found, and draw its curves.

    python -m pages.benchmark

Takes half a minute. The runs, whose rows are in benchmarks/results, are those of `python -m benchmarks.learning`.
"""

import io
import json
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

import agents
from agents.common.command import parser
from agents.common.markdown import table
from agents.common.statistics import Estimate
from benchmarks.algorithms import ALGORITHMS
from benchmarks.learning import RANKED
from benchmarks.learning.cells import BUDGETS, BadCell, book, version_of
from benchmarks.learning.games import normal
from benchmarks.learning.play import ANCHORS
from benchmarks.learning.rows import cell_of, rows_of
from benchmarks.learning.score import score
from benchmarks.learning.statistics import difference, interquartile_mean
from bohemian_env import TASKS
from bohemian_env.villages import tasks as villages
from examples.measure import First
from pages import DOCS, ROOT
from pages.program import make_files, measured_page
from pages.program import read as read_options

PROGRAM: Final = "pages.benchmark"
RESULTS: Final = ROOT / "benchmarks" / "results"
PICTURE: Final = "benchmark.svg"
FIRST: Final = "the first legal action"
NAMED: Final = ("random", FIRST, "greedy", "planner")  # agents beside which those that learn are seen
NAMED_GAMES: Final = 4000
NAMED_SEED: Final = 12_000_000
LONG: Final = 10_000_000.0  # decisions of the runs that show what more of them are worth
NONE: Final = "Not run yet."
_COLOURS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#999999", "#f0e442")

Row = Mapping[str, Any]
Runs = Mapping[tuple[str, str], Sequence[Row]]  # rows by task and algorithm, in the order of their seeds


def runs_of(results: Path, unit: str, budget: float) -> Runs:
    """Return the rows of one budget. Raises BadCell for a broken row, or one of another version."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows_of(results, unit, budget):
        if row["benchmark"] != version_of(row["task"]):
            name, own = cell_of(row).name, version_of(row["task"])
            raise BadCell(f"{name} in {results} is of version {row['benchmark']} of the benchmark, not {own}")
        found[row["task"], row["algorithm"]].append(row)
    return {key: sorted(rows, key=lambda row: row["seed"]) for key, rows in found.items()}


def parted(runs: Runs) -> tuple[Runs, Runs]:
    """Return the runs of the tasks of version 1, and those of later ones."""
    first = {key: rows for key, rows in runs.items() if key[0] in villages.TASKS}
    return first, {key: rows for key, rows in runs.items() if key not in first}


def text_of(one: Estimate, digits: int = 3) -> str:
    """Return a figure with its interval."""
    value, low, high = (f"{each:.{digits}f}" for each in (one.value, one.low, one.high))
    return f"{value} ({low}–{high})" if one.low >= 0 else f"{value} ({low} to {high})"


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
    """Return an algorithm's scores by task, a fair share being 1, of the first runs, as many as each task has, so that
    all count alike; none if it has not run all by which it is ranked.
    """
    tasks = ranking(runs)
    if not all((task, algorithm) in runs for task in tasks):
        return []
    least = min(len(runs[task, algorithm]) for task in tasks)
    return [normalized(task, runs[task, algorithm][:least]) for task in tasks]


def normalized(task: str, rows: Sequence[Row]) -> np.ndarray:
    """Return the scores of runs at their task, (seeds,), as :func:`normal` has them."""
    results = (row["score"].get("total", row["score"].get("share")) for row in rows)
    return np.array([normal(TASKS[task], float(value)) for value in results])


def ranked(runs: Runs) -> list[str]:
    """Return the algorithms, the best first; those that have not run all tasks last."""
    names = [name for name in ALGORITHMS if any(name == other for _, other in runs)]
    values = {name: interquartile_mean(found).value if (found := scores(runs, name)) else -1.0 for name in names}
    return sorted(names, key=lambda name: -values[name])


def _mean_of(found: Sequence[np.ndarray], digits: int = 3) -> str:
    """Return the interquartile mean of scores with its interval, which single runs have not; a dash for no scores."""
    if not found:
        return "–"
    mean = interquartile_mean(found)
    return text_of(mean, digits) if max(map(len, found)) > 1 else f"{mean.value:.{digits}f}"


def learn(runs: Runs) -> str:
    """Return the win shares of each algorithm at each task, and over all."""
    return _by_task(runs, ranked(runs), "all (fair: 1)", 3, lambda _, rows: shares(rows))


def games(runs: Runs) -> str:
    """Return the scores of each algorithm at the tasks of the other games, and their mean over these."""
    names = [name for name in ALGORITHMS if any(name == other for _, other in runs)]
    return _by_task(runs, names, "all", 2, normalized)


def _by_task(
    runs: Runs, names: Sequence[str], whole: str, digits: int, results: Callable[[str, Sequence[Row]], np.ndarray]
) -> str:
    """Return a table of algorithms, with their scores over all tasks, headed ``whole``, and their results at each."""
    if not runs:
        return NONE
    tasks, rows = tasks_of(runs), []
    for name in names:
        own = ([results(task, runs[task, name])] if (task, name) in runs else [] for task in tasks)
        rows.append([f"`{name}`", *(_mean_of(found, digits) for found in (scores(runs, name), *own))])
    return table(["algorithm", whole, *tasks], rows, range(1, len(tasks) + 2))


def longer(runs: Runs, long: Runs) -> str:
    """Return what longer runs have reached, beside those of the same algorithms and tasks that were not so long."""
    rows = []
    for task in tasks_of(long):
        for name in ranked(long):
            both = [found[task, name] for found in (runs, long) if (task, name) in found]
            if len(both) == 2:
                won = [_mean_of([shares(found)]) for found in both]
                minutes = [f"{median(row['seconds'] for row in found) / 60:.0f}" for found in both]
                rows.append([f"`{name}`", task, *won, " → ".join(minutes)])
    decisions = [f"{budget / 1e6:.0f} million" for budget in (BUDGETS["decisions"], LONG)]
    head = ["algorithm", "task", *decisions, "core-minutes"]
    return table(head, rows, (2, 3, 4)) if rows else NONE


def named(runs: Runs) -> str:
    """Return the win shares of agents that learn nothing, at the same tasks and among ``greedy``."""
    tasks = [TASKS[task] for task in ("2p-greedy", *tasks_of(runs))]
    rows = []
    for name in NAMED:
        agent = First() if name == FIRST else agents.make(name, seed=0)
        found = [score(agent, task, NAMED_GAMES, NAMED_SEED) for task in tasks]
        rows.append([name if name == FIRST else f"`{name}`", *(f"{one.value:.3f}" for one in found)])
    return table(["agent", *(task.name for task in tasks)], rows, range(1, len(tasks) + 1))


def conditions(runs: Runs) -> str:
    """Return how many runs there are, how they were judged, and what they took, in a sentence."""
    every = [row for rows in runs.values() for row in rows]
    if not every:
        return NONE
    games = " or ".join(f"{count:,}" for count in sorted({row["score"]["games"] for row in every}))
    hours = sum(row["seconds"] for row in every) / 3600
    libraries = " or ".join(sorted({row["versions"].get("torch", "?") for row in every}))
    return (
        f"{len(every)} runs of version 1 of the benchmark, {games} games each to judge them; {hours:.1f} "
        f"core-hours of learning, torch {libraries}."
    )


def _gap(seen: Sequence[Row], unseen: Sequence[Row], known: str, other: str) -> str:
    """Return how much less is won of what was not learnt: run by run if the runs are the same, else of the means."""
    if not has(seen, known) or not has(unseen, other):
        return "–"
    at_home, away = shares(seen, known), shares(unseen, other)
    found = interquartile_mean([at_home - away]) if seen is unseen else difference([at_home], [away])
    return text_of(found)


def besides(runs: Runs, timed: Runs) -> str:
    """Return what else is known of each algorithm: of runs by the clock, transfer, the cost of decisions, and times."""
    rows, judging = [], book().digest
    for name in ranked(runs):
        fixed, four, five, two = (
            runs.get((task, name), ()) for task in ("2p-planner-fixed", "4p-planner", "5p-planner", "2p-planner")
        )
        mine = [row for task in ranking(runs) for row in runs.get((task, name), ())]
        lost = [row["positions"]["value"] for row in two if row["positions"]["book"] == judging]
        told = [
            _mean_of(scores(timed, name)),
            _gap(fixed, fixed, "first sides", "second sides"),
            _gap(five, four, "", "5 players"),
            _mean_of([np.array(lost)] if lost else [], 1),
            f"{median(row['seconds'] for row in mine):.0f}" if mine else "–",
            f"{1000 * median(row['score']['milliseconds'] for row in mine):.0f}" if mine else "–",
        ]
        rows.append([f"`{name}`", *told])
    head = ["algorithm", "by the clock", "gap: villages", "gap: players", "cost of a decision", "seconds", "µs a move"]
    return table(head, rows, range(1, len(head))) if rows else NONE


def kept(results: Path, name: str) -> Any:
    """Return what a file of results holds that is one for all, None where there is none. Raises ValueError."""
    path = results / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8-sig")) if path.exists() else None


def play(found: Any) -> str:
    """Return the ratings of agents by what a move of theirs may take."""
    if found is None:
        return NONE
    rows = []
    for row in sorted(found["rows"], key=lambda row: (row["price"] or math.inf, -row["rating"]["value"])):
        e = row["rating"]
        price = "more" if row["price"] is None else f"{row['price']:g}"
        rating = f"{e['value']:.0f}" + ("" if e["low"] is None else f" ({e['low']:.0f}–{e['high']:.0f})")
        rows.append([price, f"`{row['agent']}`", rating])
    games = found["games"]
    among = " and as many among ".join(f"`{one}`" for one in ANCHORS)
    told = f"{games['quick']:,} games each among {among}, {games['slow']:,} where it searches."
    return f"{table(['milliseconds', 'agent', 'rating'], rows, (0, 2))}\n\n{told}"


def exploit(found: Any) -> str:
    """Return what best responses win of agents, each algorithm's that looked for them, beyond a fair share."""
    if found is None:
        return NONE
    fair = 1 / TASKS[found["task"]].players
    by = list(dict.fromkeys(row["by"] for row in found["rows"]))
    won: dict[str, dict[str, str]] = defaultdict(dict)
    for row in found["rows"]:
        won[row["agent"]][row["by"]] = text_of(Estimate(*(row[name] - fair for name in ("share", "low", "high"))))
    rows = [[f"`{agent.partition(',')[0]}`", *(cells[name] for name in by)] for agent, cells in won.items()]
    told = f"At {found['task']}, after {found['decisions']:,.0f} decisions; {found['games']:,} games each."
    return f"{table(['against', *(f'`{name}`' for name in by)], rows, range(1, len(by) + 1))}\n\n{told}"


def curves(runs: Runs) -> str:
    """Draw what each algorithm has reached after so many decisions: the interquartile mean, and its interval."""
    import matplotlib  # only here: it takes a second to load
    from matplotlib.figure import Figure

    tasks = tasks_of(runs)
    columns = next(n for n in (3, 2, 1) if len(tasks) % n == 0)
    lines = len(tasks) // columns
    with matplotlib.rc_context({"svg.hashsalt": "benchmark", "svg.fonttype": "path", "axes.spines.top": False}):
        figure = Figure(figsize=(4.2 * columns, 3.4 * lines), layout="constrained")
        for task, axes in zip(tasks, figure.subplots(lines, columns, squeeze=False).flat, strict=True):
            for name in ranked(runs):
                if (task, name) in runs:
                    _draw(axes, name, runs[task, name])
            axes.set_title(task)
            axes.axhline(1 / TASKS[task].players, color="0.5", linestyle="--", linewidth=1)
            axes.set(xlabel="decisions, millions", ylabel="win share")
            axes.set_ylim(bottom=0)
        handles = figure.axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=4, fontsize="small")
        figure.savefig(content := io.StringIO(), format="svg", metadata={"Date": None})
    # Lines of SVG end in blanks, which editors and git complain of.
    return "\n".join(line.rstrip() for line in content.getvalue().splitlines()) + "\n"


def _draw(axes: Any, name: str, rows: Sequence[Row]) -> None:
    points = min(len(row["curve"]) for row in rows)
    x = [np.mean([row["curve"][k]["decisions"] for row in rows]) / 1e6 for k in range(points)]
    y = [interquartile_mean([np.array([row["curve"][k]["share"] for row in rows])]) for k in range(points)]
    colour = _COLOURS[list(ALGORITHMS).index(name) % len(_COLOURS)]
    axes.fill_between(x, [e.low for e in y], [e.high for e in y], color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, [e.value for e in y], color=colour, label=name, linewidth=1.5)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument(
        "--results", type=Path, default=RESULTS, help="folder of the rows (default: benchmarks/results)"
    )
    options.add_argument("--out", type=Path, default=DOCS, help="folder for the page and its picture (default: docs)")
    o = read_options(options, argv)

    def texts() -> list[str]:
        try:
            every, timed = (runs_of(o.results, unit, budget) for unit, budget in BUDGETS.items())
            runs, others = parted(every)
            if not runs:
                raise BadCell(f"{o.results} has no rows of {BUDGETS['decisions']:,.0f} decisions")
            blocks = {
                "conditions": conditions(runs),
                "learn": learn(runs),
                "games": games(others),
                "named": named(runs),
                "longer": longer(runs, runs_of(o.results, "decisions", LONG)),
                "besides": besides(runs, timed),
                "play": play(kept(o.results, "play")),
                "exploit": exploit(kept(o.results, "exploit")),
            }
            return [measured_page(o, blocks), curves(runs)]
        except (AttributeError, KeyError, TypeError) as error:
            raise BadCell(f"{o.results} holds rows of another form: {error!r:.200}") from error

    return make_files(o, [o.out / "benchmark.md", o.out / PICTURE], texts)


if __name__ == "__main__":
    sys.exit(main())
