"""What the programs share that train many agents and compare them."""

from __future__ import annotations

import argparse
import math
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from agents.common.cores import usable_cores
from agents.common.markdown import table
from agents.common.statistics import mean_estimate
from agents.network.files import load_net
from agents.tournament import LineUp, compare, enter
from bohemian_env import Board, Setup
from pages import DOCS, ROOT
from pages.program import make_files, measured_page, parser, read


def arguments(
    program: str, description: str | None, defaults: dict[str, Any], argv: Sequence[str] | None
) -> argparse.Namespace:
    """Return the command line. defaults: of minutes, seeds, players."""
    page = DOCS / f"{program.rpartition('.')[2]}.md"
    options = parser(program, description)
    add = options.add_argument
    add("--minutes", type=float, help="of each run (default: %(default)s)")
    add("--seeds", type=int, help="runs of each kind, two or more (default: %(default)s)")
    add("--players", type=int, help="at the table (default: %(default)s)")
    add("--games", type=int, default=2000, help="against each opponent (default: 2000)")
    add("--jobs", type=int, default=len(usable_cores()), help="runs at a time (default: the usable cores)")
    add("--out", type=Path, default=page, help=f"the page (default: docs/{page.name})")
    add("--work", type=Path, default=Path("runs/pages"), help="folder of the runs")
    options.set_defaults(**defaults)
    o = read(options, argv)
    if o.seeds < 2:
        options.error(f"--seeds {o.seeds}: an interval needs two or more")
    return o


def _run(command: Sequence[str]) -> None:
    """Run a program on one thread. Raises subprocess.CalledProcessError where it fails."""
    subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=sys.stderr)


def _folder_name(options: str) -> str:
    return "_".join(shlex.split(options.replace("--", "").replace("/", "-")))


def train(options: str, work: Path) -> Path:
    """Train one agent on one thread, or find it finished; return its folder in ``work``.

    options: those of train.py; the folder's name has them.
    """
    folder = work / _folder_name(options)
    if not folder.exists():
        part = folder.with_name(f"{folder.name}.part")
        command = [sys.executable, str(ROOT / "train.py"), "--out", str(part), "--threads", "1"]
        if (part / "checkpoint.safetensors").exists():
            command.append("--resume")
        else:
            shutil.rmtree(part, ignore_errors=True)  # stopped before there was anything to go on with
            command += ["--panel-games", "0", *shlex.split(options)]
        _run(command)
        part.rename(folder)
    return folder


def _every(
    kinds: Sequence[str], one: Callable[[str, Path], Path], told: str, o: argparse.Namespace
) -> dict[str, list[Path]]:
    """Train every kind of run with every seed, ``--jobs`` at a time; return the folders of each kind."""
    tasks = [f"{options} {told} --seed {seed}".strip() for options in kinds for seed in range(o.seeds)]
    with ThreadPoolExecutor(o.jobs) as pool:
        folders = list(pool.map(lambda task: one(task, o.work), tasks))
    return {kind: folders[k * o.seeds : (k + 1) * o.seeds] for k, kind in enumerate(kinds)}


def train_all(kinds: Sequence[str], o: argparse.Namespace) -> dict[str, list[Path]]:
    """Train every kind of run, options of train.py, with every seed; return the folders of each kind."""
    return _every(kinds, train, f"--minutes {o.minutes:g} --players {o.players}", o)


def _learn(options: str, work: Path) -> Path:
    """Learn one network on one thread, go on with it, or find it finished; return its folder in ``work``."""
    folder = work / _folder_name(f"td {options}")
    command = [sys.executable, "-m", "agents.training.td", "--out", str(folder), *shlex.split(options)]
    _run(command)
    return folder


def train_networks(kinds: Sequence[str], o: argparse.Namespace) -> dict[str, list[Path]]:
    """Learn every kind of network, options of agents.training.td, with every seed; return the folders of each kind."""
    return _every(kinds, _learn, f"--players {o.players}", o)


def win_shares(
    agent: Path, opponents: Sequence[str], seed: int, o: argparse.Namespace, board: Board | None = None
) -> list[float]:
    """Return the win shares of an agent alone among copies of each opponent."""
    board = board or Board.standard()
    entrants = enter([str(agent), *opponents], seed, board)
    schedule = [(LineUp((0, *[1 + k] * (o.players - 1))), o.games) for k in range(len(opponents))]
    comparison = compare(entrants, Setup.of(o.players, board=board), schedule=schedule, seed=seed, jobs=1)
    return [played.results[0].share.value for played in comparison.tables]


def samples(folders: Sequence[Path], board: Board | None = None) -> str:
    """Return the decisions that agents were trained on, the mean in thousands."""
    return f"{np.mean([load_net(folder, board)[1]['about']['samples'] for folder in folders]) / 1000:,.0f}"


def interval(numbers: Sequence[float]) -> str:
    """Return the mean of a number for each seed, and its interval."""
    return mean_estimate(np.array(numbers)).text()


def rounds_of_games(o: argparse.Namespace) -> int:
    """Return the games against each opponent, rounded up to whole rounds of seats."""
    return math.ceil(o.games / o.players) * o.players


def conditions(o: argparse.Namespace) -> str:
    """Return what the runs and games had in common, as a table."""
    told = {
        "players": o.players,
        "equal share": f"{1 / o.players:.3f}",
        "minutes of training, on one core": f"{o.minutes:g}",
        "seeds": o.seeds,
        "games for each seed and opponent": f"{rounds_of_games(o):,}",
    }
    return table(list(told), [list(told.values())], range(len(told)))


def make_page(o: argparse.Namespace, seed: int, blocks: Callable[[], dict[str, str]]) -> int:
    """Write the page, whole or not at all, and return the exit status.

    seed: of the first game that compares. blocks: makes the text of its places.
    """

    def texts() -> list[str]:
        o.work.mkdir(parents=True, exist_ok=True)
        return [measured_page(o, {"conditions": conditions(o), **blocks()}, seed)]

    return make_files(o, [o.out], texts, "finished runs are kept, and the same command goes on")
