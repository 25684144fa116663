"""Kills and failing calls: what is planted is found, and the programs as they are hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from faults import disk, preload
from faults.kills import Player, _Game, kill_table, kill_tournament, kill_training
from faults.ledger import Tried
from faults.programs import Bench

Kill = Callable[..., Iterator[Tried]]
slow = pytest.mark.slow
CUT = ", unsynced writes dropped"
needs_library = pytest.mark.skipif(preload.library() is None, reason="needs Linux and a C compiler")


def tried(kill: Kill, folder: Path, planted: str = "", kills: int = 8) -> dict[str, Tried]:
    """The rows of an attempt, by their names."""
    return {one.row: one for one in kill(3, folder, f"tests.test_faults.planted:{planted}" if planted else "", kills)}


@slow
@pytest.mark.parametrize("kill", [kill_table, kill_tournament, kill_training])
def test_the_programs_hold(kill: Kill, tmp_path: Path) -> None:
    found = tried(kill, tmp_path, kills=4)
    assert sum(one.tries for one in found.values()) >= 1
    assert {one.row: (one.lost, one.broken) for one in found.values()} == dict.fromkeys(found, (0, ()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kill", "planted"),
    [
        (kill_table, "acknowledges_before_commit"),
        (kill_tournament, "forgets_finished_chunks"),
        pytest.param(kill_training, "keeps_checkpoints_in_memory", marks=slow),
    ],
)
def test_what_is_lost_by_a_kill_is_found(kill: Kill, planted: str, tmp_path: Path) -> None:
    found = tried(kill, tmp_path, planted)
    assert sum(one.lost for one in found.values()) >= 1
    assert any(one.broken for one in found.values())


class Remembers(Player):
    """Asks a table that refuses every move, and has lost one of two that it acknowledged."""

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        return (503, "try again") if method == "POST" else (200, {"log": [], "moves": 1, "person": 0})


def test_moves_that_are_lost_by_a_refused_one_are_counted() -> None:
    player = Remembers(random.Random(1))
    player.games.append(_Game("x", moves=2, view={"person": 0, "back": False}))
    player.may_fail()
    told: list[tuple[str, int]] = []
    player.check(lambda *what: told.append(what))
    assert told == [("a game had 2 moves, and has 1, or others", 1)]


def test_whatever_ends_a_player_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(random.Random(0))
    player.connect(0, "")
    monkeypatch.setattr(player, "ask", lambda *_: (201, {}))
    player.play()
    assert [what[-14:] for what in player.wrong] == ["KeyError('id')"]


@needs_library
@pytest.mark.parametrize(
    ("kill", "planted"),
    [
        pytest.param(kill_table, "commits_without_sync", marks=slow),
        pytest.param(kill_tournament, "renames_without_sync", marks=slow),
        pytest.param(kill_training, "renames_without_sync", marks=slow),
    ],
)
def test_what_is_lost_by_a_power_cut_is_found(kill: Kill, planted: str, tmp_path: Path) -> None:
    found = {row: one for row, one in tried(kill, tmp_path, planted).items() if one.lost or one.broken}
    assert [row.endswith(CUT) for row in found] == [True]


@needs_library
@pytest.mark.parametrize("planted", [False, pytest.param(True, marks=slow)])
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
