"""A game of Dorfromantik as people and scripts play it: what it has besides the floor's ``Game``."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, Unpack

from ..engine import game as floor
from .contract import RULES
from .position import score_of, task_ids
from .setup import Setup, SetupOptions
from .state import NO_TILE
from .tiles import IDS, LANDSCAPE, NUMBER


class Game(floor.Game):
    """A game of Dorfromantik at one moment. It is immutable: each step returns the next game.

    >>> game = Game.new()
    >>> game = game.deal("W1").deal(6)
    >>> game.tile, game.number
    ('W1', 6)
    >>> game.legal_moves
    ('+0+0 r0',)
    >>> game = game.push("+0+0 r0").deal("T3").deal(4)
    >>> game.open
    {'W1': 6}
    >>> len(game.legal_moves)
    8
    >>> game.push("+1+0 r0").score
    {'markers': 0, 'flags': 0, 'track': 1, 'stream': 1, 'total': 2}

    Games with equal positions are equal and hash equal, however they came about.
    """

    __slots__ = ()
    rules = RULES

    @classmethod
    def new(  # type: ignore[override] # its own parameters by name
        cls,
        players: int | Setup = 1,
        *,
        seed: int | None = None,
        names: Sequence[str] | None = None,
        **setup: Unpack[SetupOptions],
    ) -> Self:
        """Set up a game (D2, D3), whose first tile is to be revealed.

        Args:
            players, setup: the parameters of :meth:`Setup.of`: players (1 to 6), landscape, tasks, markers, open_tasks,
                window, left_in_box.
            seed: 0 to 2**63 - 1, for tiles and markers that are not given.
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
            data: the JSON that :meth:`position` returns (D32).
            seed: for tiles and markers that are not given.
            setup: the parameters of its set-up, as in :meth:`new`: with the position they tell what is hidden.

        Raises:
            BadPosition: the position contradicts itself or the rules; the message names the field.
            BadSetup: a parameter is not as above.
        """
        return super().from_position(data, seed=seed, **setup)

    @property
    def tile(self) -> str | None:
        """The id of the revealed tile; None where one is to be revealed, and at the end."""
        return None if self._s["hand"] == NO_TILE else IDS[self._s["hand"]]

    @property
    def number(self) -> int | None:
        """The number on its marker; None without one."""
        return int(self._s["number"]) or None

    @property
    def score(self) -> dict[str, int]:
        """The score so far by its parts (D22, D24): markers, flags, track, stream and total."""
        return score_of(self._s)

    @property
    def open(self) -> dict[str, int]:
        """The task tiles whose marker lies out, each with the number on this."""
        return {tile: int(self._s["marked"][NUMBER[tile] - LANDSCAPE]) for tile in task_ids(self._s["open"])}

    @property
    def fulfilled(self) -> tuple[str, ...]:
        """The task tiles whose marker is fulfilled (D16)."""
        return tuple(task_ids(self._s["fulfilled"]))

    @property
    def aborted(self) -> tuple[str, ...]:
        """The task tiles whose marker is aborted (D16)."""
        return tuple(task_ids(self._s["aborted"]))


RULES.game = Game
