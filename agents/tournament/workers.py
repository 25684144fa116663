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
    jobs = min(jobs, len(chunks))
    if ray is not None:
        yield from _on_cluster(chunks, entrants, setup, ray, progress, tell, records)
    elif jobs > 1:
        yield from _in_processes(chunks, entrants, setup, jobs, progress, records)
    elif jobs == 1:
        with _one_thread():
            try:
                try_out(entrants, setup)
                for number, chunk in chunks.items():
                    yield number, play_chunk(chunk, entrants, setup, progress=progress, records=records)
            finally:
                dismiss(entrants)


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
_SIGNALS: Final = {signal.SIGINT, signal.SIGTERM}
_FAREWELL: Final = 2.0  # seconds that processes have to end their programs


def _recipes(entrants: Sequence[Entrant]) -> list[_Recipe]:
    """Return what :func:`_made` makes the same entrants of."""
    return [(entrant.name, entrant.argument, entrant.seed, entrant.weights) for entrant in entrants]


def _made(recipes: Sequence[_Recipe], setup: Setup) -> list[Entrant]:
    """Return the entrants of a worker process, made from the recipes and ready to play."""
    board, game = getattr(setup, "board", None), rules_for(setup).name
    entrants = [make_again(*recipe, board, game) for recipe in recipes]
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)
    try_out(entrants, setup)
    return entrants


def _work(connection: Connection, recipes: Sequence[_Recipe], setup: Setup, records: bool) -> None:
    """Play the chunks that this worker process is sent, until the first process ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    entrants: list[Entrant] = []
    with contextlib.suppress(EOFError, ConnectionError):  # nobody asks any more, or wants the answer
        while True:
            number, chunk = connection.recv()
            answer: Played | Exception
            try:
                entrants = entrants or _made(recipes, setup)  # here, where an error finds its way back
                answer = play_chunk(chunk, entrants, setup, records=records)
            except Exception as error:
                error.add_note(f"in a process that played games:\n{traceback.format_exc()}")
                answer = error
            try:
                connection.send((number, answer))
            except (AttributeError, TypeError, ValueError, pickle.PicklingError):  # an error that cannot travel
                connection.send((number, RuntimeError(str(answer))))
    dismiss(entrants)


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
    chunks: dict[int, Chunk],
    entrants: Sequence[Entrant],
    setup: Setup,
    jobs: int,
    progress: Callable[[int], None],
    records: bool,
) -> Generator[tuple[int, Played], None, None]:
    """Do what :func:`play_chunks` does with ``jobs`` processes.

    Each has a pipe of its own, and no thread stands between: a process can be killed at any moment, even in the middle
    of an answer, and nobody waits for the rest of it. (``ProcessPoolExecutor`` does then, for ever.)
    """
    context = multiprocessing.get_context("spawn")
    resource_tracker.ensure_running()  # which lets interrupts through again when it starts
    recipes = _recipes(entrants)
    left = iter(chunks.items())
    processes: dict[Connection, SpawnProcess] = {}
    begun: set[Connection] = set()
    try:
        for _ in range(jobs):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, recipes, setup, records), daemon=True)
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
                progress(chunks[number].games)
                yield number, played
    finally:
        for connection in processes:
            connection.close()
        programs = any(isinstance(entrant.agent, ProgramAgent) for entrant in entrants)
        end = time.monotonic() + _FAREWELL * programs
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


# --- other machines ---------------------------------------------------------------------------------------------


def check_ray(address: str) -> None:
    """Raise BadTournament for what is no address of a Ray cluster."""
    try:
        check_address(address)
    except BadCluster as error:
        raise BadTournament(str(error)) from error


def _player(recipes: Sequence[_Recipe], setup: Setup, records: bool) -> Callable[[Chunk], Played]:
    """Return what plays chunks in a process of a cluster, with entrants that are made once."""
    entrants = _made(recipes, setup)
    return partial(play_chunk, entrants=entrants, setup=setup, records=records)


def _on_cluster(
    chunks: dict[int, Chunk],
    entrants: Sequence[Entrant],
    setup: Setup,
    address: str,
    progress: Callable[[int], None],
    tell: Callable[[str], None],
    records: bool,
) -> Generator[tuple[int, Played], None, None]:
    """Do what :func:`play_chunks` does on the machines of a cluster."""
    make = partial(_player, _recipes(entrants), setup, records)
    try:
        with contextlib.closing(on_cluster(chunks, address, make, tell)) as playing:
            for number, played in playing:
                progress(chunks[number].games)
                yield number, played
    except BadCluster as error:
        raise BadTournament(str(error)) from error
