"""What the scripts have in common that make a page from tournaments at tables of every size."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from agents.common.cores import usable_cores
from agents.common.files import whole_files
from agents.tournament import Comparison, GamesBar, LineUp, compare, enter
from bohemian_env import Setup
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS
from pages import ROOT

TABLES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
"""Numbers of players."""


def arguments(script: str, description: str | None, few: int, out: Path, argv: Sequence[str]) -> argparse.Namespace:
    """The command line. few, out: defaults."""
    parser = argparse.ArgumentParser(
        prog=script, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    where = out.relative_to(ROOT)
    parser.add_argument("--games", type=int, default=4000, help="at a table of quick agents (default: 4000)")
    parser.add_argument("--few", type=int, default=few, help=f"at a table with one that searches (default: {few})")
    parser.add_argument("--jobs", type=int, default=len(usable_cores()), help="processes (default: the usable cores)")
    parser.add_argument("--out", type=Path, default=out, help=f"where to (default: {where})")
    parser.add_argument("--work", default="runs/tournaments", help="folder for what is finished")
    return parser.parse_args(argv)


def play(
    script: str, players: int, names: Sequence[str], schedule: Sequence[tuple[LineUp, int]], seed: int, o: Any
) -> Comparison:
    """The games at tables of one size. schedule: line-ups of numbers in ``names``, and games. o: the command line."""
    with GamesBar(script, f"{players} players") as bar:
        return compare(
            enter(names, seed),
            Setup.of(players),
            schedule=schedule,
            seed=seed,
            jobs=o.jobs,
            work=o.work,
            begin=bar.begin,
            progress=bar.progress,
        )


def make_page(
    script: str,
    outputs: Sequence[Path],
    play_at: Callable[[int], Comparison],
    write: Callable[[dict[int, Comparison], Sequence[Any]], None],
) -> int:
    """Play at tables of every size, then write the files, whole or not at all. Returns the exit status.

    play_at: plays the games of so many players. write: gets what was played, and the open files.
    """
    try:
        with whole_files(outputs) as files:
            comparisons = {players: play_at(players) for players in TABLES}
            write(comparisons, files)
    except (ValueError, OSError) as error:
        print(f"{script}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{script}: interrupted; finished games are kept, and the same command goes on", file=sys.stderr)
        return 130
    for comparison in comparisons.values():
        if comparison.kept:
            comparison.kept.remove()
    return 0
