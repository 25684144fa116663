"""What the scripts have in common that train many agents and compare them."""

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
from typing import Any, Final, TextIO

import numpy as np
from scipy import stats

from agents.common.cores import usable_cores
from agents.common.files import whole_files
from agents.network.files import load_net
from agents.tournament import LineUp, compare, enter
from bohemian_env import Board, Setup
from pages import ROOT

LEVEL: Final = 0.95
"""Of intervals."""


def arguments(
    script: str, description: str | None, out: str, defaults: dict[str, Any], argv: Sequence[str]
) -> argparse.Namespace:
    """The command line. out: name of the page in docs. defaults: of minutes, seeds, players."""
    parser = argparse.ArgumentParser(
        prog=script, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, help="of each run (default: %(default)s)")
    parser.add_argument("--seeds", type=int, help="runs of each kind, two or more (default: %(default)s)")
    parser.add_argument("--players", type=int, help="at the table (default: %(default)s)")
    parser.add_argument("--games", type=int, default=2000, help="against each opponent (default: 2000)")
    parser.add_argument(
        "--jobs", type=int, default=len(usable_cores()), help="runs at a time (default: the usable cores)"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / out, help=f"the page (default: docs/{out})")
    parser.add_argument("--work", type=Path, default=Path("runs/pages"), help="folder of the runs")
    parser.set_defaults(**defaults)
    o = parser.parse_args(argv)
    if o.seeds < 2:
        parser.error(f"--seeds {o.seeds}: an interval needs two or more")
    return o


def _train(options: str, seed: int, o: argparse.Namespace) -> Path:
    """Train one agent, or find it finished; its folder, whose name says what it was told."""
    told = f"{options} --minutes {o.minutes:g} --players {o.players} --seed {seed}".replace("--", "").replace("/", "-")
    folder = o.work / "_".join(shlex.split(told))
    if not folder.exists():
        part = folder.with_name(f"{folder.name}.part")
        command = [sys.executable, str(ROOT / "train.py"), "--out", str(part), "--threads", "1"]
        if (part / "checkpoint.zip").exists():
            command.append("--resume")
        else:
            shutil.rmtree(part, ignore_errors=True)  # stopped before there was anything to go on with
            command += ["--minutes", f"{o.minutes:g}", "--players", str(o.players), "--seed", str(seed)]
            command += ["--panel-games", "0", *shlex.split(options)]
        subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=sys.stderr)
        part.rename(folder)
    return folder


def train_all(kinds: Sequence[str], o: argparse.Namespace) -> dict[str, list[Path]]:
    """Train every kind of run, options of train.py, with every seed; the folders of each kind."""
    tasks = [(options, seed) for options in kinds for seed in range(o.seeds)]
    with ThreadPoolExecutor(o.jobs) as pool:
        folders = list(pool.map(lambda task: _train(*task, o), tasks))
    return {kind: folders[k * o.seeds : (k + 1) * o.seeds] for k, kind in enumerate(kinds)}


def win_shares(
    agent: Path, opponents: Sequence[str], seed: int, o: argparse.Namespace, board: Board | None = None
) -> list[float]:
    """Of an agent alone among copies of each opponent."""
    board = board or Board.standard()
    entrants = enter([str(agent), *opponents], seed, board)
    schedule = [(LineUp((0, *[1 + k] * (o.players - 1))), o.games) for k in range(len(opponents))]
    comparison = compare(entrants, Setup.of(o.players, board=board), schedule=schedule, seed=seed, jobs=1)
    return [table.results[0].share.value for table in comparison.tables]


def samples(folders: Sequence[Path], board: Board | None = None) -> str:
    """Decisions that agents were trained on, the mean in thousands."""
    return f"{np.mean([load_net(folder, board)[1]['about']['samples'] for folder in folders]) / 1000:,.0f}"


def interval(numbers: Sequence[float]) -> str:
    """The mean of a number for each seed, and its interval by Student's t."""
    mean = float(np.mean(numbers))
    away = float(stats.t.ppf((1 + LEVEL) / 2, len(numbers) - 1) * stats.sem(numbers))
    return f"{mean:.3f} ({mean - away:.3f} to {mean + away:.3f})"


def conditions(opponents: Sequence[str], o: argparse.Namespace) -> dict[str, Any]:
    """What the head of a page says of its runs and games, by name; games are rounded up to whole rounds of seats."""
    return {
        "minutes": o.minutes,
        "seeds": o.seeds,
        "players": o.players,
        "fair": 1 / o.players,
        "games": math.ceil(o.games / o.players) * o.players,
        "level": f"{100 * LEVEL:g} %",
        "opponents": " | ".join(f"v `{name}`" for name in opponents),
        "rules": "|".join(["--:"] * len(opponents)),
    }


def make_page(script: str, o: argparse.Namespace, write: Callable[[TextIO], None]) -> int:
    """Write the page, whole or not at all; the exit status."""
    try:
        o.work.mkdir(parents=True, exist_ok=True)
        with whole_files([o.out]) as (file,):
            write(file)
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        print(f"{script}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{script}: interrupted; finished runs are kept, and the same command goes on", file=sys.stderr)
        return 130
    return 0
