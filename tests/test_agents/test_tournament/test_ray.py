"""Work on two machines with Ray: the same as on one, though processes, machines and cables fail."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import evaluate
from agents.common.cluster import BadCluster, on_cluster
from agents.positions import __main__ as making
from tests.helpers import ROOT
from tests.namespaces import Machine, two_machines
from tests.waiting import until

pytestmark = pytest.mark.slow
TOURNAMENT = ("greedy", "planner", "--games", "40000", "--seed", "5")
OUTPUTS = ("--json", "all.json", "--csv", "all.csv")
HELD = '"$@" & cat; kill $!'
"""Runs a command until standard input ends: when the test's process does, however that is."""
STARTED, REFUSED = "Ray runtime started", "InvalidAuthToken"
"""What Ray says when it starts."""
GONE = "the machine is gone; its work is handed out again"
DRIVE = f"import sys, {__name__} as test; test.drive(*sys.argv[1:])"
"""Runs :func:`drive`."""


def holding(folder: Path, unfit: str) -> Callable[[str], str]:
    """What does a piece, on all nodes but some: it tells in the folder who has it, and waits until it may go."""
    node = os.environ["NODE"]
    if unfit in (node, "every"):
        (folder / f"unfit.{secrets.token_hex(8)}").touch()
        raise ValueError("no such agent")

    def work(piece: str) -> str:
        (folder / f"{piece}.{node}.{os.getpid()}").touch()
        if piece == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        if piece == "wrong":
            raise KeyError(piece)
        until((folder / "go").exists, "go", 600)
        return piece

    return work


def drive(pieces: str, unfit: str, _: str, address: str) -> None:
    """Let a cluster do pieces; print the answers, and why it ends if it does before. What is told is in a file."""
    work, make = dict(enumerate(pieces.split())), partial(holding, Path.cwd(), unfit)
    try:
        with Path("told").open("w") as told:
            print(*sorted(on_cluster(work, address, make, partial(print, file=told, flush=True))))
    except (BadCluster, KeyError) as error:
        print(type(error).__name__, error, *getattr(error, "__notes__", []))


def place(machine: Machine) -> str:
    """What Ray calls a machine: not by the loopback."""
    import ray

    return machine.address if machine.apart else ray.util.get_node_ip_address()


@dataclass(frozen=True)
class Node:
    """A machine of a cluster, and what is NODE in the environment of its processes."""

    machine: Machine
    name: str

    def processes(self) -> list[int]:
        """Those that have not ended."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"NODE={self.name}".encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
        return found

    def workers(self) -> list[int]:
        """Its processes that play."""
        names = ((pid, Path(f"/proc/{pid}/cmdline")) for pid in self.processes())
        found = []
        for pid, path in names:
            with contextlib.suppress(OSError):
                found += [pid] if path.read_bytes().startswith(b"ray::work") else []
        return found

    def signal(self, number: int) -> None:
        """Send all of it a signal."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


@dataclass(frozen=True)
class Cluster:
    """A Ray cluster that begins with one machine of one core."""

    folder: Path
    machines: tuple[Machine, Machine]
    address: str

    @property
    def environment(self) -> dict[str, str]:
        """With the token."""
        return os.environ | {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(self.folder / "token"),
            "RAY_USAGE_STATS_ENABLED": "0",
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": str(ROOT),
        }

    @contextlib.contextmanager
    def node(self, machine: Machine, *options: str, **environment: str) -> Iterator[Node]:
        """Let a machine take part for a while."""
        node = Node(machine, secrets.token_hex(8))
        environment = self.environment | environment | {"NODE": node.name}
        words = [Path(sys.executable).with_name("ray"), "start", "--block", f"--node-ip-address={machine.address}"]
        command = machine.command(*words, "--num-cpus=1", "--object-store-memory=100000000", *options)
        log = self.folder / f"{node.name}.log"
        try:
            with log.open("wb") as file:
                held = ["sh", "-c", HELD, "sh", *command]
                pipes: Any = dict(stdin=subprocess.PIPE, stdout=file, stderr=file)
                process = subprocess.Popen(held, env=environment, cwd=ROOT, **pipes)
            with process:
                until(lambda: STARTED in log.read_text() or REFUSED in log.read_text() or process.poll(), "machine")
                assert STARTED in log.read_text(), log.read_text()
                yield node
                node.signal(signal.SIGKILL)
        finally:
            node.signal(signal.SIGKILL)
            until(lambda: not node.processes(), "end of a machine's processes")

    def second(self, **environment: str) -> contextlib.AbstractContextManager[Node]:
        """Let the second machine take part for a while."""
        return self.node(self.machines[1], f"--address={self.address}", **environment)

    def start(self, *words: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
        """Start evaluate.py on the first machine, or the program that is given."""
        program = [] if words[0] == "-c" else [str(ROOT / "evaluate.py")]
        return subprocess.Popen(
            self.machines[0].command(sys.executable, "-W", "error", *program, *words, "--ray", self.address),
            cwd=folder,
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@contextlib.contextmanager
def begun() -> Iterator[Cluster]:
    """A cluster of one machine."""
    folder = Path(tempfile.mkdtemp(prefix="r"))  # short, since Ray's sockets are in it
    with contextlib.ExitStack() as ending, two_machines() as machines:
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        token = folder / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        with socket.create_server((machines[0].address if not machines[0].apart else "127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        found = Cluster(folder, machines, f"{machines[0].address}:{port}")
        options = ("--head", f"--port={port}", "--include-dashboard=false", "--disable-usage-stats")
        ending.enter_context(found.node(machines[0], *options, f"--temp-dir={folder}/ray"))
        yield found


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """One for this test alone: a machine that went counts for a while."""
    with begun() as found:
        yield found


@pytest.fixture(scope="module")
def lasting() -> Iterator[Cluster]:
    """One for the tests that lose no machine, which come last."""
    with begun() as found:
        yield found


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what the tournament writes when it is played here."""
    folder = tmp_path_factory.mktemp("local")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert evaluate.main([*TOURNAMENT, *OUTPUTS, "--jobs", "1"]) == 0
    return folder


def assert_same(one: Path, other: Path) -> None:
    """All outputs are the same, but for times and for where the games were played."""
    found = []
    for folder in (one, other):
        data = json.loads((folder / "all.json").read_text(encoding="utf-8"))
        for agent in data["agents"]:
            del agent["milliseconds_per_move"]
        del data["command"], data["arguments"]["jobs"], data["arguments"]["ray"]
        found.append((data, (folder / "all.csv").read_text()))
    assert found[0] == found[1]


def kept(folder: Path) -> int:
    """How many pieces of a tournament are finished."""
    return len([*folder.rglob("*.npz")])


@contextlib.contextmanager
def driven(cluster: Cluster, folder: Path, pieces: str, unfit: str = "") -> Iterator[Callable[[], tuple[str, str]]]:
    """Let the cluster do pieces; give what lets them go, and returns what was printed."""
    with cluster.start("-c", DRIVE, pieces, unfit, folder=folder) as command:

        def go() -> tuple[str, str]:
            (folder / "go").touch()
            out, errors = command.communicate(timeout=300)
            assert errors == ""
            return out, told(folder)

        try:
            yield go
        finally:
            command.kill()


def told(folder: Path) -> str:
    """What was told until now."""
    return (folder / "told").read_text() if (folder / "told").exists() else ""


def held(folder: Path, node: Node) -> set[str]:
    """What processes of a node had, and which."""
    return {path.name for path in folder.glob(f"*.{node.name}.*")}


@pytest.mark.parametrize("end", ["killed", "silent"])
def test_the_work_of_killed_processes_and_of_a_lost_machine_is_done_by_others(
    cluster: Cluster, tmp_path: Path, end: str
) -> None:
    with cluster.second() as second, driven(cluster, tmp_path, "a b c d e") as go:
        until(lambda: held(tmp_path, second), "piece")
        before = held(tmp_path, second)
        for pid in second.workers():
            os.kill(pid, signal.SIGKILL)
        until(lambda: held(tmp_path, second) - before, "new process")
        if end == "killed":
            second.signal(signal.SIGKILL)
        elif second.machine.apart:
            second.machine.cable(False)
        else:
            second.signal(signal.SIGSTOP)
        until(lambda: told(tmp_path), "sentence", 300)
        out, said = go()
        if end == "silent" and second.machine.apart:
            second.machine.cable(True)
    assert out == "(0, 'a') (1, 'b') (2, 'c') (3, 'd') (4, 'e')\n"
    assert said == f"{place(second.machine)}: {GONE}\n"


def test_a_machine_that_cannot_work_gets_no_work(cluster: Cluster, tmp_path: Path) -> None:
    with cluster.second() as second, driven(cluster, tmp_path, "a b c d e f", second.name) as go:
        until(lambda: told(tmp_path), "sentence")
        out, said = go()
    assert out.count("(") == 6
    assert said == f"no work for {place(second.machine)}: no such agent\n"
    assert len([*tmp_path.glob("unfit.*")]) < 6  # no piece came twice
    assert not held(tmp_path, second)


def test_a_tournament_is_the_same_though_a_machine_dies(cluster: Cluster, local: Path, tmp_path: Path) -> None:
    with cluster.second() as second, cluster.start(*TOURNAMENT, *OUTPUTS, folder=tmp_path) as command:
        until(lambda: (kept(tmp_path) >= 2 and second.workers()) or command.poll() is not None, "finished piece")
        second.signal(signal.SIGKILL)
        out, errors = command.communicate(timeout=300)
    assert command.returncode == 0, errors
    assert errors in ("", f"evaluate.py: {place(cluster.machines[1])}: {GONE}\n")  # as it is noticed before the end
    assert_same(tmp_path, local)
    assert out.split()[0] == "agent"


def test_if_no_machine_can_work_it_is_told_why(lasting: Cluster, tmp_path: Path) -> None:
    with driven(lasting, tmp_path, "a", "every") as go:
        out, said = go()
    why = f"{place(lasting.machines[0])}: no such agent"
    assert (out, said) == (f"BadCluster no machine of the cluster can work: {why}\n", f"no work for {why}\n")


def test_a_piece_that_kills_one_process_after_the_other_ends_it(lasting: Cluster, tmp_path: Path) -> None:
    with driven(lasting, tmp_path, "a deadly") as go:
        out, said = go()
    assert (out, said) == ("BadCluster 5 processes died one after the other over the same work\n", "")
    assert len([*tmp_path.glob("deadly.*")]) == 5


def test_what_the_work_raises_is_raised_here(lasting: Cluster, tmp_path: Path) -> None:
    with driven(lasting, tmp_path, "a wrong") as go:
        out, said = go()
    assert out.startswith("KeyError 'wrong' on another machine:\n")
    assert "in work\n" in out
    assert said == ""


def test_strangers_are_refused(lasting: Cluster, tmp_path: Path) -> None:
    """Those with another token, with none, and those who do not know of it; none can take part, either."""
    wrong = tmp_path / "wrong"
    wrong.write_text(secrets.token_hex(32))
    strangers = [{"RAY_AUTH_TOKEN_PATH": str(wrong)}, {"RAY_AUTH_TOKEN_PATH": str(tmp_path / "none")}]
    strangers += [{"RAY_AUTH_MODE": "disabled"}]
    folders = [tmp_path / str(number) for number in range(3)]  # in one they would wait for each other
    for folder in folders:
        folder.mkdir()
    pairs = zip(folders, strangers, strict=True)
    started = [lasting.start(*TOURNAMENT, folder=folder, **stranger) for folder, stranger in pairs]
    for command in started:
        out, errors = command.communicate(timeout=300)
        assert (command.returncode, out) == (2, "")
        (line,) = errors.splitlines()
        assert line.startswith(f"evaluate.py: no connection with {lasting.address}: the token is missing or not the")
    assert [kept(folder) for folder in folders] == [0, 0, 0]
    with pytest.raises(AssertionError, match=REFUSED), lasting.second(**strangers[0]):
        pass


def test_roll_outs_are_the_same(lasting: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--count", "2", "--work", "work", "--out", "book.json"]
    places = [tmp_path / name for name in ("here", "there")]
    for folder in places:
        folder.mkdir()
    monkeypatch.chdir(places[0])
    assert making.main(words) == 0
    command = lasting.machines[0].command(sys.executable, "-m", "agents.positions", *words, "--ray", lasting.address)
    with lasting.second():
        subprocess.run(command, cwd=places[1], env=lasting.environment, check=True, timeout=600, capture_output=True)
    here, there = (json.loads((folder / "book.json").read_text())["positions"] for folder in places)
    assert here == there
