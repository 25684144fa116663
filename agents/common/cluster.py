"""Work on the machines of a Ray cluster, all of the same sources as this one.

Ray hands the pieces out, notices processes and machines that die or are cut off, and lets others do what they had. A
process works once it has shown that nothing on which the answers depend is different there.
"""

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
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

from bohemian_env.engine.errors import brief

from .versions import rooms_hash, versions

Make = Callable[[], Callable[[Any], Any]]
"""Makes the function that does a piece of work. It raises ValueError where it cannot; pickle knows it by its name."""

_ANSWERS: Final = 5.0  # seconds within which the program at the address must take a connection
_SETTINGS: Final = {
    "RAY_AUTH_MODE": "token",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else it warns of a change to come
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",  # what it would print of processes that die
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # answers that nobody needs any more
    "RAY_task_oom_retries": "4",  # else a piece that needs too much memory is begun for ever
}
"""Ray's settings, unless the environment has others: who has no token is refused, and nothing is reported anywhere."""
_LOOK: Final = 5.0  # seconds after which the machines are looked at again if there is no answer
_LOSSES: Final = 5  # processes that die over the same piece before it is thought to be what kills them
_PATIENCE: Final = 120.0  # seconds after which the work ends if there is no machine at all


class BadCluster(ValueError):
    """Other machines cannot do the work; the message is a sentence that says why."""


def on_cluster(
    pieces: Mapping[int, Any], address: str, make: Make, tell: Callable[[str], None]
) -> Generator[tuple[int, Any], None, None]:
    """Do pieces of work on all machines of a Ray cluster, and give each answer with its number as it comes.

    A machine with other versions or sources than this one gets no work, nor does one where ``make`` fails. What dead
    processes and lost machines had is done by others. What the work raises is raised here.

    make: called once in each process. address: HOST:PORT of the cluster's head. tell: called with a sentence when a
    machine gets no work or is lost.

    Raises BadCluster: Ray is not installed, nobody is at the address or wants another token, no machine can work, or a
    piece takes one process after the other with it.
    """
    if not pieces:
        return
    ray = _connect(address)
    try:
        work = _worker(os.getcwd(), pickle.dumps(conditions), conditions(), pickle.dumps(make))
        yield from _answers(ray, ray.remote(num_cpus=1, max_retries=_LOSSES - 1)(work), pieces, tell)
    finally:  # which ends what is still done there
        with _errors_kept():
            ray.shutdown()


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

    handler = signal.getsignal(signal.SIGTERM)
    with _errors_kept() as said:
        try:
            ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL, configure_logging=False)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            said.seek(0)
            if isinstance(error, ray.exceptions.AuthenticationError) or b"InvalidAuthToken" in said.read():
                reason = "the token is missing or not the cluster's (RAY_AUTH_TOKEN_PATH, ~/.ray/auth_token)"
            else:
                reason = " ".join(str(error).split())
            raise BadCluster(f"no connection with {address}: {reason}") from error
        finally:
            if threading.current_thread() is threading.main_thread():  # where Ray sets one of its own
                signal.signal(signal.SIGTERM, handler)
    return ray


@contextlib.contextmanager
def _errors_kept() -> Iterator[IO[bytes]]:
    """Let standard error be a file for a while, also for compiled code, which tells there what it tries again."""
    with tempfile.TemporaryFile() as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(before, 2)
            os.close(before)


def _worker(
    folder: str, conditions: bytes, expected: Mapping[str, str], make: bytes
) -> Callable[[Any], tuple[str, Any]]:
    """Return what does a piece in a process of the cluster, and returns "" and the answer, or where it is and why that
    machine cannot work as this one.

    It is made in a function so that Ray sends its code, which then runs where the project is missing, and says so.
    """
    made: list[Callable[[Any], Any]] = []

    def work(piece: Any) -> tuple[str, Any]:
        if not made:
            with contextlib.suppress(OSError):
                os.chdir(folder)
            try:
                found = pickle.loads(conditions)()
                names = [name for name in {**expected, **found} if found.get(name) != expected.get(name)]
                if names:
                    pairs = ((name, found.get(name, "none")[:12], expected.get(name, "none")[:12]) for name in names)
                    raise ValueError(", ".join("{} {} instead of {}".format(*pair) for pair in pairs))
                made.append(pickle.loads(make)())
            except (AttributeError, ImportError, OSError, ValueError) as error:
                import ray

                return ray.get_runtime_context().get_node_id(), f"{ray.util.get_node_ip_address()}: {error}"
        return "", made[0](piece)

    return work


def _answers(
    ray: Any, work: Any, pieces: Mapping[int, Any], tell: Callable[[str], None]
) -> Generator[tuple[int, Any], None, None]:
    """Let the cluster do all pieces, from the lowest number on, and give the first answer to each as it comes."""
    missing, left = set(pieces), deque(sorted(pieces))
    asked: dict[Any, int] = {}  # the piece of each answer to come
    doubtful: dict[Any, int] = {}  # the same, where it may have been lost with a machine
    names: dict[str, str] = {}  # the machines that are there and have a core, and their addresses
    refused: dict[str, str] = {}  # those that get no work, and why
    missed: float | None = None  # since when there is none
    while missing:
        there = [one for one in ray.nodes() if one["Alive"] and one["Resources"].get("CPU", 0) >= 1]
        before, names = names, {one["NodeID"]: one["NodeManagerAddress"] for one in there}
        for node in before.keys() - names.keys():
            tell(f"{before[node]}: the machine is gone; its work is handed out again")
            left.extend(asked.values())  # what it had is not known, and Ray misses it only after minutes
            doubtful |= asked
            asked = {}
        if names and names.keys() <= refused.keys():
            reasons = dict.fromkeys(refused[node] for node in names)
            raise BadCluster(f"no machine of the cluster can work: {'; '.join(reasons)}")
        missed = None if names else missed or time.monotonic()
        if missed and time.monotonic() - missed >= _PATIENCE:
            raise BadCluster(f"no machine was there for {_PATIENCE:.0f} s: is the network up?")
        fit = {"ray.io/node-id": f"!in({','.join(refused)})"} if refused else {}
        room = max(1, 2 * ray.cluster_resources().get("CPU", 0))  # a core that is ready has the next piece at once
        while left and len(asked) < room:
            if (number := left.popleft()) in missing:
                asked[work.options(label_selector=fit).remote(pieces[number])] = number
        awaited = asked | doubtful
        ray.wait([*awaited], timeout=_LOOK)
        done, _ = ray.wait([*awaited], num_returns=len(awaited), timeout=0)
        for answer in done:
            number = awaited[answer]
            asked.pop(answer, None)
            doubtful.pop(answer, None)
            if number not in missing:
                continue
            try:
                node, found = ray.get(answer)
            except ray.exceptions.RayTaskError as error:
                error.cause.add_note(f"on another machine:\n{error}")
                raise error.cause from None
            except ray.exceptions.RayError as error:
                raise BadCluster(f"{_LOSSES} processes died one after the other over the same work") from error
            if not node:
                missing.remove(number)
                yield number, found
                continue
            left.appendleft(number)
            if node not in refused:
                refused[node] = found
                tell(f"no work for {found}")
