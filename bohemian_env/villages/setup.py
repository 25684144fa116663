"""The set-up of a game: its six parameters, checked once, and the beginning that they lead to."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict

import numpy as np

from ..engine import contract as floor
from ..engine.checks import check_seed, is_whole
from ..engine.errors import BadSetup, brief
from ..engine.setup import Checked, Continued, check_start
from . import rules
from .board import BOARD, MAX_COIN_SUPPLY, MAX_TILES, Board, Village, check_players
from .state import new_states

__all__ = ["COMMON", "DEFAULT_MAX_TURNS", "MOST_TURNS", "Setup", "SetupOptions", "Start"]

DEFAULT_MAX_TURNS: Final = 500
"""Turns after which a game is cut off (R24) by default; no sensible game comes near it."""
MOST_TURNS: Final = 10**9
"""The highest limit of turns, and the last turn that a position may stand at: a position has room for twice as many, so
that no game without a limit gets to the end of it."""


COMMON: Final = np.dtype(
    [
        ("board", BOARD),
        ("sides", np.uint64),  # which side every tile shows, if the villages are named
        ("named", np.bool_),  # otherwise the seed of each game draws the sides
        ("players", np.uint8),
        ("coin_supply", np.int32),
        ("special_action_tiles", np.int8),
        ("max_turns", np.int32),  # 0: no limit
    ]
)
"""The dtype of what many games have in common."""


class SetupOptions(TypedDict, total=False):
    """The parameters of :class:`Setup` that are given as keywords."""

    board: Board | str | Path | None
    coin_supply: int | None
    special_action_tiles: int | None
    max_turns: int | None


@dataclass(frozen=True, slots=True)
class Setup(floor.Setup):
    """The parameters of games, environments and batches (R1, R23, R24), checked by :meth:`of`."""

    game = "villages"
    villages: str | tuple[str, ...]
    """``"random"``, or the names of the villages in play."""
    board: Board
    coin_supply: int
    special_action_tiles: int
    max_turns: int | None

    def __post_init__(self) -> None:
        """Refuse what compiled code could not play, and put the villages in the order of positions. Raises BadSetup."""
        check_players(self.players)
        tiles, limit, villages = self.special_action_tiles, self.max_turns, self.villages
        if not isinstance(self.board, Board):
            raise BadSetup(f"board {brief(self.board)} is not a Board; Setup.of also takes the path of a board file")
        if not is_whole(self.coin_supply, 1, MAX_COIN_SUPPLY):
            told = f"a whole number from 1 to {MAX_COIN_SUPPLY:,} (R23)"
            raise BadSetup(f"coin_supply {brief(self.coin_supply)} is not {told}")
        if not is_whole(tiles, 0, MAX_TILES):
            raise BadSetup(f"special_action_tiles {brief(tiles)} is not a whole number from 0 to {MAX_TILES}")
        if limit is not None and not is_whole(limit, 1, MOST_TURNS):
            told = f"a whole number from 1 to {MOST_TURNS}, or None: no limit (R24)"
            raise BadSetup(f"max_turns {brief(limit)} is not {told}")
        for name in ("players", "coin_supply", "special_action_tiles", "max_turns"):
            if isinstance(value := getattr(self, name), np.integer):
                object.__setattr__(self, name, int(value))
        if not isinstance(villages, str):
            shown = self.board.shown(self.players, self.board.sides_of(villages, self.players))
            object.__setattr__(self, "villages", tuple(village.name for village in shown))
        elif villages != "random":
            raise BadSetup(f"villages {brief(villages)} is neither 'random' nor a list of village names")

    @classmethod
    def of(
        cls,
        players: int | Setup = 2,
        villages: str | Sequence[str] = "random",
        *,
        board: Board | str | Path | None = None,
        coin_supply: int | None = None,
        special_action_tiles: int | None = None,
        max_turns: int | None = DEFAULT_MAX_TURNS,
    ) -> Setup:
        """Check the parameters of a game and return them.

        Args:
            players: 2 to 5; or a setup, in place of this and the parameters down to ``max_turns``.
            villages: ``"random"`` draws a side of every tile from the seed of each game; or the names of the villages
                in play, exactly one side of each tile that R1 keeps, in any order.
            board: a board, or the path of a board file; the shipped board by default.
            coin_supply: 1 to 9,999 coins in the bank (R23); the board's by default.
            special_action_tiles: 0 to 99; the board's by default.
            max_turns: turns, counted over all seats, after which a game is cut off (R24); None for no limit.

        Raises:
            BadSetup: a parameter is not as above.
            BadBoard: the board file is malformed.
            OSError: it cannot be read.
        """
        if isinstance(players, Setup):
            told = any(given is not None for given in (board, coin_supply, special_action_tiles))
            usual = is_whole(max_turns, DEFAULT_MAX_TURNS, DEFAULT_MAX_TURNS)
            if told or not usual or not isinstance(villages, str) or villages != "random":
                raise BadSetup("a setup says all parameters of a game: give it alone, or give the parameters")
            return players
        if board is None:
            board = Board.standard()
        elif not isinstance(board, Board):
            board = Board.load(board)
        supply = board.coin_supply if coin_supply is None else coin_supply
        tiles = board.special_action_tiles if special_action_tiles is None else special_action_tiles
        return cls(players, villages, board, supply, tiles, max_turns)  # type: ignore[arg-type]

    @property
    def told(self) -> str:
        """The board, by the beginning of its digest: enough to tell boards apart."""
        return f"board {self.board.digest[:12]}"

    @property
    def named(self) -> bool:
        """Whether the villages are given by name; otherwise the seed of each game draws them."""
        return self.villages != "random"

    def common(self) -> np.ndarray:
        """Return it as compiled code reads it: shape (1,), dtype :data:`COMMON`."""
        array = np.zeros(1, COMMON)
        row = array[0]
        row["board"] = self.board.tables[0]
        row["sides"] = self.sides(0)
        row["named"] = self.named
        row["max_turns"] = self.max_turns or 0
        for name in ("players", "coin_supply", "special_action_tiles"):
            row[name] = getattr(self, name)
        return array

    def sides(self, seed: int) -> int:
        """Return the side that every tile shows in the game of a seed, as bits (``rules.draw_sides``).

        Raises BadSetup if the seed is not from 0 to 2**63 - 1.
        """
        seed = check_seed(seed)
        if self.named:
            return self.board.sides_of(self.villages, self.players)
        return int(rules.draw_sides(np.uint64(seed))) & ((1 << len(self.board.tiles)) - 1)

    def start(self, seed: int | None = None, names: Sequence[str] | None = None) -> Start:
        sides = self.sides(secrets.randbits(63) if seed is None else seed)
        return Start(self, sides, seed, names)  # type: ignore[arg-type] # which it checks


@dataclass(frozen=True, slots=True)
class Start(Checked):
    """The beginning of one game; with the same dice and moves it leads to the same game."""

    of = Setup
    setup: Setup
    sides: int
    """The side that every tile shows, as bits (``rules.draw_sides``)."""
    seed: int | None
    names: tuple[str, ...]
    continues: Continued | None = None
    """The game that this one goes on from; None if it was played from its beginning."""

    def __post_init__(self) -> None:
        """Refuse what :meth:`Setup.start` would not have returned."""
        check_start(self, Setup)
        setup, seed = self.setup, self.seed
        drawn = not setup.named and seed is None
        if not is_whole(self.sides, 0, (1 << len(setup.board.tiles)) - 1) or not (
            drawn or self.sides == setup.sides(seed or 0)
        ):
            raise BadSetup(f"sides {brief(self.sides)}: the tiles do not show them in the game of seed {seed}")
        object.__setattr__(self, "sides", int(self.sides))

    @property
    def villages(self) -> tuple[Village, ...]:
        """The villages in play, in the order of positions."""
        return self.setup.board.shown(self.setup.players, self.sides)

    pieces = villages
    """The same, as the floor calls what texts and positions need to know."""

    def new_state(self) -> np.ndarray:
        """Return the first position, shape (1,): seat 0 is about to roll."""
        states, common = new_states(1), self.setup.common()
        common["sides"], common["named"] = self.sides, True
        rules.set_up(states[0], np.uint64(0), common[0])
        return states
