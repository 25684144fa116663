"""Play a row again, and say whether it holds: *verified*, or what differs.

    python -m benchmarks.verify ppo.json
    python -m benchmarks.verify mine.json --program ./mine
    python -m benchmarks.verify first.json --agent runs/first
    python -m benchmarks.verify ppo.json --same-seeds
    python -m benchmarks.verify benchmarks/results/decisions-1000000/2p-planner/pqn-0.json --retrain
    python -m benchmarks.verify reinforce-0.json --algorithm reinforce.py --agent reinforce-0.safetensors

The games are others than those of the row, on seeds drawn now, so that nobody can have prepared for them, and figures
are compared as measurements: an honest row fails in one of a hundred verifications. With --same-seeds they are the
same, and where agents are deterministic so are the figures, bit for bit. Nothing that the row names is run: agents
that are programs, files of Python or trained, and algorithms that this checkout lacks, are those that this command line
names. --retrain trains the agent of a run of the benchmark again; its weights should come out the same.
"""

import argparse
import json
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from pathlib import Path
from typing import Any, Final

from scipy import stats

from agents.common.command import ended, parser
from agents.common.cores import usable_cores
from agents.common.files import make_folder
from agents.common.statistics import wilson
from agents.players import names
from benchmarks.algorithms import ALGORITHMS
from benchmarks.learning import cells
from benchmarks.learning.cells import BadCell, Cell, algorithm_file, book, shown
from benchmarks.learning.reference import another_reference
from benchmarks.learning.rows import cell_of, parse_row, read_row, source_of, write_cell
from bohemian_env import Board
from bohemian_env.engine.checks import is_whole
from bohemian_env.engine.errors import brief
from bohemian_env.villages.faces import NAME as ENVIRONMENT
from bohemian_env.villages.facts import MAX_PLAYERS
from bohemian_env.villages.opponents import SCRIPTED

from . import submit
from .submit import POSITIONS, Figure, Make, check_options, is_ours, lost, tasks_of

PROGRAM: Final = "benchmarks.verify"
RUNS: Final = Path("runs/verify")
FALSE: Final = 0.01  # the chance that an honest row fails, all its figures together
_NORMAL: Final = stats.norm
_NEAR_TIES: Final = 0.1
"""By how much the cost of decisions, × 1,000, may be off where a network rounds otherwise: in some of the 800 positions
this decides between moves."""
_WIDTHS: Final = 2.0  # how far the width of an interval may be from what is likely, as a factor


@dataclass(frozen=True, slots=True)
class Claim:
    """What a row claims."""

    row: Mapping[str, Any]
    agent: str  # what the agent was made from, in the words of ``evaluate.py``; the name of the cell, if it is of a run
    cell: Cell | None
    figures: Mapping[str, Figure]
    seed: int  # the seed of the first game
    files: Mapping[str, str]  # SHA-256 of the files of the agent by name, as far as the row tells them
    source: str | None  # that of the file of the run's algorithm, if the row tells it


def read_claim(path: Path) -> Claim:
    """Return what a row claims.

    Raises BadCell: the file holds no row, or one of another version, environment or board, or of an algorithm that this
    checkout lacks. BadBook: the rolled-out positions are missing or damaged. OSError: it cannot be read.
    """
    data = parse_row(path)
    if isinstance(data, dict) and isinstance(name := data.get("algorithm"), str) and name not in ALGORITHMS:
        told = data.get("files")
        digest = told.get(algorithm_file(name)) if isinstance(told, dict) else None
        more = f", whose SHA-256 is {digest}" if isinstance(digest, str) and digest.isalnum() else ""
        raise BadCell(
            f"{path} is of a run of {shown(name)}, an algorithm that this checkout lacks: unknown algorithm; name its "
            f"file with --algorithm FILE.py{more:.90}"
        )
    row = read_row(path)
    version = cells.version_of(row["task"]) if "algorithm" in row else 1
    here = {"benchmark": version, "environment": ENVIRONMENT, "board": Board.standard().digest}
    for name, own in here.items():
        told = row["versions"]["environment"] if name == "environment" else row.get(name, own)
        if told != own:
            raise BadCell(f"{path}: {name} {shown(told)} is not the {brief(own)} of this checkout")
    cell = cell_of(row) if "algorithm" in row else None
    if "scores" in row:
        claimed, known, tables = row["scores"], [*submit.TASKS], book().sizes
    else:
        assert cell is not None
        claimed = {cell.task: row["score"]} | {f"{cell.task} on {name}": one for name, one in row["transfer"].items()}
        known, tables = [*tasks_of(cell)], [tasks_of(cell)[cell.task].players]
    for name, one in claimed.items():
        if name not in known:
            raise BadCell(f"{path}: {shown(name)} is unknown; known are {', '.join(known)}")
        if not is_whole(one["games"], submit.FEWEST, submit.MOST_GAMES):
            raise BadCell(
                f"{path}: {name}: {one['games']} games, expected from {submit.FEWEST} to {submit.MOST_GAMES:,}"
            )
    figures = {
        name: Figure(one.get("total", one.get("share")), one["low"], one["high"], one["games"])
        for name, one in claimed.items()
    }
    loss = row.get("positions", {})
    if loss.get("book") == book().digest:  # else it tells of positions that are not here
        count = sum(len(book().positions(players)) for players in tables)
        figures[POSITIONS] = Figure(loss["value"], loss["low"], loss["high"], count)
    source = None if cell is None else source_of(row)
    files = row.get("files", {}) | ({algorithm_file(cell.algorithm): source} if cell and source else {})
    agent = row["agent"] if cell is None else cell.name
    return Claim(row, agent, cell, figures, next(iter(claimed.values()))["seed"], files, source)


def agent_of(claim: Claim, args: argparse.Namespace) -> str:
    """Return the agent to be played, in the words of evaluate.py. Raises BadCell if the command line must name it."""
    if args.agent is not None and args.program is not None:
        raise BadCell("--agent and --program: expected one of them")
    kind, _, rest = claim.agent.partition(":")
    if args.program is not None:
        limit = names.time_of(rest)[0] if kind == names.PROGRAM else ""
        return f"{names.PROGRAM}:{limit}{args.program}"
    if is_ours(claim.agent):
        if args.agent not in (None, claim.agent):
            raise BadCell(f"--agent {args.agent}: the row is of {claim.agent}, which comes with the project")
        return claim.agent
    if args.agent is not None:
        return str(args.agent)
    option = "--program COMMAND" if kind == names.PROGRAM else "--agent AGENT"
    option += "" if claim.cell is None or not claim.cell.repeatable else ", or train it with --retrain"
    raise BadCell(f"the row is of {brief(claim.agent)}, which does not come with the project: name it with {option}")


def _alone(share: float, games: int) -> float:
    """Return how wide the interval of a win share is after so many games that have nothing to do with each other."""
    interval = wilson(share, games, games)
    return interval.high - interval.low


def likely_widths(claimed: Figure, found: Figure) -> list[float]:
    """Return how wide the interval of a figure may be after the games that are claimed.

    First by what was found here; near 0 and 1 few games tell how far they go together, so of another number of games
    also if they have nothing to do with each other, and if all seats win or lose together.
    """
    here = found.high - found.low or _alone(0, found.games)
    if claimed.games == found.games:
        return [here]
    if not 0 <= min(claimed.value, found.value) <= max(claimed.value, found.value) <= 1:  # a total
        return [here * sqrt(found.games / claimed.games)]
    alone = _alone(claimed.value, claimed.games)
    scaled = here * _alone(found.value, claimed.games) / _alone(found.value, found.games)
    return [scaled, alone, alone * sqrt(MAX_PLAYERS)]


def difference(claimed: Figure, found: Figure, figures: int) -> tuple[float, float, float]:
    """Return by how much a figure is above the one claimed, with the interval that fits so many figures together.

    How far both may be off is told by the games played here alone; the claimed interval is only looked at.
    """
    level = float(_NORMAL.ppf(1 - FALSE / figures / 2) / _NORMAL.ppf(0.975))
    half = level * hypot(likely_widths(found, found)[0], likely_widths(claimed, found)[0]) / 2
    value = found.value - claimed.value
    return value, value - half, value + half


def differs(name: str, claimed: Figure, found: Figure, figures: int) -> str | None:
    """Return what differs in a figure; None if it holds."""
    value, low, high = difference(claimed, found, figures)
    if not low <= 0 <= high:
        off = f"{value:+.3f} ({low:+.3f} to {high:+.3f})"
        return f"{name}: {claimed.value:.3f} is claimed, {found.value:.3f} was found: {off}"
    width, likely = claimed.high - claimed.low or _alone(0, claimed.games), likely_widths(claimed, found)
    if not min(likely) / _WIDTHS <= width <= _WIDTHS * max(likely):
        return f"{name}: an interval of {claimed.high - claimed.low:.3f} does not fit {claimed.games:,} games"
    return None


def lost_otherwise(make: Make, seed: int, claimed: Figure, found: Figure, figures: int, exact: bool) -> str | None:
    """Return what differs in the cost of decisions of the very agent that a row is of, in the same positions: only what
    its own chance makes of them may, which two more plays here tell, and a near tie or two of a network on another
    processor. None if it holds.

    exact: whether the agent has neither chance of its own nor a network of torch.
    """
    half = 0.0
    if not exact:
        level = float(_NORMAL.ppf(1 - FALSE / figures / 2))
        apart = lost(make, seed) - lost(make, seed + 1)
        half = level * float(apart.std(ddof=1)) / sqrt(len(apart)) + _NEAR_TIES
    pairs = zip((claimed.value, claimed.low, claimed.high), (found.value, found.low, found.high), strict=True)
    if max(abs(one - other) for one, other in pairs) <= half:
        return None
    told = f"{claimed.text()} is claimed, and the same positions give {found.text()}"
    return f"{POSITIONS}: {told}, at most {half:.3f} off"


def trained_again(cell: Cell | None, folder: Path) -> str:
    """Train the agent of a run again, and return where it is. Raises BadCell if there is no run to repeat."""
    if cell is None:
        raise BadCell("the row is not of a run of the benchmark, so that its agent cannot be trained again here")
    if not cell.repeatable:
        raise BadCell(f"{cell.name}: its settings or its budget are not the benchmark's; name its agent with --agent")
    make_folder(folder)
    print(f"trains again: {cell.command}", flush=True)
    row, content = cells.run_cell(cell, cells.Plan(points=0, games=submit.FEWEST, transfer=False))
    write_cell(cell, row, content, folder, folder)
    return str(folder / f"{cell.name}.safetensors")


def same_files(claim: Claim, files: Mapping[str, str], retrained: bool) -> bool:
    """Tell whether an agent is made of the files of the row; return whether it can be compared."""
    here = set(files)
    if claim.cell is not None:
        here = set()
        if not claim.files.keys() - {algorithm_file(claim.cell.algorithm)}:
            return True  # a row of 0.2.0 does not tell the file of the weights
    other = sorted(name for name in claim.files.keys() | here if files.get(name) != claim.files.get(name))
    if not retrained and other:
        print(f"differs: the agent is another one: {', '.join(other)} is not the file that the row is of")
    elif retrained and other:
        print("Its weights came out otherwise, as they may on another processor: its games are compared.")
    elif retrained:
        print("Its weights came out the same, bit for bit.")
    return retrained or not other


def verify(args: argparse.Namespace) -> bool:
    """Play and tell; return whether the row holds. Raises BadCell, BadTournament, BadForeign, OSError."""
    if args.algorithm is not None:
        cells.add_algorithm(args.algorithm)
    claim = read_claim(args.file)
    cell = claim.cell
    check_options(args)
    if args.retrain and (args.agent or args.program):
        raise BadCell("--retrain: the agent is the one that is trained, so that --agent and --program are not given")
    if cell is not None and claim.source not in (None, here := cells.source_digest(cell.algorithm)):
        told = f"its SHA-256 is {here[:12]}…, the row has {str(claim.source)[:12]}…"
        print(f"differs: {algorithm_file(cell.algorithm)} is another file: {told}")
        return False
    if cell is not None and (defaults := claim.row.get("defaults")) != cell.defaults:
        raise BadCell(f"{args.file}: its algorithm had other defaults than the one here: {shown(defaults)}")
    agent = trained_again(cell, args.work) if args.retrain else agent_of(claim, args)
    files = submit.files_of(agent, cell)
    if not same_files(claim, files, args.retrain):
        return False
    make = submit.maker(agent, cell)
    tasks = {name: figure.games for name, figure in claim.figures.items() if name != POSITIONS}
    seed = claim.seed
    if not args.same_seeds:
        seed = secrets.randbelow(submit.SEEDS) if args.seed is None else args.seed
        tasks = {name: args.games or games for name, games in tasks.items()}
        print(f"{PROGRAM}: --seed {seed}", file=sys.stderr)  # with which the same command goes on
    everywhere = "scores" in claim.row
    if everywhere:
        found = submit.measure(make, tasks, seed, args.jobs, PROGRAM, judged=claim.seed)
    else:
        assert cell is not None
        found = submit.measure_run(cell, Path(agent), tasks, seed)
    exact = cell is None and agent in SCRIPTED  # which plays alike on every machine: it has no time, and no torch
    count = len(claim.figures)
    wrong = []
    for name, claimed in claim.figures.items():
        one = found[name]
        if tell(name, claimed, one, count, args.same_seeds or name == POSITIONS):
            continue
        if name == POSITIONS and everywhere and files == claim.files:
            why = lost_otherwise(make, claim.seed, claimed, one, count, exact)
        else:
            why = differs(name, claimed, one, count)
            if exact and args.same_seeds and not why:
                why = f"{name}: {claimed.value:.6f} is claimed, and the same games give {one.value:.6f}"
        wrong += [f"differs: {why}"] if why else []
    if cell is not None:
        tell_of_run(claim, cell)
    print("\n".join(wrong) or f"verified: {claim.agent}, {', '.join(claim.figures)}; seeds from {seed}")
    return not wrong


def tell_of_run(claim: Claim, cell: Cell) -> None:
    """Tell what a reader has to know of a run besides its figures."""
    if cell.has_own_settings:
        print(f"The run had settings of its own, not the benchmark's: {json.dumps(cell.settings):.300}")
    if claim.source is None:
        print(f"The row does not tell which {algorithm_file(cell.algorithm)} it was made with.")
    if said := another_reference(cell.unit, claim.row.get("reference")):
        print(f"Of the run: {said}.")


def tell(name: str, claimed: Figure, found: Figure, figures: int, same_games: bool) -> bool:
    """Tell what was found beside what is claimed; return whether both are equal, of the same games or positions."""
    alike = (claimed.value, claimed.low, claimed.high) == (found.value, found.low, found.high)
    same = alike and same_games
    value, low, high = difference(claimed, found, figures)
    unit = POSITIONS if name == POSITIONS else "games"
    told = "bit for bit" if same else f"difference {value:+.3f} ({low:+.3f} to {high:+.3f})"
    print(f"{name:26} claimed {claimed.value:.3f}, found {found.value:.3f} in {found.games:,} {unit}: {told}")
    return same


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 if verified, 1 if not, 2 if that cannot be found out."""
    options = parser(f"python -m {PROGRAM}", __doc__)
    add = options.add_argument
    add("file", type=Path, metavar="ROW", help="the file of a row, or its place in the folder of gathered rows")
    add("--agent", metavar="AGENT", help="the agent that the row is of, as evaluate.py takes it")
    add("--program", metavar="COMMAND", help="the program that it is of; its time for a move is that of the row")
    add("--algorithm", type=Path, metavar="FILE.py", help="the algorithm of its run, if this checkout lacks it; is run")
    add("--games", type=int, metavar="N", help="games of each task (default: as many as in the row)")
    seeds = options.add_mutually_exclusive_group()
    seeds.add_argument("--same-seeds", action="store_true", help="play the games of the row again")
    seeds.add_argument("--seed", type=int, metavar="N", help="the seed of the first game (default: drawn)")
    add("--retrain", action="store_true", help="train the agent again, if it is of a run of the benchmark")
    text = "where --retrain leaves the agent (default: %(default)s)"
    add("--work", "--runs", type=Path, default=RUNS, metavar="FOLDER", help=text)
    add("--jobs", type=int, default=len(usable_cores()), metavar="N", help="processes (default: the usable cores)")
    args = options.parse_args(argv)
    return ended(PROGRAM, lambda: verify(args))


if __name__ == "__main__":
    sys.exit(main())
