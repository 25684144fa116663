"""What every drawing says about the seats: their letters, their names, what each has, and who has won."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...engine.contract import Outcome
from ...engine.drawing import check_outcome
from ..contract import RULES
from ..position import read_position
from ..rules import income

SEAT_LETTERS: Final = "ABCDE"
"""The letter of each seat."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a seat has."""

    coins: int
    figures: int
    """The figures in hand."""
    kinds: Mapping[str, int]
    """The number of buildings of each kind."""
    active_inns: int
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
        own = [b for b in buildings if b["owner"] == seat]
        kinds, inns = Counter(b["kind"] for b in own), sum(b.get("active", False) for b in own)
        bishop = position["bishop"] == seat
        told = {name: position[name][seat] for name in ("coins", "figures", "special", "flour", "glass")}
        pays = income(inns, kinds["church"], bishop)
        rows.append(Holding(kinds=kinds, active_inns=inns, bishop=bishop, income=pays, **told))
    return rows


def known_outcome(position: Mapping[str, Any], outcome: Outcome | None) -> Outcome | None:
    """Return how the game ended, which the position tells where it is not given; None while the game goes on.

    Raises BadPosition: the game is over, and the position contradicts itself. BadSetup: ``outcome`` is none.
    """
    check_outcome(outcome)
    if not position["over"]:
        return None
    return outcome or RULES.outcome(read_position(position)[0][0])
