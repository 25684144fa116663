"""Moves as text: one line names a move, the same for people, game records, logs and tests.

========================  ========================
move                      text
========================  ========================
place                     ``3+4:glass@Nenbrad``
take the bishop           ``5+5:bishop``
take a special tile       ``2+6:special``
spend it (reroll)         ``reroll 2,6``
stop after the first      ``end``
========================  ========================

Dice ascend. A text is only form: whether the move is allowed is for the game to say.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from ..engine.errors import BadNotation, brief
from .facts import KINDS

__all__ = ["LOOKS_LIKE", "Move", "format_move", "parse_move"]

LOOKS_LIKE: Final = (
    "a move looks like '3+4:glass@Nenbrad' (dice ascending, kind, village), '5+5:bishop', '2+6:special', "
    "'reroll 2,6' or 'end'"
)
_USE: Final = re.compile(r"([1-6](?:\+[1-6]){1,3}):(?:(bishop|special)|([a-z_]+)@(\S(?:.*\S)?))", re.ASCII)
_REROLL: Final = re.compile(r"reroll ([1-6](?:,[1-6]){0,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Move:
    """One move, as its text names it."""

    act: Literal["place", "bishop", "special", "reroll", "end"]
    dice: tuple[int, ...] = ()
    """The dice used up, or rolled again; ascending."""
    kind: str = ""
    """Kind of building, for ``place``."""
    village: str = ""
    """Name of the village, for ``place``."""


def format_move(move: Move) -> str:
    """Return the text of a move."""
    if move.act == "end":
        return "end"
    if move.act == "reroll":
        return "reroll " + ",".join(map(str, move.dice))
    used = "+".join(map(str, move.dice))
    return f"{used}:{move.kind}@{move.village}" if move.act == "place" else f"{used}:{move.act}"


def parse_move(text: str) -> Move:
    """Return the move that a text names. Raises BadNotation: the text does not have the form of a move; the message
    shows what one looks like.
    """
    if not isinstance(text, str):
        raise BadNotation(f"{brief(text)} is not a text; {LOOKS_LIKE}")
    if text == "end":
        return Move("end")
    if found := _REROLL.fullmatch(text):
        move = Move("reroll", tuple(map(int, found[1].split(","))))
    elif found := _USE.fullmatch(text):
        dice = tuple(map(int, found[1].split("+")))
        if found[3] and found[3] not in KINDS:
            raise BadNotation(f"{brief(text)}: unknown kind {brief(found[3])}; known are {', '.join(KINDS)}")
        move = Move("place", dice, found[3], found[4]) if found[3] else Move(found[2], dice)  # type: ignore[arg-type]
    else:
        raise BadNotation(f"{brief(text)} is not a move; {LOOKS_LIKE}")
    if list(move.dice) != sorted(move.dice):
        raise BadNotation(f"{brief(text)}: the dice are not ascending; {LOOKS_LIKE}")
    return move
