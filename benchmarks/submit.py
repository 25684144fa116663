"""Measure an agent, and write one result file that others can verify.

    python -m benchmarks.submit ppo --out ppo.json
    python -m benchmarks.submit "program:50ms:./mine" --out mine.json
    python -m benchmarks.submit --run benchmarks/results/decisions-1000000/2p-planner/pqn-0.json --out pqn.json
    python -m benchmarks.submit runs/first --training "python train.py --preset hour" --hours 1.1 --out first.json

It plays the agent alone among copies of planner at tables for 2 to 5, on seeds drawn now. docs/protocol.md says what a
program is; --run takes the agent of a run of the benchmark, which can be trained again then. A fresh clone has the rows
without their agents: the command says what makes one.
"""

from __future__ import annotations

import argparse
import datetime
import secrets
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from agents.common.cores import usable_cores
from agents.common.files import BadOutput, reason, whole_files
from agents.common.versions import versions
from agents.players import names
from agents.players.foreign import BadForeign
from agents.players.names import AgentName
from agents.players.program import ProgramAgent
from agents.positions.book import BadBook
from agents.tournament import BadTournament
from agents.tournament.play import dismiss
from benchmarks.learning.cells import BadCell, Cell, read_row
from benchmarks.learning.reference import planner_games
from benchmarks.speed.machine import describe
from bohemian_env import Board, BohemianError

from .result import (
    GAMES,
    TASKS,
    BadResult,
    Result,
    check_games,
    check_seed,
    check_told,
    files_of,
    is_ours,
    maker,
    measure,
)

PROGRAM: Final = "benchmarks.submit"
WORK: Final = Path("runs/tournaments")
RUNS: Final = Path("runs/benchmark")
"""Where ``python -m benchmarks.learning`` leaves the agents of its runs."""


def trained(args: argparse.Namespace) -> tuple[str, dict[str, Any] | None, Cell | None]:
    """Return the agent, how it was trained, and the run of the benchmark that it comes from, if it does."""
    if (args.agent is None) == (args.run is None):
        raise BadResult("an agent or --run: one of them")
    if (args.training is None) != (args.hours is None):
        raise BadResult("--training and --hours: the command of the training and what it took, both or neither")
    check_told(args.agent, args.training, args.hours)
    if args.run is None:
        told = {"command": args.training, "hours": args.hours, "cell": None}
        return args.agent, told if args.training is not None else None, None
    row = read_row(args.run)
    cell = Cell(**{name: row[name] for name in Cell.__dataclass_fields__})
    told = {"command": cell.command, "hours": round(row["seconds"] / 3600, 4), "cell": asdict(cell)}
    agent = args.runs / f"{cell.name}.safetensors"
    if not agent.exists():
        raise BadResult(f"{agent} is not there: {cell.command_in(args.runs)} makes it")
    return str(agent), told, cell


def submit(args: argparse.Namespace) -> Result:
    """Measure, and return the result. Raises BadTournament, BadForeign, BadCell, BadResult or OSError."""
    check_games(args.games)
    check_seed(args.seed)
    agent, training, cell = trained(args)
    make = maker(agent, cell)
    seed = secrets.randbits(62) if args.seed is None else args.seed
    first = make(seed)
    files, said = files_of(first[0]), ""
    if isinstance(first[0].agent, ProgramAgent):
        first[0].agent.begin()
        said = first[0].agent.said
    dismiss(first)
    print(f"{PROGRAM}: --seed {seed}", file=sys.stderr)  # with which the same command goes on
    start = time.monotonic()
    figures = measure(make, dict.fromkeys(args.tasks, args.games), seed, args.jobs, WORK, PROGRAM)
    hours = round((time.monotonic() - start) / 3600, 4)
    machine = describe(usable_cores())
    told = {"cpu": machine.cpu, "cores": machine.cores, "planner_games_per_second": round(planner_games(), 1)}
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return Result(
        agent=agent if cell is None else cell.name, said=said, files=files, seed=seed, figures=figures, hours=hours,
        training=training, commit=machine.commit, date=today, machine=told, versions=versions(),
        board=Board.standard().digest,
    )  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for bad input, told in a sentence, 130 after an interrupt."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(f"python -m {PROGRAM}", description=__doc__, formatter_class=formatter)
    add = parser.add_argument
    add(
        "agent",
        nargs="?",
        metavar="AGENT",
        help="as evaluate.py takes it: a name, a path, program:COMMAND or python:FILE",
    )
    add("--out", required=True, metavar="FILE", help="the result file to write")
    add("--tasks", nargs="+", choices=TASKS, default=list(TASKS), metavar="TASK", help=f"of {', '.join(TASKS)}")
    add("--games", type=int, default=GAMES, metavar="N", help="of each task (default: %(default)s)")
    add("--seed", type=int, metavar="N", help="of the first game (default: drawn)")
    add("--run", type=Path, metavar="FILE", help="the row of a run of the benchmark, in place of AGENT")
    add("--runs", type=Path, default=RUNS, metavar="FOLDER", help="where the agents of runs are (default: %(default)s)")
    add("--training", metavar="COMMAND", help="what trained it")
    add("--hours", type=float, metavar="H", help="that the training took")
    add("--jobs", type=int, default=len(usable_cores()), metavar="N", help="processes (default: the usable cores)")
    args = parser.parse_args(argv)
    try:
        with whole_files([args.out]) as (file,):
            result = submit(args)
            file.write(result.as_json())
    except (BadBook, BadCell, BadForeign, BadOutput, BadResult, BadTournament, BohemianError, OSError) as error:
        print(f"{PROGRAM}: {reason(error) if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        kept = "; finished games are kept for the same command and --seed" if args.run is None else ""
        print(f"{PROGRAM}: interrupted{kept}", file=sys.stderr)
        return 130
    for name, figure in result.figures.items():
        print(f"{name:12} {figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f}), {figure.games:,} games")
    command = f"python -m benchmarks.verify {args.out}"
    if args.run is not None:
        command += " --retrain" if result.cell and result.cell.repeatable else " --agent FILE.safetensors"
    elif not is_ours(result.agent):
        program = AgentName.parse(result.agent).kind == names.PROGRAM
        command += " --program COMMAND" if program else " --agent AGENT"
    print(f"{args.out} is the result; {command} plays it again on other seeds.")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
