"""Measure an agent, and write a row that others can verify.

    python -m benchmarks.submit ppo --out ppo.json
    python -m benchmarks.submit "program:50ms:./mine" --out mine.json
    python -m benchmarks.submit --run benchmarks/results/decisions-1000000/2p-planner/pqn-0.json --out pqn.json
    python -m benchmarks.submit runs/first --training "python train.py --preset hour" --hours 1.1 --out first.json

It plays the agent alone among copies of planner at tables for 2 to 5, on seeds drawn now. docs/protocol.md says what a
program is; --run takes the agent of a run of the benchmark, which can be trained again then. A fresh clone has the rows
without their agents: the command says what makes one. `python -m benchmarks.verify` finds the figures again.
"""

import argparse
import datetime
import hashlib
import json
import secrets
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.command import ended, parser
from agents.common.cores import usable_cores
from agents.common.files import whole_files
from agents.common.statistics import Estimate, mean_estimate
from agents.common.versions import versions
from agents.players import names
from agents.players.names import APPRAISER, SHIPPED, AgentName, UnknownAgent
from agents.players.program import ProgramAgent
from agents.positions.book import SCALE
from agents.tournament import BadTournament, Entrant, GamesBar, compare, enter
from agents.tournament.play import dismiss
from benchmarks.learning import cells
from benchmarks.learning.cells import BadCell, Cell, book
from benchmarks.learning.reference import planner_games
from benchmarks.learning.rows import LAST_SEED, cell_of, is_amount, is_text, read_row
from benchmarks.learning.score import score, transfers
from benchmarks.speed.machine import describe
from bohemian_env import Board, Setup
from bohemian_env.engine.checks import is_whole
from bohemian_env.tasks import Task, task_named
from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS

PROGRAM: Final = "benchmarks.submit"
WORK: Final = Path("runs/tournaments")
RUNS: Final = Path("runs/benchmark")  # where ``python -m benchmarks.learning`` leaves the agents of its runs
SEEDS: Final = 2**53  # seeds are drawn below this, so that programs which hold numbers as floating-point ones keep them
GAMES: Final = 2000  # games of each task, unless another number is asked for
FEWEST: Final = 100  # games of a task at least
MOST_GAMES: Final = 1_000_000  # and at most
OPPONENT: Final = "planner"
TASKS: Final = {f"{players}p-{OPPONENT}": players for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
"""The tasks of any agent by name, with their players: its win share alone among copies of OPPONENT."""
POSITIONS: Final = "positions"
"""The score beside them, in rolled-out positions: the chance of winning lost a decision, × 1,000."""

Make = Callable[[int], list[Entrant]]  # makes an agent and OPPONENT, from a seed


@dataclass(frozen=True, slots=True)
class Figure(Estimate):
    """What an agent reached in one task, with a 95 % interval."""

    games: int  # the games it was found in; positions, for the score POSITIONS
    failed: int = 0  # games that it lost by a failure, if it is a program
    milliseconds: float = 0.0
    """Time of a decision between two or more moves; depends on the machine, and is not compared."""


def check_options(args: argparse.Namespace) -> None:
    """Refuse a number of games that no task has, or a seed that the first game cannot have. Raises BadCell."""
    if args.games is not None and not FEWEST <= args.games <= MOST_GAMES:
        raise BadCell(f"--games {args.games}: expected a number from {FEWEST} to {MOST_GAMES:,} for each task")
    if args.seed is not None and not is_whole(args.seed, 0, LAST_SEED):
        raise BadCell(f"--seed {args.seed}: expected a number from 0 to {LAST_SEED}")


def is_ours(agent: str) -> bool:
    """Return whether an agent comes with the project, by its name."""
    try:
        named = AgentName.parse(agent)
    except UnknownAgent:
        return False
    ours = named.kind == "search" and named.source in (SHIPPED, APPRAISER)
    return ours or named.kind in ("scripted", "montecarlo", "selftaught", "ppo")


def maker(agent: str, cell: Cell | None = None) -> Make:
    """Return what makes an agent, in the words of evaluate.py; with a cell, that of a finished run, from its file.

    What it makes raises BadTournament or BadCell if there is no such agent.
    """

    def make(seed: int) -> list[Entrant]:
        return enter([agent if cell is None else cells.load_agent(cell.algorithm, Path(agent)), OPPONENT], seed)

    return make


def files_of(agent: str, cell: Cell | None = None) -> dict[str, str]:
    """Return the SHA-256 of the files that an agent is made of, by name; that of a run has its algorithm's among them.

    An interpreter that the system finds for a program is not among its files. Raises BadTournament, BadCell or OSError.
    """

    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    if cell is not None:
        weights = {f"{cell.algorithm}-{cell.seed}.safetensors": digest(Path(agent))}
        return {cells.algorithm_file(cell.algorithm): cells.source_digest(cell.algorithm), **weights}
    entrants = maker(agent)(0)
    files: list[Path] = list(getattr(entrants[0].agent, "files", ()))
    if isinstance(entrants[0].agent, ProgramAgent):
        command = [Path(word) for word in shlex.split(AgentName.parse(agent).source)]
        files = [path for path in files if path in command]
    dismiss(entrants)
    found: dict[str, str] = {}
    for path in files:
        same = sum(name.partition(" (")[0] == path.name for name in found)
        found[path.name + (f" ({same + 1})" if same else "")] = digest(path)
    return found


def measure(
    make: Make, tasks: Mapping[str, int], seed: int, jobs: int, program: str, judged: int | None = None
) -> dict[str, Figure]:
    """Return what an agent reaches in some tasks, and in the positions.

    Args:
        make: as :func:`maker` returns it. tasks: the games of each, by name. seed: the seed of the first game.
        judged: the seed of the agent that decides in the positions; that of the first game by default.
        jobs: processes. program: what is said to speak beside the bar.

    Raises BadBook: the rolled-out positions are missing or damaged. BadTournament, BadForeign, OSError: as ``compare``.
    """
    _check_sizes(make, {*book().sizes, *(TASKS[name] for name in tasks)})
    found, kept = {}, []
    for name, games in tasks.items():
        entrants = make(seed)
        with GamesBar(program, name) as bar:
            options: dict[str, Any] = {"begin": bar.begin, "progress": bar.progress, "luck": False}
            if entrants[0].argument:  # an object plays in this process alone
                options |= {"jobs": jobs, "work": WORK}
            one = compare(entrants, Setup.of(TASKS[name]), games=games, seed=seed, tables="single", **options)
        kept += [one.kept] if one.kept else []
        share, table = one.results[0].share, one.tables[0]
        found[name] = _figure(share, table.games, table.failed[0], round(one.milliseconds_per_move(0), 4))
    losses = lost(make, seed if judged is None else judged)
    found[POSITIONS] = _figure(mean_estimate(losses), len(losses))
    for folder in kept:  # only now: who was interrupted goes on
        folder.remove()
    return found


def _check_sizes(make: Make, wanted: set[int]) -> None:
    """Raise BadTournament, before any game, for an agent that does not play at tables of all sizes."""
    entrants = make(0)
    sizes = getattr(entrants[0].agent, "sizes", None)
    dismiss(entrants)
    if sizes and (unknown := wanted - {*sizes}):
        known = ", ".join(map(str, sizes))
        raise BadTournament(
            f"{entrants[0].name} plays with {known} players; tasks and positions ask for {min(unknown)}"
        )


def lost(make: Make, seed: int) -> np.ndarray:
    """Return the chance of winning that an agent loses in each of the positions, × 1,000: float64. Raises BadBook,
    BadTournament, BadForeign."""
    judging, entrants = book(), make(seed)
    found = np.concatenate([SCALE * judging.losses(entrants[0].agent, players) for players in judging.sizes])
    dismiss(entrants)
    return found


def _figure(estimate: Estimate, games: int, failed: int = 0, milliseconds: float = 0.0) -> Figure:
    value, low, high = (round(each, 6) for each in (estimate.value, estimate.low, estimate.high))
    return Figure(value, low, high, games, failed, milliseconds)


def tasks_of(cell: Cell) -> dict[str, Task]:
    """Return what the agent of a run is measured in, by name: its task, and what it has not learnt."""
    task = task_named(cell.task)
    return {cell.task: task} | {f"{cell.task} on {name}": other for name, other in transfers(task).items()}


def measure_run(cell: Cell, agent: Path, tasks: Mapping[str, int], seed: int) -> dict[str, Figure]:
    """Return what the agent of a run reaches in some of its tasks, and what its decisions lose.

    tasks: their games. seed: the seed of the first game. Raises BadCell if the file does not hold an agent of this
    algorithm; BadBook.
    """
    player, known = cells.load_agent(cell.algorithm, agent, cell.task), tasks_of(cell)
    found = {}
    for name, games in tasks.items():
        one = score(player, known[name], games, seed)
        found[name] = Figure(one.value, one.low, one.high, games)
    if cells.version_of(cell.task) != 1:
        return found
    loss, count = cells.judged(player, known[cell.task]), len(book().positions(known[cell.task].players))
    return found | {POSITIONS: Figure(loss["value"], loss["low"], loss["high"], count)}


def agent_of(args: argparse.Namespace) -> tuple[str, dict[str, Any], Cell | None]:
    """Return the agent, what its row says of how it was trained, and the run that it comes from, if it does.

    Raises BadCell for options that do not go together, or a run whose agent is missing.
    """
    if (args.agent is None) == (args.run is None):
        raise BadCell("expected an agent or --run, one of them")
    if (args.training is None) != (args.hours is None):
        raise BadCell("--training and --hours: the command of the training and how long it took, both or neither")
    for what, text in (("the agent", args.agent), ("--training", args.training)):
        if text is not None and not (text and is_text(text)):
            raise BadCell(f"{what} {text!r:.60}: expected 1 to 300 printable characters")
    if args.hours is not None and not is_amount(args.hours):
        raise BadCell(f"--hours {args.hours}: expected a number of at least 0")
    if args.run is None:
        seconds = None if args.hours is None else round(3600 * args.hours, 1)
        return args.agent, {"agent": args.agent, "command": args.training, "seconds": seconds}, None
    row = read_row(args.run)
    if "algorithm" not in row:
        raise BadCell(f"--run {args.run}: it is the row of {row['agent']}, and not of a run")
    cell = cell_of(row)
    if cells.version_of(cell.task) != 1:
        raise BadCell(f"--run {args.run}: of an agent of {cell.task} its own row, which verify takes, says all")
    agent = args.work / f"{cell.name}.safetensors"
    if not agent.exists():
        raise BadCell(f"{agent} is not there: {cell.command_in(args.work)} makes it")
    kept = (*Cell.__dataclass_fields__, "defaults", "plan", "command", "decisions", "seconds", "reference")
    return str(agent), {"agent": cell.name, **{name: row[name] for name in kept if name in row}}, cell


def _score(figure: Figure, seed: int) -> dict[str, Any]:
    told = {"share": figure.value, "low": figure.low, "high": figure.high, "games": figure.games, "seed": seed}
    return told | {"failed": figure.failed, "milliseconds": figure.milliseconds}


def submit(args: argparse.Namespace) -> dict[str, Any]:
    """Measure, and return the row. Raises BadTournament, BadForeign, BadCell or OSError."""
    check_options(args)
    agent, about, cell = agent_of(args)
    make = maker(agent, cell)
    seed = secrets.randbelow(SEEDS) if args.seed is None else args.seed
    first, said = make(seed), ""
    if isinstance(first[0].agent, ProgramAgent):
        first[0].agent.begin()
        said = first[0].agent.said
    dismiss(first)
    print(f"{PROGRAM}: --seed {seed}", file=sys.stderr)  # with which the same command goes on
    figures = measure(make, dict.fromkeys(args.tasks, args.games), seed, args.jobs, PROGRAM)
    loss = figures.pop(POSITIONS)
    machine = describe(usable_cores())
    return {
        "benchmark": 1,
        **about,
        "said": said,
        "files": files_of(agent, cell),
        "scores": {name: _score(figure, seed) for name, figure in figures.items()},
        "positions": {"book": book().digest, "value": loss.value, "low": loss.low, "high": loss.high},
        "planner_games_per_second": round(planner_games(), 1),
        "machine": {name: machine[name] for name in ("cpu", "cores")},
        "board": Board.standard().digest,
        "commit": machine["commit"],
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": versions(),
    }


def how_to_verify(row: dict[str, Any], file: str) -> str:
    """Return the command that plays a row again."""
    command = f"python -m benchmarks.verify {shlex.quote(file)}"
    if "algorithm" in row:
        return command + (" --retrain" if cell_of(row).repeatable else " --agent FILE.safetensors")
    if is_ours(row["agent"]):
        return command
    program = row["agent"].partition(":")[0] == names.PROGRAM
    return command + (" --program COMMAND" if program else " --agent AGENT")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for bad input, told in a sentence, 130 after an interrupt."""
    options = parser(f"python -m {PROGRAM}", __doc__)
    add = options.add_argument
    text = "as evaluate.py takes it: a name, a path, program:COMMAND or python:FILE"
    add("agent", nargs="?", metavar="AGENT", help=text)
    add("--out", required=True, metavar="FILE", help="the file to write the row to")
    add("--tasks", nargs="+", choices=TASKS, default=list(TASKS), metavar="TASK", help=f"of {', '.join(TASKS)}")
    add("--games", type=int, default=GAMES, metavar="N", help="games of each task (default: %(default)s)")
    add("--seed", type=int, metavar="N", help="the seed of the first game (default: drawn)")
    add("--run", type=Path, metavar="ROW", help="the row of a run of the benchmark, in place of AGENT")
    text = "where the agents of runs are (default: %(default)s)"
    add("--work", "--runs", type=Path, default=RUNS, metavar="FOLDER", help=text)
    add("--training", metavar="COMMAND", help="what trained the agent")
    add("--hours", type=float, metavar="H", help="how long the training took")
    add("--jobs", type=int, default=len(usable_cores()), metavar="N", help="processes (default: the usable cores)")
    args = options.parse_args(argv)

    def work() -> None:
        with whole_files([args.out]) as (file,):
            row = submit(args)
            file.write(json.dumps(row, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
        for name, one in row["scores"].items():
            print(f"{name:12} {one['share']:.3f} ({one['low']:.3f} to {one['high']:.3f}), {one['games']:,} games")
        print(f"{args.out} is the row; {how_to_verify(row, args.out)} plays it again on other seeds.")

    kept = "; finished games are kept for the same command and --seed" if args.run is None else ""
    return ended(PROGRAM, work, lambda: kept)


if __name__ == "__main__":
    sys.exit(main())
