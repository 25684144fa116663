"""Compare agents: every pairing over the same villages and dice, from every seat, with 95 % intervals.

    python evaluate.py greedy random
    python evaluate.py runs/first greedy random --games 2000 --players 2
    python evaluate.py runs/first runs/second --players 4 --json table.json --markdown table.md
    python evaluate.py greedy random --games 100 --records games.jsonl

An agent is a name (random, greedy) or the path of a trained one, which plays on the board it learnt on. Output files
are written when all games are played, and replace what had their names; after an error or an interrupt they are as
they were.
"""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents.tournament import (
    BadTournament,
    Comparison,
    Setup,
    as_json,
    compare,
    enter,
    markdown,
    print_report,
    whole_files,
)
from bohemian_env import BadBoard, BadSetup, Board
from bohemian_env.game.game import DEFAULT_MAX_TURNS


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The command line; exits with status 2 if it cannot be read."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="evaluate.py", description=__doc__, formatter_class=formatter)
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="two or more names or paths")
    parser.add_argument(
        "--games", type=int, default=2000, metavar="N", help="per pairing, rounded up to whole seeds (default: 2000)"
    )
    parser.add_argument("--players", type=int, default=2, metavar="N", help="2 to 5 (default: 2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the first game (default: 0)")
    parser.add_argument("--json", metavar="FILE", help="write all numbers there")
    parser.add_argument("--markdown", metavar="FILE", help="write the table there, to be pasted into a page")
    parser.add_argument("--records", metavar="FILE", help="write a record of every game there, one a line (.jsonl)")
    parser.add_argument("--board", metavar="FILE", help="board file (default: the shipped board)")
    parser.add_argument(
        "--villages", default="random", metavar="NAME,NAME,...", help="villages in play (default: random, by the seed)"
    )
    parser.add_argument("--coin-supply", type=int, metavar="N", help="coins in the bank (default: the board's)")
    parser.add_argument(
        "--max-turns",
        type=int,
        default=DEFAULT_MAX_TURNS,
        metavar="N",
        help=f"turns after which a game is cut off (default: {DEFAULT_MAX_TURNS})",
    )
    return parser.parse_args(argv)


def setup_of(args: argparse.Namespace) -> Setup:
    """The games that the command line asks for. Raises BadBoard or OSError for the board file."""
    return Setup(
        players=args.players,
        villages="random" if args.villages == "random" else tuple(args.villages.split(",")),
        board=Board.standard() if args.board is None else Board.load(args.board),
        coin_supply=args.coin_supply,
        max_turns=args.max_turns,
    )


def evaluate(args: argparse.Namespace, command: str) -> Comparison:
    """Play and write the output files; what is wrong with the arguments is raised before the first game."""
    setup = setup_of(args)
    entrants = enter(args.agents, args.seed, setup.board)
    if torch := sys.modules.get("torch"):  # an agent needed it
        torch.set_num_threads(1)  # as the report says of the time per move
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with whole_files([args.json, args.markdown, args.records]) as (json_file, markdown_file, records_file), bar:
        task = bar.add_task("games", total=None)

        def record(game: dict[str, Any]) -> None:
            print(json.dumps(game, ensure_ascii=False), file=records_file)

        comparison = compare(
            entrants,
            setup,
            games=args.games,
            seed=args.seed,
            begin=lambda games: bar.update(task, total=games),
            progress=lambda games: bar.advance(task, games),
            record=record if records_file else None,
        )
        if json_file:
            json.dump(
                as_json(comparison, command, vars(args)), json_file, indent=1, allow_nan=False, ensure_ascii=False
            )
            json_file.write("\n")
        if markdown_file:
            markdown_file.write(markdown(comparison, command))
    return comparison


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status: 2 for bad input, told in a sentence, 130 after an interrupt."""
    argv = sys.argv[1:] if argv is None else argv
    args = arguments(argv)
    command = shlex.join(["python", "evaluate.py", *argv])
    try:
        comparison = evaluate(args, command)
    except (BadBoard, BadSetup, BadTournament, OSError) as error:
        print(f"evaluate.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("evaluate.py: interrupted; nothing was written", file=sys.stderr)
        return 130
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # as wide as the table is
    print_report(comparison, command, console)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
