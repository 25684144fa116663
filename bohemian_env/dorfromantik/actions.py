"""The actions: every cell of a torus with every rotation (D26), and their texts (D31)."""

from __future__ import annotations

import re
from typing import Final

from ..engine.contract import Action
from ..engine.errors import BadNotation, brief
from .tiles import TORUS

NUM_ACTIONS: Final = TORUS * TORUS * 6
_LOOKS_LIKE: Final = "a move looks like '+3-1 r2': q and r with their signs, and the rotation from 0 to 5"
_MOVE: Final = re.compile(r"([+-](?:0|[1-9]\d{0,2}))([+-](?:0|[1-9]\d{0,2})) r([0-5])", re.ASCII)


def cell_of(q: int, r: int) -> int:
    """Return the cell of the torus of some coordinates."""
    return q % TORUS * TORUS + r % TORUS


def action_at(q: int, r: int, rotation: int) -> Action:
    """Return the number of a placement (D26)."""
    return 6 * cell_of(q, r) + rotation


def format_move(q: int, r: int, rotation: int) -> str:
    """Return the text of a placement (D31)."""
    return f"{q:+d}{r:+d} r{rotation}"


def parse_move(text: object) -> tuple[int, int, int]:
    """Return q, r and the rotation that a text names.

    Raises:
        BadNotation: the text does not have the form of a move; the message shows what one looks like.
    """
    if not isinstance(text, str):
        raise BadNotation(f"{brief(text)} is not a text; {_LOOKS_LIKE}")
    found = _MOVE.fullmatch(text)
    if not found or "-0" in (found[1], found[2]):
        raise BadNotation(f"{brief(text)} is not a move; {_LOOKS_LIKE}")
    q, r, rotation = map(int, found.groups())
    return q, r, rotation
