"""Processes that are ranks of one run, without torchrun, and what tests of them need."""

import multiprocessing
import os
import socket
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

import torch
from torch import distributed

from agents.training.ranks import Ranks, join
from tests.namespaces import Machine, two_machines


def environment(rank: int, count: int, port: int, **more: object) -> dict[str, str]:
    """What torchrun sets for a rank on this machine; rank 0 holds the store."""
    told = dict(
        RANK=rank, WORLD_SIZE=count, LOCAL_RANK=rank, LOCAL_WORLD_SIZE=count, MASTER_ADDR="127.0.0.1",
        MASTER_PORT=port, TORCHELASTIC_RUN_ID="test", OMP_NUM_THREADS=1,
    ) | more  # fmt: skip
    return {name: str(value) for name, value in told.items()}


def free_port(here: Machine) -> int:
    """A port of a machine that nobody listens on: any below those that the system gives out, where it is apart."""
    if here.apart:
        return 29_400
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _serve(connection: Connection, here: Machine, rank: int, count: int, port: int) -> None:
    here.enter()
    os.environ.update(environment(rank, count, port))
    torch.set_num_threads(1)
    ranks = join(60.0)
    while (asked := connection.recv()) is not None:
        function, arguments = asked
        try:
            connection.send((function(ranks, *arguments), ""))
        except BaseException:
            connection.send((None, traceback.format_exc()))
    distributed.destroy_process_group()


class Group:
    """Ranks that do what they are told at the same time."""

    def __init__(self, connections: list[Connection]) -> None:
        self._connections = connections

    def do(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call ``function(ranks, *arguments)`` on every rank, and return what each of them returned.

        The function is one of a module.
        """
        for connection in self._connections:
            connection.send((function, arguments))
        answers = [connection.recv() for connection in self._connections]
        assert not any(trouble for _, trouble in answers), "\n".join(trouble for _, trouble in answers)
        return [answer for answer, _ in answers]


@contextmanager
def group(count: int) -> Iterator[Group]:
    """So many ranks, each a process; on a machine of their own, as torch's store listens on all interfaces."""
    with two_machines() as (here, _):
        yield from _group(count, here)


def _group(count: int, here: Machine) -> Iterator[Group]:
    context = multiprocessing.get_context("spawn")
    port, pipes = free_port(here), [context.Pipe() for _ in range(count)]
    processes = [
        context.Process(target=_serve, args=(theirs, here, rank, count, port), daemon=True)
        for rank, (_, theirs) in enumerate(pipes)
    ]
    for process in processes:
        process.start()
    for _, theirs in pipes:
        theirs.close()
    try:
        yield Group([ours for ours, _ in pipes])
        for ours, _ in pipes:
            ours.send(None)
        for process in processes:
            process.join(60)
        assert [process.exitcode for process in processes] == [0] * count
    finally:
        for process in processes:
            process.kill()


class OneOf(Ranks):
    """The first of several ranks, of which the others do not exist."""

    def __init__(self, count: int) -> None:
        self.count = count
