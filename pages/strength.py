"""Measure the shipped agents: agents/pretrained/strength.json, and the pages that read it.

    python -m pages.strength

First it trains a best response to each of them, an agent that meets nothing else; then all games are played, on cores
that should have nothing else to do, since times are measured. Takes about an hour and a half on two cores. After an
interrupt the same command goes on.
"""

from __future__ import annotations

import argparse
import sys
import timeit
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np

from agents.common.cores import usable_cores
from agents.common.statistics import LEVEL, Estimate
from agents.players.names import SHIPPED
from agents.players.policy import load_agent
from agents.pretrained import STRENGTH, Duel, Interval, Strength, shipped_path, weights_digest
from agents.tournament import Comparison, LineUp
from benchmarks.speed.machine import describe
from bohemian_env import Batch
from bohemian_env.game.facts import MIN_PLAYERS
from pages import TABLE_SIZES, generate
from pages.tournaments import arguments, play, play_and_write
from pages.trainings import train

PROGRAM: Final = "pages.strength"
FORMAT: Final = "bohemian-strength/1"
OPPONENTS: Final = ("greedy", "rusher", "hoarder", "planner")
SEARCH: Final = {2: 1500, 3: 700, 4: 550, 5: 280}
"""Playouts of the search, by number of players: some 20 milliseconds a move."""
MONTE_CARLO: Final = "montecarlo:120"
"""About 5 milliseconds a move with two players."""
SEED: Final = 3_000_000
RESPONSE: Final = "best response"
"""What strength.json calls an agent that was trained against the shipped one alone."""
STEPS: Final = 5_000_000
"""The decisions that it was trained on."""
BATCH: Final = 512
_REPEATS: Final = 50
_DIGITS: Final = 4


def responses(o: argparse.Namespace) -> dict[int, str]:
    """Train a best response to each shipped agent, or find it trained; return where they are."""

    def response(players: int) -> Path:
        work = Path(o.work) / PROGRAM / weights_digest(players)[:12]  # another agent has another best response
        work.mkdir(parents=True, exist_ok=True)
        told = f"--against {SHIPPED} --from {SHIPPED} --minutes 0 --steps {o.steps} --players {players}"
        return train(told, work)

    with ThreadPoolExecutor(o.jobs) as pool:
        return dict(zip(TABLE_SIZES, map(str, pool.map(response, TABLE_SIZES)), strict=True))


def schedule(players: int, games: int, few: int, response: str) -> tuple[list[str], list[tuple[LineUp, int]]]:
    """Return the agents at tables of one size, and who meets whom how often.

    few: games with one that searches. response: the best response to the shipped agent.
    """
    meetings = [*((SHIPPED, name, games) for name in OPPONENTS), (response, SHIPPED, games)]
    if players == MIN_PLAYERS:
        meetings.append((SHIPPED, MONTE_CARLO, few))
    meetings.append((f"search:{SHIPPED}:{SEARCH[players]}", "planner", few))
    names = list(dict.fromkeys(name for one, other, _ in meetings for name in (one, other)))
    return names, [
        (LineUp((names.index(one), *[names.index(other)] * (players - 1))), number) for one, other, number in meetings
    ]


def interval(estimate: Estimate) -> Interval:
    """Return an estimate as plain numbers."""
    value, low, high = (round(number, _DIGITS) for number in (estimate.value, estimate.low, estimate.high))
    return {"value": value, "low": low, "high": high}


def duels(comparison: Comparison, response: str) -> list[Duel]:
    """Return what the tables of one size say about the lone agent of each. response: where the best response is."""
    names = [entrant.argument for entrant in comparison.entrants]
    return [
        {
            "players": comparison.setup.players,
            "agent": RESPONSE if names[one] == response else names[one],
            "among": names[other],
            "games": table.games,
            "win_share": interval(table.results[0].share),
            "win_share_by_seat": [round(seat.value, _DIGITS) for seat in table.results[0].by_seat],
            "margin": interval(table.results[0].margin),
            "milliseconds_per_move": float(f"{comparison.milliseconds_per_move(one):.3g}"),
        }
        for table in comparison.tables
        for one, other in [table.line_up.agents]
    ]


def move_times(players: int) -> list[float]:
    """Return the median microseconds of a move on one thread: alone, and of each of :data:`BATCH` at once."""
    import torch

    torch.set_num_threads(1)
    agent, batch = load_agent(shipped_path(players)), Batch(BATCH, players)
    batch.reset(SEED)
    for _ in range(10 * players):
        batch.step(agent.act_batch(batch))

    def median(count: int) -> float:
        games = np.arange(count)
        times = timeit.repeat(lambda: agent.decide(batch.states, batch.seeds, games), number=1, repeat=_REPEATS)
        return round(1e6 * float(np.median(times)) / count, 1)

    return [median(1), median(BATCH)]


def measured(comparisons: dict[int, Comparison], command: str, steps: int, responses: Mapping[int, str]) -> Strength:
    """Return the content of strength.json."""
    machine = describe(usable_cores())
    return {
        "format": FORMAT,
        "command": command,
        "machine": f"{machine.cpu}, {machine.cores} cores, {machine.system}, {machine.python}",
        "first_seed": SEED,
        "response_decisions": steps,
        "interval": LEVEL,
        "weights": {str(players): weights_digest(players) for players in TABLE_SIZES},
        "batch": BATCH,
        "microseconds": {str(players): move_times(players) for players in TABLE_SIZES},
        "duels": [duel for players, found in comparisons.items() for duel in duels(found, responses[players])],
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    o = arguments(PROGRAM, __doc__, 1000, STRENGTH, argv, steps=STEPS)
    found: dict[int, str] = {}

    def play_at(players: int) -> Comparison:
        found.update(found or responses(o))
        return play(o, players, *schedule(players, o.games, o.few, found[players]), SEED)

    def texts(played: dict[int, Comparison]) -> list[str]:
        return [generate.laid_out(measured(played, o.command, o.steps, found)) + "\n"]

    status = play_and_write(o, [o.out], play_at, texts)
    return status or (generate.main([]) if o.out == STRENGTH else 0)


if __name__ == "__main__":
    sys.exit(main())
