"""Playing chunks in this process, in several, or on the machines of a Ray cluster."""

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, cast

from agents.common.cluster import BadCluster, check_address, on_cluster
from agents.players.program import ProgramAgent
from bohemian_env.engine.contract import Setup
from bohemian_env.games import rules_for

from .play import Entrant, Played, dismiss, make_again, play_chunk, try_out
from .schedule import BadTournament, Chunk


def play_chunks(
    chunks: dict[int, Chunk],
    entrants: Sequence[Entrant],
    setup: Setup,
    *,
    jobs: int,
    ray: str | None,
    progress: Callable[[int], None],
    tell: Callable[[str], None],
    records: bool,
) -> Generator[tuple[int, Played], None, None]:
    """Play chunks and give each when it is finished, in any order.

    Other arguments are those of :func:`play_chunk`, and of :func:`compare`. With more than one process the agents are
    made anew in each, from the arguments and seeds of the entrants. When the iterator is closed or an error leaves it,
    the processes are ended.

    Raises:
        BadTournament: an agent cannot be made in another process, such a process cannot begin or died, or the cluster
            cannot play.
        IllegalMove: as play_chunk.
    """
    if not chunks:
        return
    jobs = min(jobs, len(chunks))
    if ray is None and jobs == 1:
        with _one_thread():
            try:
                try_out(entrants, setup)
                for number, chunk in chunks.items():
                    yield number, play_chunk(chunk, entrants, setup, progress=progress, records=records)
            finally:
                dismiss(entrants)
        return
    make = partial(_player, _recipes(entrants), setup, records)
    if ray is None:
        programs = any(isinstance(entrant.agent, ProgramAgent) for entrant in entrants)
        found = _in_processes(chunks, make, jobs, _FAREWELL * programs)
    else:
        found = on_cluster(chunks, ray, make, tell)
    try:
        with contextlib.closing(found) as playing:
            for number, played in playing:
                progress(chunks[number].games)
                yield number, played
    except BadCluster as error:
        raise BadTournament(str(error)) from error


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


def check_ray(address: str) -> None:
    """Raise BadTournament for what is no address of a Ray cluster."""
    try:
        check_address(address)
    except BadCluster as error:
        raise BadTournament(str(error)) from error


# --- the processes ----------------------------------------------------------------------------------------------

_Play = Callable[[Chunk], Played]
_Recipe = tuple[str, str, int, str | None]
_SIGNALS: Final = {signal.SIGINT, signal.SIGTERM}
_FAREWELL: Final = 2.0  # seconds that processes have to end their programs


def _recipes(entrants: Sequence[Entrant]) -> list[_Recipe]:
    """Return what :func:`_player` makes the same entrants of."""
    return [(entrant.name, entrant.argument, entrant.seed, entrant.weights) for entrant in entrants]


def _player(recipes: Sequence[_Recipe], setup: Setup, records: bool) -> _Play:
    """Return what plays chunks in another process, with entrants that are made once and ready to play."""
    board, game = getattr(setup, "board", None), rules_for(setup).name
    entrants = [make_again(*recipe, board, game) for recipe in recipes]
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)
    try_out(entrants, setup)
    return partial(play_chunk, entrants=entrants, setup=setup, records=records)


def _work(connection: Connection, make: Callable[[], _Play]) -> None:
    """Play the chunks that this worker process is sent, until the first process ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    play: _Play | None = None
    with contextlib.suppress(EOFError, ConnectionError):  # nobody asks any more, or wants the answer
        while True:
            number, chunk = connection.recv()
            answer: Played | Exception
            try:
                play = play or make()  # here, where an error finds its way back
                answer = play(chunk)
            except Exception as error:
                error.add_note(f"in a process that played games:\n{traceback.format_exc()}")
                answer = error
            try:
                connection.send((number, answer))
            except (AttributeError, TypeError, ValueError, pickle.PicklingError):  # an error that cannot travel
                connection.send((number, RuntimeError(str(answer))))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Keep Ctrl-C waiting, where the system can; a process that is born meanwhile keeps it waiting too."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_processes(
    chunks: dict[int, Chunk], make: Callable[[], _Play], jobs: int, farewell: float
) -> Generator[tuple[int, Played], None, None]:
    """Do what :func:`play_chunks` does with ``jobs`` processes, which have ``farewell`` seconds to end their programs.

    Each has a pipe of its own, and no thread stands between: a process can be killed at any moment, even in the middle
    of an answer, and nobody waits for the rest of it. (``ProcessPoolExecutor`` does then, for ever.)
    """
    context = multiprocessing.get_context("spawn")
    resource_tracker.ensure_running()  # which lets interrupts through again when it starts
    left = iter(chunks.items())
    processes: dict[Connection, SpawnProcess] = {}
    begun: set[Connection] = set()
    try:
        for _ in range(jobs):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, make), daemon=True)
            with _interrupts_wait():  # a process that is being born would answer one with a traceback
                process.start()
                processes[here] = process
            there.close()
        busy = [connection for connection in processes if _hand_out(connection, left)]
        while busy:
            for connection in cast("list[Connection]", wait(busy)):
                number, played = _answer(connection, partial(_why_ended, processes[connection], connection in begun))
                begun.add(connection)
                if not _hand_out(connection, left):
                    busy.remove(connection)
                yield number, played
    finally:
        for connection in processes:
            connection.close()
        end = time.monotonic() + farewell
        for process in processes.values():
            process.join(max(0.0, end - time.monotonic()))  # one that is idle ends by itself now, and its programs too
            process.kill()  # they hold nothing else that must be put away
        for process in processes.values():
            process.join()
            process.close()


def _hand_out(connection: Connection, left: Iterator[tuple[int, Chunk]]) -> bool:
    following = next(left, None)
    if following is not None:
        with contextlib.suppress(BrokenPipeError):  # its answer will tell
            connection.send(following)
    return following is not None


def _answer(connection: Connection, why_ended: Callable[[], str]) -> tuple[int, Played]:
    """Return a finished chunk. Raises the error that came in its place, or BadTournament if the process has ended."""
    try:
        number, played = connection.recv()
    except (EOFError, OSError):  # OSError: in the middle of an answer
        raise BadTournament(why_ended()) from None
    if isinstance(played, Exception):
        raise played
    return number, played


def _why_ended(process: SpawnProcess, begun: bool) -> str:
    """Return why a process plays no more. begun: whether it has ever answered."""
    process.join(_FAREWELL)
    if begun or process.exitcode is None or process.exitcode < 0:  # by a signal
        return "a process that played games was killed"
    return (
        "a process ended before it could play: each imports the script that asked for it, which must be a file that "
        'does its work under `if __name__ == "__main__":`; or let this process play alone (jobs=1)'
    )
