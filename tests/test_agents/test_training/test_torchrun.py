"""`torchrun … train.py`: ranks that are killed, stopped, silent, or do not belong together."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents.training.checkpoint import Checkpoint
from bohemian_env import Board
from tests.helpers import ROOT
from tests.namespaces import Machine, two_machines
from tests.test_agents.test_training.runs import UPDATE, options, samples_in, tiny
from tests.test_agents.test_training.together import environment, free_port
from tests.waiting import until

SCRIPT, FAULTY = ROOT / "train.py", Path(__file__).with_name("faulty.py")
LONG = tiny(2000, checkpoint_seconds=0.2)
"""A run of half a minute or more."""
PATIENCE = 120.0
"""Seconds that tests wait for what should happen soon."""


def torchrun(*words: object) -> list[str]:
    """The command, with these words."""
    return [sys.executable, "-m", "torch.distributed.run", *map(str, words)]


@pytest.fixture
def here() -> Iterator[Machine]:
    """A machine on which nobody else can reach torch's store, which listens on all interfaces."""
    with two_machines() as (machine, _):
        yield machine


def alone(here: Machine, *words: object) -> list[str]:
    """The command for two ranks on one machine, with these words."""
    return here.command(*torchrun("--standalone", "--nproc-per-node", 2, *words))


@contextmanager
def started(command: list[str], log: Path, **more: object) -> Iterator[subprocess.Popen[bytes]]:
    """A program that writes what it says to a file; whatever of it still runs at the end is killed."""
    told = {name: str(value) for name, value in more.items()}
    env = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | told
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=file, stderr=file)
    try:
        yield process
    finally:
        for pid in workers(process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()


def workers(pid: int) -> list[int]:
    """The processes that a process has started, in the order of their ranks."""
    found = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split() if Path(f"/proc/{pid}").exists() else ():
        told = Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
        ranks = [int(line[5:]) for line in told if line.startswith(b"RANK=")]
        if ranks:
            found[ranks[0]] = int(child)
    return [found[rank] for rank in sorted(found)]


def checkpoint_of(out: Path) -> int:
    """Of how many decisions the checkpoint of a run is; 0 if there is none."""
    path = out / "checkpoint.safetensors"
    return int(Checkpoint.read(path, Board.standard()).state["samples"]) if path.exists() else 0


def sessions(out: Path) -> list[list[int]]:
    """After how many decisions each session of a run had made its updates."""
    files = sorted((out / "tensorboard").iterdir(), key=lambda path: path.stat().st_mtime)
    found = [EventAccumulator(str(path)).Reload() for path in files]
    tag = "play/samples_per_second"
    return [[event.step for event in one.Scalars(tag)] for one in found if tag in one.Tags()["scalars"]]


@pytest.mark.slow
def test_a_killed_rank_costs_what_came_since_the_last_checkpoint(here: Machine, tmp_path: Path) -> None:
    """Both are started again, and the same command goes on with the run."""
    out, log = tmp_path / "run", tmp_path / "log"
    settings = tiny(12, checkpoint_seconds=1e-6)  # after every update
    command = alone(here, "--max-restarts", 2, FAULTY, "--out", out, *options(settings))
    with started(command, log, FAULT="1 6 SIGKILL rank") as process:
        assert process.wait(PATIENCE) == 0, log.read_text()
    _, second = sessions(out)
    assert second[0] in (6 * UPDATE, 7 * UPDATE)  # whether or not rank 0 had saved that update when the other died
    assert second[-1] == 12 * UPDATE == samples_in(out)
    assert json.loads((out / "agent.json").read_text())["about"]["ranks"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["1 3 SIGINT torchrun", "1 3 SIGTERM rank"])
def test_a_signal_ends_both_ranks_and_saves_the_run(here: Machine, fault: str, tmp_path: Path) -> None:
    out, log = tmp_path / "run", tmp_path / "log"
    with started(alone(here, FAULTY, "--out", out, *options(LONG)), log, FAULT=fault) as process:
        assert process.wait(PATIENCE) != 0
    said = log.read_text()
    assert said.count("Interrupted; saved. Go on with: python train.py --resume --out") == 1
    assert checkpoint_of(out) == samples_in(out) < LONG.steps
    assert checkpoint_of(out) % UPDATE == 0


@pytest.mark.slow  # torchrun waits for half a minute until it kills who is silent
def test_a_silent_rank_is_given_up(here: Machine, tmp_path: Path) -> None:
    out, log = tmp_path / "run", tmp_path / "log"
    command = alone(here, FAULTY, "--patience", 20, "--out", out, *options(LONG))
    with started(command, log, FAULT="1 3 SIGSTOP rank") as process:
        assert process.wait(PATIENCE) == 1
    said = log.read_text()
    assert re.search(
        r"^train.py: rank 0 on \S+: another rank has ended, or was silent for 20 s \(Timed out waiting 20000ms "
        r"for .*\); (saved|the last checkpoint stays)\. Go on with: python train.py --resume",
        said,
        re.M,
    ), said
    assert "exitcode  : 1 " in said


@pytest.mark.slow
def test_where_nobody_answers_a_rank_says_so(here: Machine, tmp_path: Path) -> None:
    told = environment(1, 2, free_port(here), LOCAL_WORLD_SIZE=1)
    command = here.command(sys.executable, SCRIPT, "--patience", 2, "--out", tmp_path / "run", *options(tiny()))
    with started(command, tmp_path / "log", **told) as process:
        assert process.wait(PATIENCE) == 2
    last = (tmp_path / "log").read_text().splitlines()[-1]
    assert re.match(
        r"train.py: rank 1 of 2 on \S+ does not reach the others within 2 s, by way of 127.0.0.1:\d+: ", last
    )
    assert last.endswith("GLOO_SOCKET_IFNAME names the network interface to use")


def listening(here: Machine, pids: list[int]) -> list[str]:
    """The addresses at which processes listen."""
    told = subprocess.run(here.command("ss", "-Hltnp"), capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[3] for line in told if any(f"pid={pid}," in line for pid in pids)]


@pytest.mark.slow
def test_on_one_machine_ranks_listen_on_the_loopback_alone(here: Machine, tmp_path: Path) -> None:
    out, log = tmp_path / "run", tmp_path / "log"
    fault = "1 1 SIGSTOP rank"  # so that both are there until somebody has looked
    with started(alone(here, FAULTY, "--out", out, *options(LONG)), log, FAULT=fault) as process:
        until((out / "checkpoint.safetensors").exists, "checkpoint", log=log)
        found = listening(here, workers(process.pid))
    assert found
    assert all(address.startswith("127.0.0.1:") for address in found), found


def of_two(
    machines: tuple[Machine, Machine], port: int, number: int, *words: object
) -> tuple[list[str], dict[str, str]]:
    """The command that one of two machines is given, and its environment."""
    here, first = machines[number], machines[0]
    conf = f"is_host={1 - number},last_call_timeout=2"
    told = torchrun(
        *("--nnodes", "1:2", "--nproc-per-node", 1, "--max-restarts", 3, "--rdzv-backend", "c10d", "--rdzv-id", "run"),
        *("--rdzv-endpoint", f"{first.address}:{port}", "--rdzv-conf", conf, "--local-addr", here.address),
        *words,
    )
    return here.command(*told), {"GLOO_SOCKET_IFNAME": here.interface}


@pytest.mark.slow
@pytest.mark.parametrize("happens", ["nothing", "the second is killed"])
def test_two_machines_make_one_agent(machines: tuple[Machine, Machine], happens: str, tmp_path: Path) -> None:
    """Where the second one is lost, the first goes on alone."""
    out, port = tmp_path / "run", free_port(machines[0])
    words = (FAULTY, "--patience", 60, "--out", out, *options(tiny(12, checkpoint_seconds=1e-6)))
    (one, env), (two, other) = (of_two(machines, port, number, *words) for number in range(2))
    with (
        started(one, tmp_path / "0", FAULT="none 0 SIGKILL both", COMPANY=out, **env) as first,
        started(two, tmp_path / "1", FAULT=f"1 {0 if happens == 'nothing' else 4} SIGKILL both", **other) as second,
    ):
        assert first.wait(2 * PATIENCE) == 0, (tmp_path / "0").read_text()
        if happens == "nothing":
            assert second.wait(PATIENCE) == 0, (tmp_path / "1").read_text()
    assert samples_in(out) == 12 * UPDATE
    assert json.loads((out / "agent.json").read_text())["about"]["ranks"] == 2
