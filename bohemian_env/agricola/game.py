"""A game of Agricola as people and scripts play it: what it has besides the floor's ``Game``."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, Unpack

from ..engine import game as floor
from .contract import RULES
from .decisions import DECISIONS
from .position import score_of
from .setup import Setup, SetupOptions


class Game(floor.Game):
    """A game of Agricola at one moment. It is immutable: each step returns the next game.

    >>> game = Game.new(2).deal("fences")
    >>> game.decision, game.to_move
    ('place', 0)
    >>> game = game.push("to day-labourer")
    >>> game.legal_moves
    ('take wood', 'take clay', 'take reed', 'take stone')
    >>> game.push("take reed").to_move
    1

    Games with equal positions are equal and hash equal, however they came about.
    """

    __slots__ = ()
    rules = RULES

    @classmethod
    def new(  # type: ignore[override] # its own parameters by name
        cls,
        players: int | Setup = 2,
        *,
        seed: int | None = None,
        names: Sequence[str] | None = None,
        **setup: Unpack[SetupOptions],
    ) -> Self:
        """Set up a game (A1-A7), whose first round card is to be revealed.

        Args:
            players, setup: the parameters of :meth:`Setup.of`: players (1 to 5) and storehouse_solo.
            seed: 0 to 2**63 - 1, for round cards that are not given.
            names: one per seat, for the record; the agents' ids by default.

        Raises:
            BadSetup: a parameter is not as above.
        """
        return super().new(players, seed=seed, names=names, **setup)

    @classmethod
    def from_position(  # type: ignore[override]
        cls, data: Mapping[str, Any], *, seed: int | None = None, **setup: Unpack[SetupOptions]
    ) -> Self:
        """Make a game that goes on from a position. It has no record, since its beginning is not known.

        Args:
            data: the JSON that :meth:`position` returns (A78).
            seed: for round cards that are not given.
            setup: storehouse_solo, which no position tells.

        Raises:
            BadPosition: the position contradicts itself or the rules; the message names the field.
            BadSetup: a parameter is not as above.
        """
        return super().from_position(data, seed=seed, **setup)

    def position(self) -> dict[str, Any]:
        """Return the position as JSON, in plain Python types (A78), also where a round card is to be revealed."""
        return self.state_dict()

    @property
    def decision(self) -> str | None:
        """The kind of the pending decision (A19); None where a card is to be revealed, and at the end."""
        return DECISIONS[self._s["kind"]]

    @property
    def scores(self) -> list[dict[str, int]]:
        """The score of each seat as it stands, by its columns (A69)."""
        return score_of(self._s)


RULES.game = Game
