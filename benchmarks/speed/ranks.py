"""How training scales over ranks on one machine, and by arithmetic over many.

    python -m benchmarks.speed.ranks
    python -m benchmarks.speed.ranks --rounds 9 --json ranks.json --markdown docs/speed-ranks.md

A round is one rollout and one update of `train.py` with its defaults (two players, 512 games, minibatches of 2,048) and
the league of a run that begins: by one process; by ranks with so many games and decisions of a minibatch each (weak
scaling); by ranks that share them (strong scaling). Every process has a core of its own and one thread; all are
started before the first round and take turns, and the speed-up is taken round by round. Ranks exchange gradients and
the moments of advantages in every minibatch; timed where they stand, exchanges include waiting for slower ranks.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from agents.common.cores import usable_cores
from agents.common.markdown import table
from agents.training.config import TrainConfig

from . import command
from .comparisons import Asked, Compared, compare
from .figures import LEGEND, middle, told
from .harness import ENVIRONMENT, Rounds, pin
from .machine import Machine, describe
from .quiet import Measurement, in_rounds, others_share, read

CASES: Final = ("one process", "weak", "strong")
EXCHANGES: Final = 200
"""How often each exchange is timed alone."""
MANY: Final = (10, 100, 1000)
"""Ranks of the arithmetic, each on a machine of its own."""
WIRES: Final = {"1 Gbit/s": 1e9 / 8, "10 Gbit/s": 1e10 / 8}
"""Bytes per second of each machine's connection."""


def settings(case: str, count: int) -> TrainConfig:
    """Return the settings of a case on so many ranks."""
    usual, times = TrainConfig(panel_games=0, minutes=600.0), count if case == "weak" else 1
    return TrainConfig(panel_games=0, minutes=600.0, games=usual.games * times, minibatch=usual.minibatch * times)


# --- the ranks ---


@dataclass(frozen=True, slots=True)
class Taken:
    """A round: samples of all ranks, seconds, processor seconds of all ranks, seconds of a rank in exchanges."""

    samples: int
    seconds: float
    processor: float
    exchanges: float


def _serve(connection: Connection, rank: int, count: int, port: int, core: int | None) -> None:
    """Be a rank: answer the names of cases with rounds, "exchanges" with times alone, until None comes."""
    told = {"RANK": rank, "WORLD_SIZE": count, "LOCAL_RANK": rank, "LOCAL_WORLD_SIZE": count}
    os.environ |= ENVIRONMENT | {name: str(value) for name, value in told.items()}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "TORCHELASTIC_RUN_ID": "benchmark"}
    own = [] if core is None else [core]
    with pin(own), tempfile.TemporaryDirectory() as folder:
        import torch

        from agents.training.ranks import join
        from agents.training.run import TrainingRun

        from .training import clocked

        torch.set_num_threads(1)
        ranks = join()
        names = CASES[:1] if count == 1 else CASES[1:]
        runs = {name: TrainingRun(Path(folder) / name, settings(name, count), ranks=ranks) for name in names}
        functions = [(ranks, name, "exchanges") for name in ("average", "moments", "share", "gathered")]

        def round_of(name: str) -> Measurement[Taken]:
            run, before = runs[name], runs[name].model.num_timesteps
            ranks.agreed(0.0)  # all begin at the same time
            with clocked(functions) as spent:
                start = read(own)
                run.model.learn(run.config.games * run.config.horizon, callback=run.tally, reset_num_timesteps=False)
                end = read(own)
            samples = run.model.num_timesteps - before
            taken = Taken(samples, end.wall - start.wall, end.own - start.own, spent["exchanges"])
            return Measurement(taken, others_share(start, end, waits=count > 1))

        def exchanges() -> dict[str, list[float]]:
            gradients = [torch.zeros_like(parameter) for parameter in runs[names[0]].net.parameters()]
            advantages = torch.zeros(settings("one process", 1).minibatch)
            works: dict[str, Callable[[], object]] = {
                "gradients": lambda: ranks.average(gradients),
                "moments": lambda: ranks.moments(advantages),
            }
            return {name: [_seconds(work) for _ in range(EXCHANGES)] for name, work in works.items()}

        while (asked := connection.recv()) is not None:
            connection.send(exchanges() if asked == "exchanges" else round_of(asked))
        connection.send(sum(parameter.numel() for parameter in runs[names[0]].net.parameters()) * 4)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class _Group:
    """Ranks that answer together."""

    def __init__(self, connections: list[Connection]) -> None:
        self._connections = connections

    def ask(self, what: str | None) -> list[Any]:
        """Return what each rank answers."""
        for connection in self._connections:
            connection.send(what)
        return [connection.recv() for connection in self._connections]

    def round(self, name: str) -> Measurement[Taken]:
        """Take a round of all ranks: as long as the slowest."""
        found = self.ask(name)
        taken = [one.value for one in found]
        whole = Taken(
            taken[0].samples,
            max(one.seconds for one in taken),
            sum(one.processor for one in taken),
            sum(one.exchanges for one in taken) / len(taken),
        )
        return Measurement(whole, max(one.others for one in found))


@contextmanager
def group(count: int, cores: Sequence[int]) -> Iterator[_Group]:
    """Start so many ranks, on these cores in turn; none to pin nothing."""
    context = multiprocessing.get_context("spawn")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = int(server.getsockname()[1])
    pipes, processes = [context.Pipe() for _ in range(count)], []
    for rank, (_, theirs) in enumerate(pipes):
        core = cores[rank % len(cores)] if cores else None
        processes.append(context.Process(target=_serve, args=(theirs, rank, count, port, core), daemon=True))
        processes[-1].start()
        theirs.close()
    try:
        yield _Group([ours for ours, _ in pipes])
    finally:
        for process in processes:
            process.kill()


# --- the report ---


@dataclass(frozen=True, slots=True)
class Report:
    """What a run measured. Rates are samples per second, by case; exchanges are seconds, by what is exchanged."""

    machine: Machine
    ranks: int
    rates: dict[str, Rounds]
    efforts: dict[str, Rounds]
    """Samples per processor second."""
    waits: dict[str, Rounds]
    """The share of the time that a rank spends in exchanges."""
    ratios: list[Compared]
    exchanges: dict[str, list[float]]
    update: float
    """Seconds of a round of one process."""
    gradient: int
    """The bytes of the gradients."""


def run(rounds: int, tries: int, count: int) -> Report:
    """Measure everything."""
    cores = usable_cores() if len(usable_cores()) >= count else []
    machine = describe(cores[:count])
    with group(1, cores) as one, group(count, cores) as several:
        of = {name: one if name == CASES[0] else several for name in CASES}
        for name in CASES:
            of[name].round(name)  # compiles and warms up

        def take(when: str, name: str, attempt: int) -> Measurement[Taken]:
            print(f"{when}: {name}", file=sys.stderr)
            return of[name].round(name)

        taken = in_rounds(CASES, rounds, tries, take)
        exchanges = several.ask("exchanges")[0]
        gradient = int(several.ask(None)[0])

    def of_rounds(what: Callable[[Taken], float]) -> dict[str, Rounds]:
        return {
            name: Rounds.of([Measurement(what(one.value), one.others) for one in found])
            for name, found in taken.items()
        }

    rates = of_rounds(lambda one: one.samples / one.seconds)
    ratios = compare(rates, [Asked("", name, CASES[0]) for name in CASES[1:]])
    efforts = of_rounds(lambda one: one.samples / one.processor)
    waits = of_rounds(lambda one: one.exchanges / one.seconds)
    update = median(one.value.seconds for one in taken[CASES[0]])
    return Report(machine, count, rates, efforts, waits, ratios, exchanges, update, gradient)


def exchange(ranks: int, gradient: int, wire: float, step: float) -> float:
    """Return the seconds of one minibatch's exchanges by arithmetic.

    Gradients go round a ring, of which each rank sends and receives 2 (n - 1) / n times their size in 2 (n - 1) steps;
    the moments are a few bytes, and take as many steps.

    Args:
        gradient: bytes. wire: bytes per second. step: seconds that a step takes whatever its size.
    """
    return 2 * (ranks - 1) / ranks * gradient / wire + 2 * 2 * (ranks - 1) * step


def arithmetic(report: Report) -> list[list[str]]:
    """Return by number of ranks how many times as fast as one they would be."""
    c = settings(CASES[0], 1)
    minibatches = c.epochs * -(-c.games * c.horizon // c.minibatch)
    step = median(report.exchanges["moments"]) / (2 * (report.ranks - 1))
    rows = []
    for ranks in MANY:
        cells = []
        for wire in WIRES.values():
            told = minibatches * exchange(ranks, report.gradient, wire, step)
            weak = ranks * report.update / (report.update + told)
            strong = report.update / (report.update / ranks + told)
            cells += [f"{weak:,.1f} ×", f"{strong:,.1f} ×" if c.games >= ranks else ""]
        rows.append([f"{ranks:,}", *cells])
    return rows


def as_json(report: Report) -> dict[str, Any]:
    """Return all of it in plain Python types."""
    return {
        "machine": asdict(report.machine),
        "ranks": report.ranks,
        "rows": [
            {
                "name": name,
                "samples_per_second": report.rates[name].figures(),
                "samples_per_processor_second": report.efforts[name].figures(),
                "share_in_exchanges": report.waits[name].figures(),
            }
            for name in CASES
        ],
        "ratios": [one.as_json() for one in report.ratios],
        "exchange_seconds": report.exchanges,
        "gradient_bytes": report.gradient,
    }


def page(report: Report, typed: str) -> str:
    """Return the page, all of which is written by the command."""
    about = " ".join((__doc__ or "").rpartition("\n\n")[2].split())
    c = settings(CASES[0], 1)
    speed_up = {one.ours: one for one in report.ratios}
    rows = []
    for name in CASES:
        games = settings(name, report.ranks).games
        ratio = told("ratio", speed_up[name]) if name in speed_up else ("", "")
        effort, wait = report.efforts[name], report.waits[name]
        waiting = "" if name == CASES[0] else f"{wait.median:.0%}"
        ranks = 1 if name == CASES[0] else report.ranks
        rows.append([name, ranks, games, *told("rate", report.rates[name]), *ratio, middle("rate", effort), waiting])
    times = [
        [name, size, f"{1e3 * median(found):.2f}", f"{1e3 * quantiles(found, n=10)[-1]:.2f}"]
        for (name, found), size in zip(report.exchanges.items(), (f"{report.gradient:,}", "16"), strict=True)
    ]
    head = [
        "",
        "ranks",
        "games",
        "samples/s",
        "range",
        "to one process",
        "range",
        "per processor second",
        "in exchanges",
    ]
    many = ["ranks", *(f"{kind}, {wire}" for wire in WIRES for kind in ("weak", "strong"))]
    most = 2 * report.gradient * c.epochs / c.minibatch
    sent = most * (report.ranks - 1) / report.ranks
    blocks = [
        "# How training scales",
        f"Written by `{typed}`.",
        "\n".join(f"- {line}" for line in report.machine.lines()),
        about,
        LEGEND,
        table(head, rows, range(1, 9)),
        f"Exchanges alone, {report.ranks} ranks on the loopback, {EXCHANGES} times each:",
        table(["what", "bytes", "median, ms", "9 of 10 below, ms"], times, (1, 2, 3)),
        f"A rank sends {sent:,.0f} bytes a sample of its own, with minibatches of {c.minibatch:,} on each of "
        f"{report.ranks} ranks, and up to {most:,.0f} on many.",
        "By arithmetic, not measured: how many times as fast as one process, if every rank had a machine with such a "
        "core and such a connection, no rank ever waited for a slower one, and a step took as long as on the loopback:",
        table(many, arithmetic(report), range(1, 5)),
    ]
    return "\n\n".join(blocks) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = command.parser("benchmarks.speed.ranks", __doc__)
    parser.add_argument("--ranks", type=int, default=2, help="at least 2 (default: %(default)s)")
    parser.add_argument("--markdown", type=Path, help="write the page to this file")
    options = parser.parse_args(arguments)
    if options.ranks < 2 or settings(CASES[2], options.ranks).games % options.ranks:
        parser.error(f"--ranks {options.ranks}: at least 2, and a divisor of {settings(CASES[2], 1).games} games")
    typed = command.typed("benchmarks.speed.ranks", arguments)
    measure = partial(run, options.rounds, options.tries, options.ranks)
    command.make(parser, options, measure, lambda report: page(report, typed), as_json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
