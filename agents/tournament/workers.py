"""Playing chunks in this process, or in several."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from .play import Entrant, Played, Setup, make_again, play_chunk, try_out
from .schedule import BadTournament, Chunk

__all__ = ["play_chunks", "usable_cores"]


def usable_cores() -> int:
    """Processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_chunks(
    chunks: dict[int, Chunk],
    entrants: Sequence[Entrant],
    setup: Setup,
    *,
    jobs: int,
    progress: Callable[[int], None],
    records: bool,
) -> Generator[tuple[int, Played], None, None]:
    """Play chunks and give each when it is finished, in any order.

    With more than one process the agents are made anew in each, from the arguments and seeds of the entrants.
    When the iterator is closed or an error leaves it, the processes are ended.

    Args:
        chunks: by number; they are begun in this order.
        entrants, setup, records: as for :func:`agents.tournament.play_chunk`.
        jobs: processes, 1 or more; 1 plays in this one.
        progress: called with the number of games that ended since it was last called.

    Raises:
        BadTournament: an agent cannot be made in another process, or such a process died. IllegalMove: as play_chunk.
    """
    jobs = min(jobs, len(chunks))
    if jobs > 1:
        yield from _in_processes(chunks, entrants, setup, jobs, progress, records)
    elif jobs == 1:
        with _one_thread():
            try_out(entrants, setup)
            for number, chunk in chunks.items():
                yield number, play_chunk(chunk, entrants, setup, progress=progress, records=records)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch compute on one thread: results do not depend on the machine then, and times can be compared."""
    torch = sys.modules.get("torch")  # there if an agent needs it
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


# --- the processes ----------------------------------------------------------------------------------------------

_Recipe = tuple[str, str, int, str | None]


class _Worker:
    """What a worker process knows: from what its agents are made, and these, once they are needed."""

    def __init__(self, recipes: Sequence[_Recipe], setup: Setup, records: bool) -> None:
        self._recipes = recipes
        self._setup = setup
        self._records = records

    @functools.cached_property
    def _entrants(self) -> list[Entrant]:
        made = [make_again(*recipe, self._setup.board) for recipe in self._recipes]
        if torch := sys.modules.get("torch"):
            torch.set_num_threads(1)
        try_out(made, self._setup)
        return made

    def play(self, chunk: Chunk) -> Played:
        """Play a chunk; an error in making the agents comes up here, where it finds its way back."""
        return play_chunk(chunk, self._entrants, self._setup, records=self._records)


_worker: _Worker | None = None


def _begin(recipes: Sequence[_Recipe], setup: Setup, records: bool) -> None:
    """Prepare a worker process: the first process decides when it ends, and it does not outlive that one."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = _Worker(recipes, setup, records)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(chunk: Chunk) -> Played:
    assert _worker is not None
    return _worker.play(chunk)


@contextlib.contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Keep Ctrl-C waiting, where the system can; a process that is born meanwhile keeps it waiting too."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_processes(
    chunks: dict[int, Chunk],
    entrants: Sequence[Entrant],
    setup: Setup,
    jobs: int,
    progress: Callable[[int], None],
    records: bool,
) -> Generator[tuple[int, Played], None, None]:
    """:func:`play_chunks` with ``jobs`` processes."""
    recipes = [(entrant.name, entrant.argument, entrant.seed, entrant.weights) for entrant in entrants]
    others = set(multiprocessing.active_children())
    left = iter(chunks.items())
    running: dict[Future[Played], int] = {}
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(recipes, setup, records)
    )
    finished = False
    try:
        while True:
            while len(running) < 2 * jobs and (following := next(left, None)) is not None:
                number, chunk = following
                with _interrupts_wait():  # a process that is being born would answer one with a traceback
                    running[pool.submit(_play, chunk)] = number
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                number = running.pop(future)
                played = future.result()
                progress(chunks[number].games)
                yield number, played
        finished = True
    except BrokenProcessPool as error:
        raise BadTournament("a process that played games was killed") from error
    finally:
        if not finished:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
