"""Work on the machines of a Ray cluster: a process for each core, all of the same sources as this one.

Ray carries the messages and says which machines there are; who does what is up to hand_out.py. A process gets work once
it has shown that nothing on which the answers depend is different there. It has a second thread, which gives signs of
life while the first one works.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import pickle
import signal
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from bohemian_env.errors import brief

from .hand_out import BadCluster, Heard, hand_out
from .versions import rooms_hash, versions

__all__ = ["BadCluster", "Make", "check_address", "on_cluster"]

Make = Callable[[], Callable[[Any], Any]]
"""Makes the function that does a piece of work. It raises ValueError where it cannot; pickle knows it by its name."""

_ANSWERS: Final = 5.0
"""Seconds within which the program at the address must take a connection."""
_SETTINGS: Final = {
    "RAY_AUTH_MODE": "token",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else it warns of a change to come
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",  # what it would print of processes that die
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # answers that nobody needs any more
}
"""Ray's settings, unless the environment has others: who has no token is refused, and nothing is reported anywhere."""
_STARTS: Final = 3
"""Processes of a machine that may die before they are ready."""


def on_cluster(
    pieces: Mapping[int, Any], address: str, make: Make, tell: Callable[[str], None]
) -> Generator[tuple[int, Any], None, None]:
    """Do pieces of work on all machines of a Ray cluster, and give each answer with its number as it comes.

    A machine with other versions or sources than this one gets no work, nor does one where ``make`` fails. Processes
    and machines that die or fall silent lose nothing: see :func:`hand_out`. What the work raises is raised here.

    address: HOST:PORT of the cluster's head. tell: called with a sentence when a machine gets no work or is lost.

    Raises:
        BadCluster: Ray is not installed, nobody is at the address or wants another token, or no machine can work.
    """
    if not pieces:
        return
    with _Processes(address, pieces, make) as processes:
        yield from hand_out(pieces, processes, tell)


def conditions() -> dict[str, str]:
    """Return what answers depend on besides the work itself: versions, and hashes of all sources."""
    folder = Path(__file__).resolve().parents[1]
    return {**versions(), "agents": rooms_hash([".", *(path.name for path in folder.iterdir() if path.is_dir())])}


def check_address(address: str) -> tuple[str, int]:
    """Return host and port. Raises BadCluster for what is no HOST:PORT."""
    host, _, port = address.rpartition(":") if isinstance(address, str) else ("", "", "")
    if not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 2**16:
        raise BadCluster(f"{brief(address)} is no address of a Ray cluster, such as 10.0.0.1:6379")
    return host, int(port)


def _connect(address: str) -> Any:
    """Connect this process with the cluster, and return Ray. Raises BadCluster."""
    host, port = check_address(address)
    try:
        socket.create_connection((host, port), _ANSWERS).close()  # Ray would try for minutes
    except (OSError, UnicodeError) as error:
        raise BadCluster(f"nobody answers at {address}: {getattr(error, 'strerror', None) or error}") from error
    if importlib.util.find_spec("ray") is None:
        raise BadCluster("Ray is not installed here: pip install -c constraints.txt -e '.[ray]'")
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    import ray  # which reads them now

    with tempfile.TemporaryFile() as said:
        try:
            with _signals_stay(), _errors_to(said):
                ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL, configure_logging=False)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            said.seek(0)
            if isinstance(error, ray.exceptions.AuthenticationError) or b"InvalidAuthToken" in said.read():
                reason = "the token is missing or not the cluster's (RAY_AUTH_TOKEN_PATH, ~/.ray/auth_token)"
            else:
                reason = " ".join(str(error).split())
            raise BadCluster(f"no connection with {address}: {reason}") from error
    return ray


@contextlib.contextmanager
def _signals_stay() -> Iterator[None]:
    """Keep what this process does when it is told to end; Ray has ideas of its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _errors_to(file: IO[bytes]) -> Iterator[None]:
    """Let standard error be a file for a while, also for compiled code, which tells there what it tries again."""
    before = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


def _process() -> type:
    """Return the class of what runs in a process of the cluster.

    It is made in a function so that Ray sends its code, which then runs where the project is missing, and says so.
    """

    class Process:
        def begin(self, folder: str, conditions: bytes, expected: Mapping[str, str], make: bytes) -> str:
            """Return why this process cannot work as the first one does; nothing if it can."""
            with contextlib.suppress(OSError):
                os.chdir(folder)
            try:
                found = pickle.loads(conditions)()
                names = [name for name in {**expected, **found} if found.get(name) != expected.get(name)]
                if names:
                    pairs = ((name, found.get(name, "none")[:12], expected.get(name, "none")[:12]) for name in names)
                    return ", ".join("{} {} instead of {}".format(*pair) for pair in pairs)
                self.work = pickle.loads(make)()
            except (AttributeError, ImportError, OSError, ValueError) as error:
                return str(error)
            return ""

        def do(self, piece: Any) -> Any:
            return self.work(piece)

        def live(self) -> None:
            """Give a sign of life."""

    return Process


class _Processes:
    """The processes of this one on a cluster, as hand_out.py wants them; they end with it."""

    def __init__(self, address: str, pieces: Mapping[int, Any], make: Make) -> None:
        self._pieces = pieces
        self._ray = _connect(address)
        self._begin = (os.getcwd(), pickle.dumps(conditions), conditions(), pickle.dumps(make))
        self._class = self._ray.remote(num_cpus=1, concurrency_groups={"life": 1})(_process())
        self._numbers = count()
        self._actors: dict[int, Any] = {}
        self._node: dict[int, str] = {}  # the machine of each that ever was
        self._names: dict[str, str] = {}
        self._beginning: set[int] = set()
        self._refused: dict[str, str] = {}  # why a machine gets no work
        self._silent: set[str] = set()
        self._died: Counter[str] = Counter()
        self._asked: dict[Any, tuple[int, Any]] = {}  # what each answer to come belongs to

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with tempfile.TemporaryFile() as file, _errors_to(file):
            for actor in self._actors.values():
                self._ray.kill(actor)
            self._ray.shutdown()

    def recruit(self, most: int) -> list[int]:
        """See :meth:`Workers.recruit`."""
        nodes = {one["NodeID"]: one for one in self._ray.nodes() if one["Alive"] and one["Resources"].get("CPU")}
        if nodes and nodes.keys() <= self._refused.keys():
            reasons = dict.fromkeys(f"{self._names[node]}: {self._refused[node]}" for node in nodes)
            raise BadCluster(f"no machine of the cluster can work: {'; '.join(reasons)}")
        taken = Counter(self._node[worker] for worker in self._actors)
        free = [
            node
            for node, one in nodes.items()
            if node not in self._refused and node not in self._silent
            for _ in range(int(one["Resources"]["CPU"]) - taken[node])
        ]
        found = []
        for node in free[: max(0, most - len(self._actors))]:
            self._names[node] = nodes[node]["NodeManagerAddress"]
            worker = next(self._numbers)
            there = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, soft=False)
            self._actors[worker] = self._class.options(scheduling_strategy=there).remote()
            self._node[worker] = node
            self._beginning.add(worker)
            self._ask(worker, "begin", self._actors[worker].begin.remote(*self._begin))
            found.append(worker)
        return found

    def where(self, worker: int) -> str:
        """See :meth:`Workers.where`."""
        return self._names[self._node[worker]]

    def send(self, worker: int, number: int) -> None:
        """See :meth:`Workers.send`."""
        self._ask(worker, number, self._actors[worker].do.remote(self._pieces[number]))

    def ping(self, worker: int) -> None:
        """See :meth:`Workers.ping`."""
        self._ask(worker, "live", self._actors[worker].live.options(concurrency_group="life").remote())

    def give_up(self, worker: int) -> None:
        """See :meth:`Workers.give_up`."""
        self._silent.add(self._node[worker])

    def _ask(self, worker: int, what: int | str, answer: Any) -> None:
        """Note an answer that is to come. what: the number of a piece, or the name of the method that was called."""
        self._asked[answer] = worker, what

    def listen(self, seconds: float) -> list[Heard]:
        """See :meth:`Workers.listen`."""
        if not self._asked:
            time.sleep(seconds)
            return []
        self._ray.wait([*self._asked], timeout=seconds)
        done, _ = self._ray.wait([*self._asked], num_returns=len(self._asked), timeout=0)
        return [self._heard(answer) for answer in done if answer in self._asked]

    def _heard(self, answer: Any) -> Heard:
        """Return what an answer says that has come."""
        worker, what = self._asked.pop(answer)
        try:
            found = self._ray.get(answer)
        except self._ray.exceptions.RayTaskError as error:
            error.cause.add_note(f"on another machine:\n{error}")
            raise error.cause from None
        except self._ray.exceptions.RayError:
            return self._gone(worker)
        if what == "begin":
            self._beginning.remove(worker)
            return self._gone(worker, found) if found else Heard(worker, ready=True)
        return Heard(worker) if what == "live" else Heard(worker, number=what, answer=found)

    def _gone(self, worker: int, unfit: str = "") -> Heard:
        """Forget a worker that died, or that may not work for this reason."""
        node = self._node[worker]
        self._ray.kill(self._actors.pop(worker))
        self._asked = {answer: asked for answer, asked in self._asked.items() if asked[0] != worker}
        why = "a process died; its work is handed out again"
        if worker in self._beginning:
            self._beginning.remove(worker)
            self._died[node] += 1
            why = ""
            if self._died[node] >= _STARTS:
                unfit = "its processes die as they begin"
        if unfit:
            self._refused[node] = unfit
            why = f"gets no work: {unfit}"
        return Heard(worker, gone=True, why=why)
