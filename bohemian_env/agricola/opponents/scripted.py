"""The scripted opponents, by name."""

from typing import Final

from ...engine.bits import Word
from ...engine.compiled import njit
from ...engine.contract import Action
from ...engine.contract import Scripted as _Scripted
from ...engine.legal import pick_random
from ..state import State
from .planner import Scratch, best_action
from .weights import GREEDY, PLANNER

SCRIPTED: Final = {
    "random": "any legal action, each as likely as any other",
    "greedy": "the action after which a plain estimate of the final score is highest",
    "planner": "the same with weights that were tuned: it plans feeding, family, fields and animals",
}
"""What each opponent does, by name. Compiled code numbers them in this order."""
_RANDOM, _GREEDY = 0, 1


class Scripted(_Scripted):
    """A scripted opponent of :data:`SCRIPTED`: its name, and the seed of its own random choices, 0 to 2**63 - 1."""

    known = SCRIPTED


@njit
def choose(number: int, s: State, word: Word, scratch: Scratch) -> Action:
    """Return the action of scripted opponent ``number`` for the seat to move. Neither is checked.

    word: its own random number for this decision.
    """
    if number == _RANDOM:
        return pick_random(s, word)
    return best_action(s, GREEDY if number == _GREEDY else PLANNER[s["players"]], scratch)
