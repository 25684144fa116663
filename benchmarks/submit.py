"""Measure an agent, and write a row that others can verify.

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
import json
import secrets
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from agents.common.cores import usable_cores
from agents.common.files import BadOutput, reason, whole_files
from agents.common.versions import versions
from agents.players import names
from agents.players.foreign import BadForeign
from agents.players.program import ProgramAgent
from agents.positions.book import BadBook
from agents.tournament import BadTournament
from agents.tournament.play import dismiss
from benchmarks.learning import VERSION
from benchmarks.learning.cells import BadCell, Cell, book
from benchmarks.learning.reference import planner_games
from benchmarks.learning.rows import cell_of, is_amount, is_text, read_row
from benchmarks.speed.machine import describe
from bohemian_env import Board, BohemianError

from .measure import GAMES, POSITIONS, TASKS, Figure, check_games, check_seed, files_of, is_ours, maker, measure

PROGRAM: Final = "benchmarks.submit"
WORK: Final = Path("runs/tournaments")
RUNS: Final = Path("runs/benchmark")
"""Where ``python -m benchmarks.learning`` leaves the agents of its runs."""
SEEDS: Final = 2**53
"""Seeds are drawn below this, so that programs which hold numbers as floating-point ones keep them."""


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
    check_games(args.games)
    check_seed(args.seed)
    agent, about, cell = agent_of(args)
    make = maker(agent, cell)
    seed = secrets.randbelow(SEEDS) if args.seed is None else args.seed
    first, said = make(seed), ""
    if isinstance(first[0].agent, ProgramAgent):
        first[0].agent.begin()
        said = first[0].agent.said
    dismiss(first)
    print(f"{PROGRAM}: --seed {seed}", file=sys.stderr)  # with which the same command goes on
    figures = measure(make, dict.fromkeys(args.tasks, args.games), seed, args.jobs, WORK, PROGRAM)
    loss = figures.pop(POSITIONS)
    machine = describe(usable_cores())
    return {
        "benchmark": VERSION,
        **about,
        "said": said,
        "files": files_of(agent, cell),
        "scores": {name: _score(figure, seed) for name, figure in figures.items()},
        "positions": {"book": book().digest, "value": loss.value, "low": loss.low, "high": loss.high},
        "planner_games_per_second": round(planner_games(), 1),
        "machine": {"cpu": machine.cpu, "cores": machine.cores},
        "board": Board.standard().digest,
        "commit": machine.commit,
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
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(f"python -m {PROGRAM}", description=__doc__, formatter_class=formatter)
    add = parser.add_argument
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
    args = parser.parse_args(argv)
    try:
        with whole_files([args.out]) as (file,):
            row = submit(args)
            file.write(json.dumps(row, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    except (BadBook, BadCell, BadForeign, BadOutput, BadTournament, BohemianError, OSError) as error:
        print(f"{PROGRAM}: {reason(error) if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        kept = "; finished games are kept for the same command and --seed" if args.run is None else ""
        print(f"{PROGRAM}: interrupted{kept}", file=sys.stderr)
        return 130
    for name, one in row["scores"].items():
        print(f"{name:12} {one['share']:.3f} ({one['low']:.3f} to {one['high']:.3f}), {one['games']:,} games")
    print(f"{args.out} is the row; {how_to_verify(row, args.out)} plays it again on other seeds.")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
