"""Play a result again, and say whether it holds: *verified*, or what differs.

    python -m benchmarks.verify ppo.json
    python -m benchmarks.verify mine.json --program ./mine
    python -m benchmarks.verify first.json --agent runs/first
    python -m benchmarks.verify ppo.json --same-seeds
    python -m benchmarks.verify pqn.json --retrain
    python -m benchmarks.verify benchmarks/results/decisions-1000000/2p-planner/pqn-0.json --retrain

The games are others than those of the file, on seeds drawn now, so that nobody can have prepared for them, and figures
are compared as measurements: an honest result fails in one of a hundred verifications. With --same-seeds they are the
same, and where agents are deterministic so are the figures, bit for bit. Nothing that the file names is run: agents
that are programs, files of Python or trained are those that this command line names, but for --retrain: that trains
the agent of a run of the benchmark again, by the benchmark's own code, and its weights should come out the same.
"""

from __future__ import annotations

import argparse
import json
import secrets
import signal
import sys
from collections.abc import Sequence
from math import hypot, sqrt
from pathlib import Path
from typing import Final

from scipy import stats

from agents.common.cores import usable_cores
from agents.common.files import make_folder, reason
from agents.common.statistics import wilson
from agents.players import names
from agents.players.foreign import BadForeign
from agents.positions.book import BadBook
from agents.tournament import BadTournament
from benchmarks.learning.cells import BadCell, Cell, Plan, run_cell, write_cell
from benchmarks.learning.reference import another_reference
from bohemian_env import BohemianError
from bohemian_env.game.facts import MAX_PLAYERS

from .result import (
    FEWEST,
    POSITIONS,
    BadResult,
    Figure,
    Make,
    Result,
    check_games,
    check_seed,
    files_of,
    is_ours,
    lost,
    maker,
    measure,
    read,
)
from .row import measure_row, read_as_result
from .submit import WORK

PROGRAM: Final = "benchmarks.verify"
RUNS: Final = Path("runs/verify")
FALSE: Final = 0.01
"""The chance that an honest result fails, all its figures together."""
_NORMAL: Final = stats.norm
_NEAR_TIES: Final = 0.1
"""By how much the cost of decisions, × 1,000, may be off where a network rounds otherwise: in some of the 800 positions
this decides between moves.
"""
_TELLING: Final = 20
"""Games, times the share won, times the share lost, from which on an interval tells how far games go together."""
_WIDTHS: Final = 2.0
"""How far the width of an interval may be from that of as many games here, as a factor."""


def agent_of(result: Result, args: argparse.Namespace) -> str:
    """Return the agent to be played, in the words of evaluate.py. Raises BadResult if the command line must name it."""
    if args.agent is not None and args.program is not None:
        raise BadResult("--agent and --program: one of them")
    kind, _, rest = result.agent.partition(":")
    if args.program is not None:
        limit = names.time_of(rest)[0] if kind == names.PROGRAM else ""
        return f"{names.PROGRAM}:{limit}{args.program}"
    if is_ours(result.agent):
        if args.agent not in (None, result.agent):
            raise BadResult(f"--agent {args.agent}: the result is of {result.agent}, which comes with the project")
        return result.agent
    if args.agent is not None:
        return str(args.agent)
    option = "--program COMMAND" if kind == "program" else "--agent AGENT"
    option += "" if result.cell is None or not result.cell.repeatable else ", or train it with --retrain"
    raise BadResult(f"the result is of {result.agent!r}, which does not come with the project: name it with {option}")


def _width(figure: Figure) -> float:
    """Return the width of an interval; where all games ended alike, that of as many of which one did not."""
    rare = 1 / (figure.games + 2)
    return figure.high - figure.low or 2 * float(_NORMAL.ppf(0.975)) * sqrt(rare * (1 - rare) / figure.games)


def _width_of(figure: Figure, games: int) -> float:
    """Return how wide the interval of a win share would be after so many games: near 0 and 1 not by their root alone,
    but as Wilson's is.
    """
    if figure.games == games:
        return _width(figure)
    then, now = (wilson(figure.value, trials, trials) for trials in (games, figure.games))
    return _width(figure) * (then.high - then.low) / (now.high - now.low)


def difference(claimed: Figure, found: Figure, figures: int) -> tuple[float, float, float]:
    """Return by how much a figure is above the one claimed, with the interval that fits so many figures together.

    How far both may be off is told by the games played here alone; the claimed interval is only looked at.
    """
    level = float(_NORMAL.ppf(1 - FALSE / figures / 2) / _NORMAL.ppf(0.975))
    half = level * hypot(_width(found), _width_of(found, claimed.games)) / 2
    value = found.value - claimed.value
    return value, value - half, value + half


def _fits(claimed: Figure, found: Figure) -> bool:
    """Return whether an interval is as wide as it may be after so many games, by those played here. Where few of them
    ended in another way than the rest, it need only lie between those of games that are unrelated and of games that all
    seats win or lose together.
    """
    few = min(each.games * each.value * (1 - each.value) for each in (claimed, found)) < _TELLING
    if few and claimed.games != found.games:
        alone = wilson(claimed.value, claimed.games, claimed.games)
        return 1 / _WIDTHS <= _width(claimed) / (alone.high - alone.low) <= _WIDTHS * sqrt(MAX_PLAYERS)
    return 1 / _WIDTHS <= _width_of(claimed, found.games) / _width(found) <= _WIDTHS


def differs(name: str, claimed: Figure, found: Figure, figures: int) -> str | None:
    """Return what differs in a figure; None if it holds."""
    if name == POSITIONS and claimed.games != found.games:
        return f"{name}: {claimed.games:,} positions are claimed, and there are {found.games:,}"
    value, low, high = difference(claimed, found, figures)
    if not low <= 0 <= high:
        off = f"{value:+.3f} ({low:+.3f} to {high:+.3f})"
        return f"{name}: {claimed.value:.3f} is claimed, {found.value:.3f} was found: {off}"
    if not _fits(claimed, found):
        return f"{name}: an interval of {claimed.high - claimed.low:.3f} is not that of {claimed.games:,} games"
    return None


def lost_otherwise(make: Make, seed: int, claimed: Figure, found: Figure, figures: int, exact: bool) -> str | None:
    """Return what differs in the cost of decisions of the very agent that a result is of, which met the same positions:
    only what its own chance makes of them may, which two more plays here tell, and a near tie or two of a network on
    another processor. None if it holds.

    exact: whether the agent has neither chance of its own nor a network of torch.
    """
    if claimed.games != found.games:
        return f"{POSITIONS}: {claimed.games:,} positions are claimed, and there are {found.games:,}"
    half = 0.0
    if not exact:
        level = float(_NORMAL.ppf(1 - FALSE / figures / 2))
        apart = lost(make, seed) - lost(make, seed + 1)
        half = level * float(apart.std(ddof=1)) / sqrt(len(apart)) + _NEAR_TIES
    pairs = zip((claimed.value, claimed.low, claimed.high), (found.value, found.low, found.high), strict=True)
    if max(abs(one - other) for one, other in pairs) <= half:
        return None
    told = f"{claimed.value:.3f} ({claimed.low:.3f} to {claimed.high:.3f}) is claimed"
    more = f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
    return f"{POSITIONS}: {told}, and the same positions give {more}, at most {half:.3f} off"


def trained_again(cell: Cell | None, folder: Path) -> str:
    """Train the agent of a run again, and return where it is. Raises BadResult if there is no run to repeat."""
    if cell is None:
        raise BadResult("the result is not of a run of the benchmark, so that it cannot be trained again here")
    if not cell.repeatable:
        raise BadResult(f"{cell.name}: its settings or its budget are none of the benchmark's; name it with --agent")
    make_folder(folder)
    print(f"trains again: {cell.command}", flush=True)
    row, content = run_cell(cell, Plan(points=0, games=FEWEST, transfer=False))
    write_cell(cell, row, content, folder, folder)
    return str(folder / f"{cell.name}.safetensors")


def same_files(make: Make, result: Result, retrained: bool) -> bool:
    """Tell whether an agent is made of the files of the result; return whether it can be compared."""
    files = files_of(make(0)[0])
    if files == result.files:
        if retrained:
            print("Its weights came out the same, bit for bit.")
        return True
    other = sorted(name for name in {*files, *result.files} if files.get(name) != result.files.get(name))
    print(f"differs: the agent is another one: {', '.join(other)} is not the file that the result is of")
    if retrained:
        print("Weights may come out differently on another processor, so its games are compared all the same.")
    return retrained


def verify(args: argparse.Namespace) -> bool:
    """Play and tell; return whether the result holds. Raises BadResult, BadCell, BadTournament, BadForeign, OSError."""
    row = read_as_result(args.file)
    result = row or read(args.file)
    check_games(args.games)
    check_seed(args.seed)
    cell = result.cell
    if args.retrain and (args.agent or args.program):
        raise BadResult("--retrain: the agent is the one that is trained, so that none is named")
    agent = trained_again(cell, args.runs) if args.retrain else agent_of(result, args)
    make = maker(agent, cell)
    if row is None and not same_files(make, result, args.retrain):
        return False
    tasks = {name: figure.games for name, figure in result.figures.items() if name != POSITIONS}
    seed = result.seed
    if not args.same_seeds:
        seed = secrets.randbits(62) if args.seed is None else args.seed
        tasks = {name: args.games or games for name, games in tasks.items()}
        print(f"{PROGRAM}: --seed {seed}", file=sys.stderr)  # with which the same command goes on
    if row is None or cell is None:
        found = measure(make, tasks, seed, args.jobs, WORK, PROGRAM, judged=result.seed)
    else:
        found = measure_row(cell, Path(agent), tasks, seed)
    told = [(name, found[name]) for name in result.figures if name in found]
    exact = cell is None and follows_from_seeds(agent)
    own = row is None and files_of(make(0)[0]) == result.files
    wrong = []
    for name, one in told:
        claimed = result.figures[name]
        if tell(name, claimed, one, len(told), args.same_seeds or name == POSITIONS):
            continue
        if name == POSITIONS and own:
            why = lost_otherwise(make, result.seed, claimed, one, len(told), exact)
        else:
            why = differs(name, claimed, one, len(told))
            if exact and args.same_seeds and not why:
                why = f"{name}: {claimed.value:.6f} is claimed, and the same games give {one.value:.6f}"
        wrong += [f"differs: {why}"] if why else []
    if cell is not None and cell.has_own_settings:
        print(f"The run had settings of its own, not the benchmark's: {json.dumps(cell.settings):.300}")
    if row is not None and cell is not None and (said := another_reference(cell.unit, row.machine["reference"])):
        print(f"Of the run: {said}.")
    print("\n".join(wrong) or f"verified: {result.agent}, {', '.join(name for name, _ in told)}; seeds from {seed}")
    return not wrong


def follows_from_seeds(agent: str) -> bool:
    """Return whether an agent plays alike on every machine: it is scripted, and has no time and no network of torch."""
    try:
        return names.AgentName.parse(agent).kind == "scripted"
    except names.UnknownAgent:
        return False


def tell(name: str, claimed: Figure, found: Figure, figures: int, same_games: bool) -> bool:
    """Tell what was found beside what is claimed; return whether it is the same of the same games or positions."""
    alike = (claimed.value, claimed.low, claimed.high) == (found.value, found.low, found.high)
    same = alike and same_games
    value, low, high = difference(claimed, found, figures)
    unit = POSITIONS if name == POSITIONS else "games"
    told = "bit for bit" if same else f"difference {value:+.3f} ({low:+.3f} to {high:+.3f})"
    print(f"{name:26} claimed {claimed.value:.3f}, found {found.value:.3f} in {found.games:,} {unit}: {told}")
    return same


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 if verified, 1 if not, 2 if that cannot be found out."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(f"python -m {PROGRAM}", description=__doc__, formatter_class=formatter)
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a result file, or a row of the benchmark")
    add("--agent", metavar="AGENT", help="the agent that the result is of, as evaluate.py takes it")
    add("--program", metavar="COMMAND", help="the program that it is of; its time for a move is that of the file")
    add("--games", type=int, metavar="N", help="of each task (default: as many as in the file)")
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument("--same-seeds", action="store_true", help="play the games of the file again")
    seeds.add_argument("--seed", type=int, metavar="N", help="of the first game (default: drawn)")
    add("--retrain", action="store_true", help="train the agent again, if it is of a run of the benchmark")
    add("--runs", type=Path, default=RUNS, metavar="FOLDER", help="where it is left then (default: %(default)s)")
    add("--jobs", type=int, default=len(usable_cores()), metavar="N", help="processes (default: the usable cores)")
    args = parser.parse_args(argv)
    try:
        return 0 if verify(args) else 1
    except (BadBook, BadCell, BadForeign, BadResult, BadTournament, BohemianError, OSError) as error:
        print(f"{PROGRAM}: {reason(error) if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{PROGRAM}: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
