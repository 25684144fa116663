"""Finished games of people as one file to give away: records that replay exactly, without anybody's name."""

import json
from collections.abc import Iterable, Iterator

from .seating import BadSeating
from .session import Session
from .store import Saved


def records_of(games: Iterable[Saved]) -> Iterator[str]:
    """Yield a line of JSON for each finished game in which a person played: its record, with people as ``person``.

    A game is left out unless the record, played again by the rules, leads to the same position and the same record.
    """
    for saved in games:
        if saved.damaged:
            continue
        try:
            session = Session(saved.seating, saved.actions)
        except BadSeating:
            continue
        if not session.over or not session.people:
            continue
        record = session.game.record()
        record["players"] = [
            f"person {seat}" if seat in session.people else name for seat, name in enumerate(record["players"])
        ]
        again = session.room.rules.game.from_record(json.loads(json.dumps(record)))
        if again == session.game and again.record() == record:
            yield json.dumps(record, ensure_ascii=False) + "\n"
