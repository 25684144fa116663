"""Hypothesis draws no new examples from run to run, however slow the machine; programs that tests start hear Ctrl-C."""

import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.helpers import Ends
from tests.namespaces import Machine, two_machines
from tests.packages import forget

settings.register_profile("tests", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("tests")
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's job in the background ignores, and hands on


@pytest.fixture
def ends(capsys: pytest.CaptureFixture[str]) -> Ends:
    """Runs a command, which must end with this status: ``ends(2, main, "--out", folder)``; what it says meanwhile."""

    def call(status: int, main: Callable[[list[str]], int], *words: object) -> Any:
        capsys.readouterr()
        assert main([*map(str, words)]) == status
        return capsys.readouterr()

    return call


@pytest.fixture
def machines() -> Iterator[tuple[Machine, Machine]]:
    """Two machines that reach each other and nothing else; the loopback twice where no namespaces may be made."""
    with two_machines() as pair:
        yield pair


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages on the path, empty as yet; the games in it are forgotten afterwards."""
    folder, before = tmp_path / "packages", {*sys.modules}
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)

    forget()
    yield folder
    for name in {*sys.modules} - before:
        if str(folder) in str(sys.modules[name].__spec__):
            del sys.modules[name]
    monkeypatch.undo()
    forget()
