"""Training on several processes, which torchrun starts on one machine or several: each is a *rank* of one run.

Every rank plays its part of the games and computes its part of every minibatch; gradients are averaged, so that all
make the same steps. Rank 0 alone reads and writes the run's folder, plays the panel and looks at the clock; the others
are told. A process alone is rank 0 of 1.

Ranks hand each other Python's pickles over connections that nothing protects, as torch's own store does: whoever
reaches them can run code. So they belong on a private network.
"""

import atexit
import contextlib
import os
import platform
import re
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Final, TypeVar

import torch
from torch import distributed
from torch.distributed.distributed_c10d import PrefixStore, Store
from torch.distributed.rendezvous import rendezvous

from agents.common.command import held_back

from .config import PATIENCE

T = TypeVar("T")
_STARTED: Final = "TORCHELASTIC_RUN_ID"
"""What torchrun sets in the environment of every rank, beside the variables that torch reads."""
_LOOPBACK: Final = ("lo", "lo0")  # what systems call it
_PAUSE: Final = 0.02  # seconds between two looks at the store
_LONGEST: Final = 1e6  # the longest wait for other ranks, in seconds
_OWN: Final = 32  # bits by which the seeds of two ranks' draws are apart


class BadRanks(ValueError):
    """These ranks cannot train together; the message says why."""


class RankFailed(RuntimeError):
    """Another rank has failed, is gone, or was silent for too long; the message says which."""


class Ranks:
    """The ranks of a run as one of them sees them: those that torch's default process group connects, or one alone.

    The methods are called by all ranks in the same order, with arguments of the same shapes. For one alone they do
    nothing.

    timeout: the seconds after which torch gives others up; None for one alone.
    """

    rank: int = 0  # the number of this one, from 0
    count: int = 1  # the number of ranks
    restarts: bool = False
    """Whether torchrun may start all ranks anew with the same command when one has failed (``--max-restarts``)."""

    _alone = True

    def __init__(self, timeout: float | None = None) -> None:
        self._timeout = timeout
        self._came: list[int] = []
        if timeout is not None:
            self._alone, self.rank, self.count = False, distributed.get_rank(), distributed.get_world_size()

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:
            raise RankFailed(
                f"rank {self.rank} on {platform.node()}: another rank has ended, or was silent for {self._timeout:g} s "
                f"({_reason(error)})"
            ) from None

    def _sum(self, values: torch.Tensor) -> torch.Tensor:
        """Return the sums over the ranks, the same bits on each of them."""
        sums = values.cpu()
        with self._speaking():
            distributed.all_reduce(sums)
        return sums.to(values.device)

    def average(self, tensors: Iterable[torch.Tensor]) -> None:
        """Replace float32 tensors by their means over the ranks."""
        if not self._alone:
            tensors = list(tensors)
            _write(self._sum(_flat(tensors)) / self.count, tensors)

    def moments(self, values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return mean and standard deviation of the values of all ranks, which have equally many each."""
        if self._alone:
            return values.mean(), values.std()
        exact = values.double()
        total, squares = self._sum(torch.stack([exact.sum(), exact.square().sum()]))
        n = len(values) * self.count
        mean = total / n
        spread = (squares - n * mean.square()).clamp(min=0.0) / (n - 1)
        return mean.to(values.dtype), spread.sqrt().to(values.dtype)

    def share(self, tensors: Iterable[torch.Tensor]) -> None:
        """Replace float32 tensors by those of rank 0."""
        if self._alone:
            return
        tensors = list(tensors)
        flat = _flat(tensors).cpu()
        with self._speaking():
            distributed.broadcast(flat, 0)
        if self.rank:
            _write(flat, tensors)

    def first(self, work: Callable[[], T]) -> T:
        """Return what ``work`` returns on rank 0, where alone it is done.

        Where it raises an error there, the others raise RankFailed.
        """
        told: list[Any] = [None, None]
        if self.rank == 0:
            try:
                told = [work(), None]
            except Exception as error:
                with contextlib.suppress(RankFailed):
                    self._tell([None, str(error)])
                raise
        self._tell(told)
        if told[1] is not None:
            raise RankFailed(f"rank {self.rank} on {platform.node()} stops, as rank 0 has failed: {told[1]}")
        return told[0]

    def _tell(self, told: list[Any]) -> None:
        if not self._alone:
            with self._speaking():
                distributed.broadcast_object_list(told, 0)

    def gathered(self, value: T) -> list[T]:
        """Return the values of all ranks, in their order."""
        found: list[Any] = [value] * self.count
        if not self._alone:
            with self._speaking():
                distributed.all_gather_object(found, value)
        return found

    def agreed(self, value: float) -> float:
        """Return what rank 0 says. Raises KeyboardInterrupt on all ranks if one was interrupted: :meth:`interrupts`."""
        if self._alone:
            return value
        said, came = self._sum(torch.tensor([0.0 if self.rank else value, len(self._came)], dtype=torch.float64))
        if came:
            raise KeyboardInterrupt
        return float(said)

    @contextlib.contextmanager
    def interrupts(self) -> Iterator[None]:
        """Let SIGINT and SIGTERM to any rank wait for the next :meth:`agreed`, so that all stop at the same place."""
        if self._alone:
            yield
            return
        try:
            with held_back() as self._came:
                yield
        finally:
            self._came = []

    def check(self, facts: Callable[[], Mapping[str, object]]) -> None:
        """Raise BadRanks unless all ranks state the same facts."""
        if self._alone:
            return
        stated = self.gathered((platform.node(), {name: str(fact) for name, fact in facts().items()}))
        host, wanted = stated[0]
        for rank, (other, found) in enumerate(stated):
            for name in [*wanted, *(found.keys() - wanted.keys())]:
                if found.get(name) != wanted.get(name):
                    raise BadRanks(
                        f"rank {rank} on {other} has {name} {found.get(name, '-')}, "
                        f"rank 0 on {host} {wanted.get(name, '-')}; they must be the same"
                    )

    def divided(self, name: str, number: int) -> int:
        """Return each rank's part of a number of things.

        Raises BadRanks if it cannot be divided evenly.
        """
        if number % self.count:
            fit = [count for count in range(1, number + 1) if number % count == 0]
            near = [max(count for count in fit if count < self.count), *(count for count in fit if count > self.count)]
            may = " or ".join(map(str, near[:2]))
            raise BadRanks(f"{name} {number} cannot be divided evenly among {self.count} ranks; among {may} it can")
        return number // self.count

    def own_seed(self, seed: int) -> int:
        """Return a seed for draws that each rank makes for itself; rank 0 has the one that is given."""
        return seed + (self.rank << _OWN)


ALONE: Final = Ranks()


def _reason(error: Exception) -> str:
    """Return the first sentence of what torch says, without the lines of its sources."""
    return re.sub(r"\[/[^]]*\] ", "", str(error).partition("\n")[0]).partition(". ")[0]


def _flat(tensors: list[torch.Tensor]) -> torch.Tensor:
    return torch.cat([tensor.detach().reshape(-1) for tensor in tensors])


def _write(flat: torch.Tensor, tensors: list[torch.Tensor]) -> None:
    with torch.no_grad():
        for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
            tensor.copy_(part.view_as(tensor))


def _meet(store: Store, rank: int, count: int, timeout: float) -> Store:
    """Return a part of torchrun's store that is empty, and these ranks' alone.

    The store itself holds what ranks wrote before they were started anew (torch 2.13; pytorch's issue 135712), and
    whoever read the addresses there would call the dead. So each rank puts down a word that nobody has used, until
    rank 0 has called it.
    """
    word, end = secrets.token_hex(8), time.monotonic() + timeout
    if rank:
        store.set(f"here {rank}", word)
        called = store.get("called").decode().split()
        while word not in called:
            _pause(end)
            called = store.get("called").decode().split()
        store.set(f"{called[0]} {rank}", "")
        return PrefixStore(called[0], store)
    others = range(1, count)
    while not store.check([f"{word} {other}" for other in others]):
        store.set("called", " ".join([word, *(store.get(f"here {other}").decode() for other in others)]))
        _pause(end)
    return PrefixStore(word, store)


def _pause(end: float) -> None:
    if time.monotonic() > end:
        raise RuntimeError("not all have come")
    time.sleep(_PAUSE)


def join(timeout: float = PATIENCE) -> Ranks:
    """Return the ranks that torchrun started this process among; one alone if it was started without.

    Where all are on this machine, they listen on the loopback alone; else on the interface that the environment names
    in ``GLOO_SOCKET_IFNAME``, or the one that has the address of this machine's name.

    timeout: seconds after which a rank that others wait for is given up.

    Raises BadRanks: the others cannot be reached, or the timeout is not above 0 and finite.
    """
    if not 0 < timeout <= _LONGEST:
        raise BadRanks(f"{timeout!r} seconds to wait for other ranks: above 0 and at most {_LONGEST:,.0f}")
    env = os.environ
    alone = _STARTED not in env or env["WORLD_SIZE"] == "1"
    if not alone and env["LOCAL_WORLD_SIZE"] == env["WORLD_SIZE"]:
        for _, name in socket.if_nameindex():
            if name in _LOOPBACK:
                env.setdefault("GLOO_SOCKET_IFNAME", name)
    try:
        if not alone:
            store, rank, count = next(rendezvous("env://", timeout=timedelta(seconds=timeout)))
            own = _meet(store, rank, count, timeout)
            distributed.init_process_group(
                "gloo", store=own, rank=rank, world_size=count, timeout=timedelta(seconds=timeout)
            )
            atexit.register(distributed.destroy_process_group)  # or its threads end the process with SIGABRT
    except (RuntimeError, ValueError) as error:
        raise BadRanks(
            f"rank {env['RANK']} of {env['WORLD_SIZE']} on {platform.node()} does not reach the others within "
            f"{timeout:g} s, by way of {env['MASTER_ADDR']}:{env['MASTER_PORT']}: {_reason(error)}; "
            "GLOO_SOCKET_IFNAME names the network interface to use"
        ) from None
    ranks = Ranks(None if alone else timeout)
    ranks.restarts = env.get("TORCHELASTIC_MAX_RESTARTS", "0") != "0" and _STARTED in env
    return ranks
