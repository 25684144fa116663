"""How much an agent that searches may think: a number of playouts a move, or a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Budget"]

_MOST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Budget:
    """For one move; one of the two is 0."""

    playouts: int = 0
    milliseconds: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Budget:
        """``64`` for playouts, ``20ms`` for milliseconds.

        Raises:
            ValueError: another form, or a number outside 1 to 1,000,000.
        """
        found = re.fullmatch(r"([0-9]{1,9})|([0-9]{1,9}(?:\.[0-9]{1,9})?)ms", text)
        if not found:
            raise ValueError(f"{text!r} is neither playouts a move (64) nor a time (20ms)")
        budget = cls(int(found[1] or 0), float(found[2] or 0))
        if not 1 <= budget.playouts + budget.milliseconds <= _MOST:
            raise ValueError(f"{text!r}: the number must be from 1 to {_MOST:,}")
        return budget
