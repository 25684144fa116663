"""A game as its positions, each where somebody decides, and the end; and games that come as records."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bohemian_env.engine.checks import is_printable
from bohemian_env.engine.errors import BadRecord, BohemianError
from bohemian_env.engine.game import Game
from bohemian_env.games import game_of_record

from .refusal import Refusal
from .room import room_of

_LONGEST_NAME: Final = 100
"""Letters of a player's name, and of any other in a record, at most: each stands in every drawing of the game."""
_LONGEST_REASON: Final = 300


class NoGame(Refusal, BadRecord):
    """A record of no game, or of one that cannot be shown."""


@dataclass(frozen=True, slots=True)
class Position:
    """A moment in which somebody decides, or the end of the game. The first has number 0, and n moves come before
    number n.
    """

    game: Game
    moment: int
    """Its number among the moments of the game."""
    chances: tuple[tuple[Game, Game], ...]
    """The game before and after each time that chance spoke since the position before."""


def positions_of(moments: Sequence[Game]) -> list[Position]:
    """Return the positions of a game by all its moments from the first on."""
    found: list[Position] = []
    chances: list[tuple[Game, Game]] = []
    due: Game | None = None
    for number, moment in enumerate(moments):
        if due is not None:
            chances.append((due, moment))
        due = moment if moment.needs_chance else None
        if due is None:
            found.append(Position(moment, number, tuple(chances)))
            chances = []
    return found


def read_record(text: str | bytes) -> Game:
    """Return the game of a record, of any game. Raises NoGame: the text is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise NoGame("no_json") from None
    if any(len(name) > _LONGEST_NAME or not is_printable(name) for name in _names(data)):
        raise NoGame("names", most=_LONGEST_NAME)
    try:
        room = room_of(game_of_record(data))
        turns = data.get("turns")
        if isinstance(turns, list) and len(turns) > room.most_turns:
            raise NoGame("too_long", most=room.most_turns)
        game: Game = room.rules.game.from_record(data)
    except NoGame:
        raise
    except BohemianError as error:
        reason = str(error).encode("utf-8", "backslashreplace").decode()  # it may quote half a character
        shown = reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]} …"
        raise NoGame("replay", why=shown) from None
    return game


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
