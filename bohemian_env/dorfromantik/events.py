"""What happens in a game: :func:`push` and :func:`deal` carry out a move or a draw, and tell all that follows from it.

Game records are written from these events, so that they do not work out for themselves what the rules did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ..engine.contract import Action, Seat
from . import rules
from .actions import format_move
from .moves import where_of
from .state import ENDS, State
from .tiles import FLAGGED, IDS, LANDSCAPE, TASKS

__all__ = ["Ended", "Event", "Left", "Marked", "Placed", "Revealed", "deal", "push", "task_ids"]


@dataclass(frozen=True, slots=True)
class Revealed:
    """A seat's turn begins: a tile is revealed (D4)."""

    seat: Seat
    tile: str


@dataclass(frozen=True, slots=True)
class Marked:
    """The marker of the task tile is revealed (D4, D5)."""

    tile: str
    number: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A seat places the tile (D6), which sets off all else that is told here. Ids of tiles ascend."""

    seat: Seat
    tile: str
    move: str
    fulfilled: tuple[str, ...]
    """The tiles whose markers are fulfilled (D16)."""
    aborted: tuple[str, ...]
    """The tiles whose markers are aborted (D16)."""
    flags: tuple[str, ...]
    """The tiles whose flags count (D19)."""
    growth: int
    """By how much the score grows (D24)."""


@dataclass(frozen=True, slots=True)
class Left:
    """The tile has no legal move and leaves the game, a marker on it with it (D13)."""

    tile: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ends (D21)."""

    reason: str
    """One of ``state.ENDS``."""


Event: TypeAlias = Revealed | Marked | Placed | Left | Ended


def task_ids(bits: int) -> tuple[str, ...]:
    """Return the ids of some task tiles, bit 0 for tile 48, ascending."""
    return tuple(sorted(IDS[LANDSCAPE + task] for task in range(TASKS) if bits >> task & 1))


def push(s: State, action: Action) -> tuple[Event, ...]:
    """Carry out a legal action in ``s``, as ``rules.push`` does; return what happens up to the next draw."""
    seat, tile, move = int(s["to_move"]), IDS[s["hand"]], format_move(*where_of(s, action))
    fulfilled, aborted, flags = int(s["fulfilled"]), int(s["aborted"]), int(s["flags"])
    flags |= 1 << int(s["hand"])
    before = int(s["score"][-1])
    rules.push(s, action)
    counted = flags & ~int(s["flags"])
    placed = Placed(
        seat,
        tile,
        move,
        task_ids(int(s["fulfilled"]) & ~fulfilled),
        task_ids(int(s["aborted"]) & ~aborted),
        tuple(IDS[number] for number in FLAGGED if counted >> number & 1),
        int(s["score"][-1]) - before,
    )
    return (placed, *_end(s))


def deal(s: State, k: int) -> tuple[Event, ...]:
    """Reveal tile or marker ``k`` in ``s``, as ``rules.deal`` does; return what happens up to the next draw or decision."""
    marked = s["pending"] == rules.MARKER_DUE
    tile = int(s["hand"]) if marked else k
    rules.deal(s, k)
    first = (
        Marked(IDS[tile], int(s["numbers"][k])) if marked else Revealed(int(s["turn"] - 1) % int(s["players"]), IDS[k])
    )
    left = () if s["hand"] == tile else (Left(IDS[tile]),)
    return (first, *left, *_end(s))


def _end(s: State) -> tuple[Event, ...]:
    return (Ended(str(ENDS[s["end"]])),) if s["end"] else ()
