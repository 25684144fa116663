"""Run the benchmark: what algorithms learn from so many decisions or minutes (docs/benchmark.md).

    python -m benchmarks.learning run --tasks 2p-planner --algorithms pqn        # five seeds, on all cores
    python -m benchmarks.learning run --tasks 2p-planner --minutes 10 --seeds 3  # ten core-minutes of the reference
    python -m benchmarks.learning play                                           # ratings at a price of a move
    python -m benchmarks.learning exploit                                        # what best responses to them win
    python -m benchmarks.learning tune                                           # chooses the settings anew
    python -m benchmarks.learning show runs/mine                                 # rows beside the reference's
    python -m benchmarks.learning gather                                         # makes rows lines of one file a budget

Each run writes one row, and its agent; rows that are there are kept, and only the runs that are missing are done, so
after an interrupt the same command goes on. --out and --work with a folder of their own run all of them again.
"""

import argparse
import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import agents
from agents.common.command import ended, parser
from agents.common.cores import usable_cores
from agents.common.files import make_folder, write_atomically
from benchmarks.algorithms import ALGORITHMS
from bohemian_env import TASKS
from bohemian_env.villages import tasks as villages

from . import RANKED, exploit, play, tune
from .cells import BUDGETS, BadCell, CannotLearn, Cell, Plan, version_of
from .games import ANCHORS, is_total
from .reference import another_reference
from .rows import cell_of, finished, gather, source_of
from .score import score
from .settings import FILE, chosen, read, write
from .show import shown
from .workers import run_cells

PROGRAM: Final = "benchmarks.learning"
_GAMES: Final = 4000  # games that say what scores of totals count from
_SEED: Final = 12_000_000
RESULTS: Final = Path(__file__).resolve().parents[1] / "results"
"""Where the rows are kept that docs/benchmark.md tells of."""


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"{text!r:.60} is not JSON: {error}") from None


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; exit with status 2 if that cannot be done."""
    options = parser(f"python -m {PROGRAM}", __doc__)
    commands = options.add_subparsers(dest="what", required=True)
    run = commands.add_parser("run", help="let algorithms learn tasks")
    text = f"of {', '.join(TASKS)} (default: {' '.join(RANKED)})"
    run.add_argument("--tasks", nargs="+", default=list(RANKED), metavar="TASK", help=text)
    run.add_argument("--seeds", type=int, default=5, help="runs of each kind (default: 5)")
    run.add_argument("--first-seed", type=int, default=0, help="(default: 0)")
    units = run.add_mutually_exclusive_group()
    units.add_argument("--decisions", type=float, help=f"to learn from (default: {BUDGETS['decisions']:,.0f})")
    text = "to learn in, instead of decisions: core-minutes of the reference"
    units.add_argument("--minutes", type=float, help=text)
    run.add_argument("--settings", type=_json, help="of all algorithms, as JSON, instead of those in settings.toml")
    run.add_argument("--plan", type=_json, default={}, help="how often agents play, as JSON: fields of cells.Plan")
    choose = commands.add_parser("tune", help="choose settings")
    text = "file for the settings (default: benchmarks/algorithms/settings.toml)"
    choose.add_argument("--out", type=Path, default=FILE, help=text)
    rank = commands.add_parser("play", help="rate agents by their price of a move")
    rank.add_argument("--agents", nargs="+", default=list(play.AGENTS), metavar="AGENT", help="as evaluate.py has them")
    rank.add_argument("--games", type=int, default=8000, help="with each anchor, at all tables (default: 8000)")
    rank.add_argument("--few", type=int, default=800, help="of these for agents that search (default: 800)")
    respond = commands.add_parser("exploit", help="tell what best responses win of the best agents of runs")
    text = "folder of the rows (default: benchmarks/results)"
    respond.add_argument("--results", type=Path, default=RESULTS, help=text)
    text = "of the agents, and of their tables (default: 2p-planner)"
    respond.add_argument("--task", default="2p-planner", help=text)
    text = f"those that learn: of {', '.join(exploit.RESPONDING)}"
    respond.add_argument("--by", nargs="+", default=list(exploit.BY), metavar="NAME", help=text)
    respond.add_argument("--decisions", type=int, default=1_000_000, help="to learn from (default: 1,000,000)")
    respond.add_argument("--games", type=int, default=2000, help="to judge by (default: 2000)")
    commands.add_parser("anchors", help="measure anew what scores of totals count from, once a planner is another one")
    beside = commands.add_parser("show", help="print chosen rows beside the reference's, whatever their budgets")
    beside.add_argument("rows", nargs="+", type=Path, metavar="ROW", help="file of a row, or folder of rows")
    text = "folder of the reference's rows (default: benchmarks/results)"
    beside.add_argument("--results", type=Path, default=RESULTS, help=text)
    lines = commands.add_parser("gather", help="make the files of runs lines of one file for each budget")
    text = f"of {', '.join(ALGORITHMS)}"
    for command in (run, choose):
        command.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS), metavar="NAME", help=text)
        command.add_argument("--ray", metavar="HOST:PORT", help="a Ray cluster that runs in place of --jobs processes")
    for command in (run, choose, rank):
        command.add_argument("--jobs", type=int, default=len(usable_cores()), help="(default: the usable cores)")
    for command in (run, choose, rank, respond):
        command.add_argument("--work", type=Path, default=Path("runs/benchmark"), help="folder of the agents")
    for command in (run, rank, respond, lines):
        command.add_argument("--out", type=Path, default=RESULTS, help="folder (default: benchmarks/results)")
    o = options.parse_args(argv)
    if getattr(o, "jobs", 1) < 1:
        options.error(f"--jobs {o.jobs}: at least 1")
    return o


def _tell(sentence: str) -> None:
    print(f"{PROGRAM}: {sentence}", file=sys.stderr, flush=True)


def _rows(cells: Sequence[Cell], plan: Plan, o: argparse.Namespace, out: Path) -> list[dict[str, Any]]:
    """Run what is missing, tell of each run, and return all rows."""
    kept = {cell.name for cell in cells if finished(cell, plan, out)}
    rows = []
    for row in run_cells(cells, plan, out, o.work, o.jobs, o.ray, _tell):
        rows.append(row)
        name = f"{row['task']}, {row['algorithm']}, seed {row['seed']}"
        score = row["score"]
        share = f"mean total {score['total']:.2f}" if "total" in score else f"win share {score['share']:.3f}"
        how = f"kept, not run: its row in {out} has" if cell_of(row).name in kept else f"{row['seconds']:.0f} s,"
        untold = "" if source_of(row) else "it does not tell the file of its algorithm"
        more = [one for one in (untold, another_reference(row["unit"], row.get("reference"))) if one]
        print("; ".join([f"{len(rows)} of {len(cells)}: {name}: {how} {share}", *more]), flush=True)
    return rows


def run(o: argparse.Namespace) -> None:
    """Let algorithms learn. Raises BadBook, BadCell or BadCluster."""
    unit = "minutes" if o.minutes is not None else "decisions"
    given = getattr(o, unit)
    budget = BUDGETS[unit] if given is None else given
    fields = Plan.__dataclass_fields__
    if not isinstance(o.plan, dict) or not set(o.plan) <= set(fields):
        raise BadCell(f"--plan {json.dumps(o.plan):.60}: an object with some of {', '.join(fields)}")
    plan = Plan(**o.plan)
    if o.seeds < 1:
        raise BadCell(f"--seeds {o.seeds}: at least 1")
    seeds = range(o.first_seed, o.first_seed + o.seeds)
    cells = []
    for seed, task, name in itertools.product(seeds, o.tasks, o.algorithms):
        try:
            cells.append(Cell(name, task, seed, unit, budget, chosen(name) if o.settings is None else o.settings))
        except CannotLearn as error:
            if seed == seeds[0]:
                _tell(str(error))
    for folder in (o.out, o.work):
        make_folder(folder)  # refused before anything is learned
    _rows(cells, plan, o, o.out)


def choose(o: argparse.Namespace) -> None:
    """Choose settings. Raises BadBook, BadCell or BadCluster."""
    for name in o.algorithms:
        Cell(name, tune.TASK, 0)  # raises for what there is not
    before = read(o.out)
    make_folder(o.work)
    found = {}
    for name in o.algorithms:
        folder = o.work / "tuning"
        tried = [_rows(group, tune.PLAN, o, folder / f"{name}-{n}") for n, group in enumerate(tune.cells(name))]
        found[name] = tune.best(tried)
    write(tune.tables(found, before), o.out)


def write_down(name: str, found: Any, o: argparse.Namespace) -> None:
    """Write what was found as JSON, whole or not at all."""
    content = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)
    write_atomically(o.out / f"{name}.json", f"{content}\n".encode())


def rank(o: argparse.Namespace) -> None:
    """Rate agents. Raises BadTournament or BadForeign."""
    make_folder(o.out)
    write_down("play", play.rated(o.agents, o.games, o.few, o.jobs, o.work / "play", _tell), o)


def respond(o: argparse.Namespace) -> None:
    """Look for best responses. Raises BadCell or BadSetup."""
    if o.games < 1:
        raise BadCell(f"--games {o.games}: at least 1")
    for name in o.by:
        Cell(name, o.task, 0, budget=o.decisions)  # raises for what there is not
        if version_of(o.task) != 1:
            raise BadCell(f"--task {o.task}: best responses are looked for in tasks of {', '.join(villages.TASKS)}")
        if name not in exploit.RESPONDING:
            raise BadCell(f"--by {name}: it learns no response to an agent, as do {', '.join(exploit.RESPONDING)}")
    make_folder(o.out)
    write_down("exploit", exploit.exploited(o.results, o.work, o.task, o.by, o.decisions, o.games, _tell), o)


def measure(o: argparse.Namespace) -> None:
    """Measure what random play and the planner reach where a total is the result, and write it down."""
    lines = [f"# Mean totals over {_GAMES:,} games from seed {_SEED:,} on: of random play, and of the game's planner."]
    for name, task in TASKS.items():
        if is_total(task):
            lines += ["", f'["{name}"]']
            for who in ("random", "planner"):
                found = score(agents.make(who, 0, game=task.game), task, _GAMES, _SEED)
                lines.append(f"{who} = {found.value:.10g}")
    write_atomically(ANCHORS, ("\n".join(lines) + "\n").encode())


def collect(o: argparse.Namespace) -> None:
    """Make the files of runs lines of one file for each budget. Raises BadCell or OSError."""
    for name, count in gather(o.out).items():
        print(f"{o.out / name}: {count} rows")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    o = arguments(argv)
    work = {
        "show": lambda o: print(shown(o.rows, o.results)),
        "anchors": measure,
        "run": run,
        "tune": choose,
        "play": rank,
        "exploit": respond,
        "gather": collect,
    }[o.what]
    return ended(PROGRAM, lambda: work(o), lambda: "; finished runs are kept, and the same command goes on")


if __name__ == "__main__":
    sys.exit(main())
