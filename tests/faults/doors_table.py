"""The doors of the table: what a page asks for, and the kept games; web.py sends whole requests."""

import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from bohemian_env import BohemianError
from bohemian_env.games import rules_of
from table.history import read_record
from table.room import room_of
from table.seating import BadSeating, read_seating, seating_of
from table.session import NotYourTurn, Session
from table.store import Store

from .doors_game import one_of, options_of, simple
from .fuzz import Doors, Opened, Opening
from .odd import Arguments, Below, as_json, as_text

__all__ = ["DOORS"]


def _asked(game: str) -> list[dict[str, Any]]:
    players, options = options_of(game)
    told = json.loads(as_json(options))
    try:
        room_of(game).setup(players, told)
    except BohemianError:  # a room may offer other options than its game
        told = {}
    seats = [{"name": ""}, {"agent": "greedy"}, {"name": "Bo"}, {"name": "Ann"}, {"agent": "random"}]
    return [
        {"game": game, "seats": seats[:players], "options": told, "seed": "7"},
        {"game": game, "seats": [{"name": "Ann"}, {"name": "Bo"}], "options": {}, "seed": 7},
        {"game": game, "seats": seats[: rules_of(game).players[-1]], "options": {}, "seed": None},
    ]


def _seating(game: str) -> dict[str, Any]:
    return read_seating({"game": game, "seats": [{"name": "Ann"}, {"name": "Bo"}], "seed": 7}, ())


def _played(game: str) -> Session:
    session = Session(_seating(game))
    for _ in range(6):
        _play_on(session, session.game.legal_moves[-1])
    return session


def _play_on(session: Session, text: str) -> None:
    session.play(text)
    if session.held:
        session.confirm()


def _session(game: str, folder: Path) -> Opened:
    seating, played = _seating(game), _played(game)
    examples = (
        Arguments(seating=seating, actions=played.actions),
        Arguments(seating=seating | {"record": played.game.record()}, actions=[]),
    )
    return Opened(lambda given: Session(**given).view(), one_of(examples), (BadSeating,))


def _record(game: str, folder: Path) -> Opened:
    """A record that somebody loads."""
    record = _played(game).game.record()

    def call(given: Any) -> None:
        Session(seating_of(read_record(as_json(given)), ())).view()

    return Opened(call, lambda below: record, (BohemianError,))


def _play(game: str, folder: Path) -> Opened:
    sessions = [Session(_seating(game))]

    def example(below: Below) -> str:
        if sessions[0].game.over or below(500) == 1:
            sessions[0] = Session(_seating(game))
        legal = sessions[0].game.legal_moves
        return legal[below(len(legal))]

    def kept() -> object:
        return list(sessions[0].actions), len(sessions[0].log)

    return Opened(lambda text: _play_on(sessions[0], text), example, (BohemianError, NotYourTurn), kept)


def _rows(game: str, folder: Path) -> Opened:
    """A row of the kept games, whose values may be anything that SQLite holds."""
    store = Store(folder)
    good, other = store.add(_seating(game)), store.add(_seating(game))
    with closing(sqlite3.connect(store.path)) as base:
        row = base.execute("SELECT setup, actions, moves, over, touched FROM games WHERE id = ?", [good]).fetchone()
    fields = ("setup", "actions", "moves", "over", "touched")
    seating, update = json.loads(row[0]), f"UPDATE games SET {', '.join(f'{name} = ?' for name in fields)} WHERE id = ?"

    def call(given: dict[str, Any]) -> None:
        values = []
        for name in fields:
            value = given[name]
            if name == "setup" and not isinstance(value, str | bytes):
                value = as_json(value)
            if (isinstance(value, int) and abs(value) >= 2**63) or not isinstance(value, int | float | str | bytes):
                value = as_text(value)
            values.append(value.encode(errors="replace") if isinstance(value, str) and not value.isascii() else value)
        with closing(sqlite3.connect(store.path, isolation_level=None)) as base:
            base.execute("PRAGMA synchronous = OFF")
            base.execute(update, [*values, good])
        found = {saved.id for over in (False, True) for saved in store.recent(over)}
        assert found == {good, other}, "a damaged row hides games"
        saved = store.load(good)
        assert saved is not None
        if not saved.damaged:
            Session(saved.seating, saved.actions).view()

    example = Arguments(dict(zip(fields, row, strict=True)))
    examples = [example, Arguments({**example, "setup": seating})]
    return Opened(call, one_of(examples), (BadSeating, sqlite3.IntegrityError))


def _doors(game: str) -> dict[str, Opening]:
    openings = {"Session": _session, "Session.play": _play, "games.sqlite3": _rows, "records": _record}
    seating = simple(lambda asked: read_seating(asked, ()), _asked(game), BadSeating)
    return {"read_seating": seating} | {name: partial(opening, game) for name, opening in openings.items()}


DOORS: Final = Doors(_doors)
"""Doors of the table, by their names."""
