"""The set-up of a game (A1, A10): its parameters, checked once, and the beginning that they lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypedDict

import numpy as np

from ..engine import contract as floor
from ..engine.checks import is_truth
from ..engine.errors import BadSetup, brief
from . import rules
from .pieces import MOST_PLAYERS
from .state import SETUP, STATE

COMMON: Final = np.dtype(SETUP, align=True)
"""The dtype of what many games have in common."""


class SetupOptions(TypedDict, total=False):
    """The parameters of :class:`Setup` that are given as keywords."""

    storehouse_solo: bool


@dataclass(frozen=True, slots=True)
class Setup(floor.Setup):
    """The parameters of games, environments and batches, checked; :meth:`of` makes one of what a user gives."""

    game = "agricola"
    players: int = 2
    storehouse_solo: bool = False
    """Whether in solo, too, the storehouse gets 1 food each round (A10)."""

    def __post_init__(self) -> None:
        """Refuse what compiled code could not play. Raises BadSetup."""
        self._check_whole({"players": (1, MOST_PLAYERS)})
        if not is_truth(self.storehouse_solo):
            raise BadSetup(f"storehouse_solo {brief(self.storehouse_solo)} is neither True nor False")
        object.__setattr__(self, "storehouse_solo", bool(self.storehouse_solo))
        if self.storehouse_solo and self.players > 1:
            raise BadSetup(f"storehouse_solo True: expected 1 player, got {self.players}")

    @classmethod
    def of(cls, players: int | Setup = 2, **options: Any) -> Setup:
        """Check the parameters of a game and return them.

        Args:
            players: 1 to 5 (A1); or a set-up, alone.
            options: ``storehouse_solo``, whether in solo, too, the storehouse gets 1 food each round (A10); False by
                default.

        Raises:
            BadSetup: a parameter is not as above, or there is no such parameter.
        """
        if unknown := {*options} - {*SetupOptions.__annotations__}:
            known = ", ".join(SetupOptions.__annotations__)
            raise BadSetup(f"unknown parameter {brief(min(unknown))}; known is {known}")
        if isinstance(players, Setup):
            if options:
                raise BadSetup("a set-up says all parameters of a game: give it alone, or give the parameters")
            return players
        return cls(players, **options)

    def common(self) -> np.ndarray:
        """Return it as compiled code reads it: shape (1,), dtype :data:`COMMON`."""
        array = np.zeros(1, COMMON)
        array["players"], array["storehouse"] = self.players, self.storehouse_solo
        return array


class Start(floor.Start):
    """The beginning of one game; with the same cards and actions it leads to the same game."""

    __slots__ = ()
    of, state, set_up = Setup, STATE, staticmethod(rules.set_up)


Setup.beginning = Start
