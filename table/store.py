"""Where games are kept: one SQLite file in the user's data folder.

A game is kept as its seating (``seating.py``), which holds the seed of its dice, and the action numbers of its moves;
all else follows from these. Every move is written before anybody is told of it, so that a crash or a restart loses
nothing. A game whose row is damaged is told as such and hides no other.
"""

import contextlib
import itertools
import json
import os
import secrets
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .language import text_in

_FILE: Final = "games.sqlite3"
_ASIDE: Final = f"{_FILE}.aside-"  # what the name of a file that was set aside begins with; a number follows
_DUE: Final = "due"  # the value of a file's name in ``about`` while its games are still to be taken over
_OF_THE_FILE: Final = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""The codes of errors that are the same whenever a file is read: it is damaged, or none with games."""
_VERSION: Final = 1
_PATIENCE: Final = 1.5  # seconds that a request waits for somebody else who writes
_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY,       -- unguessable; part of the address of the game's page
        setup TEXT NOT NULL,       -- the seating as JSON
        actions TEXT NOT NULL,     -- JSON list of action numbers
        moves INTEGER NOT NULL,    -- how many there are, so that nobody overwrites moves unknown to them
        over INTEGER NOT NULL,
        touched REAL NOT NULL      -- seconds since 1970
    );
    CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_LATEST: Final = 2.0**37  # seconds since 1970: a time that calendars can still tell
_FIELDS: Final = "id, setup, actions, moves, over, touched"
_COLUMNS: Final = {"games": {*_FIELDS.split(", ")}, "about": {"key", "value"}}


_UNSEEN: Final = dict.fromkeys(map(ord, "\u200c\u200d\u200e\u200f"))
"""Joiners and marks of direction, which ``is_printable`` of the game takes as well; to ask it would load the game."""


class BadStore(Exception):
    """The folder cannot hold games, or holds something else; the message says why."""


class Unavailable(Exception):
    """The games cannot be read or written now; the message says why, and whether anything can have changed."""

    def __init__(self, path: Path, error: sqlite3.Error | UnicodeDecodeError | OSError) -> None:
        code = getattr(error, "sqlite_errorcode", 0) & 255
        unreadable = isinstance(error, UnicodeDecodeError)  # what SQLite says cites the file
        self.damaged = unreadable or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        """Whether the file is not sound, so that it is of no use to try again."""
        # The last thing that a transaction does is to sync the folder; where that fails, it may have been carried out.
        unsure = code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
        self._key = "file_damaged" if self.damaged else "file_unsure" if unsure else "file_now"
        self._values = {"file": path.name, "why": error}
        super().__init__(self.told("en"))

    def told(self, language: str) -> str:
        """Return the sentence in a language."""
        return text_in(language, "refused", self._key, **self._values)


@dataclass(frozen=True, slots=True)
class Saved:
    """A game as it is kept."""

    id: str
    seating: dict[str, Any]
    actions: list[int]
    over: bool
    damaged: bool = False
    """Whether it cannot be read; then it has no seats and no actions."""
    touched: float = field(default=0.0, compare=False)
    """When it was played last, in seconds since 1970; no part of what the game is."""
    moves: int = 0
    """Moves made so far, those in the record included from which it goes on."""


def data_folder() -> Path:
    """Return this program's folder in the place where the system keeps a user's data.

    Raises BadStore where the user has no home.
    """
    variable, usual = "XDG_DATA_HOME", ".local/share"
    if sys.platform == "win32":
        variable, usual = "LOCALAPPDATA", "AppData/Local"
    elif sys.platform == "darwin":
        variable, usual = "", "Library/Application Support"
    try:
        return Path(os.environ.get(variable) or Path.home() / usual) / "bohemian-villages"
    except RuntimeError as error:
        raise BadStore(f"no place to keep games: {error} Name one with --data FOLDER") from None


class Store:
    """The games in a folder, which several threads and several servers may use at once.

    A file in the place of the games that is damaged, or none of this program, is renamed, never written over; games in
    it that can be read are taken over. Raises BadStore: the folder cannot be made or written to, or its games are of
    another version of this program.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / _FILE
        self.set_aside: Path | None = None
        """What the file that stood in the place of the games is called now; None if there was no such file."""
        self._settled = False
        try:
            if not folder.is_dir():
                from agents.common.files import make_folder  # only now, since it brings the game along

                make_folder(folder, 0o700)
            if self.path.exists() and not self._is_sound():
                self._rename()
            if not self.path.exists():
                self._make()
            self._rescue()
            with self._transaction() as base:
                token = "SELECT value FROM about WHERE key = 'token'"
                version = base.execute("PRAGMA user_version").fetchone()[0]
                if version != _VERSION or base.execute(token).fetchone() is None:  # else nothing is written
                    _prepare(base)
                self.token: str = base.execute(token).fetchone()[0]
                """What every page from here shows with its requests; kept, so that pages outlive the server."""
        except (OSError, sqlite3.Error, Unavailable) as error:
            raise BadStore(
                f"games cannot be kept in {folder}: {error}; name another folder with --data FOLDER"
            ) from None

    def _is_sound(self) -> bool:
        """Return whether the file holds games. Raises BadStore if another version of this program wrote them."""
        try:
            with self._transaction() as base:
                columns = {
                    table: {name for _, name, *_ in base.execute(f"PRAGMA table_info({table})")} for table in _COLUMNS
                }
                if not all(columns.values()):
                    return False
                if base.execute("PRAGMA user_version").fetchone()[0] not in (0, _VERSION):
                    raise BadStore(f"{self.path} was written by another version of this program")
                if not all(columns[table] >= wanted for table, wanted in _COLUMNS.items()):
                    return False
                found = [text for (text,) in base.execute("PRAGMA quick_check")]
                return all(text == "ok" or " value in " in text for text in found)  # odd values are seen when read
        except Unavailable as error:
            if error.damaged:
                return False
            raise

    def _rename(self) -> None:
        """Give the file a name that is free, and the files that SQLite keeps beside it names that go with it."""
        names = (self.path.with_name(f"{_ASIDE}{number}") for number in itertools.count(1))
        aside = next(name for name in names if not name.exists())
        for suffix in ("", "-journal", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                Path(f"{self.path}{suffix}").rename(f"{aside}{suffix}")

    def _make(self) -> None:
        """Make the file, whole at once: another server that starts now must not find it empty."""
        from agents.common.files import clear_temporaries, sync, temporary_for  # only now: they bring the game along

        clear_temporaries(self.path.parent)
        temporary = temporary_for(self.path)
        try:
            with contextlib.closing(sqlite3.connect(temporary)) as base, base:
                _prepare(base)
                if asides := self._asides():
                    base.execute(f"INSERT INTO about VALUES (?, '{_DUE}')", [asides[-1].name])
            try:
                os.link(temporary, self.path)
            except FileExistsError:
                pass  # another server was quicker
            except OSError:  # a file system without links
                temporary.rename(self.path)
            sync(self.path.parent)
        finally:
            temporary.unlink(missing_ok=True)

    def _asides(self) -> list[Path]:
        """Return the files that were set aside, the latest last."""
        found = [path for path in self.path.parent.glob(f"{_ASIDE}*") if path.name.removeprefix(_ASIDE).isdecimal()]
        return sorted(found, key=lambda path: int(path.name.removeprefix(_ASIDE)))

    def _rescue(self) -> None:
        """Take over the games of the file that was set aside last, up to where it cannot be read: once, which is noted
        with them, so that a server that is killed, or cannot read it now, leaves this to the next.
        """
        with self._transaction() as base:
            if not _due(base):
                return
        try:
            with self._transaction() as base:
                base.execute("BEGIN IMMEDIATE")  # of several servers one does it
                names = _due(base)
                for name in names:
                    if (found := _readable(self.path.with_name(name))) is None:
                        continue
                    due, rows = found
                    names += [one for one in due if one not in names]
                    base.executemany(f"INSERT OR IGNORE INTO games ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?)", rows)
                    base.execute("INSERT OR REPLACE INTO about VALUES (?, '')", [name])
                    self.set_aside = self.set_aside or self.path.with_name(name)
        except Unavailable:
            pass  # it cannot be written now

    def _open(self) -> contextlib.AbstractContextManager[sqlite3.Connection]:
        """Open a connection for one transaction, of which somebody will be told; raises as :meth:`_transaction`.

        A server that was killed may have deleted a journal, which ends a transaction, and not synced that. Before the
        first game is shown this is done for it: else a move that was shown would be gone after a power cut.
        """
        if not self._settled:
            from agents.common.files import sync  # only now, since it brings the game along

            try:
                sync(self.path.parent)
            except OSError as error:
                raise Unavailable(self.path, error) from error
            self._settled = True
        return self._transaction()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Open a connection for one transaction: connections are cheap, and must not pass from thread to thread. Raises
        Unavailable: the file is gone, locked or damaged, or the disk is full or broken; only in the latter case can the
        transaction have been carried out, wholly.
        """
        try:
            with contextlib.closing(_connect(self.path, "rw")) as base, base:
                yield base
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Unavailable(self.path, error) from error

    def add(self, seating: dict[str, Any], over: bool = False) -> str:
        """Keep a new game, and return its id.

        over: whether it is over from the start, since it came as a record.
        """
        new = secrets.token_urlsafe(16)
        with self._open() as base:
            base.execute(
                "INSERT INTO games VALUES (?, ?, '[]', 0, ?, ?)", [new, json.dumps(seating), over, time.time()]
            )
        return new

    def load(self, game: str) -> Saved | None:
        """Return the game with this id; None if there is none."""
        with self._open() as base:
            row = base.execute(f"SELECT {_FIELDS} FROM games WHERE id = ?", [game]).fetchone()
        return _saved(*row) if row else None

    def write(self, game: str, known: Sequence[int], actions: Sequence[int], over: bool) -> bool:
        """Replace the actions of a game, which were ``known``. Return whether that was done: a game that has others by
        now stays as it is.
        """
        with self._open() as base:
            done = base.execute(
                "UPDATE games SET actions = ?, moves = ?, over = ?, touched = ? WHERE id = ? AND actions = ?",
                [json.dumps(list(actions)), len(actions), over, time.time(), game, json.dumps(list(known))],
            )
            return done.rowcount == 1

    def recent(self, over: bool, limit: int = -1) -> list[Saved]:
        """Return so many games played last, or all, latest first: of those that are over, or of the others."""
        query = f"SELECT {_FIELDS} FROM games WHERE (over IS 1) = ? ORDER BY touched DESC LIMIT ?"
        with self._open() as base:
            return [_saved(*row) for row in base.execute(query, [over, limit])]

    def note(self, key: str, value: str) -> None:
        """Keep a value under a key, in the place of one that is there."""
        with self._open() as base:
            base.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", [key, value])

    def notes(self, start: str) -> dict[str, str]:
        """Return the values whose keys begin like this, by key."""
        with self._open() as base:
            found = base.execute("SELECT key, value FROM about WHERE substr(key, 1, ?) = ?", [len(start), start])
            return {str(key): str(value) for key, value in found}

    def delete(self, game: str) -> bool:
        """Delete a game, and return whether there was one."""
        with self._open() as base:
            return base.execute("DELETE FROM games WHERE id = ?", [game]).rowcount == 1


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection to a file that exists; text that is damaged has signs of that in it."""
    base = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", timeout=_PATIENCE, uri=True)
    try:
        # SQLite ends a transaction by deleting its journal. By default it does not sync that, so that the journal may
        # be there again after a power cut and undo what somebody was told of.
        base.execute("PRAGMA synchronous = EXTRA")
    except (sqlite3.Error, UnicodeDecodeError):  # it looks into the file, which may be locked or damaged
        base.close()
        raise
    base.text_factory = lambda text: text.decode(errors="replace")
    return base


def _due(base: sqlite3.Connection) -> list[str]:
    """Return the names of the files whose games are still to be taken over into this one."""
    found = base.execute("SELECT key FROM about WHERE value = ?", [_DUE])
    return [str(key) for (key,) in found if str(key).startswith(_ASIDE)]


def _readable(aside: Path) -> tuple[list[str], list[tuple[Any, ...]]] | None:
    """Return what can be read of a file: the files that are due there, and the rows of its games; None where it is not
    damaged, but cannot be read now.
    """
    due: list[str] = []
    rows: list[tuple[Any, ...]] = []
    try:
        with contextlib.closing(_connect(aside, "ro")) as old:
            with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
                due = _due(old)
            rows.extend(old.execute(f"SELECT {_FIELDS} FROM games NOT INDEXED"))  # up to where it cannot be read
    except UnicodeDecodeError:
        pass
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 255 not in _OF_THE_FILE:
            return None
    return due, rows


def _prepare(base: sqlite3.Connection) -> None:
    base.executescript(_TABLES)
    base.execute(f"PRAGMA user_version = {_VERSION}")
    base.execute("INSERT OR IGNORE INTO about VALUES ('token', ?)", [secrets.token_urlsafe(24)])


def _saved(game: Any, setup: Any, actions: Any, moves: Any, over: Any, touched: Any) -> Saved:
    """Return the game of a row, the fields of which may hold anything if it is damaged."""
    try:
        seating, actions = json.loads(setup), json.loads(actions)
        named = [seat["name"] for seat in seating["seats"]] + [seat.get("agent", "") for seat in seating["seats"]]
        sound = named and all(
            isinstance(name, str) and name.translate(_UNSEEN).isprintable() for name in [game, *named]
        )
        if sound and isinstance(actions, list) and all(type(a) is int for a in actions) and len(actions) == moves:
            begun = int(seating.get("record", {}).get("continues", {"moves": 0})["moves"])
            when = touched if isinstance(touched, float) and 0 <= touched < _LATEST else 0.0
            return Saved(game, seating, actions, bool(over), touched=when, moves=begun + moves)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        pass
    return Saved(str(game), {"seats": []}, [], bool(over), damaged=True)
