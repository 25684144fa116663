"""Faults that the campaign must find: each is called in a process before its program runs."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.common import files
from agents.tournament.kept import Kept
from agents.training.checkpoint import Checkpoint
from faults.disk import every_call
from table import store as store_module
from table.store import Saved, Store

_PATCH = pytest.MonkeyPatch()


def renames_without_sync() -> None:
    """Files are renamed before they are on the disk."""
    _PATCH.setattr(files, "sync", lambda path: None)


def forgets_finished_chunks() -> None:
    """A tournament takes nothing of what it has kept."""
    _PATCH.setattr(Kept, "load", lambda *_: None)


def keeps_checkpoints_in_memory() -> None:
    """Only every third checkpoint is written."""
    write, count = Checkpoint.write, [0]

    def sometimes(checkpoint: Checkpoint, *where: Any) -> None:
        count[0] += 1
        if count[0] % 3 == 1:
            write(checkpoint, *where)

    _PATCH.setattr(Checkpoint, "write", sometimes)


def acknowledges_before_commit() -> None:
    """Moves are kept a little after they were acknowledged."""
    write, load, known = Store.write, Store.load, dict[str, Saved]()
    thread = ThreadPoolExecutor(1)

    def later(store: Store, game: str, before: int, actions: list[int], over: bool) -> bool:
        saved = known.get(game) or load(store, game)
        assert saved
        known[game] = replace(saved, actions=list(actions), over=over)
        thread.submit(in_a_moment, store, game, before, list(actions), over)
        return True

    def in_a_moment(*move: Any) -> None:
        time.sleep(0.05)
        write(*move)

    _PATCH.setattr(Store, "write", later)
    _PATCH.setattr(Store, "load", lambda store, game: known.get(game) or load(store, game))


def commits_without_sync() -> None:
    """SQLite is told not to wait for the disk."""
    connect = store_module._connect

    def hasty(*arguments: Any) -> Any:
        base = connect(*arguments)
        base.execute("PRAGMA synchronous = OFF")
        return base

    _PATCH.setattr(store_module, "_connect", hasty)


def writes_in_place(arguments: list[str]) -> int:
    """Be the program that lets every call fail, with files that are written under their names."""
    _PATCH.setattr(Path, "replace", lambda path, target: target.write_bytes(path.read_bytes()) and target)
    return every_call(arguments)
