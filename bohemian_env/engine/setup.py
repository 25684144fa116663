"""What the beginnings of all games have: names for the seats, and the game that one goes on from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .checks import check_seed, is_whole, texts_of
from .errors import BadSetup, brief

__all__ = ["Continued", "agents_of", "checked_names"]


def agents_of(players: int) -> tuple[str, ...]:
    """Return the ids of the agents at the table: ``player_0``, ``player_1``, …"""
    return tuple(f"player_{seat}" for seat in range(players))


def checked_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    """Return names for the seats, the agents' ids by default. Raises BadSetup if there is not a text for each."""
    given = agents_of(players) if names is None else texts_of(names)
    if given is None or len(given) != players:
        raise BadSetup(f"names {brief(names)} are not {players} texts, one for each seat")
    return given


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
        if type(self.players) is not tuple or not all(isinstance(name, str) for name in self.players):
            raise BadSetup(f"players {brief(self.players)} are not texts")
        object.__setattr__(self, "moves", int(self.moves))
        if self.seed is not None:
            object.__setattr__(self, "seed", check_seed(self.seed))

    def to_json(self) -> dict[str, Any]:
        """Return it as a record tells it."""
        return {"moves": self.moves, "players": list(self.players), "seed": self.seed}
