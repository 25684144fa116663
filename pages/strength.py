"""Make agents/pretrained/README.md: how the shipped agents were trained, and how strong they are.

    python -m pages.strength

Takes about half an hour on two cores, and should have them to itself, since it tells times. After an interrupt the same
command goes on. The page replaces the old one when all games are played.
"""

from __future__ import annotations

import json
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from agents.players.policy import load_agent
from agents.players.shipped import SHIPPED, shipped_path
from agents.tournament import LEVEL, Comparison, LineUp
from bohemian_env import Batch
from bohemian_env.game.facts import MIN_PLAYERS
from pages import ROOT

from .tournaments import TABLES, arguments, make_page, play

SCRIPT: Final = "pages.strength"
PAGE: Final = ROOT / "agents" / "pretrained" / "README.md"
OPPONENTS: Final = ("greedy", "rusher", "hoarder", "planner")
SEARCH: Final = {2: 1500, 3: 700, 4: 550, 5: 280}
"""Playouts of the search, by number of players: some 20 milliseconds a move."""
MONTE_CARLO: Final = "montecarlo:120"
"""About 5 milliseconds a move with two players."""
SEED: Final = 3_000_000
BATCH: Final = 512
_REPEATS: Final = 50

HEAD: Final = """\
# Shipped agents

`agents.make("ppo")` takes the one for the table that it is asked to act at; `search:ppo` looks ahead with it. Each is a
network in `N-players.safetensors`, trained by this project's `train.py`; the JSON beside it says how, too. They are
told what `planner` thinks of each action ([advice](../../docs/training.md#advice)), and learnt when not to listen.

## Training

| players | decisions of self-play | minutes | seed | reward | what was run |
|--:|--:|--:|--:|---|---|
{training}

In training each met itself, snapshots of itself, `greedy`, `planner`, `rusher` and a little of `random`; never
`hoarder`, nor anything that searches. Of each run's checkpoints the one was taken that did best against `greedy`,
`planner`, `rusher` and `hoarder`, on seeds of their own. The machine had two cores of an AMD EPYC (Zen 5), which other
work shared.

## Strength

Win share of one of them alone among copies of the opponent, joint wins split, likeliest moves, with {level} intervals;
villages at random, all seats in turn. `{opponents}`: {games:,} games or more each; with search or `montecarlo`, {few:,}
or more.

One forward pass takes {alone} microseconds alone, for 2 / 3 / 4 / 5 players, and {together} a move for {batch} games at
once, on one thread (medians).

"""

WEAK: Final = """\
## Known weaknesses

- They know the shipped board: its printed values, and its villages on either side. What villages cost them that they
  have never seen, [a page of its own](../../docs/generalisation.md) says.
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
    return [*found, (search, "planner", True)]


def schedule(players: int, games: int, few: int) -> tuple[list[str], list[tuple[LineUp, int]]]:
    """The agents at tables of one size, and who meets whom how often. few: games with one that searches."""
    found = pairs(players)
    names = list(dict.fromkeys(name for one, other, _ in found for name in (one, other)))
    return names, [
        (LineUp((names.index(one), *[names.index(other)] * (players - 1))), few if slow else games)
        for one, other, slow in found
    ]


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


def forward_times(players: int) -> tuple[float, float]:
    """Microseconds of one forward pass, alone and for each of :data:`BATCH` games at once, on one thread: medians."""
    import torch

    torch.set_num_threads(1)
    agent, batch = load_agent(shipped_path(players)), Batch(BATCH, players)
    batch.reset(SEED)
    for _ in range(10 * players):
        batch.step(agent.act_batch(batch))
    times = []
    for rows in (1, BATCH):
        seen, masks = batch.observations[:rows].copy(), batch.masks[:rows].copy()
        found = []
        for _ in range(_REPEATS):
            began = time.perf_counter()
            agent.choose(seen, masks)
            found.append(time.perf_counter() - began)
        times.append(1e6 * float(np.median(found)) / rows)
    return times[0], times[1]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    o = arguments(SCRIPT, __doc__, 1000, PAGE, argv)
    described = {players: shipped_path(players).with_suffix(".json") for players in TABLES}
    about = {players: json.loads(path.read_text(encoding="utf-8"))["about"] for players, path in described.items()}

    def play_at(players: int) -> Comparison:
        return play(SCRIPT, players, *schedule(players, o.games, o.few), SEED, o)

    def write(comparisons: dict[int, Comparison], files: Sequence[Any]) -> None:
        times = [[f"{time:.{digits}f}" for digits, time in enumerate(forward_times(p))] for p in TABLES]
        head = HEAD.format(
            training="\n".join(training(players, known) for players, known in about.items()),
            level=f"{100 * LEVEL:g} %",
            opponents="`, `".join(OPPONENTS),
            games=o.games,
            few=o.few,
            batch=BATCH,
            alone=" / ".join(alone for alone, _ in times),
            together=" / ".join(together for _, together in times),
        )
        tables = [line for players, found in comparisons.items() for line in (*strength(players, found), "")]
        command = shlex.join(["python", "-m", SCRIPT, *argv])
        files[0].write("\n".join([head.rstrip("\n"), "", *tables]) + f"{WEAK}```\n{command}\n```\n")

    return make_page(SCRIPT, [o.out], play_at, write)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
