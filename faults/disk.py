"""A disk that is full, broken or read-only, or writes half, at every call that writes: once, and works then.

First what writes files, one thing after the other (_cases), at each of its calls; then whole programs, at calls drawn
by the seed. Whatever fails is told in a sentence or goes on, nothing finished is lost, nothing is left half-written,
the next start works.
"""

from __future__ import annotations

import contextlib
import errno
import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from . import preload
from .kills import Player, check_run, settings, token_at
from .ledger import Tried
from .programs import Bench

__all__ = ["disk", "every_call"]

ERRORS: Final = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "EROFS": errno.EROFS, "short": preload.SHORT}
_CALLS: Final = {"train": 150, "evaluate": 90, "play": 60}
"""Calls of a program of which one is let fail; about as many as it makes."""


@dataclass
class _Row:
    """A line of the table, and what is tried at this moment."""

    name: str
    tries: int = 0
    lost: int = 0
    found: list[str] = field(default_factory=list)
    at: str = ""

    def broken(self, what: str, lost: int = 0) -> None:
        """Note what should not have happened."""
        self.lost += lost
        self.found.append(f"{self.at}: {what}")

    def tried(self) -> Tried:
        return Tried(self.name, self.tries, self.lost, tuple(self.found))


def disk(seed: int, folder: Path, prepare: str = "", programs: int = 3) -> Iterator[Tried]:
    """Let calls fail: all of the functions that write, and some of each program. prepare: as for :class:`Bench`."""
    if preload.library() is None:
        return
    rng = random.Random(seed)
    for name, attempt in (("functions", _functions), ("train", _train), ("evaluate", _evaluate), ("play", _play)):
        row = _Row(f"failing call: {name}")
        for number in range(1 if name == "functions" else programs):
            below = folder / f"{name}-{number}"
            below.mkdir()
            attempt(Bench(below, rng, prepare), rng, row)
        yield row.tried()


def _left(folder: Path) -> list[str]:
    """Return what is left of files that were being written."""
    return sorted(path.name for path in folder.rglob("*") if path.name.endswith((".tmp", ".part", "-journal")))


# --- programs ---


def _failing(bench: Bench, rng: random.Random, row: _Row, program: str, *arguments: object) -> None:
    """Start a program of which one call will fail."""
    call, (error, number) = rng.randint(1, _CALLS[program]), rng.choice(list(ERRORS.items()))
    row.at = f"call {call} of {program} ({error})"
    bench.start(program, *arguments, fails=(call, number))


def _told(bench: Bench, row: _Row, refused: tuple[int, ...]) -> None:
    """Wait for the end of a program, of which a call may have failed."""
    status, log = bench.ended(), bench.log()
    sound = status == 0 or (status in refused and re.search(r"^\w+\.py: ", log, re.M))
    if not sound or "Traceback" in log:
        row.broken(f"exit status {status}: {' / '.join(log.strip().splitlines()[-3:])}")
    row.tries += bench.struck()


def _train(bench: Bench, rng: random.Random, row: _Row) -> None:
    out = bench.folder / "run"
    command = ["--threads", 1, "--out", out, *settings(rng.randrange(2**31), steps=64 * 3, checkpoint_seconds=1e-6)]
    _failing(bench, rng, row, "train", *command)
    _told(bench, row, (1, 2))
    known = [int(samples) for samples in bench.told()]
    if out.exists():
        found = check_run(row, out)
        if gone := [samples for samples in known if samples > found]:
            row.broken(f"a checkpoint of {max(gone)} decisions was finished, {found} is left", len(gone))
    if left := _left(bench.folder):
        row.broken(f"{', '.join(left)} stays")
    again = out.exists() and (out / "checkpoint.safetensors").exists()
    bench.start("train", *(["--resume", "--threads", 1, "--out", out] if again else command))
    if (status := bench.ended()) != 0:
        row.broken(f"the next start: exit status {status}: {bench.log()[-300:]}")
    else:
        check_run(row, out, finished=True)


def _evaluate(bench: Bench, rng: random.Random, row: _Row) -> None:
    csv, records, work = (bench.folder / name for name in ("table.csv", "games.jsonl", "kept"))
    command = ["greedy", "random", "--games", 72, "--seed", rng.randrange(2**31), "--jobs", 1, "--work", work]
    command += ["--csv", csv, "--records", records]
    _failing(bench, rng, row, "evaluate", *command)
    _told(bench, row, (2,))
    first, finished = {path: path.read_bytes() for path in (csv, records) if path.exists()}, set(bench.told())
    if left := _left(bench.folder):
        row.broken(f"{', '.join(left)} stays")
    bench.start("evaluate", *command)
    if (status := bench.ended()) != 0:
        row.broken(f"the next start: exit status {status}: {bench.log()[-300:]}")
    elif any(path.read_bytes() != content for path, content in first.items()):
        row.broken("a file that was written is not that of an undisturbed run")
    if (again := finished.intersection(bench.told())) and len(first) < 2:
        row.broken(f"finished chunks were played again: {', '.join(sorted(again))}", len(again))


def _play(bench: Bench, rng: random.Random, row: _Row) -> None:
    data, player = bench.folder / "data", Player(rng)
    command = ["--no-browser", "--port", 0, "--data", data]
    _failing(bench, rng, row, "play", *command)
    for again in (False, True):
        bench.wait(30, lambda: "http://" in bench.log())
        if (port := re.search(r"http://127\.0\.0\.1:([0-9]+)/", bench.log())) is None:
            if again:
                row.broken(f"the next start: {bench.log()[-300:]}")
                bench.kill()
                return
            _told(bench, row, (2,))
        else:
            player.connect(int(port[1]), token_at(int(port[1])))
            player.check(row.broken)
            for _ in range(0 if again else 15):
                player.may_fail()
            player.check(row.broken)
            if "Traceback" in bench.log():
                row.broken(bench.log()[-300:])
            row.tries += not again and bench.struck()
            player.connection.close()
            bench.kill()
        if left := _left(bench.folder):
            row.broken(f"{', '.join(left)} stays")
        if not again:
            bench.start("play", *command)


# --- functions ---


def _functions(bench: Bench, rng: random.Random, row: _Row) -> None:
    bench.start("faults.disk:every_call", bench.folder, rng.choice(list(ERRORS)))
    if (status := bench.ended()) != 0:
        row.broken(f"exit status {status}: {bench.log()[-600:]}")
    for line in bench.log().splitlines():
        with contextlib.suppress(ValueError):
            row.tries, row.found = json.loads(line)


_Case = tuple[
    Callable[[], object], Callable[[], object], Callable[[], Any], type[Exception] | tuple[type[Exception], ...]
]
"""What is done before; what writes; what reads it, whole; and how writing may fail."""


def _cases(folder: Path) -> Iterator[tuple[str, _Case]]:
    """Yield the ways of writing, by what they write; all other files are written as the first is."""
    import numpy as np
    import torch

    from agents.common.coin_sources import COIN_SOURCES
    from agents.common.files import BadOutput, whole_files, write_atomically
    from agents.network.files import load_net, save_net
    from agents.network.net import PolicyNet, Shape
    from agents.tournament import BadTournament, LineUp
    from agents.tournament.kept import Kept
    from agents.tournament.play import Played
    from agents.tournament.schedule import Chunk
    from agents.training.checkpoint import Checkpoint
    from agents.training.folder import RunFolder
    from bohemian_env import Board
    from table.store import BadStore, Store, Unavailable

    def write(content: bytes, path: Path = folder / "file") -> Callable[[], object]:
        return lambda: write_atomically(path, content)

    def gone(path: Path) -> Callable[[], object]:
        return lambda: shutil.rmtree(path, ignore_errors=True)

    yield "a file", (write(b"old" * 9), write(b"new" * 9), (folder / "file").read_bytes, OSError)
    deep = folder / "a" / "b"
    yield "a file in a new folder", (
        gone(deep.parent), write(b"new", deep), lambda: deep.exists() and deep.read_bytes(), OSError,
    )  # fmt: skip
    paths = [folder / "one", folder / "two"]

    def outputs(text: str) -> Callable[[], object]:
        def do() -> None:
            with whole_files(paths) as files:
                for file in files:
                    file.write(text * 3000)

        return do

    yield (
        "output files",
        (outputs("old"), outputs("new"), lambda: [path.read_text() for path in paths], (OSError, BadOutput)),
    )

    board, net = Board.standard(), PolicyNet(Shape((4,), (4,), (4,)))
    optimizer = torch.optim.Adam(net.parameters())
    checkpoint, agent = folder / "checkpoint.safetensors", folder / "agent.safetensors"

    def save(samples: int) -> Callable[[], object]:
        return lambda: Checkpoint.of({"samples": samples}, net, optimizer).write(checkpoint, board)

    yield "a checkpoint", (save(1), save(2), lambda: Checkpoint.read(checkpoint, board).state["samples"], OSError)
    yield (
        "an agent",
        (
            lambda: save_net(net, agent, board, {"samples": 1}),
            lambda: save_net(net, agent, board, {"samples": 2}),
            lambda: load_net(agent)[1]["about"]["samples"],
            OSError,
        ),
    )
    run = RunFolder(folder / "run")
    yield "a run's folder", (run.release, run.claim, lambda: None, OSError)
    seats, one = np.zeros((1, 2, 2)), np.zeros((1, 2))
    played = Played(
        seats.astype(np.int64), seats.astype(np.int32), one.astype(np.int32), one.astype(np.uint8),
        np.zeros((2, len(COIN_SOURCES)), np.int64), np.zeros(2, np.int64), np.zeros(2), seats, seats.astype(np.bool_),
    )  # fmt: skip
    kept = Kept(folder / "work", "name")

    def keep() -> None:
        try:
            kept.prepare()
            kept.save(0, played)
        except BadTournament as error:
            raise OSError(str(error)) from None

    yield "a chunk", (kept.remove, keep, lambda: kept.load(0, Chunk(LineUp((0, 1)), 0, 0, 1), 2, False) is not None,
                      OSError)  # fmt: skip
    games = folder / "games"
    yield (
        "a new store",
        (gone(games), lambda: Store(games), lambda: games.exists() and len(Store(games).token), BadStore),
    )
    store = Store(folder / "table")
    game = store.add({"seats": [{"name": "Ann"}]})

    def actions(numbers: list[int]) -> Callable[[], object]:
        def do() -> None:
            found = store.load(game)
            assert found
            assert store.write(game, found.actions, numbers, False)

        return do

    yield "a move", (actions([1]), actions([1, 2] * 3000), lambda: store.load(game), Unavailable)


def every_call(arguments: list[str]) -> int:
    """Let each call of each of _cases fail once; print tries and findings as JSON.

    arguments: a folder, and how they fail, a name of ERRORS.
    """
    folder, error = Path(arguments[0]), arguments[1]
    tries, found = 0, list[str]()
    for name, (before, write, read, allowed) in _cases(folder):
        call, struck = 0, True
        while struck:
            call += 1
            before()
            old, raised = read(), None
            preload.fail(call, ERRORS[error])
            try:
                write()
            except allowed as problem:
                raised = problem
            except (Exception, sqlite3.Error) as problem:
                found.append(f"{name}, call {call} ({error}): {problem!r}")
            struck = preload.left() == 0
            preload.fail(0, 0)
            tries += struck
            at = f"{name}, call {call} ({error})"
            if struck and raised and error == "short":
                found.append(f"{at}: a short write is legal: {raised!r}")
            if left := _left(folder):
                found.append(f"{at}: {', '.join(left)} stays")
            try:
                after = read()
                write()
                new = read()
                partly = [new[0], old[1]] if raised and name == "output files" else new  # the second has not its name
                if after not in (old, new, partly) or (not raised and after != new):
                    found.append(f"{at}: there is {str(after)[:100]}, which is neither the old nor the new")
                if name == "a move" and "no game has changed" in str(raised) and after != old:
                    found.append(f"{at}: {raised}; but it has")
            except Exception as problem:
                found.append(f"{at}: afterwards {problem!r}")
    print(json.dumps([tries, found]))
    return 0
