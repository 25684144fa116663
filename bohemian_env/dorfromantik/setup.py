"""The set-up of a game (D2, D3): its parameters, checked once, and the beginning that they lead to.

A *variant* plays with some of the tiles, other markers, fewer open tasks or a smaller landscape. It can be small enough
for exact solutions; its rules are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict

import numpy as np

from ..engine import contract as floor
from ..engine.checks import is_whole, texts_of
from ..engine.errors import BadSetup, brief
from . import rules, tiles
from .state import SETUP, STATE
from .tiles import IDS, KINDS, LANDSCAPE, MARKERS, MOST_MARKERS, NUMBER, TASK_KIND

MOST_NUMBER: Final = tiles.TILES
"""The highest number on a marker: a territory has no more tiles."""
COMMON: Final = np.dtype(SETUP, align=True)
"""The dtype of what many games have in common."""
_LANDSCAPE, _TASKS = IDS[:LANDSCAPE], IDS[LANDSCAPE:]
_WHOLE: Final = {
    "players": (1, tiles.MOST_PLAYERS),
    "open_tasks": (1, tiles.TASKS),
    "window": (1, tiles.WINDOW),
    "left_in_box": (0, LANDSCAPE),
}
"""The parameters that are numbers, and from where to where they go."""


class SetupOptions(TypedDict, total=False):
    """The parameters of :class:`Setup` that are given as keywords."""

    landscape: Sequence[str] | None
    tasks: Sequence[str] | None
    markers: Mapping[str, Sequence[int]] | None
    open_tasks: int
    window: int
    left_in_box: int


@dataclass(frozen=True, slots=True)
class Setup(floor.Setup):
    """The parameters of games, environments and batches, checked; :meth:`of` makes one of what a user gives."""

    game = "dorfromantik"
    players: int = 1
    landscape: tuple[str, ...] = _LANDSCAPE
    """The ids of the landscape tiles in the order of D1, those that stay in the box among them."""
    tasks: tuple[str, ...] = _TASKS
    """The ids of the task tiles."""
    markers: tuple[tuple[int, ...], ...] = tuple(MARKERS.values())
    """The numbers on the markers of each type, forest, grain, village, track and stream, ascending."""
    open_tasks: int = tiles.OPEN_TASKS
    """Task tiles with a marker that lie out at most (D4)."""
    window: int = tiles.WINDOW
    """The landscape's greatest width in q and in r (D26)."""
    left_in_box: int = tiles.LEFT_IN_BOX
    """Landscape tiles that go back into the box unseen (D2)."""

    def __post_init__(self) -> None:
        """Refuse what compiled code could not play. Raises BadSetup."""
        self._check_whole(_WHOLE)
        for name, known in (("landscape", _LANDSCAPE), ("tasks", _TASKS)):
            given = texts_of(value := getattr(self, name))
            if given is None or not {*given} <= {*known} or len({*given}) < len(given):
                raise BadSetup(f"{name} {brief(value)} are not different tiles of {known[0]} to {known[-1]}")
            object.__setattr__(self, name, tuple(tile for tile in known if tile in given))
        if not isinstance(self.markers, tuple | list) or len(self.markers) != len(KINDS):
            raise BadSetup(f"markers {brief(self.markers)} are not the numbers of each of the types {KINDS}")
        object.__setattr__(self, "markers", tuple(map(self._checked_markers, range(len(KINDS)))))
        if len(self.landscape) < self.left_in_box + (not self.tasks):
            raise BadSetup(f"left_in_box {self.left_in_box}: too many of {len(self.landscape)} landscape tiles (D2)")

    def _checked_markers(self, kind: int) -> tuple[int, ...]:
        numbers, name = self.markers[kind], KINDS[kind]
        fits = isinstance(numbers, tuple | list) and len(numbers) <= MOST_MARKERS
        if not fits or not all(is_whole(number, 1, MOST_NUMBER) for number in numbers):
            told = f"up to {MOST_MARKERS} whole numbers from 1 to {MOST_NUMBER}"
            raise BadSetup(f"markers of type {name} {brief(numbers)} are not {told}")
        if len(numbers) < (needed := sum(TASK_KIND[NUMBER[tile]] == kind for tile in self.tasks)):
            raise BadSetup(f"markers of type {name} {brief(numbers)} are fewer than its {needed} task tiles")
        return tuple(sorted(map(int, numbers)))

    @classmethod
    def of(
        cls,
        players: int | Setup = 1,
        *,
        landscape: Sequence[str] | None = None,
        tasks: Sequence[str] | None = None,
        markers: Mapping[str, Sequence[int]] | None = None,
        **numbers: Any,
    ) -> Setup:
        """Check the parameters of a game and return them.

        Args:
            players: 1 to 6 (D3); or a set-up, alone.
            landscape: ids of the landscape tiles in play; all 48 by default (D1).
            tasks: ids of the task tiles in play; all 25 by default.
            markers: the numbers on the markers by type, ``{"W": [3], "T": [2, 5]}``, those of the game by default: at
                most 5 of a type, from 1 to 73, and of each type no fewer than its task tiles in play.
            numbers: ``open_tasks``, 1 to 25, by default 3 (D4); ``window``, 1 to 23, by default 23 (D26); and
                ``left_in_box``, 0 to 48, by default 3 (D2).

        Raises:
            BadSetup: a parameter is not as above, there is no such parameter, or no tile is left to begin with.
        """
        if isinstance(players, Setup):
            if numbers or any(given is not None for given in (landscape, tasks, markers)):
                raise BadSetup("a set-up says all parameters of a game: give it alone, or give the parameters")
            return players
        if unknown := {*numbers} - {*SetupOptions.__annotations__}:
            raise BadSetup(
                f"unknown parameter {brief(min(unknown))}; known are {', '.join(SetupOptions.__annotations__)}"
            )
        given = MARKERS if markers is None else markers
        if not isinstance(given, Mapping) or not {*given} <= {*KINDS}:
            raise BadSetup(f"markers {brief(markers)} is not a mapping from types, of {', '.join(KINDS)}, to numbers")
        rows: Any = tuple(given.get(kind, ()) for kind in KINDS)
        given_ids: Any = {"landscape": landscape, "tasks": tasks}
        ids = {name: value for name, value in given_ids.items() if value is not None}
        return cls(players, markers=rows, **ids, **numbers)

    @property
    def options(self) -> dict[str, Any]:
        """What differs from the game itself, the players aside, as :meth:`of` takes it and JSON can write it."""
        usual = Setup()
        found = {name: getattr(self, name) for name in SetupOptions.__annotations__}
        found = {name: value for name, value in found.items() if value != getattr(usual, name)}
        if "markers" in found:
            found["markers"] = {kind: list(row) for kind, row in zip(KINDS, self.markers, strict=True) if row}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}

    def common(self) -> np.ndarray:
        """Return it as compiled code reads it: shape (1,), dtype :data:`COMMON`."""
        array = np.zeros(1, COMMON)
        for name in _WHOLE:
            array[name] = getattr(self, name)
        array["landscape"] = sum(1 << NUMBER[tile] for tile in self.landscape)
        array["tasks"] = sum(1 << (NUMBER[tile] - LANDSCAPE) for tile in self.tasks)
        numbers = [(*row, *[0] * (MOST_MARKERS - len(row))) for row in self.markers]
        array["numbers"] = np.ravel(numbers)
        array["markers"] = sum(1 << k for k in np.flatnonzero(np.ravel(numbers)).tolist())
        return array


class Start(floor.Start):
    """The beginning of one game; with the same tiles, markers and moves it leads to the same game."""

    __slots__ = ()
    of, state, set_up = Setup, STATE, staticmethod(rules.set_up)


Setup.beginning = Start
