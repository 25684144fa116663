"""What every drawing says about the seats: their letters, their names, what each has, and who has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...engine.checks import printable, texts_of
from ...engine.contract import Outcome, outcome_of
from ...engine.errors import BadSetup, brief
from ..facts import ENDS, SCORING, SHOPS
from ..position import players_of, read_position
from ..rules import income, score

__all__ = ["SEAT_LETTERS", "Holding", "holdings", "known_outcome", "seat_names"]

SEAT_LETTERS: Final = "ABCDE"
"""The letter of each seat."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a seat has."""

    coins: int
    figures: int
    """The figures in hand."""
    active_inns: int
    shops: tuple[int, ...]
    """The number of shops of each kind, in the order of SHOPS."""
    farms: int
    town_halls: int
    churches: int
    bishop: bool
    income: int
    """The coins that it would receive if its turn began now (R5)."""
    special: bool
    flour: int
    glass: int


def holdings(position: Mapping[str, Any]) -> list[Holding]:
    """Return what every seat has in a position JSON."""
    buildings = [b for village in position["villages"] for b in village["buildings"]]
    rows = []
    for seat in range(position["players"]):
        own = [b["kind"] for b in buildings if b["owner"] == seat]
        inns = sum(b.get("active", False) and b["owner"] == seat for b in buildings)
        churches = own.count("church")
        bishop = position["bishop"] == seat
        rows.append(
            Holding(
                coins=position["coins"][seat],
                figures=position["figures"][seat],
                active_inns=inns,
                shops=tuple(own.count(kind) for kind in SHOPS),
                farms=own.count("farm"),
                town_halls=own.count("town_hall"),
                churches=churches,
                bishop=bishop,
                income=income(inns, churches, bishop),
                special=position["special"][seat],
                flour=position["flour"][seat],
                glass=position["glass"][seat],
            )
        )
    return rows


def known_outcome(position: Mapping[str, Any], outcome: Outcome | None) -> Outcome | None:
    """Return how the game ended, which the position tells where it is not given; None while the game goes on.

    Raises BadPosition: the game is over, and the position contradicts itself. BadSetup: ``outcome`` is none.
    """
    if not isinstance(outcome, Outcome | None):
        raise BadSetup(f"outcome {brief(outcome)} is not one that Game.outcome() gives")
    if not position["over"]:
        return None
    return outcome or outcome_of(read_position(position)[0][0], score, SCORING, ENDS)


def seat_names(position: Mapping[str, Any], names: Sequence[str] | None) -> list[str]:
    """Return the names of the seats, by default ``seat 0`` and so on. Raises BadSetup if there is not one for each,
    BadPosition for what is no position's JSON.
    """
    players = players_of(position)
    if names is None:
        names = [f"seat {seat}" for seat in range(players)]
    told = texts_of(names)
    if told is None or len(told) != players:
        raise BadSetup(f"names {brief(names)} are not {players} texts, one for each seat")
    return [printable(name) for name in told]
