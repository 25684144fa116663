"""The set-up of a game (D2, D3): its parameters, checked once, and the beginning that they lead to.

A *variant* plays with some of the tiles, other markers, fewer tasks or a smaller landscape. It is small enough for exact
solutions and for tests; its rules are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, TypedDict

import numpy as np

from ..engine.checks import check_seed, is_whole, texts_of
from ..engine.errors import BadSetup, brief
from ..engine.setup import Continued, agents_of, checked_names
from . import rules
from .state import new_states
from .tiles import (
    IDS,
    KINDS,
    LANDSCAPE,
    LEFT_IN_BOX,
    MARKERS,
    MOST_MARKERS,
    MOST_PLAYERS,
    NUMBER,
    OPEN_TASKS,
    TASK_KIND,
    TASKS,
    TILES,
    WINDOW,
)

__all__ = ["COMMON", "MOST_NUMBER", "Setup", "SetupOptions", "Start"]

MOST_NUMBER: Final = TILES
"""The highest number on a marker of a variant: nobody has more tiles."""
COMMON: Final = np.dtype(
    [
        ("landscape", np.uint64),  # tiles of the landscape stack and the box, as bits
        ("tasks", np.uint32),  # tiles of the task stack, bit 0 for tile 48
        ("markers", np.uint32),
        ("numbers", np.uint8, (len(KINDS) * MOST_MARKERS,)),  # on the markers, 0 where there is none
        ("players", np.uint8),
        ("open_tasks", np.uint8),
        ("window", np.uint8),
        ("left_in_box", np.uint8),
    ],
    align=True,
)
"""The dtype of what many games have in common."""


class SetupOptions(TypedDict, total=False):
    """The parameters of :class:`Setup` that are given as keywords."""

    landscape: Sequence[str] | None
    tasks: Sequence[str] | None
    markers: Mapping[str, Sequence[int]] | None
    open_tasks: int
    window: int
    left_in_box: int


@dataclass(frozen=True, slots=True)
class Setup:
    """The parameters of games, environments and batches, checked; :meth:`of` makes one of what a user gives."""

    players: int = 1
    landscape: tuple[str, ...] = IDS[:LANDSCAPE]
    """The landscape tiles by their ids, in the order of D1, those that stay in the box among them."""
    tasks: tuple[str, ...] = IDS[LANDSCAPE:]
    """The task tiles."""
    markers: tuple[tuple[int, ...], ...] = tuple(MARKERS.values())
    """The numbers on the markers of each type, forest, grain, village, track and stream, ascending."""
    open_tasks: int = OPEN_TASKS
    """Task tiles with a marker that lie out at most (D4)."""
    window: int = WINDOW
    """The landscape's greatest width in q and in r (D26)."""
    left_in_box: int = LEFT_IN_BOX
    """Landscape tiles that go back into the box unseen (D2)."""

    def __post_init__(self) -> None:
        """Refuse what compiled code could not play. Raises BadSetup."""
        for name, low, high in (
            ("players", 1, MOST_PLAYERS),
            ("open_tasks", 1, TASKS),
            ("window", 1, WINDOW),
            ("left_in_box", 0, LANDSCAPE),
        ):
            value = getattr(self, name)
            if not is_whole(value, low, high):
                raise BadSetup(f"{name} {brief(value)} is not a whole number from {low} to {high}")
            object.__setattr__(self, name, int(value))
        for name, known in (("landscape", IDS[:LANDSCAPE]), ("tasks", IDS[LANDSCAPE:])):
            object.__setattr__(self, name, _checked_tiles(name, getattr(self, name), known))
        object.__setattr__(self, "markers", _checked_markers(self.markers))
        if not self.tasks and len(self.landscape) <= self.left_in_box:
            raise BadSetup(
                f"no tile is left to begin with: {self.left_in_box} of {len(self.landscape)} stay in the box"
            )
        for kind, numbers in zip(KINDS, self.markers, strict=True):
            needed = sum(TASK_KIND[NUMBER[tile]] == KINDS.index(kind) for tile in self.tasks)
            if len(numbers) < needed:
                raise BadSetup(f"markers: {len(numbers)} of type {kind} are not enough for {needed} task tiles of it")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the parameters, so that what is unpickled is checked."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    @classmethod
    def of(
        cls,
        players: int | Setup = 1,
        *,
        landscape: Sequence[str] | None = None,
        tasks: Sequence[str] | None = None,
        markers: Mapping[str, Sequence[int]] | None = None,
        open_tasks: int = OPEN_TASKS,
        window: int = WINDOW,
        left_in_box: int = LEFT_IN_BOX,
    ) -> Setup:
        """Check the parameters of a game and return them.

        Args:
            players: 1 to 6 (D3); or a set-up, in place of all parameters.
            landscape: the ids of the landscape tiles in play, in any order; all 48 by default (D1).
            tasks: the ids of the task tiles in play; all 25 by default.
            markers: the numbers on the markers by type, ``{"W": [3], "T": [2, 5]}``: at most 5 of a type, each from 1 to
                73, and for each task tile in play one of its type; those of the game by default.
            open_tasks: task tiles with a marker that lie out at most, 1 to 25 (D4).
            window: the landscape's greatest width in q and in r, 1 to 23 (D26).
            left_in_box: landscape tiles that go back into the box unseen, 0 to 48 (D2).

        Raises:
            BadSetup: a parameter is not as above, or no tile is left to begin with.
        """
        given = (landscape, tasks, markers)
        if isinstance(players, Setup):
            numbers = (open_tasks, window, left_in_box)
            usual = (OPEN_TASKS, WINDOW, LEFT_IN_BOX)
            if any(value is not None for value in given) or any(a is not b and a != b for a, b in zip(numbers, usual)):
                raise BadSetup("a set-up says all parameters of a game: give it alone, or give the parameters")
            return players
        numbers_of = MARKERS if markers is None else markers
        if not isinstance(numbers_of, Mapping) or not {*numbers_of} <= {*KINDS}:
            raise BadSetup(f"markers {brief(markers)} is not a mapping from types, of {', '.join(KINDS)}, to numbers")
        return cls(
            players,
            IDS[:LANDSCAPE] if landscape is None else landscape,  # type: ignore[arg-type] # which the class checks
            IDS[LANDSCAPE:] if tasks is None else tasks,  # type: ignore[arg-type]
            tuple(numbers_of.get(kind, ()) for kind in KINDS),  # type: ignore[misc]
            open_tasks,
            window,
            left_in_box,
        )

    @property
    def agents(self) -> tuple[str, ...]:
        """The ids of the agents at the table: ``player_0``, ``player_1``, …"""
        return agents_of(self.players)

    @property
    def options(self) -> dict[str, Any]:
        """The parameters besides the number of players that are not those of the game itself, as :meth:`of` takes them
        and JSON can write them; none in the game itself.
        """
        usual = Setup()
        found: dict[str, Any] = {}
        for name in SetupOptions.__annotations__:
            value = getattr(self, name)
            if value != getattr(usual, name):
                found[name] = list(value) if isinstance(value, tuple) else value
        if "markers" in found:
            found["markers"] = {kind: [*row] for kind, row in zip(KINDS, self.markers, strict=True) if row}
        return found

    def common(self) -> np.ndarray:
        """Return it as compiled code reads it: shape (1,), dtype :data:`COMMON`."""
        array = np.zeros(1, COMMON)
        row = array[0]
        row["landscape"] = sum(1 << NUMBER[tile] for tile in self.landscape)
        row["tasks"] = sum(1 << (NUMBER[tile] - LANDSCAPE) for tile in self.tasks)
        for kind, numbers in enumerate(self.markers):
            for j, number in enumerate(numbers):
                row["numbers"][MOST_MARKERS * kind + j] = number
                row["markers"] |= np.uint32(1 << (MOST_MARKERS * kind + j))
        for name in ("players", "open_tasks", "window", "left_in_box"):
            row[name] = getattr(self, name)
        return array

    def start(self, seed: int | None = None, names: Sequence[str] | None = None) -> Start:
        """Return the beginning of the game of a seed.

        Args:
            seed: 0 to 2**63 - 1; None: all that is drawn has to be given.
            names: one per seat, for the record; the agents' ids by default.

        Raises:
            BadSetup: the seed is not as above, or there is not a text for each seat.
        """
        return Start(self, None if seed is None else check_seed(seed), checked_names(names, self.players))


def _checked_tiles(name: str, tiles: object, known: Sequence[str]) -> tuple[str, ...]:
    """Return ids of tiles in the order of D1. Raises BadSetup unless each is known and comes once."""
    given = texts_of(tiles)
    if given is None or not {*given} <= {*known} or len({*given}) < len(given):
        raise BadSetup(f"{name} {brief(tiles)} are not different tiles of {known[0]} to {known[-1]}")
    return tuple(tile for tile in known if tile in given)


def _checked_markers(markers: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the numbers on the markers of each type, ascending. Raises BadSetup for others."""
    if not isinstance(markers, tuple | list) or len(markers) != len(KINDS):
        raise BadSetup(f"markers {brief(markers)} are not the numbers of each of {len(KINDS)} types")
    found = []
    for kind, numbers in zip(KINDS, markers, strict=True):
        fits = isinstance(numbers, tuple | list) and len(numbers) <= MOST_MARKERS
        if not fits or not all(is_whole(number, 1, MOST_NUMBER) for number in numbers):
            told = f"up to {MOST_MARKERS} whole numbers from 1 to {MOST_NUMBER}"
            raise BadSetup(f"markers of type {kind} {brief(numbers)} are not a list of {told}")
        found.append(tuple(sorted(map(int, numbers))))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of one game; with the same tiles, markers and moves it leads to the same game."""

    setup: Setup
    seed: int | None
    names: tuple[str, ...]
    continues: Continued | None = None
    """The game that this one goes on from; None if it was played from its beginning."""

    def __post_init__(self) -> None:
        """Refuse what :meth:`Setup.start` would not have returned. Raises BadSetup."""
        if not isinstance(self.setup, Setup):
            raise BadSetup(f"setup {brief(self.setup)} is not a Setup")
        if type(self.names) is not tuple or checked_names(self.names, self.setup.players) != self.names:
            raise BadSetup(f"names {brief(self.names)} are not a tuple of texts, one for each seat")
        if self.seed is not None:
            object.__setattr__(self, "seed", check_seed(self.seed))
        known = self.continues
        if known is not None and not (isinstance(known, Continued) and len(known.players) == self.setup.players):
            raise BadSetup(f"continues {brief(known)} is not a game of {self.setup.players} players")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the parts, so that what is unpickled is checked."""
        return type(self), (self.setup, self.seed, self.names, self.continues)

    @property
    def pieces(self) -> tuple[()]:
        """Nothing: texts and positions need to know only the position."""
        return ()

    def new_state(self) -> np.ndarray:
        """Return the first position, shape (1,): the first tile is due."""
        states = new_states(1)
        rules.set_up(states[0], np.uint64(0), self.setup.common()[0])
        return states
