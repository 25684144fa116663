"""The programs of the project, started so that they can be killed at once and often.

A server process loads and compiles once what they need (`warm.py`) and forks for each start, so that a start takes
milliseconds; what runs then is `main` of train.py, evaluate.py or play.py, with its command line.
"""

import functools
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from unittest import mock

__all__ = ["TRAINED", "WARM", "Bench", "training"]

TRAINING: Final[dict[str, Any]] = dict(
    minutes=0.0, steps=64 * 60, games=8, horizon=8, minibatch=32, trunk="8", head="8", snapshot_every=0.05, pool=4,
    panel_games=2, panel_every=0.1, checkpoint_seconds=0.1,
)  # fmt: skip
"""Settings of a training run that lasts for seconds."""
TRAINED: Final[dict[str, dict[str, Any]]] = {"villages": {"max_turns": 40, "scripted": "greedy,random"}}
"""Settings of such a run besides, by the name of the game."""


def training(game: str) -> dict[str, Any]:
    """Return the settings of a training run in a game that lasts for seconds."""
    return TRAINING | TRAINED.get(game, {})


WARM: Final = "FAULTS_WARM"
"""The variable that tells a server for which game its processes are warm."""
_PATIENCE: Final = 200.0
"""Seconds after which a program that should have done something hangs."""
_PAUSE: Final = 0.002


@functools.cache
def _server(game: str) -> Any:
    """Return the context that forks processes that are warm for a game; each computes with one thread."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.faults.warm"])
    with mock.patch.dict(os.environ, {"OMP_NUM_THREADS": "1", WARM: game}):
        process = context.Process(target=int)
        process.start()
        process.join()
    return context


def _afterwards(kind: type, name: str, tell: Callable[..., None]) -> None:
    """Have a method tell something once it has done its work."""
    method = getattr(kind, name)

    def told(*given: Any) -> None:
        method(*given)
        tell(*given)

    setattr(kind, name, told)


def _train(tell: Callable[[object], None]) -> Callable[[list[str]], int]:
    import train
    from agents.training.checkpoint import Checkpoint

    _afterwards(Checkpoint, "write", lambda checkpoint, *_: tell(checkpoint.state["samples"]))
    return train.main


def _evaluate(tell: Callable[[object], None]) -> Callable[[list[str]], int]:
    import evaluate
    from agents import tournament
    from agents.tournament.kept import Kept

    _afterwards(Kept, "save", lambda kept, number, played: tell(number))
    setattr(tournament, "compare", functools.partial(tournament.compare, games_at_once=24))  # noqa: B010 - many chunks
    return evaluate.main


def _play(tell: Callable[[object], None]) -> Callable[[list[str]], int]:
    import play

    return play.main  # what it acknowledges it tells over HTTP


_PROGRAMS: Final = {"train": _train, "evaluate": _evaluate, "play": _play}


def _run(name: str, arguments: list[str], log: Path, told: Path, prepare: str) -> None:
    """Be a program: runs in a process of its own."""
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for descriptor in (1, 2):
        os.dup2(out, descriptor)
    acknowledged = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    if prepare:
        module, _, function = prepare.partition(":")
        getattr(import_module(module), function)()

    def tell(what: object) -> None:
        os.write(acknowledged, f"{what}\n".encode())

    sys.exit(_PROGRAMS[name](tell)(arguments))


class Bench:
    """A folder in which one program after the other runs and is killed.

    Args:
        game: what is played in it.
        folder: an empty one, for all of it.
        rng: draws the moments.
        prepare: `module:function` that is called in every process before its program, for tests.
    """

    def __init__(self, game: str, folder: Path, rng: random.Random, prepare: str = "") -> None:
        self.game, self.folder = game, folder / "work"
        self.folder.mkdir()
        self.rng = rng
        self._log, self._told, self._prepare = folder / "log", folder / "told", prepare
        self._process: Any = None

    def start(self, program: str, *arguments: object) -> None:
        """Start train, evaluate or play in a process of its own."""
        for path in (self._log, self._told):
            path.write_bytes(b"")
        given = (program, list(map(str, arguments)), self._log, self._told, self._prepare)
        self._process = _server(self.game).Process(target=_run, args=given)
        self._process.start()

    def told(self) -> list[str]:
        """Return what the program said it has finished: samples of checkpoints, numbers of chunks."""
        return self._told.read_text(encoding="utf-8").split()

    def log(self) -> str:
        """Return what it wrote to the terminal."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def wait(self, seconds: float, until: Callable[[], object] = lambda: False) -> bool:
        """Wait so long, or until something is so; return whether the program still runs."""
        end = time.perf_counter() + seconds
        while self._process.is_alive() and time.perf_counter() < end and not until():
            time.sleep(_PAUSE)
        return bool(self._process.is_alive())

    def work(self, at_work: Callable[[], object], most: float) -> bool:
        """Wait up to a random moment: of the start, once in three times, or after something is so; as :meth:`wait`."""
        if self.rng.random() < 1 / 3:
            return self.wait(self.rng.uniform(0, 0.3))
        return self.wait(_PATIENCE, at_work) and self.wait(self.rng.uniform(0, most))

    def kill(self) -> None:
        """Kill the program."""
        self._process.kill()
        self._process.join()

    def ended(self) -> int:
        """Wait for the end of the program, and return its exit status; one that hangs is killed."""
        if self.wait(_PATIENCE):
            self._process.kill()
        self._process.join()
        return int(self._process.exitcode)
