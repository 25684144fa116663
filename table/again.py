"""Reasons to come back: a game a day, the same game as played by an agent, and costly moves that one meets again."""

import datetime
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .refusal import Refusal
from .review import Beside, parted
from .room import LETTERS, Guest, Room, total_of
from .seating import BadSeating, free_name, read_seating
from .session import Session
from .store import Saved, Store
from .words import Words

_DAY: Final = 86_400.0
_AFTER: Final = (1, 3, 7)
"""The days after which a costly move is met again: at first, and each time that a better one was found."""
_FIND: Final = "find:"
_LEVELS: Final = 10  # the games by which the next opponent is chosen


class NotToday(Refusal):
    """The date is none, or not that of today anywhere."""


def daily_seating(room: Room, date: object, words: Words) -> dict[str, Any]:
    """Return the seating of the game of a day: the same for everybody. Raises NotToday, BadSeating."""
    try:
        day = datetime.date.fromisoformat(str(date)[:10])
    except ValueError:
        raise NotToday("date", date=str(date)[:20]) from None
    if abs((day - datetime.datetime.now(datetime.UTC).date()).days) > 1:
        raise NotToday("date", date=day.isoformat())
    seed = _seed_of(room, day.isoformat())
    seats = [{"name": ""}, *({"agent": agent} for agent in room.daily_guests)]
    seating = read_seating({"game": room.name, "seats": seats, "options": {}, "seed": seed}, [], words)
    for number, seat in enumerate(seating["seats"]):
        if "agent" in seat:
            seat["seed"] = number
    return seating | {"daily": day.isoformat()}


def _seed_of(room: Room, date: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{room.name} {date}".encode()).digest()[:7])


def duplicate_of(game: str, session: Session) -> dict[str, Any]:
    """Return the seating of a game with the same chance in which the room's master has the seats of people. Raises
    BadSeating: the game goes on from another one.
    """
    seating, room = session.seating, session.room
    if seating.get("record"):
        raise BadSeating("nobody_goes_on")
    called = Guest(room.master, 1).name(room.words("en"))
    seats = [seat for seat in seating["seats"] if "agent" in seat]
    for number, seat in enumerate(seating["seats"]):
        if "agent" not in seat:
            master = {"name": free_name(called, seats), "agent": room.master, "seed": number}
            seats.insert(number, master)
    return {**seating, "seats": seats, "daily": None, "duplicate": game}


def played_out(seating: dict[str, Any]) -> Session:
    """Return the game of agents alone at its end."""
    session = Session(seating)
    while not session.over:
        session.advance()
    return session


def compared(mine: Session, other: Session, words: Words) -> dict[str, Any]:
    """Return how a person's game went beside the same one as the master played it: ``agent``, the totals of the first
    person's seat, ``mine`` and ``theirs``, in what they ``parted``, by position, and a ``line`` to share.
    """
    seat = mine.people[0] if mine.people else 0
    totals = []
    for session in (mine, other):
        rows = session.room.rules.scoring_of(session.game.states[0])
        totals.append(total_of(rows[min(seat, len(rows) - 1)]))
    agent = Guest(mine.room.master, 1).name(words)
    day = mine.seating.get("daily")
    title = f"{words('game.title')} {day}" if day else words("game.title")
    first, second = (str(total).replace("-", "−") for total in totals)
    line = words("happens.shared_line", title=title, mine=first, agent=agent, theirs=second)
    told = parted(mine.room, other.moments, Beside(mine.moments, mine.teller(words), seat))
    return {"agent": agent, "mine": totals[0], "theirs": totals[1], "parted": told or [], "line": line}


def of_a_day(kept: Sequence[Saved], room: Room, date: str) -> Saved | None:
    """Return the game of a day that was begun already."""
    mine = (game for game in kept if not game.damaged and game.seating.get("game") == room.name)
    return next((game for game in mine if game.seating.get("daily") == date), None)


def proposed(room: Room, results: Sequence[tuple[str, bool]]) -> str:
    """Return the agent that is proposed as the next opponent: stronger after a victory, weaker after two defeats.

    results: against whom and whether won, of the games with one opponent, the latest last.
    """
    levels = {guest.agent: guest.level for guest in room.guests}
    level, lost = levels.get(room.first_guest, 1), 0
    for agent, won in results[-_LEVELS:]:
        lost = 0 if won else lost + 1
        met = levels.get(agent, level)
        level = max(level, met + 1) if won else min(level, met - 1) if lost > 1 else level
    level = min(max(level, 1), max(levels.values(), default=1))
    nearest = sorted(room.guests, key=lambda guest: (abs(guest.level - level), -guest.level))
    return nearest[0].agent if nearest else room.first_guest


def remember_costly(store: Store, game: str, found: Mapping[str, Any], seats: Sequence[int], least: float) -> None:
    """Note the costly moves of some seats, so that they are met again tomorrow.

    found: the review of the game, whole. least: what they cost at least.
    """
    known = store.notes(f"{_FIND}{game}:")
    for number, position in enumerate(found["positions"], found["after"]):
        key = f"{_FIND}{game}:{number}"
        if position["seat"] in seats and (position["cost"] or 0) >= least and key not in known:
            store.note(key, json.dumps([time.time() + _AFTER[0] * _DAY, 0]))


def answered(store: Store, game: str, position: int, found: bool) -> None:
    """Note whether a better move was found; what was found three times is met no more."""
    key = f"{_FIND}{game}:{position}"
    if (text := store.notes(key).get(key)) is None:
        return
    times = _read(text)[1] + 1 if found else 0
    due = time.time() + _AFTER[min(times, len(_AFTER) - 1)] * _DAY if times < len(_AFTER) else float("inf")
    store.note(key, json.dumps([min(due, 1e11), times]))


def to_find(store: Store, games: Mapping[str, Saved]) -> list[tuple[str, int]]:
    """Return the positions of kept games, by id, that are to be met again now, those that wait longest first."""
    due = []
    for key, text in store.notes(_FIND).items():
        game, _, number = key.removeprefix(_FIND).partition(":")
        when = _read(text)[0]
        if game in games and number.isdigit() and when <= time.time():
            due.append((when, game, int(number)))
    return [(game, number) for _, game, number in sorted(due)]


def _read(text: str) -> tuple[float, int]:
    try:
        when, times = json.loads(text)
        return float(when), int(times)
    except (TypeError, ValueError):
        return 0.0, 0


def puzzle_seating(room: Room, date: str) -> dict[str, Any]:
    """Return the seating of a game of weak agents, the costly moves of which are those to find on a day."""
    agent = room.sample[2]
    seats = [{"name": LETTERS[number], "agent": agent, "seed": number} for number in range(room.sample_players)]
    return {
        "game": room.name, "engine": room.engine(), "seats": seats, "options": {},
        "seed": _seed_of(room, f"{date} find"), "puzzle": date,
    }  # fmt: skip
