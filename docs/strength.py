"""Make agents/pretrained/README.md: how the shipped agents were trained, and how strong they are.

    python docs/strength.py

Takes about half an hour on two cores, and should have them to itself, since it tells times. After an interrupt the same
command goes on. The page replaces the old one when all games are played.
"""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # for agents

from agents.shipped import SHIPPED, shipped_path  # noqa: E402
from agents.tournament import (  # noqa: E402
    LEVEL,
    Comparison,
    GamesBar,
    LineUp,
    Setup,
    compare,
    enter,
    usable_cores,
    whole_files,
)
from bohemian_env.game.state import MAX_PLAYERS, MIN_PLAYERS  # noqa: E402

PAGE: Final = ROOT / "agents" / "pretrained" / "README.md"
OPPONENTS: Final = ("greedy", "rusher", "hoarder", "planner")
SEARCH: Final = {2: 1000, 3: 600, 4: 500, 5: 400}
"""Playouts of the search, by number of players: 10 to 20 milliseconds a move."""
MONTE_CARLO: Final = "montecarlo:200"
"""About 5 milliseconds a move with two players."""
TABLES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
SEED: Final = 3_000_000

HEAD: Final = """\
# Shipped agents

`agents.make("ppo")` takes the one for the table that it is asked to act at; `search:ppo` looks ahead with it. Each is a
network of {parameters} parameters in `N-players.safetensors`, trained by this project's `train.py`; the JSON beside it
says how, too.

## Training

| players | decisions of self-play | minutes | seed | reward | what was run |
|--:|--:|--:|--:|---|---|
{training}

Before self-play each imitated `planner`. In self-play it met itself, snapshots of itself, `greedy`, `planner`, `rusher`
and a little of `random`; never `hoarder`, nor anything that searches. Of each run's checkpoints the one was taken
that did best in 400 games against each of `greedy`, `planner`, `rusher` and `hoarder`, on seeds of their own. The
machine had two cores of an AMD EPYC (Zen 5), which other work shared.

## Strength

Win share of one of them alone among copies of the opponent, joint wins split, likeliest moves, with {level} intervals;
villages at random, all seats in turn. `{opponents}`: {games:,} games or more each; with search or `montecarlo`, {few:,}
or more.

"""

WEAK: Final = """\
## Known weaknesses

- They know the shipped board: its printed values, and its villages on either side. They were not tried on others.
- They take the likeliest move, so the same position has always the same answer; an opponent can learn it.
- They do not know how strong the others are. Against very weak play they win by less than they might.
- Every table size was trained for by itself, with one seed; another seed may come out a little stronger or weaker.

The tables are made by one command:

"""


def pairs(players: int) -> list[tuple[str, str, bool]]:
    """Agent, opponent, and whether one of them searches."""
    search = f"search:{SHIPPED}:{SEARCH[players]}"
    found = [(SHIPPED, name, False) for name in OPPONENTS]
    found += [(SHIPPED, MONTE_CARLO, True)] if players == MIN_PLAYERS else []
    return found + [(search, name, True) for name in ("hoarder", "planner")]


def play(players: int, o: argparse.Namespace) -> Comparison:
    """The games at tables of one size."""
    names = list(dict.fromkeys(name for one, other, _ in pairs(players) for name in (one, other)))
    entrants = enter(names, SEED)
    schedule = [
        (LineUp((names.index(one), *[names.index(other)] * (players - 1))), o.few if slow else o.games)
        for one, other, slow in pairs(players)
    ]
    with GamesBar("docs/strength.py", f"{players} players") as bar:
        return compare(
            entrants,
            Setup(players),
            schedule=schedule,
            seed=SEED,
            jobs=o.jobs,
            work=o.work,
            begin=bar.begin,
            progress=bar.progress,
        )


def strength(players: int, comparison: Comparison) -> list[str]:
    """The table of one size."""
    lines = [
        f"### {players} players (equals: {1 / players:.3f})",
        "",
        "| agent | among | games | win share | by seat | margin, coins | ms a move |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for table in comparison.tables:
        one, other = (comparison.entrants[number] for number in table.line_up.agents)
        found = table.results[0]
        share, margin = found.share, found.margin
        seats = " / ".join(f"{seat.value:.3f}" for seat in found.by_seat)
        milliseconds = comparison.milliseconds_per_move(table.line_up.agents[0])
        lines.append(
            f"| `{one.argument}` | `{other.argument}` | {table.games:,} | {share.value:.3f} ({share.low:.3f} to "
            f"{share.high:.3f}) | {seats} | {margin.value:.1f} ({margin.low:.1f} to {margin.high:.1f}) | "
            f"{milliseconds:.2g} |"
        )
    return [*lines, ""]


def training(players: int, about: dict[str, Any]) -> str:
    """The row of one agent."""
    minutes = about["seconds"] / 60
    cells = (players, f"{about['samples']:,}", f"{minutes:.0f}", about["seed"], f"`{about['reward']}`")
    return f"| {' | '.join(map(str, cells))} | `{about['command']}` |"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="docs/strength.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=4000, help="a pair of quick agents (default: 4000)")
    parser.add_argument("--few", type=int, default=1000, help="a pair with one that searches (default: 1000)")
    parser.add_argument("--jobs", type=int, default=usable_cores(), help="processes (default: the usable cores)")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page (default: agents/pretrained/README.md)")
    parser.add_argument("--work", default="runs/tournaments", help="folder for what is finished")
    o = parser.parse_args(argv)
    described = {players: shipped_path(players).with_suffix(".json") for players in TABLES}
    about = {players: json.loads(path.read_text(encoding="utf-8"))["about"] for players, path in described.items()}
    try:
        with whole_files([o.out]) as (file,):
            comparisons = {players: play(players, o) for players in TABLES}
            file.write(
                HEAD.format(
                    parameters="some 680,000",
                    training="\n".join(training(players, known) for players, known in about.items()),
                    level=f"{100 * LEVEL:g} %",
                    opponents="`, `".join(OPPONENTS),
                    games=o.games,
                    few=o.few,
                )
            )
            for players, comparison in comparisons.items():
                file.write("\n".join([*strength(players, comparison), ""]))
            file.write(f"{WEAK}```\n{shlex.join(['python', 'docs/strength.py', *argv])}\n```\n")
    except (ValueError, OSError) as error:
        print(f"docs/strength.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("docs/strength.py: interrupted; finished games are kept, and the same command goes on", file=sys.stderr)
        return 130
    for comparison in comparisons.values():
        if comparison.kept:
            comparison.kept.remove()
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
