"""Compare agents of a game: at every table they can form, with the same chance, from every seat, with 95 % intervals.

    python evaluate.py greedy random
    python evaluate.py runs/first greedy random --games 2000 --players 2
    python evaluate.py runs/tiles greedy
    python evaluate.py --game agricola planner greedy --players 4
    python evaluate.py 'mine=runs/s*' planner --tables single
    python evaluate.py runs/first runs/second greedy --players 3 --tables mixed --json table.json --markdown table.md
    python evaluate.py runs/first greedy random --plot table.svg --csv table.csv
    python evaluate.py greedy random --games 100 --records games.jsonl
    python evaluate.py runs/second runs/first --until-sure
    python evaluate.py runs/first planner --positions
    python evaluate.py runs/first planner --games 200000 --ray 10.0.0.1:6379
    python evaluate.py python:mine.py greedy
    python evaluate.py program:./mine "program:50ms:python3 other.py" planner

The game is the one that --game names or the agents' files say, else villages. Rivals are compared by their shares of
the win and get ratings; where all seats play for one result, or one seat is all, agents are compared by their totals on
the same seeds.

An agent is a name (random, greedy, planner, rusher, hoarder, appraiser, selftaught, montecarlo:PLAYOUTS,
search:appraiser:PLAYOUTS, ppo, search:ppo:PLAYOUTS; other games have random, greedy and planner) or the path of a
trained one (./ppo if it is called like a name), which plays on the board it learnt on. NAME=PATTERN is all runs whose
paths fit the pattern, as one agent. appraiser:FOLDER plays with the networks of a run of agents.training.td.
python:FILE is what a file of Python calls `agent`, an object with move(game) or act(observations, masks)
(docs/libraries.md): that file is run, with all your rights. program:COMMAND starts a program (docs/protocol.md),
program:50ms:COMMAND with that time for a move. Output files are written when all games are played, and replace what had
their names; after an error or an interrupt they are as they were. Finished games are kept until then: after an
interrupt the same command goes on with them.
"""

import argparse
import io
import json
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from os.path import isfile
from typing import Any, Final

from rich.console import Console

from agents import tournament
from agents.common.command import ended, parser
from agents.common.cores import usable_cores
from agents.common.files import whole_files
from agents.common.markdown import fenced
from agents.common.statistics import LEVEL_TEXT
from agents.players.names import PYTHON, game_of, known
from agents.players.program import ProgramAgent
from agents.positions.book import BOOK, Book, costs, costs_table
from bohemian_env import BadSetup, Board
from bohemian_env.games import GAMES, known_games, rules_of
from bohemian_env.villages.setup import DEFAULT_MAX_TURNS

OUTPUTS: Final = {
    "json": "write all numbers there",
    "csv": "write a row for each table and agent there",
    "markdown": "write the tables there, to be pasted into a page",
    "plot": "draw duels and ratings there: .svg, .png or .pdf",
    "records": "write a record of every game there, one a line (.jsonl)",
}
"""The files that are written if they are named."""
_WORK: Final = "runs/tournaments"
_WITH_POSITIONS: Final = ("json", "markdown", "seed")


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line; exit with status 2 if that is not possible."""
    options = parser("evaluate.py", __doc__)
    add = options.add_argument
    seatings = "; ".join(f"{name}: {meaning}" for name, meaning in tournament.SEATINGS.items())
    turns = "turns after which a game is cut off (default: %(default)s)"
    jobs = "processes that play; the results do not depend on it (default: one for each usable core)"
    ray = "play on all cores of a Ray cluster (docs/machines.md), in place of --jobs"
    luck = "take the luck of the dice out of win shares (default: at tables where an agent thinks long)"
    positions = "play nothing, but tell what decisions cost in positions whose moves were rolled out "
    positions += "(a file of your own: python -m agents.positions)"
    work = "where finished games are kept until all outputs are written (default: %(default)s)"
    add("agents", nargs="*", metavar="AGENT", help="two or more names, paths, python:FILE or program:COMMAND")
    games = "per table, rounded up to whole seeds (default: 2000; with --until-sure, at most: 200,000)"
    sure = "play until it is sure whether the first of two agents, alone among copies of the second, wins more "
    sure += f"than its share, less, or neither by MARGIN (default: {tournament.MARGIN}); of totals, whether its is "
    sure += f"higher (default: {tournament.TEAM_MARGIN:g})"
    own = "a parameter of the game's set-up, as storehouse_solo=true; may be given several times"
    add("--game", choices=known_games(), help="the game (default: the one that the agents' files say, else villages)")
    add("--games", type=int, metavar="N", help=games)
    add("--until-sure", nargs="?", type=_margin, const=True, metavar="MARGIN", help=sure)
    add("--players", type=int, metavar="N", help="seats (default: those that the game is set up for, 2 of villages)")
    tables = f"{seatings} (default: all; with --until-sure single; where results are totals, own)"
    add("--tables", choices=tournament.SEATINGS, help=tables)
    add("--set", action="append", default=[], metavar="NAME=VALUE", help=own)
    add("--seed", type=int, default=0, metavar="N", help="the seed of the first game (default: 0)")
    for name, meaning in OUTPUTS.items():
        add(f"--{name}", metavar="FILE", help=meaning)
    add("--board", metavar="FILE", help="board file (default: the shipped board)")
    add("--villages", default="random", metavar="NAME,NAME,...", help="villages in play (default: random, by the seed)")
    add("--coin-supply", type=int, metavar="N", help="coins in the bank (default: the board's)")
    add("--max-turns", type=int, default=DEFAULT_MAX_TURNS, metavar="N", help=turns)
    add("--jobs", type=int, default=len(usable_cores()), metavar="N", help=jobs)
    add("--ray", metavar="HOST:PORT", help=ray)
    add("--work", default=_WORK, metavar="FOLDER", help=work)
    add("--luck", action=argparse.BooleanOptionalAction, help=luck)
    add("--positions", nargs="?", const=str(BOOK), metavar="FILE", help=positions)
    add("--fresh", action="store_true", help="play all games, also those that are kept")
    args = options.parse_args(argv)
    unsaid = object()
    said = options.parse_args(argv, argparse.Namespace(**dict.fromkeys(vars(args), unsaid) | {"set": None}))
    given = [name for name, value in vars(said).items() if value not in (unsaid, None)]
    if args.positions is not None and args.positions in known():
        options.error(f"--positions {args.positions}: it takes a file; name the agents before it")
    if args.positions is not None and (others := set(given) - {"agents", "positions", *_WITH_POSITIONS}):
        option = min(others).replace("_", "-")
        options.error(f"--{option}: with --positions there are {', '.join(f'--{name}' for name in _WITH_POSITIONS)}")
    args.given = given
    return args


def _margin(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number; name the agents before --until-sure") from None


def entered(args: argparse.Namespace, board: Board | None = None) -> list[tournament.Entrant]:
    """Make the agents, and say which files are run for it."""
    for name in dict.fromkeys(args.agents):
        kind, _, file = name.partition(":")
        if kind == PYTHON and isfile(file):
            print(f"evaluate.py: running the code in {file}", file=sys.stderr)
    entrants = tournament.enter(args.agents, args.seed, board, args.game)
    for entrant in entrants:
        learned = getattr(entrant.agent, "learned_with", None)
        if args.positions is None and learned not in (None, args.players):
            print(f"evaluate.py: {entrant.name} learned with {learned} players", file=sys.stderr)
    return entrants


def set_up(args: argparse.Namespace) -> tuple[Any, bool]:
    """Return the set-up of the games, and whether all seats play for one result; enter game and players.

    Raises UnknownAgent for agents of different games, BadSetup, BadBoard or OSError for what the game has not.
    """
    every = [str(one) for name in args.agents for _, one in tournament.expanded(name)]
    args.game = game_of(every, args.game)
    rules = rules_of(args.game)
    options: dict[str, Any] = {}
    for name in ("villages", "board", "coin_supply", "max_turns"):
        if name in rules.options:
            options[name] = getattr(args, name)
        elif name in args.given:
            told = f"known of {rules.name} are {', '.join(rules.options)}, by --set NAME=VALUE"
            raise BadSetup(f"--{name.replace('_', '-')}: {told}")
    if (names := options.get("villages", "random")) != "random":
        options["villages"] = tuple(name.strip() for name in names.split(","))
    for text in args.set:
        name, equals, value = text.partition("=")
        if not equals or name not in rules.options:
            raise BadSetup(f"--set {text}: expected NAME=VALUE with one of {', '.join(rules.options)}")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    if args.players is None:
        args.players = rules.setup().players
    setup = rules.setup(args.players, **options)
    return setup, rules.verbs.TEAM or setup.players == 1


def evaluate(args: argparse.Namespace, command: str) -> tournament.Comparison:
    """Play and write the output files; what is wrong with the arguments is raised before the first game."""
    setup, team = set_up(args)
    sure = None
    if args.until_sure is not None:
        usual = tournament.TEAM_MARGIN if team else tournament.MARGIN
        sure = tournament.Sure(usual if args.until_sure is True else args.until_sure, team)
        args.until_sure = sure.margin
    if args.games is None:
        args.games = 2000 if sure is None else 200_000
    if args.tables is None:
        args.tables = "own" if team else "all" if sure is None else "single"
    drawn = tournament.check_picture(args.plot) if args.plot is not None else None
    entrants = entered(args, getattr(setup, "board", None))
    outputs = [getattr(args, name) for name in OUTPUTS]
    bar = tournament.GamesBar("evaluate.py")
    with whole_files(outputs) as (json_file, csv_file, markdown_file, plot_file, records_file), bar:

        def record(game: dict[str, Any]) -> None:
            print(json.dumps(game, ensure_ascii=False), file=records_file)

        play = partial(
            tournament.compare,
            entrants,
            setup,
            games=args.games,
            seed=args.seed,
            tables=args.tables,
            games_at_once=tournament.GAMES_AT_ONCE if sure is None else tournament.LOOK,
            jobs=args.jobs,
            ray=args.ray,
            fresh=args.fresh,
            begin=bar.begin,
            progress=bar.progress,
            tell=bar.tell,
            record=record if records_file else None,
            luck=args.luck,
            sure=sure,
        )
        try:
            comparison = play(work=args.work)
        except tournament.CannotKeep as error:
            if args.work != _WORK:
                raise
            bar.tell(f"{error}; finished games are not kept (--work FOLDER names another place)")
            args.work = None
            comparison = play(work=None)
        if json_file:
            told = {name: value for name, value in vars(args).items() if name != "given"}
            numbers = tournament.as_json(comparison, command, told)
            json_file.write(json.dumps(numbers, indent=1, allow_nan=False, ensure_ascii=False) + "\n")
        if csv_file:
            csv_file.write(tournament.as_csv(comparison))
        if markdown_file:
            markdown_file.write(tournament.markdown(comparison, command))
        if plot_file and drawn:
            plot_file.buffer.write(tournament.picture(comparison, drawn))
    return comparison


def decide(args: argparse.Namespace, command: str) -> str:
    """Let agents decide in rolled-out positions, and write the output files; return the table of what that costs."""
    args.game = GAMES[0]  # of which the positions are
    entrants = entered(args)
    if not entrants:
        raise tournament.BadTournament("no agent: name one or more")
    book = Book.load(args.positions)
    for entrant in entrants:
        if isinstance(entrant.agent, ProgramAgent):
            entrant.agent.begin()
    with whole_files([args.json, args.markdown]) as (json_file, markdown_file):
        failures: list[str] = []
        found = {entrant.name: costs(book, entrant.agent, failures.append) for entrant in entrants}
        meaning = f"Mean chance of winning lost per decision, × 1,000, and its {LEVEL_TEXT} interval."
        text = "\n\n".join([costs_table(found), meaning, *failures])
        if json_file:
            losses = {name: {size: one.plain() for size, one in own.items()} for name, own in found.items()}
            data = {"command": command, "about": book.about, "losses": losses, "failures": failures}
            json_file.write(json.dumps(data, indent=1, allow_nan=False, ensure_ascii=False) + "\n")
        if markdown_file:
            markdown_file.write(f"{fenced(command)}\n\n{text}\n")
    return text


def show(comparison: tournament.Comparison, command: str) -> None:
    """Print the results, and then remove the games that were kept until here."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what a terminal cannot show loses no result
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # as wide as the tables are
    tournament.print_report(comparison, command, console)
    sys.stdout.flush()
    if comparison.kept:
        comparison.kept.remove()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for bad input, told in a sentence, 130 after an interrupt."""
    argv = sys.argv[1:] if argv is None else argv
    args = arguments(argv)
    command = shlex.join(["python", "evaluate.py", *argv])

    def work() -> None:
        if args.positions is None:
            show(evaluate(args, command), command)
        else:
            print(decide(args, command))

    def kept() -> str:
        games = args.positions is None and args.work is not None
        return "; outputs are whole or as they were" + "; finished games are kept for the same command" * games

    return ended("evaluate.py", work, kept)


if __name__ == "__main__":
    sys.exit(main())
