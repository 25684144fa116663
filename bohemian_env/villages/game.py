"""A game of Bohemian Villages as people and scripts play it: what it has besides the floor's ``Game``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self, Unpack

import numpy as np

from ..engine import game as floor
from .board import Board, Village
from .contract import RULES
from .dice import DICE
from .position import moves_made, tiles_of
from .setup import DEFAULT_MAX_TURNS, Setup, SetupOptions
from .state import Seat


class Game(floor.Game):
    """A game of Bohemian Villages at one moment. It is immutable: each step returns the next game.

    >>> game = Game.new(2, ["Chlumhof", "Ebersgrun", "Grundow", "Itschkau", "Kunzendorf", "Nenbrad"])
    >>> game = game.roll((6, 3, 4, 2))
    >>> game.dice
    (2, 3, 4, 6)
    >>> game = game.push("3+4:glass@Nenbrad")
    >>> game.legal_moves
    ('2+6:farm@Chlumhof', '2+6:farm@Ebersgrun', '2+6:farm@Grundow', '2+6:farm@Kunzendorf', '2+6:farm@Nenbrad', \
'2+6:special', 'end')
    >>> game.legal_actions
    (54, 55, 56, 58, 59, 214, 240)
    >>> game.push("2+6:farm@Grundow").coins
    (1, 0)

    Games with equal positions are equal and hash equal, however they came about.
    """

    __slots__ = ()
    rules = RULES

    @classmethod
    def new(  # type: ignore[override] # its own parameters by name
        cls,
        players: int | Setup = 2,
        villages: str | Sequence[str] = "random",
        *,
        seed: int | None = None,
        names: Sequence[str] | None = None,
        **options: Unpack[SetupOptions],
    ) -> Self:
        """Set up a game (R1, R2), in which seat 0 is about to roll.

        Args:
            players, villages, options: the parameters of :meth:`Setup.of`: players (2 to 5), villages, board,
                coin_supply, special_action_tiles, max_turns.
            seed: 0 to 2**63 - 1, for the villages if they are drawn and for rolls that are not given.
            names: one per seat, for the record; the agents' ids by default.

        Raises:
            BadSetup: a parameter is not as above.
            BadBoard: the board file is malformed.
            OSError: it cannot be read.
        """
        return super().new(players, villages, seed=seed, names=names, **options)

    @classmethod
    def from_position(  # type: ignore[override]
        cls,
        data: Mapping[str, Any],
        *,
        max_turns: int | None = DEFAULT_MAX_TURNS,
        seed: int | None = None,
        board: Board | str | Path | None = None,
    ) -> Self:
        """Make a game that goes on from a position. It has no record, since its beginning is not known.

        Args:
            data: the JSON that :meth:`position` returns. Coins and bank together are the supply.
            max_turns: as in :meth:`new`.
            seed: for rolls that are not given.
            board: as in :meth:`new`. If these villages are in play on it, their order and the figures are as it says.

        Raises:
            BadPosition: the position contradicts itself or the rules; the message names the field.
            BadSetup, BadBoard, OSError: as for :meth:`new`.
        """
        return super().from_position(data, seed=seed, max_turns=max_turns, board=board)

    @property
    def needs_roll(self) -> bool:
        """Whether only a roll can come next."""
        return bool(self._s["pending"])

    @property
    def dice_to_roll(self) -> int:
        """How many dice are to be rolled now: 4 at the start of a turn, 1 to 4 in a reroll, else 0."""
        return int(self._s["pending"])

    def roll(self, dice: Sequence[int] | None = None) -> Self:
        """Return the game after a roll of :attr:`dice_to_roll` dice, in any order; by default its seed rolls them.

        Raises:
            BadDice: it is another number of dice, one does not show 1 to 6, or there are neither dice nor a seed.
            NoRollNeeded: a player has to decide.
            GameOver: the game has ended.
        """
        return self.deal(dice)

    @property
    def villages(self) -> tuple[str, ...]:
        """The names of the villages in play, in the order of positions."""
        return tuple(village.name for village in self._pieces)

    @property
    def dice(self) -> tuple[int, ...]:
        """The unused dice, ascending; while a reroll is due, the dice kept."""
        return DICE[self._s["dice"]]

    @property
    def coins(self) -> tuple[int, ...]:
        """The coins of each seat, without the final scoring."""
        return self._row("coins")

    @property
    def figures(self) -> tuple[int, ...]:
        """The figures that each seat has in hand."""
        return self._row("figures")

    @property
    def bank(self) -> int:
        """The coins left in the bank; they may be below 0 once the game is over."""
        return int(self._s["bank"])

    @property
    def bishop(self) -> Seat | None:
        """The seat that has the bishop; None if nobody has."""
        return None if self._s["bishop"] < 0 else int(self._s["bishop"])

    @property
    def special(self) -> tuple[bool, ...]:
        """Whether each seat has a special action tile."""
        return tuple(bool(self._s["special"] >> seat & 1) for seat in range(self.players))

    @property
    def special_supply(self) -> int:
        """The special action tiles left in the supply."""
        return int(self._s["special_supply"])

    @property
    def moves_made(self) -> int:
        """The moves made this turn, 0 or 1 (R7); 0 once the game is over."""
        return moves_made(self._s)

    @property
    def flour(self) -> tuple[int, ...]:
        """The flour tiles of each seat: one for each of its figures on a mill (R17, R20)."""
        return tiles_of(self._s, "mill")

    @property
    def glass(self) -> tuple[int, ...]:
        """The glass tiles of each seat: one for each of its figures on a glass factory (R17, R20)."""
        return tiles_of(self._s, "glass")

    def _row(self, key: str) -> tuple[int, ...]:
        return tuple(map(int, self._s[key][: self.players]))


def game_at(states: np.ndarray, villages: tuple[Village, ...]) -> Game:
    """Return the game at a position of the engine, (1,), which is believed; as one from a position it has no seed."""
    return Game.at(states, villages)


_restored = Game._restored  # what games were pickled with by version 0.2.0
RULES.game = Game
