"""Measure ``ppo``, ``appraiser``, ``selftaught`` and the search: agents/pretrained/strength.json and what reads it.

    python -m pages.strength
    python -m pages.strength --times                   # only times the moves of the same agents anew

Takes some five hours on two cores. First it trains a best response to ``ppo``, ``appraiser`` and ``selftaught`` each,
an agent that meets nothing else; then all games are played. After an interrupt the same command goes on. At the end
moves are timed for some seconds, which another program would disturb.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import timeit
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from agents.common.command import parser
from agents.common.cores import usable_cores
from agents.common.statistics import LEVEL, Estimate
from agents.players.names import APPRAISER, SELF_TAUGHT, SHIPPED
from agents.players.registry import make
from agents.pretrained import STRENGTH, Duel, Interval, Strength, weights_digest
from agents.tournament import Comparison, GamesBar, LineUp, compare, enter
from benchmarks.speed.machine import describe
from bohemian_env import Batch, Setup
from bohemian_env.villages.facts import MIN_PLAYERS
from bohemian_env.villages.opponents.appraiser import VERSION
from pages import ROOT, TABLE_SIZES, generate
from pages.program import BadPage, make_files, read

PROGRAM: Final = "pages.strength"
FORMAT: Final = "bohemian-strength/1"
OPPONENTS: Final = ("greedy", "rusher", "hoarder", "planner")
PLAYOUTS: Final = {2: 600, 3: 340, 4: 220, 5: 130}
"""The playouts of the search by number of players, which take less than 20 milliseconds a move."""
MONTE_CARLO: Final = "montecarlo:120"  # about 3 milliseconds a move with two players, and 8 with five
SEED: Final = 34_000_000
RESPONSE: Final = "best response"  # what strength.json calls an agent that was trained against another one alone
BEGUN: Final = {
    SHIPPED: f"--from {SHIPPED}",
    APPRAISER: f"--adviser {APPRAISER}",
    SELF_TAUGHT: f"--adviser {APPRAISER}",
}
"""How the response to each agent begins, as options of train.py: about as strong as that one."""
STEPS: Final = 5_000_000  # the decisions that each response is trained on
BATCH: Final = 512
_REPEATS: Final = 50


def trained(against: str, players: int, steps: int, work: Path) -> Path:
    """Train a best response to an agent on one thread, or find it finished; return its folder in ``work``, whose name
    has what it was trained with. Raises subprocess.CalledProcessError if the training fails."""
    digest = weights_digest(players, self_taught=against == SELF_TAUGHT)[:12]
    version = f"{against}-{VERSION if against == APPRAISER else digest}"  # another agent has another best response
    options = f"--against {against} {BEGUN[against]} --minutes 0 --steps {steps} --players {players}"
    folder = work / PROGRAM / version / "_".join(shlex.split(options.replace("--", "").replace("/", "-")))
    folder.parent.mkdir(parents=True, exist_ok=True)
    if not folder.exists():
        part = folder.with_name(f"{folder.name}.part")
        command = [sys.executable, str(ROOT / "train.py"), "--out", str(part), "--threads", "1"]
        if (part / "checkpoint.safetensors").exists():
            command.append("--resume")
        else:
            shutil.rmtree(part, ignore_errors=True)  # stopped before there was anything to go on with
            command += ["--panel-games", "0", *shlex.split(options)]
        subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=sys.stderr)
        part.rename(folder)
    return folder


def responses(o: argparse.Namespace) -> dict[int, dict[str, str]]:
    """Return where the best responses are, by number of players and by whom they were trained against."""
    asked = [(players, against) for players in TABLE_SIZES for against in BEGUN]
    with ThreadPoolExecutor(o.jobs) as pool:
        folders = pool.map(lambda one: trained(one[1], one[0], o.steps, Path(o.work)), asked)
        found = dict(zip(asked, map(str, folders), strict=True))
    return {players: {against: found[players, against] for against in BEGUN} for players in TABLE_SIZES}


def search_of(players: int) -> str:
    """Return the name of the search with so many players."""
    return f"search:{APPRAISER}:{PLAYOUTS[players]}"


def schedule(
    players: int, games: int, few: int, responses: Mapping[str, str]
) -> tuple[list[str], list[tuple[LineUp, int]]]:
    """Return the agents at tables of one size, and who meets whom how often.

    few: games with one that searches. responses: where the best response to each agent is.
    """
    meetings = [(one, name, games) for one in BEGUN for name in OPPONENTS] + [(SHIPPED, APPRAISER, games)]
    meetings += [(response, against, games) for against, response in responses.items()]
    if players == MIN_PLAYERS:
        meetings.append((SHIPPED, MONTE_CARLO, few))
    meetings += [(APPRAISER, MONTE_CARLO, few), (search_of(players), "planner", few)]
    names = list(dict.fromkeys(name for one, other, _ in meetings for name in (one, other)))
    return names, [
        (LineUp((names.index(one), *[names.index(other)] * (players - 1))), number) for one, other, number in meetings
    ]


def interval(estimate: Estimate) -> Interval:
    """Return an estimate as plain numbers."""
    value, low, high = (round(number, 4) for number in (estimate.value, estimate.low, estimate.high))
    return {"value": value, "low": low, "high": high}


def duels(comparison: Comparison, responses: Collection[str]) -> list[Duel]:
    """Return what the tables of one size say about the lone agent of each. responses: where the best responses are."""
    names = [entrant.argument for entrant in comparison.entrants]
    return [
        {
            "players": comparison.setup.players,
            "agent": RESPONSE if names[one] in responses else names[one],
            "among": names[other],
            "games": table.games,
            "win_share": interval(table.results[0].share),
            "win_share_by_seat": [interval(seat)["value"] for seat in table.results[0].by_seat],
            "margin": interval(table.results[0].margin),
        }
        for table in comparison.tables
        for one, other in [table.line_up.agents]
    ]


def move_times(players: int) -> dict[str, list[float]]:
    """Return the microseconds of a move by agent, on one thread, in the midst of games among appraisers.

    They are of one move at a time, the median; of agents that do not search also of each of :data:`BATCH` at once.
    """
    import torch

    torch.set_num_threads(1)
    batch = Batch(BATCH, players)
    batch.reset(SEED)
    appraiser = make(APPRAISER)
    for _ in range(10 * players):
        batch.step(appraiser.act_batch(batch))
    choices = [*np.flatnonzero(batch.masks.sum(axis=1) > 1)[:_REPEATS, None]]

    def median(name: str, asked: Sequence[np.ndarray]) -> float:
        agent = make(name, SEED)
        agent.act_batch(batch, asked[0])  # which loads what it needs
        times = [timeit.timeit(partial(agent.act_batch, batch, games), number=1) for games in asked]
        return round(1e6 * float(np.median(times)) / len(asked[0]), 1)

    every = [np.arange(BATCH)] * _REPEATS
    return {
        **{name: [median(name, choices), median(name, every)] for name in (SHIPPED, APPRAISER)},
        (search := search_of(players)): [median(search, choices)],
    }


def machine() -> str:
    """Return what the machine is that measures."""
    return "{cpu}, {cores} cores, {system}, {python}".format(**describe(usable_cores()))


def weights(*, self_taught: bool = False) -> dict[str, str]:
    """Return what tells the weights of an agent from others, by number of players."""
    return {str(players): weights_digest(players, self_taught=self_taught) for players in TABLE_SIZES}


def microseconds() -> dict[str, dict[str, list[float]]]:
    """Return the times of moves, as strength.json has them."""
    return {str(players): move_times(players) for players in TABLE_SIZES}


def timed_anew(file: Path) -> Strength:
    """Return what a strength.json holds with the times of moves as they are now, on this machine.

    Raises BadPage: the file has another form, or was measured with other networks than the shipped ones.
    """
    found: Strength = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(found, dict) or {*found} != Strength.__required_keys__:
        raise BadPage(f"{file} does not hold what was measured; without --times all is")
    if (found["weights"], found["selftaught"], found["appraiser"]) != (weights(), weights(self_taught=True), VERSION):
        raise BadPage(f"{file} was measured with other networks; without --times all is measured anew")
    return {**found, "machine": machine(), "microseconds": microseconds()}


def measured(
    comparisons: dict[int, Comparison], command: str, steps: int, responses: Mapping[int, Mapping[str, str]]
) -> Strength:
    """Return the content of strength.json."""
    return {
        "format": FORMAT,
        "command": command,
        "machine": machine(),
        "first_seed": SEED,
        "response_decisions": steps,
        "interval": LEVEL,
        "weights": weights(),
        "selftaught": weights(self_taught=True),
        "appraiser": VERSION,
        "batch": BATCH,
        "microseconds": microseconds(),
        "duels": [duel for players, found in comparisons.items() for duel in duels(found, responses[players].values())],
    }


def play(o: argparse.Namespace, players: int, responses: Mapping[str, str]) -> Comparison:
    """Play at tables of one size. o: the command line. responses: where the best response to each agent is."""
    names, meetings = schedule(players, o.games, o.few, responses)
    with GamesBar(o.program, f"{players} players") as bar:
        return compare(
            enter(names, SEED),
            Setup.of(players),
            schedule=meetings,
            seed=SEED,
            jobs=o.jobs,
            ray=o.ray,
            work=o.work,
            begin=bar.begin,
            progress=bar.progress,
            tell=bar.tell,
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--games", type=int, default=4000, help="at a table of quick agents (default: 4000)")
    options.add_argument("--few", type=int, default=1000, help="at a table with one that searches (default: 1000)")
    options.add_argument("--jobs", type=int, default=len(usable_cores()), help="processes (default: the usable cores)")
    options.add_argument("--ray", metavar="HOST:PORT", help="a Ray cluster that plays in place of --jobs processes")
    options.add_argument("--out", type=Path, default=STRENGTH, help=f"where to (default: {STRENGTH.relative_to(ROOT)})")
    options.add_argument("--work", default="runs/tournaments", help="folder for what is finished")
    options.add_argument("--steps", type=int, default=STEPS, help=f"of a best response (default: {STEPS})")
    options.add_argument("--times", action="store_true", help="time the moves anew in the file that there is")
    o = read(options, argv)
    played: dict[int, Comparison] = {}

    def text() -> Sequence[str]:
        if o.times:
            found = timed_anew(o.out)
        else:
            taught = responses(o)
            played.update((players, play(o, players, taught[players])) for players in TABLE_SIZES)
            found = measured(played, o.command, o.steps, taught)
        lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items()]
        return ["{" + ",\n ".join(lines).replace(', {"players"', ',\n  {"players"') + "}\n"]  # each duel on one, too

    status = make_files(o, [o.out], text, "finished games are kept, and the same command goes on")
    for comparison in played.values():
        if comparison.kept and not status:
            comparison.kept.remove()
    return status or (generate.main([]) if o.out == STRENGTH else 0)


if __name__ == "__main__":
    sys.exit(main())
