"""Handing out pieces of work to workers that may die or fall silent; the first answer to a piece counts."""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from typing import Any, Final, NamedTuple, Protocol

__all__ = ["LOSSES", "PATIENCE", "PING", "SILENCE", "BadCluster", "Heard", "Workers", "hand_out"]

PING: Final = 5.0
"""Seconds after which a worker that says nothing is asked for a sign of life."""
SILENCE: Final = 30.0
"""Seconds that it has to give one; then it is given up, and its piece handed out again."""
PATIENCE: Final = 120.0
"""Seconds after which the work ends if nobody at all is heard."""
LOSSES: Final = 5
"""Processes that die over the same piece before it is thought to be what kills them."""


class BadCluster(ValueError):
    """Other machines cannot do the work; the message is a sentence that says why."""


class Heard(NamedTuple):
    """What was heard of a worker; if nothing else is told, a sign of life."""

    worker: int
    ready: bool = False
    """Whether it has begun, and takes pieces from now on."""
    number: int | None = None
    """The number of the piece that it has done."""
    answer: Any = None
    """The answer to this piece."""
    gone: bool = False
    """Whether it will never be heard again."""
    why: str = ""
    """The reason, if it is worth telling."""


class Workers(Protocol):
    """Processes somewhere, known by their numbers, that each do one piece at a time."""

    def recruit(self, most: int) -> list[int]:
        """Start workers where there is room, until there are ``most``, and return the new ones.

        Raises:
            BadCluster: no machine that is there fits.
        """

    def where(self, worker: int) -> str:
        """Return the name of the machine of a worker."""

    def send(self, worker: int, number: int) -> None:
        """Let a worker do a piece."""

    def ping(self, worker: int) -> None:
        """Ask a worker for a sign of life."""

    def give_up(self, worker: int) -> None:
        """Start no more workers where this one fell silent; it may be heard again."""

    def listen(self, seconds: float) -> list[Heard]:
        """Return what was heard since the last call; wait at most ``seconds`` for something."""


def hand_out(
    numbers: Iterable[int],
    workers: Workers,
    tell: Callable[[str], None],
    clock: Callable[[], float] = time.monotonic,
) -> Generator[tuple[int, Any], None, None]:
    """Let workers do all pieces, and give each with its answer as it comes.

    A piece whose worker is gone, or silent for too long, is handed out again. A silent worker that is heard again is
    as good as any, and its answer counts if it is the first.

    numbers: the numbers of the pieces, handed out from the lowest on. tell: called with a sentence, once, when
    something is lost.

    Raises:
        BadCluster: nobody is heard, or a piece takes one process after the other with it.
    """
    missing = set(numbers)
    left = sorted(missing)
    held: dict[int, int | None] = {}  # the piece of each worker that is ready
    heard: dict[int, float] = {}  # when each was heard last, or started
    asked: dict[int, float] = {}  # when it was asked for a sign of life that it still owes
    silent: set[int] = set()
    losses: Counter[int] = Counter()
    told: set[str] = set()
    answers: list[tuple[int, Any]] = []
    lively = clock()
    looked = lively - PING

    def tell_once(sentence: str) -> None:
        if sentence not in told:
            told.add(sentence)
            tell(sentence)

    def give_back(number: int) -> None:
        others = (piece for worker, piece in held.items() if worker not in silent)
        if number in missing and number not in others:
            heapq.heappush(left, number)

    while True:
        if (now := clock()) - looked >= PING:
            looked = now
            heard.update(dict.fromkeys(workers.recruit(len(missing)), now))
            for worker, last in heard.items():
                if worker not in asked and now - last >= PING:
                    asked[worker] = now
                    workers.ping(worker)
        for worker, piece in held.items():
            if piece is None and worker not in silent:
                while left and left[0] not in missing:
                    heapq.heappop(left)
                if left:
                    held[worker] = number = heapq.heappop(left)
                    workers.send(worker, number)
        yield from answers  # now, since whoever takes them may take his time
        answers.clear()
        if not missing:
            return
        for one in workers.listen(PING):
            lively = clock()
            if one.gone:
                del heard[one.worker]
                asked.pop(one.worker, None)
                if one.why and one.worker not in silent:  # else it was given up before, and that was told
                    tell_once(f"{workers.where(one.worker)}: {one.why}")
                silent.discard(one.worker)
                if (lost := held.pop(one.worker, None)) is not None:
                    give_back(lost)
                    losses[lost] += 1
                    if losses[lost] >= LOSSES:
                        raise BadCluster(f"{LOSSES} processes died one after the other over the same work")
                continue
            heard[one.worker] = lively
            asked.pop(one.worker, None)
            silent.discard(one.worker)
            if one.ready or one.number is not None:
                held[one.worker] = None
            if one.number in missing:
                missing.remove(one.number)
                answers.append((one.number, one.answer))
        now = clock()
        for worker in [worker for worker, since in asked.items() if now - since >= SILENCE and worker in held]:
            if worker not in silent:
                silent.add(worker)
                workers.give_up(worker)
                tell_once(f"{workers.where(worker)}: silent for {SILENCE:.0f} s; its work is handed out again")
                if (lost := held[worker]) is not None:
                    give_back(lost)
        if now - lively >= PATIENCE:
            raise BadCluster(f"no process was heard for {PATIENCE:.0f} s: is the network up, and are cores free?")
