"""Make docs/analysis.md: how the shipped agents play among themselves, at tables of two to five players.

    python -m pages.analysis

Takes a few minutes on one core. The page and its pictures replace the old ones when all games are played.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from agents.analysis import counts, play, play_book
from agents.common.files import whole_files
from agents.players.policy import load_agent
from agents.players.shipped import shipped_path
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS
from pages import DOCS
from pages import analysis_pictures as pictures

from .analysis_page import NAMES, SOURCE_NAMES, page

TABLES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
SEED: Final = 5_000_000
"""Of the first game of each number of players: far from those of calibration and of the other pages."""
BOARDS: Final = 100
"""On which every first roll is tried."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="pages.analysis", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=4000, help="for each number of players (default: 4000)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the first game (default: {SEED})")
    parser.add_argument("--out", type=Path, default=DOCS, help="folder for the page and its pictures (default: docs)")
    o = parser.parse_args(argv)
    command = shlex.join(["python", "-m", "pages.analysis", *argv])
    drawn = ("seats", "kinds", "coins", "planner", "chance", "reliability")
    try:
        with whole_files([o.out / "analysis.md", *(o.out / f"analysis-{name}.svg" for name in drawn)]) as files:
            logs, books = {}, {}
            for players in TABLES:
                print(f"pages.analysis: {players} players", file=sys.stderr)
                agent = load_agent(shipped_path(players))
                logs[players] = play(agent, players, o.games, o.seed)
                books[players] = play_book(agent, players, min(BOARDS, o.games), o.seed)
            asked = {name: text for name, text in NAMES.items() if name != "end"}
            texts = (
                page(logs, books, command),
                pictures.seats({n: counts.seats(log) for n, log in logs.items()}),
                pictures.choices({n: [counts.offers(log, k) for k in range(3)] for n, log in logs.items()}, asked),
                pictures.bars(
                    {n: {k: found[:2] for k, found in counts.sources(log).items()} for n, log in logs.items()},
                    SOURCE_NAMES,
                    ("winners", "the others"),
                ),
                pictures.leanings(
                    {n: counts.planner(log).instead for n, log in logs.items()},
                    NAMES,
                    ("the agent does it, the planner would not", "the planner would, the agent does not"),
                ),
                pictures.chances({n: counts.chances_over_time(log) for n, log in logs.items()}),
                pictures.reliabilities({n: counts.reliability_with_intervals(log) for n, log in logs.items()}),
            )
            for file, text in zip(files, texts, strict=True):
                file.write(text)
    except (ValueError, OSError) as error:
        print(f"pages.analysis: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("pages.analysis: interrupted; nothing was written", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
