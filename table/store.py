"""Where games are kept: one SQLite file in the user's data folder.

A game is kept as its seating (``seating.py``), which holds the seed of its dice, and the action numbers of its moves;
all else follows from these. Every move is written before anybody is told of it, so that a crash or a restart loses
nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["BadStore", "Saved", "Store", "data_folder"]

_FILE: Final = "games.sqlite3"
_VERSION: Final = 1
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


class BadStore(Exception):
    """The folder cannot hold games, or holds something else; the message says why."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A game as it is kept."""

    id: str
    seating: dict[str, Any]
    actions: list[int]
    over: bool


def data_folder() -> Path:
    """Return this program's folder in the place where the system keeps a user's data."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "bohemian-villages"


class Store:
    """The games in a folder, which several threads and several servers may use at once.

    Raises:
        BadStore: the folder cannot be made or written to, or its file is something else.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / _FILE
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._open() as base:
                version = base.execute("PRAGMA user_version").fetchone()[0]
                if version not in (0, _VERSION):
                    raise BadStore(f"{self.path} was written by another version of this program")
                base.executescript(_TABLES)
                base.execute(f"PRAGMA user_version = {_VERSION}")
                base.execute("INSERT OR IGNORE INTO about VALUES ('token', ?)", [secrets.token_urlsafe(24)])
                self.token: str = base.execute("SELECT value FROM about WHERE key = 'token'").fetchone()[0]
                """What every page from here shows with its requests; kept, so that pages outlive the server."""
        except (OSError, sqlite3.Error) as error:
            raise BadStore(f"games cannot be kept in {folder}: {error}") from None

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open a connection for one transaction: connections are cheap, and must not pass from thread to thread."""
        with contextlib.closing(sqlite3.connect(self.path, timeout=10)) as base, base:
            yield base

    def add(self, seating: dict[str, Any]) -> str:
        """Keep a new game, and return its id."""
        new = secrets.token_urlsafe(16)
        with self._open() as base:
            base.execute("INSERT INTO games VALUES (?, ?, '[]', 0, 0, ?)", [new, json.dumps(seating), time.time()])
        return new

    def load(self, game: str) -> Saved | None:
        """Return the game with this id; None if there is none."""
        with self._open() as base:
            row = base.execute("SELECT id, setup, actions, over FROM games WHERE id = ?", [game]).fetchone()
        return _saved(row) if row else None

    def write(self, game: str, known: int, actions: Sequence[int], over: bool) -> bool:
        """Replace the actions of a game of which ``known`` were kept. Return whether that was done: a game that has
        another number of them by now stays as it is.
        """
        with self._open() as base:
            done = base.execute(
                "UPDATE games SET actions = ?, moves = ?, over = ?, touched = ? WHERE id = ? AND moves = ?",
                [json.dumps(list(actions)), len(actions), over, time.time(), game, known],
            )
            return done.rowcount == 1

    def recent(self, over: bool, limit: int = 10) -> list[Saved]:
        """Return the games played last, latest first: of those that are over, or of the others."""
        query = "SELECT id, setup, actions, over FROM games WHERE over = ? ORDER BY touched DESC LIMIT ?"
        with self._open() as base:
            return [_saved(row) for row in base.execute(query, [over, limit])]

    def delete(self, game: str) -> bool:
        """Delete a game, and return whether there was one."""
        with self._open() as base:
            return base.execute("DELETE FROM games WHERE id = ?", [game]).rowcount == 1


def _saved(row: tuple[str, str, str, int]) -> Saved:
    return Saved(row[0], json.loads(row[1]), json.loads(row[2]), bool(row[3]))
