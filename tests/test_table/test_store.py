"""Games are kept: each write whole or not at all, whoever else writes."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agents.common.files import temporary_for
from table.seating import read_seating
from table.store import BadStore, Store, Unavailable, data_folder

from .asking import locked, write

SEATING = {"seats": [{"name": "You"}, {"name": "ppo", "agent": "ppo"}], "seed": 7}


def test_a_game_comes_back_as_it_was_kept(store: Store) -> None:
    game = store.add(SEATING)
    assert store.write(game, [], [3, 5], over=False)
    saved = Store(store.path.parent).load(game)
    assert (saved.id, saved.seating, saved.actions, saved.over) == (game, SEATING, [3, 5], False)


def test_unknown_games_are_none(store: Store) -> None:
    assert store.load("nothing") is None
    assert not store.write("nothing", [], [1], over=False)
    assert not store.delete("nothing")


def test_ids_are_different_and_long(store: Store) -> None:
    ids = {store.add(SEATING) for _ in range(20)}
    assert len(ids) == 20
    assert min(map(len, ids)) >= 20


def test_who_does_not_know_the_last_move_changes_nothing(store: Store) -> None:
    game = store.add(SEATING)
    assert store.write(game, [], [1], over=False)
    assert not store.write(game, [], [2], over=False)
    assert store.load(game).actions == [1]


def test_of_many_writers_one_succeeds(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.store._PATIENCE", 60)
    game = store.add(SEATING)
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda action: store.write(game, [], [action], over=False), range(8)))
    assert done.count(True) == 1
    assert store.load(game).actions == [done.index(True)]


def test_recent_games_come_latest_first_and_apart(store: Store) -> None:
    first, second, third = (store.add(SEATING) for _ in range(3))
    store.write(first, [], [1], over=False)
    store.write(second, [], [1], over=True)
    assert [game.id for game in store.recent(over=False)] == [first, third]
    assert [game.id for game in store.recent(over=True)] == [second]
    assert [game.id for game in store.recent(over=False, limit=1)] == [first]
    assert store.delete(first)
    assert [game.id for game in store.recent(over=False)] == [third]


def test_the_token_stays_and_differs_between_folders(store: Store, tmp_path: Path) -> None:
    assert Store(store.path.parent).token == store.token
    assert Store(tmp_path / "other").token != store.token
    assert len(store.token) >= 20


def test_opening_sound_games_writes_nothing_and_a_lost_token_is_made_anew(store: Store) -> None:
    store.add(SEATING)
    content = store.path.read_bytes()
    again = Store(store.path.parent)
    assert store.path.read_bytes() == content
    write(store.path, "DELETE FROM about")
    assert len(Store(store.path.parent).token) >= 20
    assert len(again.recent(over=False)) == 1


def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadStore, match=r"cannot be kept.*name another folder with --data FOLDER"):
        Store(tmp_path / "file")


def test_games_of_a_later_version_are_left_alone(store: Store) -> None:
    """Also where its tables have other columns."""
    base = sqlite3.connect(store.path)
    base.execute("PRAGMA user_version = 2")
    base.execute("ALTER TABLE games RENAME COLUMN touched TO played")
    base.close()
    content = store.path.read_bytes()
    with pytest.raises(BadStore, match="another version"):
        Store(store.path.parent)
    assert [path.name for path in store.path.parent.iterdir()] == [store.path.name]
    assert store.path.read_bytes() == content


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="those systems have folders of their own")
def test_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "bohemian-villages"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "bohemian-villages"


def test_who_has_no_home_is_told_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs as a user whom its system does not know."""

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(BadStore, match="Name one with --data FOLDER"):
        data_folder()


def test_games_of_people_whose_names_have_joiners_are_kept(store: Store) -> None:
    seating = read_seating({"seats": [{"name": "می\u200cخواهم"}, {"name": "\u200fשלום\u200e"}]}, [])
    assert [seat["name"] for seat in seating["seats"]] == ["می\u200cخواهم", "שלום"]
    assert seating["seed"] < 2**53
    loaded = store.load(store.add(seating))
    assert loaded is not None
    assert not loaded.damaged


DAMAGED_SETUPS = [None, 5, "", "{", "null", "[]", "{}", b"\xff\xfe", '{"seats": null}', '{"seats": []}']
DAMAGED_SETUPS += ['{"seats": [7]}', '{"seats": [{"name": 7}]}', '{"seats": [{"name": "A", "agent": []}]}']
DAMAGED_SETUPS += ["[" * 100_000]
DAMAGED_ACTIONS = [None, 5, "", "[1", "null", "{}", '["a"]', "[1.5]", "[true]", "[1]", "[1, 2, 3]", b"\xff\xfe"]


def damage(store: Store, **fields: Any) -> None:
    """Write something else into the rows of all games that are not over."""
    with contextlib.closing(sqlite3.connect(store.path)) as base, base:
        base.execute("PRAGMA writable_schema = on")  # to take the NOT NULL away, as damage may
        base.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'games'")
        base.commit()
    for field, value in fields.items():
        write(store.path, f"UPDATE games SET {field} = ? WHERE NOT over", value)


@pytest.mark.parametrize(
    "fields",
    [{"setup": value} for value in DAMAGED_SETUPS]
    + [{"actions": value} for value in DAMAGED_ACTIONS]
    + [{"moves": value} for value in (None, 7, "x", -1)],
    ids=lambda fields: str(fields)[:30],
)
def test_a_damaged_row_hides_no_other(store: Store, fields: dict[str, Any]) -> None:
    bad, good, over = (store.add(SEATING) for _ in range(3))
    assert store.write(over, [], [4], over=True)
    assert store.write(bad, [], [1, 2], over=False)
    assert store.write(good, [], [1, 2], over=True)
    damage(store, **fields)
    write(store.path, "UPDATE games SET over = 0 WHERE id = ?", good)
    again = Store(store.path.parent)
    assert again.set_aside is None
    listed = {game.id: game for game in again.recent(over=False)}
    assert (listed[bad].damaged, listed[bad].actions, listed[good].damaged) == (True, [], False)
    assert again.load(good).actions == [1, 2]
    assert again.load(bad).damaged
    assert [game.id for game in again.recent(over=True)] == [over]
    assert again.delete(bad)
    assert again.load(bad) is None


@pytest.mark.parametrize("fields", [{"over": "x"}, {"over": None}, {"touched": None}, {"touched": "x"}], ids=str)
def test_odd_marks_hide_no_game(store: Store, fields: dict[str, Any]) -> None:
    games = {store.add(SEATING), store.add(SEATING)}
    damage(store, **fields)
    assert {game.id for game in store.recent(over=False)} == games


@pytest.mark.parametrize("kind", ["empty", "text", "database", "cut", "torn", "column", "schema"])
def test_what_holds_no_games_is_kept_aside(store: Store, kind: str) -> None:
    for _ in range(50):
        store.add(SEATING)
    whole = store.path.read_bytes()
    if kind == "database":
        store.path.unlink()
        write(store.path, "CREATE TABLE letters (text)")
    else:
        contents = {"empty": b"", "text": b"something else " * 500, "cut": whole[: len(whole) // 2]}
        contents["schema"] = whole.replace(b"CREATE TABLE games", b"CREATE TABL\x87 games")
        contents["column"] = whole.replace(b"actions TEXT", b"bctions TEXT")  # of the table's own description
        contents["torn"] = whole[:4096] + b"\xa5" * (len(whole) - 4096)
        store.path.write_bytes(contents[kind])
    there = store.path.read_bytes()
    Path(f"{store.path}-wal").write_bytes(b"")
    first = Store(store.path.parent)
    assert first.set_aside == store.path.with_name("games.sqlite3.aside-1")
    assert first.set_aside.read_bytes() == there
    assert first.recent(over=False) == []
    game = first.add(SEATING)
    second = Store(store.path.parent)
    assert second.set_aside is None
    assert second.load(game).seating == SEATING
    store.path.write_bytes(b"")
    assert Store(store.path.parent).set_aside == store.path.with_name("games.sqlite3.aside-2")
    assert first.set_aside.read_bytes() == there


def test_many_servers_may_begin_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: Store(tmp_path), range(8)))
    assert {store.set_aside for store in stores} == {None}
    assert len({store.token for store in stores}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["games.sqlite3"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.store._PATIENCE", 0.05)


def test_a_locked_file_is_told_and_forgotten(store: Store, impatient: None) -> None:
    game = store.add(SEATING)
    with locked(store.path):
        uses: list[Callable[[], object]] = [
            lambda: store.add(SEATING),
            lambda: store.load(game),
            lambda: store.recent(over=False),
            lambda: store.write(game, [], [1], over=False),
            lambda: store.delete(game),
        ]
        for use in uses:
            with pytest.raises(Unavailable, match="cannot be used now, try again: database is locked; no game has ch"):
                use()
        with pytest.raises(BadStore, match="database is locked"):
            Store(store.path.parent)
    assert store.write(game, [], [1], over=False)


def test_a_full_disk_is_told_and_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = store.add(SEATING)
    real = sqlite3.connect

    def full(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        base = real(*args, **kwargs)
        base.execute("PRAGMA max_page_count = 1")  # the least it has already
        return base

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", full)
        with pytest.raises(Unavailable, match="full; what was asked for is done wholly or not at all"):
            store.write(game, [], [200] * 100_000, over=False)
    assert store.load(game).actions == []
    assert store.write(game, [], [200] * 1000, over=False)


def test_a_file_that_is_gone_is_told(store: Store) -> None:
    store.path.unlink()
    with pytest.raises(Unavailable, match="unable to open"):
        store.recent(over=False)
    assert not store.path.exists()


def torn(store: Store) -> tuple[set[str], bytearray]:
    """Many games, and their file, of which a page was damaged: some games are lost."""
    games = {store.add(SEATING) for _ in range(300)}
    content = bytearray(store.path.read_bytes())
    page = content.rfind(b'"seats"') // 4096 * 4096  # of some games; others are pages of the index
    content[page : page + 4096] = b"\xa5" * 4096
    store.path.write_bytes(content)
    return games, content


def test_of_a_damaged_file_what_can_be_read_is_taken_over(store: Store) -> None:
    games, content = torn(store)
    again = Store(store.path.parent)
    assert again.set_aside.read_bytes() == content
    rescued = again.recent(over=False, limit=1000)
    assert 20 < len(rescued) < 300
    assert {game.id for game in rescued} <= games
    assert not any(game.damaged for game in rescued)


def test_a_server_that_is_killed_leaves_the_rescue_to_the_next(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    games, _ = torn(store)
    for step in ("_make", "_rescue"):
        with monkeypatch.context() as patch:
            patch.setattr(Store, step, lambda _: exit("killed"))
            with pytest.raises(SystemExit):
                Store(store.path.parent)
    again = Store(store.path.parent)
    assert again.set_aside is not None
    rescued = {game.id for game in again.recent(over=False)}
    assert rescued < games
    assert len(rescued) > 20
    deleted = min(rescued)
    assert again.delete(deleted)
    assert Store(store.path.parent).set_aside is None  # each file once: what was deleted since does not come back
    store.path.write_bytes(store.path.read_bytes().replace(b"actions TEXT", b"bctions TEXT"))
    assert {game.id for game in Store(store.path.parent).recent(over=False)} <= rescued - {deleted}


def test_what_cannot_be_read_now_is_taken_over_later(store: Store) -> None:
    games = {store.add(SEATING) for _ in range(3)}
    whole = store.path.read_bytes()
    store.path.write_bytes(b"")
    first = Store(store.path.parent)
    assert first.set_aside is not None
    first.set_aside.write_bytes(whole)  # as if it could be read
    write(store.path, "UPDATE about SET value = 'due' WHERE key = ?", first.set_aside.name)
    with locked(first.set_aside):
        assert Store(store.path.parent).recent(over=False) == []
    later = Store(store.path.parent)
    assert later.set_aside == first.set_aside
    assert {game.id for game in later.recent(over=False)} == games


def test_files_that_an_earlier_version_set_aside_stay_as_they_are(store: Store) -> None:
    """It took their games over, and said so nowhere; since then some may have been deleted."""
    game = store.add(SEATING)
    store.path.with_name("games.sqlite3.aside-1").write_bytes(store.path.read_bytes())
    assert store.delete(game)
    again = Store(store.path.parent)
    assert again.set_aside is None
    assert again.recent(over=False) == []


def test_games_that_cannot_be_taken_over_now_hold_up_no_start(store: Store, impatient: None) -> None:
    """As where another server writes, or the folder cannot be written to."""
    game = store.add(SEATING)
    aside = store.path.with_name("games.sqlite3.aside-1")
    aside.write_bytes(store.path.read_bytes())
    write(store.path, "INSERT INTO about VALUES (?, 'due')", aside.name)
    write(store.path, "DELETE FROM games")
    with locked(store.path, "IMMEDIATE"):
        assert Store(store.path.parent).recent(over=False) == []
    assert [saved.id for saved in Store(store.path.parent).recent(over=False)] == [game]


def test_what_a_killed_server_left_half_made_is_cleared_away(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for suffix in ("", "-journal"):
        name = temporary_for(tmp_path / "games.sqlite3").name.replace(f"-{os.getpid()}-", f"-{dead.pid}-")
        (tmp_path / f"{name}{suffix}").write_bytes(b"half")
    Store(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["games.sqlite3"]


def test_text_that_is_not_utf8_is_read_with_marks(store: Store) -> None:
    game = store.add(SEATING)
    write(store.path, "UPDATE games SET setup = CAST(replace(CAST(setup AS BLOB), 'You', x'ff') AS TEXT)")
    assert [saved.id for saved in store.recent(over=False)] == [game]
