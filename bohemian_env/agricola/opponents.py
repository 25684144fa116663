"""The scripted opponents."""

from __future__ import annotations

from typing import Final

from ..engine.bits import Word
from ..engine.compiled import njit
from ..engine.contract import Action
from ..engine.contract import Scripted as _Scripted
from ..engine.legal import pick_random
from .state import State

SCRIPTED: Final = {
    "random": "any legal action, each as likely as any other",
}
"""What each opponent does, by name. Compiled code numbers them in this order."""


class Scripted(_Scripted):
    """A scripted opponent of :data:`SCRIPTED`: its name, and the seed of its own random choices, 0 to 2**63 - 1."""

    known = SCRIPTED


@njit
def choose(number: int, s: State, word: Word, scratch: object) -> Action:
    """Return the action of scripted opponent ``number`` for the seat to move. Neither is checked.

    word: its own random number for this decision.
    """
    return pick_random(s, word)
