"""Kills and failing calls: what is planted is found, and the programs as they are hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from faults import disk, preload
from faults.kills import kill_table, kill_tournament, kill_training
from faults.ledger import Tried
from faults.programs import Bench

Kill = Callable[..., Iterator[Tried]]
CUT = ", unsynced writes dropped"
needs_library = pytest.mark.skipif(preload.library() is None, reason="needs Linux and a C compiler")


def tried(kill: Kill, folder: Path, planted: str = "", kills: int = 8) -> dict[str, Tried]:
    """The rows of an attempt, by their names."""
    return {one.row: one for one in kill(3, folder, f"tests.test_faults.planted:{planted}" if planted else "", kills)}


@pytest.mark.parametrize("kill", [kill_table, kill_tournament, kill_training])
def test_the_programs_hold(kill: Kill, tmp_path: Path) -> None:
    found = tried(kill, tmp_path, kills=4)
    assert sum(one.tries for one in found.values()) >= 1
    assert {one.row: (one.lost, one.broken) for one in found.values()} == dict.fromkeys(found, (0, ()))


@pytest.mark.parametrize(
    ("kill", "planted"),
    [
        (kill_table, "acknowledges_before_commit"),
        (kill_tournament, "forgets_finished_chunks"),
        (kill_training, "keeps_checkpoints_in_memory"),
    ],
)
def test_what_is_lost_by_a_kill_is_found(kill: Kill, planted: str, tmp_path: Path) -> None:
    found = tried(kill, tmp_path, planted)
    assert sum(one.lost for one in found.values()) >= 1
    assert any(one.broken for one in found.values())


@needs_library
@pytest.mark.parametrize(
    ("kill", "planted"),
    [
        (kill_table, "commits_without_sync"),
        (kill_tournament, "renames_without_sync"),
        (kill_training, "renames_without_sync"),
    ],
)
def test_what_is_lost_by_a_power_cut_is_found(kill: Kill, planted: str, tmp_path: Path) -> None:
    found = {row: one for row, one in tried(kill, tmp_path, planted).items() if one.lost or one.broken}
    assert [row.endswith(CUT) for row in found] == [True]


@needs_library
@pytest.mark.parametrize("planted", [False, True])
def test_every_call_of_what_writes_fails_once(planted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if planted:
        start = Bench.start
        monkeypatch.setattr(
            Bench, "start", lambda bench, _, *rest: start(bench, "tests.test_faults.planted:writes_in_place", *rest)
        )
    row = disk._Row("functions")  # seed 2: the disk is full
    disk._functions(Bench(tmp_path, random.Random(0)), random.Random(2), row)
    assert row.tries > 50
    assert bool(row.found) == planted, row.found
