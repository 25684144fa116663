"""Whether a measurement was disturbed: what else had its cores while it ran.

No shared machine is quiet for as long as a page takes. So each measurement is judged by itself, one that was disturbed
is taken again, and the least disturbed of its tries counts.

Two clocks tell. A thread that never waits should get all of the time as processor time; what it does not get, others
had. And Linux counts how long each core was busy: what exceeds our own processor time, others had, and so they had what
the hypervisor stole. The second clock also judges threads that wait for each other, but it counts in hundredths of a
second, so it only sees what lasts longer.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

LIMIT: Final = 0.03
"""The share of its cores that others may have during a measurement that counts as undisturbed."""
TRIES: Final = 5
"""How often one measurement is taken at most."""
SLACK: Final = 0.01
"""Seconds by which the count of a core's busy time may be off: it is sampled and rounded to hundredths."""


class Reading(NamedTuple):
    """What the clocks showed at one moment, all in seconds."""

    wall: float
    own: float
    """Processor time of what is measured."""
    busy: tuple[float, ...] | None = None
    """For each watched core, the time that it worked for anybody here; None where the system does not say."""
    stolen: tuple[float, ...] = ()
    """For each watched core, the time that the hypervisor gave to other machines."""


def read(cores: Iterable[int]) -> Reading:
    """Read the clocks for this process, which runs on these cores."""
    return Reading(time.perf_counter(), time.process_time(), *_core_times(_with_siblings(cores)))


def read_children(cores: Iterable[int]) -> Reading:
    """Read the clocks for the processes that this one has started and waited for, which ran on these cores."""
    times = os.times()
    own = times.children_user + times.children_system
    return Reading(time.perf_counter(), own, *_core_times(_with_siblings(cores)))


def others_share(before: Reading, after: Reading, threads: int = 1, *, waits: bool = False) -> float:
    """Return the share of its cores, one a thread, that others had between two readings, 0 or more.

    waits: whether it waits for anything, its own threads or a file, so that its processor time alone says nothing.
    """
    wall, own = after.wall - before.wall, after.own - before.own
    lost = 0.0 if waits else wall - own
    if before.busy is not None and after.busy is not None:
        stolen = sum(after.stolen) - sum(before.stolen)
        seen = max(sum(after.busy) - sum(before.busy) - own, 0.0) + stolen
        lost = max(lost, seen - SLACK * len(after.busy))
    return max(lost, 0.0) / (wall * threads)


def _with_siblings(cores: Iterable[int]) -> set[int]:
    """The given cores and the hyper-threads that share them: what runs there slows ours down too."""
    found = set(cores)
    for core in tuple(found):
        with suppress(OSError):
            path = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
            ranges = [part.split("-") for part in path.read_text(encoding="ascii").strip().split(",")]
            found.update(core for ends in ranges for core in range(int(ends[0]), int(ends[-1]) + 1))
    return found


def _core_times(
    cores: Iterable[int], file: Path = Path("/proc/stat")
) -> tuple[tuple[float, ...] | None, tuple[float, ...]]:
    """Busy and stolen seconds of each core since the system started; None and nothing where it does not say."""
    try:
        lines = [line.split() for line in file.read_text(encoding="ascii").splitlines()]
        ticks = os.sysconf("SC_CLK_TCK")
        counts = {line[0]: [int(count) / ticks for count in line[1:]] for line in lines if line[0].startswith("cpu")}
        rows = [counts[f"cpu{core}"] for core in cores]
    except (OSError, KeyError):
        return None, ()
    # user, nice, system, idle, waiting for a disk, interrupts (two kinds), stolen; guests are counted under user
    return tuple(sum(row[:3]) + sum(row[5:7]) for row in rows), tuple(row[7] for row in rows)


Value = TypeVar("Value")
Task = TypeVar("Task", bound=Hashable)


class Measurement(NamedTuple, Generic[Value]):
    """What one measurement gave, and the share of its cores that others had meanwhile."""

    value: Value
    others: float


@dataclass
class Repeats:
    """Takes disturbed measurements again, in all no more often than there were measurements."""

    tries: int = TRIES
    left: int = 0
    """How many repetitions the rounds so far have left over."""

    def round(
        self, tasks: Sequence[Task], take: Callable[[Task, int], Measurement[Value] | None]
    ) -> dict[Task, Measurement[Value]]:
        """Take every measurement once, then those again that were disturbed; return the least disturbed of each.

        A disturbance tends to last, so a measurement is repeated after all others, not at once. ``take`` measures a
        task, told how often that was done before in this round, or returns None if it cannot be done.
        """
        self.left += len(tasks)
        best: dict[Task, Measurement[Value]] = {}
        waiting = list(tasks)
        for attempt in range(self.tries):
            if attempt:
                waiting = [task for task in waiting if task in best and best[task].others > LIMIT][: self.left]
                self.left -= len(waiting)
            for task in waiting:
                taken = take(task, attempt)
                if taken is not None and (task not in best or taken.others < best[task].others):
                    best[task] = taken
        return best


def in_rounds(
    tasks: Sequence[Task],
    rounds: int,
    tries: int,
    take: Callable[[str, Task, int], Measurement[Value] | None],
    after_round: Callable[[], None] = lambda: None,
) -> dict[Task, list[Measurement[Value]]]:
    """Take every measurement once a round, forwards and backwards in turn; return those of each task, by round.

    ``take`` is as in :meth:`Repeats.round`, but told the round first: "round 1 of 5".
    """
    repeats = Repeats(tries)
    found: dict[Task, list[Measurement[Value]]] = {task: [] for task in tasks}
    for number in range(rounds):
        order = tasks if number % 2 == 0 else tasks[::-1]
        for task, best in repeats.round(order, partial(take, f"round {number + 1} of {rounds}")).items():
            found[task].append(best)
        after_round()
    return found
