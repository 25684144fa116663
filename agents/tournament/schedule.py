"""Who sits where, and with which dice: plain numbers, known before anything is played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from bohemian_env.game.game import MAX_SEED

__all__ = ["BadTournament", "LineUp", "check_seed", "chunks", "pairings", "seeds_of_blocks", "whole_blocks"]


class BadTournament(ValueError):
    """What was asked for cannot be played; the message is a sentence that names the value."""


@dataclass(frozen=True, slots=True)
class LineUp:
    """Entrants in their order round a table. All rotations of it are played with the same villages and dice.

    The games of one seed, one for each rotation, are a *block*: they share their luck, so statistics count blocks.
    """

    order: tuple[int, ...]
    """Numbers of entrants, one per seat. The first is the one whose results are looked at."""

    @property
    def players(self) -> int:
        """Seats of the table."""
        return len(self.order)

    @property
    def rotations(self) -> np.ndarray:
        """Entrant at each seat in each game of a block: int64, (rotations, seats), both ``players``.

        In rotation r the first entrant of the order has seat r.
        """
        seats = np.arange(self.players)
        return np.array(self.order, np.int64)[(seats[None, :] - seats[:, None]) % self.players]


def pairings(entrants: int, players: int) -> list[LineUp]:
    """Every entrant against every other.

    With two players each pair meets once. With more, one entrant is alone among others that are all played by the
    second, and then the other way round: two line-ups, since a single A among B's says nothing of a single B among A's.

    Raises:
        BadTournament: fewer than two entrants.
    """
    if entrants < 2:
        raise BadTournament(f"{entrants} agent{'' if entrants == 1 else 's'}: a comparison needs at least 2")
    pairs = combinations(range(entrants), 2) if players == 2 else permutations(range(entrants), 2)
    return [LineUp((one, *[other] * (players - 1))) for one, other in pairs]


def whole_blocks(games: int, players: int) -> int:
    """Blocks of ``players`` games that hold at least ``games`` games.

    Raises:
        BadTournament: fewer than one game.
    """
    if games < 1:
        raise BadTournament(f"{games} games: at least 1 must be played")
    return -(-games // players)


def check_seed(seed: int, count: int = 1) -> None:
    """Raise BadTournament if ``count`` seeds from ``seed`` on do not lie in 0 to 2**63 - 1."""
    if not 0 <= seed <= MAX_SEED + 1 - count:
        more = f" and the {count - 1:,} after it" if count > 1 else ""
        raise BadTournament(f"seed {seed}: seeds are from 0 to {MAX_SEED}, this one{more}")


def seeds_of_blocks(blocks: int, seed: int) -> np.ndarray:
    """Seed of the dice and villages of every block: ``seed``, ``seed + 1``, …; uint64, (blocks,).

    Raises:
        BadTournament: a seed would lie outside 0 to 2**63 - 1.
    """
    check_seed(seed, blocks)
    return np.uint64(seed) + np.arange(blocks, dtype=np.uint64)


def chunks(seeds: np.ndarray, players: int, games_at_once: int) -> Iterator[np.ndarray]:
    """``seeds`` in pieces of about ``games_at_once`` games, whole blocks each."""
    size = max(1, games_at_once // players)
    for start in range(0, len(seeds), size):
        yield seeds[start : start + size]
