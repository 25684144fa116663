"""Games are kept: each write whole or not at all, whoever else writes."""

from __future__ import annotations

import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from table.store import BadStore, Store, data_folder

SEATING = {"seats": [{"name": "You"}, {"name": "ppo", "agent": "ppo"}], "seed": 7}


def test_a_game_comes_back_as_it_was_kept(store: Store) -> None:
    game = store.add(SEATING)
    assert store.write(game, 0, [3, 5], over=False)
    saved = Store(store.path.parent).load(game)
    assert (saved.id, saved.seating, saved.actions, saved.over) == (game, SEATING, [3, 5], False)


def test_unknown_games_are_none(store: Store) -> None:
    assert store.load("nothing") is None
    assert not store.write("nothing", 0, [1], over=False)
    assert not store.delete("nothing")


def test_ids_are_different_and_long(store: Store) -> None:
    ids = {store.add(SEATING) for _ in range(20)}
    assert len(ids) == 20
    assert min(map(len, ids)) >= 20


def test_who_does_not_know_the_last_move_changes_nothing(store: Store) -> None:
    game = store.add(SEATING)
    assert store.write(game, 0, [1], over=False)
    assert not store.write(game, 0, [2], over=False)
    assert store.load(game).actions == [1]


def test_of_many_writers_one_succeeds(store: Store) -> None:
    game = store.add(SEATING)
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda action: store.write(game, 0, [action], over=False), range(8)))
    assert done.count(True) == 1
    assert store.load(game).actions == [done.index(True)]


def test_recent_games_come_latest_first_and_apart(store: Store) -> None:
    first, second, third = (store.add(SEATING) for _ in range(3))
    store.write(first, 0, [1], over=False)
    store.write(second, 0, [1], over=True)
    assert [game.id for game in store.recent(over=False)] == [first, third]
    assert [game.id for game in store.recent(over=True)] == [second]
    assert [game.id for game in store.recent(over=False, limit=1)] == [first]
    assert store.delete(first)
    assert [game.id for game in store.recent(over=False)] == [third]


def test_the_token_stays_and_differs_between_folders(store: Store, tmp_path: Path) -> None:
    assert Store(store.path.parent).token == store.token
    assert Store(tmp_path / "other").token != store.token
    assert len(store.token) >= 20


def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadStore, match="cannot be kept"):
        Store(tmp_path / "file")
    (tmp_path / "games.sqlite3").write_text("no database, but long enough to be looked at" * 100)
    with pytest.raises(BadStore, match="cannot be kept"):
        Store(tmp_path)


def test_games_of_a_later_version_are_left_alone(store: Store) -> None:
    base = sqlite3.connect(store.path)
    base.execute("PRAGMA user_version = 2")
    base.close()
    with pytest.raises(BadStore, match="another version"):
        Store(store.path.parent)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="those systems have folders of their own")
def test_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "bohemian-villages"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "bohemian-villages"
