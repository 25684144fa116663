"""What happens in a game: :func:`push` and :func:`deal` carry out a move or a roll, and tell all that follows from it.

Game records and the page are written from these events, so that neither works out for itself what the rules did.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..engine.contract import Action
from . import rules
from .dice import DICE, Handful
from .facts import ENDS
from .moves import move_of
from .notation import Move
from .position import moves_made
from .state import Seat, State, has_cell


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A seat begins its turn and receives its income (R5)."""

    seat: Seat
    income: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """A seat rolls dice: four at the start of its turn (R6), or those that it rolls again (R8)."""

    seat: Seat
    dice: tuple[int, ...]
    """The dice, ascending."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat makes a move, which sets off all else that is told here (R16 to R20)."""

    seat: Seat
    move: Move
    paid: tuple[int, ...]
    """Coins that each seat receives."""
    kicked: Seat | None = None
    """The seat whose figure is kicked out (R10)."""
    bishop_from: Seat | None = None
    """The seat from which the bishop is taken."""
    inn_was_active: bool = False
    """Whether the figure is placed on an inn that is active already."""
    inn_activated: bool = False
    """Whether the inn of the figure's village becomes active (R18)."""
    sent_home: bool = False
    """Whether all buildings of the kind pay now, and the figures on them go home (R20)."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A turn ends without a move, since its dice allow none (R13)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ends (R4, R21, R24)."""

    reason: str
    """One of ``facts.ENDS``."""
    seat: Seat | None
    """The seat that would be next and has no figure in hand (R4); None for another reason."""


Event: TypeAlias = TurnBegan | Rolled | Moved | Passed | Ended


def begin(s: State) -> tuple[Event, ...]:
    """Return how the game of the first position ``s`` begins."""
    return _followed(s, 0, np.zeros_like(s["coins"]))


def push(s: State, action: Action, villages: Sequence[str]) -> tuple[Event, ...]:
    """Carry out a legal action in ``s``, as ``rules.push`` does; return what happens up to the next roll or decision.

    villages: names of the villages in play.
    """
    seat, turn = int(s["to_move"]), int(s["turn"])
    coins, own, active, holder = s["coins"].copy(), s["own"].copy(), int(s["active"]), int(s["bishop"])
    move = move_of(action, DICE[s["dice"]], villages)
    rules.move(s, action)
    after, players = s["coins"].copy(), int(s["players"])
    paid = tuple(int(coin) for coin in (after - coins)[:players])
    if move.act == "place":
        village = villages.index(move.village)
        moved = Moved(
            seat,
            move,
            paid,
            kicked=next((k for k in range(players) if has_cell(own[k], move.kind, village)), None),
            inn_was_active=move.kind == "inn" and bool(active >> village & 1),
            inn_activated=int(s["active"]) != active,
            sent_home=not has_cell(s["own"][seat], move.kind, village),
        )
    else:
        moved = Moved(seat, move, paid, bishop_from=holder if move.act == "bishop" and holder >= 0 else None)
    rules.settle(s)
    return (moved, *_followed(s, turn, after))


def deal(s: State, rolled: Handful) -> tuple[Event, ...]:
    """Give the handful ``rolled`` in ``s``, as ``rules.deal`` does; return what happens up to the next roll or
    decision.
    """
    seat, turn, coins, first = int(s["to_move"]), int(s["turn"]), s["coins"].copy(), moves_made(s) == 0
    rules.deal(s, rolled)
    over = s["end"] or s["turn"] > turn
    passed = (Passed(seat),) if first and over else ()
    return (Rolled(seat, DICE[rolled]), *passed, *_followed(s, turn, coins))


def _followed(s: State, turn: int, coins: np.ndarray) -> tuple[Event, ...]:
    """Return the turn and the end that have come since ``turn``, when the seats had ``coins``."""
    found: list[Event] = []
    if s["turn"] > turn:
        seat = int(s["to_move"])
        found.append(TurnBegan(seat, int(s["coins"][seat] - coins[seat])))
    if s["end"]:
        stuck = int(s["turn"] % s["players"]) if s["end"] == rules.NO_FIGURES else None
        found.append(Ended(str(ENDS[s["end"]]), stuck))
    return tuple(found)
