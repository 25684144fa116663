"""The package's own errors.

All of them derive from :class:`BohemianError`, which is a ``ValueError``: each says in a sentence which value
was refused and what would have been accepted.
"""

from __future__ import annotations

from typing import Any, Final

_LONGEST: Final = 300


def brief(value: object) -> str:
    """Return a foreign value as a message shows it: its repr, cut if it is long.

    Python writes no whole number of more than 4,300 digits: of these, and of what has no repr, the type is told.
    """
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
        if isinstance(value, int):
            text = f"a whole number of {value.bit_length():,} bits"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class BohemianError(ValueError):
    """The base of the package's own errors."""


class BadSetup(BohemianError):
    """A game or an environment was asked for with parameters that the rules do not allow."""


class BadNotation(BohemianError):
    """A text is not a move text; the message shows what one looks like."""


class IllegalMove(BohemianError):
    """A move that the rules do not allow in this position.

    Attributes:
        move: what was refused, such as the text of a move or the number of an action.
        reason: why, with the ruling that forbids it if it is one of the rules.
    """

    def __init__(self, move: str, reason: str, position: str = "") -> None:
        self.move = move
        self.reason = reason
        self._position = position
        super().__init__(f"{brief(move)} is not legal: {reason}" + (f" [{position}]" if position else ""))

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, str, str], dict[str, Any]]:
        """Pickle the error together with its notes, so that it can travel between processes."""
        return type(self), (self.move, self.reason, self._position), self.__dict__


class ChanceNeeded(BohemianError):
    """Only chance can come next, so there is no move to make."""


class NoChanceNeeded(BohemianError):
    """Chance was told to speak where a player decides."""


class BadOutcome(BohemianError):
    """Chance cannot bring this now."""


class GameOver(BohemianError):
    """A game has ended, or none has begun, so there is no move, no chance and nothing to show of it."""


class BadPosition(BohemianError):
    """A position (JSON) contradicts itself or the rules; the message names the field."""


class BadRecord(BohemianError):
    """A game record (JSON) cannot be replayed; the message names the turn and the entry."""


class NoRecord(BohemianError):
    """The game was loaded from a position instead of begun at its set-up, so it has no complete record."""


class MissingExtra(BohemianError, ImportError):
    """Something needs packages that are not installed; the message says how to install them."""
