"""What the beginnings of all games have: a set-up, names for the seats, and the game that one goes on from."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from .checks import check_seed, is_whole, texts_of
from .errors import BadPosition, BadRecord, BadSetup, brief
from .states import check_form


def agents_of(players: int) -> tuple[str, ...]:
    """Return the ids of the agents at the table: ``player_0``, ``player_1``, …"""
    return tuple(f"player_{seat}" for seat in range(players))


def checked_names(names: Iterable[str] | None, players: int) -> tuple[str, ...]:
    """Return names for the seats, the agents' ids by default. Raises BadSetup if there is not a text for each."""
    given = agents_of(players) if names is None else texts_of(names)
    if given is None or len(given) != players:
        raise BadSetup(f"names {brief(names)} are not {players} texts, one for each seat")
    return given


@dataclass(frozen=True, slots=True)
class Checked:
    """What checks its parts when it is made."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the parts, so that what is unpickled is checked."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


def check_start(start: Any, setup: type[Any]) -> None:
    """Refuse what is no beginning of a game of a set-up, of a type ``setup``; its seed becomes an int, and its names
    become texts. Raises BadSetup.
    """
    if not isinstance(start.setup, setup):
        raise BadSetup(f"setup {brief(start.setup)} is not a Setup")
    players, known = start.setup.players, start.continues
    object.__setattr__(start, "names", checked_names(start.names, players))
    if start.seed is not None:
        object.__setattr__(start, "seed", check_seed(start.seed))
    if known is not None and not (isinstance(known, Continued) and len(known.players) == players):
        raise BadSetup(f"continues {brief(known)} is not a game of {players} players")


@dataclass(frozen=True, slots=True)
class Continued:
    """The game from which another one has its first moves."""

    moves: int
    """How many of them."""
    players: tuple[str, ...]
    """The names of those who made them."""
    seed: int | None
    """The seed of what chance brought until then."""

    def __post_init__(self) -> None:
        """Refuse what is no number of moves, no names, or no seed."""
        if not is_whole(self.moves, 0):
            raise BadSetup(f"moves {brief(self.moves)} are not a whole number of at least 0")
        if (players := texts_of(self.players)) is None:
            raise BadSetup(f"players {brief(self.players)} are not texts, or not a list of names")
        object.__setattr__(self, "moves", int(self.moves))
        object.__setattr__(self, "players", players)
        if self.seed is not None:
            object.__setattr__(self, "seed", check_seed(self.seed))

    def to_json(self) -> dict[str, Any]:
        """Return it as a record tells it."""
        return {"moves": self.moves, "players": list(self.players), "seed": self.seed}


def start_of(data: Any, form: str, turns: Mapping[str, Any], setup: Callable[..., Any], known: Sequence[str]) -> Any:
    """Return the beginning of the game that a record tells. Raises BadRecord.

    form: the format that it has. turns: the form of what holds its turns (``check_form``), by its name. setup: makes
    the set-up of a number of players and of options, which are among the ``known``.
    """
    try:
        check_form(data, {"players": [object], **turns, "format": str})
        if data["format"] != form:
            raise BadRecord(f"format: {brief(data['format'])} is not {brief(form)}")
        options = data.get("setup", {})
        if not isinstance(options, Mapping) or not {*options} <= {*known}:
            raise BadRecord(f"setup: {brief(options)} is not an object of {', '.join(known)}")
        return continuing(setup(len(data["players"]), **options).start(None, data["players"]), data)
    except (BadPosition, BadSetup) as error:
        raise BadRecord(str(error)) from None


def continuing(start: Any, data: Mapping[str, Any]) -> Any:
    """Return a beginning with the game that it continues, if its record tells of one. Raises BadRecord, BadSetup."""
    if "continues" not in data:
        return start
    told = data["continues"]
    if not isinstance(told, Mapping) or {*told} != {"moves", "players", "seed"}:
        raise BadRecord(f"continues: {brief(told)} is not an object with exactly moves, players and seed")
    return replace(start, continues=Continued(**told))
