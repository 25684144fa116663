"""Faults that the campaign must find: each is called in a process before its program runs."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from agents.tournament.kept import Kept
from agents.training.checkpoint import Checkpoint
from table.store import Saved, Store

_PATCH = pytest.MonkeyPatch()


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
