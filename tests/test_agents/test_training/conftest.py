"""Fixtures of the tests of training."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

import train
from agents.training.run import Progress, TrainingRun
from tests.helpers import status_of
from tests.test_agents.test_training.runs import FINISHED, Finished, command


@contextlib.contextmanager
def threads(number: int) -> Iterator[None]:
    """Torch computes on so many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """So small networks are quickest on one thread, above all beside other work."""
    with threads(1):
        yield


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., int]]:
    """`train.py`'s main in this process; gives the exit status."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")
    before = signal.getsignal(signal.SIGTERM)

    def call(*arguments: str | Path) -> int:
        return status_of(train.main, *command(*arguments)[2:])

    yield call
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def says(main: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """`main`, which must end with the status that is given first, and no traceback; gives what it says of that."""

    def call(status: int, *arguments: str | Path) -> str:
        assert main(*arguments) == status
        said = capsys.readouterr().err
        assert "Traceback" not in said
        return said

    return call


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A finished run; not to be changed."""
    folder = tmp_path_factory.mktemp("runs") / "finished"
    reports: list[Progress] = []
    with threads(1):
        run = TrainingRun(folder, FINISHED)
        run.train(reports.append)
    return Finished(folder, run, reports)
