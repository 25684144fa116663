"""Tournaments on two machines with Ray: the same games as on one, though processes, machines and cables fail."""

from __future__ import annotations

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
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import evaluate
from agents.positions import __main__ as making
from tests.helpers import ROOT
from tests.namespaces import Machine, two_machines

pytestmark = pytest.mark.slow

TOURNAMENT = ("greedy", "planner", "--games", "40000", "--seed", "5")
OUTPUTS = ("--json", "all.json", "--csv", "all.csv")
WATCHED = """
import pathlib, sys
import agents.common.cluster as cluster, agents.common.hand_out as hand_out, evaluate
send = cluster._Processes.send
def told(self, worker, number):
    send(self, worker, number)
    pathlib.Path(f"{self._node[worker]}.works").touch()
cluster._Processes.send = told
"""
RUN = "sys.exit(evaluate.main())"
LOUD = WATCHED + RUN
"""evaluate.py that leaves a file for each machine whose processes have begun, and were sent a piece."""
QUICK = WATCHED + "hand_out.PING, hand_out.SILENCE = 1.0, 5.0\n" + RUN
"""The same with a shorter deadline for those who say nothing."""
HELD = '"$@" & cat; kill $!'
"""Runs a command until standard input ends: when the test's process does, however that is."""
STARTED, REFUSED = "Ray runtime started", "InvalidAuthToken"
"""What Ray says when it starts."""
DIED = "a process died; its work is handed out again"


def until(true: Callable[[], object], what: str, seconds: float = 120) -> None:
    """Wait for something that happens soon."""
    give_up = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < give_up, f"no {what} after {seconds} s"
        time.sleep(0.05)


def processes(mark: str) -> list[int]:
    """Those in whose environment a text stands, and which have not ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


@dataclass(frozen=True)
class Node:
    """A machine of a cluster, and the mark of its processes."""

    machine: Machine
    mark: str

    def workers(self) -> list[int]:
        """Its processes that play."""
        names = ((pid, Path(f"/proc/{pid}/cmdline")) for pid in processes(self.mark))
        found = []
        for pid, path in names:
            with contextlib.suppress(OSError):
                found += [pid] if path.read_bytes().startswith(b"ray::Process") else []
        return found

    def signal(self, number: int) -> None:
        """Send all of it a signal."""
        for pid in processes(self.mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


@dataclass(frozen=True)
class Cluster:
    """A Ray cluster that begins with one machine of one core."""

    folder: Path
    machines: tuple[Machine, Machine]
    address: str
    ending: contextlib.ExitStack

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
        mark = f"NODE={secrets.token_hex(8)}"
        environment = self.environment | environment | {"NODE": mark.removeprefix("NODE=")}
        words = [Path(sys.executable).with_name("ray"), "start", "--block", f"--node-ip-address={machine.address}"]
        command = machine.command(*words, "--num-cpus=1", "--object-store-memory=100000000", *options)
        node, log = Node(machine, mark), self.folder / f"{mark}.log"
        try:
            with log.open("wb") as file:
                held = ["sh", "-c", HELD, "sh", *command]
                process = subprocess.Popen(
                    held, env=environment, stdin=subprocess.PIPE, stdout=file, stderr=file, cwd=ROOT
                )
            with process:
                until(lambda: STARTED in log.read_text() or REFUSED in log.read_text() or process.poll(), "machine")
                assert STARTED in log.read_text(), log.read_text()
                yield node
                node.signal(signal.SIGKILL)
        finally:
            node.signal(signal.SIGKILL)
            until(lambda: not processes(mark), "end of a machine's processes")

    def second(self, **environment: str) -> contextlib.AbstractContextManager[Node]:
        """Let the second machine take part for a while."""
        return self.node(self.machines[1], f"--address={self.address}", **environment)

    def start(self, *words: str, folder: Path, code: str = "", **environment: str) -> subprocess.Popen[str]:
        """Start evaluate.py on the first machine."""
        program = ["-c", code] if code else [str(ROOT / "evaluate.py")]
        return subprocess.Popen(
            self.machines[0].command(sys.executable, "-W", "error", *program, *words, "--ray", self.address),
            cwd=folder,
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="r"))  # short, since Ray's sockets are in it
    with contextlib.ExitStack() as ending, two_machines() as machines:
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        token = folder / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        with socket.create_server((machines[0].address if not machines[0].apart else "127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        found = Cluster(folder, machines, f"{machines[0].address}:{port}", ending)
        options = ("--head", f"--port={port}", "--include-dashboard=false", "--disable-usage-stats")
        ending.enter_context(found.node(machines[0], *options, f"--temp-dir={folder}/ray"))
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


def both_work(folder: Path) -> bool:
    """Whether each machine was sent a piece: one that has not begun is not missed if it goes."""
    return len([*folder.glob("*.works")]) == 2


def test_killed_processes_and_a_killed_machine_lose_nothing(cluster: Cluster, local: Path, tmp_path: Path) -> None:
    with cluster.second() as second, cluster.start(*TOURNAMENT, *OUTPUTS, folder=tmp_path, code=LOUD) as command:
        until(lambda: kept(tmp_path) >= 2 and both_work(tmp_path), "finished piece")
        before = second.workers()
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        until(lambda: set(second.workers()) - {*before} or command.poll() is not None, "new process")
        second.signal(signal.SIGKILL)
        out, errors = command.communicate(timeout=300)
    assert command.returncode == 0, errors
    places = {f"evaluate.py: {cluster.machines[1].address}: {DIED}"}
    assert {*errors.splitlines()} == places
    assert_same(tmp_path, local)
    assert out.startswith("agent")


def test_strangers_are_refused(cluster: Cluster, tmp_path: Path) -> None:
    """Those with another token, with none, and those who do not know of it; none can take part, either."""
    wrong = tmp_path / "wrong"
    wrong.write_text(secrets.token_hex(32))
    strangers = [{"RAY_AUTH_TOKEN_PATH": str(wrong)}, {"RAY_AUTH_TOKEN_PATH": str(tmp_path / "none")}]
    strangers += [{"RAY_AUTH_MODE": "disabled"}]
    folders = [tmp_path / str(number) for number in range(3)]  # in one they would wait for each other
    for folder in folders:
        folder.mkdir()
    pairs = zip(folders, strangers, strict=True)
    started = [cluster.start(*TOURNAMENT, folder=folder, **stranger) for folder, stranger in pairs]
    for command in started:
        out, errors = command.communicate(timeout=300)
        assert (command.returncode, out) == (2, "")
        (line,) = errors.splitlines()
        assert line.startswith(f"evaluate.py: no connection with {cluster.address}: the token is missing or not the")
    assert [kept(folder) for folder in folders] == [0, 0, 0]
    with pytest.raises(AssertionError, match=REFUSED), cluster.second(**strangers[0]):
        pass


def test_roll_outs_are_the_same(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--count", "2", "--work", "work", "--out", "book.json"]
    places = [tmp_path / name for name in ("here", "there")]
    for folder in places:
        folder.mkdir()
    monkeypatch.chdir(places[0])
    assert making.main(words) == 0
    command = cluster.machines[0].command(sys.executable, "-m", "agents.positions", *words, "--ray", cluster.address)
    with cluster.second():
        subprocess.run(command, cwd=places[1], env=cluster.environment, check=True, timeout=600, capture_output=True)
    here, there = (json.loads((folder / "book.json").read_text())["positions"] for folder in places)
    assert here == there


def test_a_machine_that_falls_silent_is_given_up(cluster: Cluster, local: Path, tmp_path: Path) -> None:
    """Its cable is pulled; where there is none, it stands still. The last test here: Ray counts on it for a while."""
    with cluster.second() as second:
        with cluster.start(*TOURNAMENT, *OUTPUTS, folder=tmp_path, code=QUICK) as command:
            until(lambda: kept(tmp_path) >= 2 and both_work(tmp_path), "finished piece")
            second.machine.cable(False) if second.machine.apart else second.signal(signal.SIGSTOP)
            _, errors = command.communicate(timeout=300)
        if second.machine.apart:
            second.machine.cable(True)
    assert command.returncode == 0, errors
    said = f"evaluate.py: {second.machine.address}: silent for 5 s; its work is handed out again\n"
    assert errors == said
    assert_same(tmp_path, local)
