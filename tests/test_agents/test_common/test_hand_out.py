"""Handing out work to workers that die or fall silent: nothing is lost, and the first answer counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.common.hand_out import LOSSES, PATIENCE, PING, SILENCE, BadCluster, Heard, hand_out

DIED = "a process died"
BEGINS, TAKES = 1.0, 3.0
"""Seconds until a worker is ready, and of a piece."""


@dataclass
class Machine:
    """A machine with one core, and what befalls it."""

    dies: float = inf
    """When its first worker dies; it gets another one."""
    silent: tuple[float, float] = (inf, inf)
    """From when to when nothing comes through; what was said meanwhile comes then."""
    takes: float = TAKES
    """Seconds of a piece."""


@dataclass
class Machines:
    """Workers of machines, in a time of their own."""

    machines: list[Machine]
    deadly: frozenset[int] = frozenset()
    """Pieces that kill whoever does them."""
    now: float = 0.0
    of: list[Machine] = field(default_factory=list)
    """The machine of each worker."""
    given_up: list[Machine] = field(default_factory=list)
    """Those that get no new worker."""
    living: set[int] = field(default_factory=set)
    coming: list[tuple[float, Heard]] = field(default_factory=list)
    sent: list[tuple[float, int, int]] = field(default_factory=list)
    """When, to which machine, and which piece."""

    def clock(self) -> float:
        return self.now

    def recruit(self, most: int) -> list[int]:
        taken = [self.of[worker] for worker in self.living]
        free = [one for one in self.machines if not any(one is other for other in [*taken, *self.given_up])]
        found = []
        for machine in free[: max(0, most - len(self.living))]:
            worker = len(self.of)
            self.of.append(machine)
            self.living.add(worker)
            self.say(BEGINS, Heard(worker, ready=True))
            found.append(worker)
        return found

    def where(self, worker: int) -> str:
        return f"machine {self.number(worker)}"

    def number(self, worker: int) -> int:
        return next(k for k, one in enumerate(self.machines) if one is self.of[worker])

    def say(self, after: float, what: Heard) -> None:
        """Let something be heard of a worker, as far as its machine lets it through."""
        machine, when = self.of[what.worker], self.now + after
        if when >= machine.dies and not what.gone:
            machine.dies, when, what = inf, max(machine.dies, self.now), Heard(what.worker, gone=True, why=DIED)
        begin, end = machine.silent
        self.coming.append((end if begin <= when < end else when, what))

    def send(self, worker: int, number: int) -> None:
        assert worker in self.living
        self.sent.append((self.now, self.number(worker), number))
        if number in self.deadly:
            self.say(BEGINS, Heard(worker, gone=True, why=DIED))
        else:
            self.say(self.of[worker].takes, Heard(worker, number=number, answer=f"{number} done"))

    def ping(self, worker: int) -> None:
        assert worker in self.living
        self.say(0.1, Heard(worker))

    def give_up(self, worker: int) -> None:
        self.given_up.append(self.of[worker])

    def listen(self, seconds: float) -> list[Heard]:
        soonest = min((when for when, _ in self.coming), default=inf)
        self.now = max(self.now, min(soonest, self.now + seconds))
        heard: list[Heard] = []
        for one in [one for when, one in self.coming if when <= self.now]:
            if one.worker in self.living:
                heard.append(one)
            if one.gone:
                self.living.discard(one.worker)
        self.coming = [(when, one) for when, one in self.coming if when > self.now]
        return heard


def done(machines: Machines, pieces: int, taken: Callable[[], object] = lambda: None) -> tuple[list[int], list[str]]:
    """The numbers of the pieces as they were done, and what was told; every answer is its piece's."""
    told: list[str] = []
    numbers = []
    for number, answer in hand_out(range(pieces), machines, told.append, machines.clock):
        assert answer == f"{number} done"
        numbers.append(number)
        taken()
    return numbers, told


def test_every_piece_is_done_once_and_all_workers_work() -> None:
    machines = Machines([Machine(), Machine(), Machine(takes=9)])
    numbers, told = done(machines, 20)
    assert sorted(numbers) == [*range(20)]
    assert [number for _, _, number in machines.sent] == [*range(20)]  # from the lowest on, and none twice
    shares = [sum(machine == k for _, machine, _ in machines.sent) for k in range(3)]
    assert min(shares[:2]) > 2 * shares[2] > 0
    assert told == []


def test_no_more_workers_begin_than_there_are_pieces() -> None:
    machines = Machines([Machine() for _ in range(8)])
    assert sorted(done(machines, 3)[0]) == [0, 1, 2]
    assert len(machines.of) == 3


def test_nothing_to_do_needs_nobody() -> None:
    assert done(Machines([]), 0) == ([], [])


def test_what_a_dead_worker_had_is_done_by_another_one_at_once() -> None:
    machines = Machines([Machine(dies=5), Machine()])
    numbers, told = done(machines, 6)
    assert sorted(numbers) == [*range(6)]
    assert told == [f"machine 0: {DIED}"]
    twice = [number for _, _, number in machines.sent if [n for _, _, n in machines.sent].count(number) == 2]
    assert len(twice) == 2  # the one that it had, sent twice
    again = [when for when, _, number in machines.sent if number == twice[0]][1]
    assert again < 5 + TAKES
    assert any(machine == 0 and when > 5 for when, machine, _ in machines.sent)  # it has a new worker


def test_a_silent_worker_is_given_up_after_the_deadline() -> None:
    machines = Machines([Machine(silent=(2, inf)), Machine()])
    numbers, told = done(machines, 40)
    assert sorted(numbers) == [*range(40)]
    assert told == [f"machine 0: silent for {SILENCE:.0f} s; its work is handed out again"]
    (lost,) = {number for _, machine, number in machines.sent if machine == 0}
    first, again = (when for when, _, number in machines.sent if number == lost)
    assert SILENCE <= again - first <= SILENCE + 2 * PING + TAKES


def test_the_first_answer_counts_and_who_is_heard_again_works_again() -> None:
    machines = Machines([Machine(silent=(2, 80)), Machine()])
    numbers, told = done(machines, 60)
    assert sorted(numbers) == [*range(60)]  # one of them was answered twice
    assert len(told) == 1
    assert any(machine == 0 and when >= 80 for when, machine, _ in machines.sent)


def test_a_late_answer_counts_if_it_is_the_first() -> None:
    machines = Machines([Machine(silent=(2, 45)), Machine(takes=100)])
    (first, *_), _ = done(machines, 2)
    assert first == machines.sent[0][2]
    assert machines.now < 150  # nobody waited for the second answer to it


def test_long_pieces_are_no_silence() -> None:
    machines = Machines([Machine(takes=20 * SILENCE)])
    assert done(machines, 2) == ([0, 1], [])
    assert len(machines.sent) == 2


def test_whoever_takes_the_answers_may_take_his_time() -> None:
    """A worker is silent if it leaves a question open, not if nobody listens; meanwhile it has the next piece."""
    machines = Machines([Machine(), Machine(takes=4 * SILENCE)])
    sent: list[int] = []

    def dawdle() -> None:
        machines.now += 2 * SILENCE
        sent.append(len(machines.sent))

    assert done(machines, 6, dawdle)[1] == []
    assert sent[0] == 3


def test_a_machine_that_falls_silent_and_dies_is_told_of_once_and_gets_no_new_worker() -> None:
    machines = Machines([Machine(silent=(5, 60), dies=6), Machine()])
    numbers, told = done(machines, 60)
    assert sorted(numbers) == [*range(60)]
    assert told == [f"machine 0: silent for {SILENCE:.0f} s; its work is handed out again"]
    assert len(machines.of) == 2


@pytest.mark.parametrize("machine", [Machine(silent=(0, inf)), None])
def test_if_nobody_is_heard_it_ends_with_a_sentence(machine: Machine | None) -> None:
    machines = Machines([machine] if machine else [])
    with pytest.raises(BadCluster, match=f"no process was heard for {PATIENCE:.0f} s"):
        done(machines, 2)
    assert machines.now < PATIENCE + 2 * PING


def test_a_piece_that_kills_one_process_after_the_other_ends_it() -> None:
    machines = Machines([Machine(), Machine()], deadly=frozenset([1]))
    with pytest.raises(BadCluster, match=f"{LOSSES} processes died one after the other over the same work"):
        done(machines, 3)
    assert [number for _, _, number in machines.sent].count(1) == LOSSES


@given(
    st.lists(
        st.builds(
            Machine,
            dies=st.floats(0, 200) | st.just(inf),
            silent=st.tuples(st.floats(0, 200), st.floats(0, 200)),
            takes=st.floats(0.1, 100),
        ),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 30),
)
def test_whatever_happens_every_piece_is_done_once(found: list[Machine], pieces: int) -> None:
    machines = Machines([Machine(), *found])
    assert sorted(done(machines, pieces)[0]) == [*range(pieces)]
