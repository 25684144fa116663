"""What the programs share that measure tournaments at tables of every size."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Final

from agents.common.cores import usable_cores
from agents.common.statistics import Estimate
from agents.pretrained import Interval
from agents.tournament import Comparison, GamesBar, LineUp, compare, enter
from bohemian_env import Setup
from pages import ROOT, TABLE_SIZES
from pages.program import make_files, parser

_DIGITS: Final = 4


def tournament_parser(program: str, description: str | None, few: int, out: Path) -> argparse.ArgumentParser:
    """Return the parser of a program that plays tournaments. few, out: defaults."""
    options = parser(program, description)
    where = out.relative_to(ROOT)
    options.add_argument("--games", type=int, default=4000, help="at a table of quick agents (default: 4000)")
    options.add_argument("--few", type=int, default=few, help=f"at a table with one that searches (default: {few})")
    options.add_argument("--jobs", type=int, default=len(usable_cores()), help="processes (default: the usable cores)")
    options.add_argument("--ray", metavar="HOST:PORT", help="a Ray cluster that plays in place of --jobs processes")
    options.add_argument("--out", type=Path, default=out, help=f"where to (default: {where})")
    options.add_argument("--work", default="runs/tournaments", help="folder for what is finished")
    return options


def interval(estimate: Estimate) -> Interval:
    """Return an estimate as plain numbers."""
    value, low, high = (round(number, _DIGITS) for number in (estimate.value, estimate.low, estimate.high))
    return {"value": value, "low": low, "high": high}


def half(estimate: Estimate, digits: int) -> str:
    """Return an estimate for a table with little room: the value, and half the width of its interval."""
    return f"{estimate.value:.{digits}f} ±{(estimate.high - estimate.low) / 2:.{digits}f}"


def play(
    o: argparse.Namespace, players: int, names: Sequence[str], schedule: Sequence[tuple[LineUp, int]], seed: int
) -> Comparison:
    """Play at tables of one size. o: the command line. schedule: line-ups of numbers in ``names``, and games."""
    with GamesBar(o.program, f"{players} players") as bar:
        return compare(
            enter(names, seed),
            Setup.of(players),
            schedule=schedule,
            seed=seed,
            jobs=o.jobs,
            ray=o.ray,
            work=o.work,
            begin=bar.begin,
            progress=bar.progress,
            tell=bar.tell,
        )


def alone_among(
    players: int,
    one: str,
    other: str,
    games: int,
    seed: int,
    *,
    jobs: int = 1,
    work: str | None = None,
    luck: bool | None = None,
) -> Comparison:
    """Return the games of one agent alone among copies of another. luck: as ``compare`` has it."""
    setup, schedule = Setup.of(players), [(LineUp((0, *[1] * (players - 1))), games)]
    entrants = enter([one, other], seed)
    return compare(entrants, setup, schedule=schedule, seed=seed, jobs=jobs, work=work, luck=luck)


def play_and_write(
    o: argparse.Namespace,
    outputs: Sequence[Path],
    play_at: Callable[[int], Comparison],
    texts: Callable[[dict[int, Comparison]], Sequence[str]],
) -> int:
    """Play at tables of every size, then write the files, all or none. Return the exit status.

    play_at: plays the games of so many players. texts: makes the content of the files of what was played.
    """
    played: dict[int, Comparison] = {}

    def made() -> Sequence[str]:
        played.update((players, play_at(players)) for players in TABLE_SIZES)
        return texts(played)

    return make_files_of_games(o, outputs, made, played.values())


def make_files_of_games(
    o: argparse.Namespace, outputs: Sequence[Path], texts: Callable[[], Sequence[str]], played: Collection[Comparison]
) -> int:
    """Write the files that a program makes of games, all or none; return its exit status.

    texts: makes their content, and adds to ``played`` the comparisons whose kept games nobody needs after that.
    """
    status = make_files(o, outputs, texts, "finished games are kept, and the same command goes on")
    for comparison in played:
        if comparison.kept and not status:
            comparison.kept.remove()
    return status
