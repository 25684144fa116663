"""A game as its positions, each where somebody decides, and the end; and games that come as records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from bohemian_env import BadRecord, Game
from bohemian_env.engine.checks import is_printable
from bohemian_env.villages.events import Event, Rolled
from bohemian_env.villages.setup import DEFAULT_MAX_TURNS

from .refusal import Refusal

_LONGEST_NAME: Final = 100
"""Letters of a player's or a village's name at most: each stands in every drawing of the game."""
_LONGEST_REASON: Final = 300


class NoGame(Refusal, BadRecord):
    """A record of no game, or of one that cannot be shown."""


@dataclass(frozen=True, slots=True)
class Position:
    """A moment in which somebody decides, or the end of the game. The first has number 0, and n moves come before
    number n.
    """

    game: Game
    happened: tuple[Event, ...]
    """What happened since the position before, in order."""
    rolls: tuple[tuple[Game, tuple[int, ...]], ...]
    """The game before each roll since then, and the dice rolled."""


def positions_of(game: Game) -> list[Position]:
    """Return the positions of a game so far. Raises NoRecord if it was loaded from a position."""
    found: list[Position] = []
    happened: list[Event] = []
    rolls: list[tuple[Game, tuple[int, ...]]] = []
    due: Game | None = None  # the moment before a roll
    for moment in game.moments():
        happened += moment.happened
        rolls += [(due, event.dice) for event in moment.happened if due and isinstance(event, Rolled)]
        due = moment if moment.needs_roll else None
        if due is None:
            found.append(Position(moment, tuple(happened), tuple(rolls)))
            happened, rolls = [], []
    return found


def read_record(text: str | bytes) -> Game:
    """Return the game of a record.

    Raises:
        NoGame: the text is none.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise NoGame("no_json") from None
    turns = data.get("turns") if isinstance(data, dict) else None
    if isinstance(turns, list) and len(turns) > DEFAULT_MAX_TURNS:
        raise NoGame("too_long", most=DEFAULT_MAX_TURNS)
    if any(len(name) > _LONGEST_NAME or not is_printable(name) for name in _names(data)):
        raise NoGame("names", most=_LONGEST_NAME)
    try:
        return Game.from_record(data)
    except BadRecord as error:
        reason = str(error).encode("utf-8", "backslashreplace").decode()  # it may quote half a character
    shown = reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]} …"
    raise NoGame("replay", why=shown)


def _names(data: Any) -> Iterator[str]:
    """Yield the names of players and villages in what may be a record."""
    if isinstance(data, dict):
        continued = data.get("continues")
        for given in (data, continued if isinstance(continued, dict) else {}):
            for name in ("players", "villages"):
                entries = given.get(name)
                for entry in entries if isinstance(entries, list) else ():
                    known = entry.get("name") if isinstance(entry, dict) else entry
                    if isinstance(known, str):
                        yield known
