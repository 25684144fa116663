"""The verbs of Agricola (``engine/contract.py``): what the floor's loops call, all in one place.

Chance (A75) keeps no order of the cards. Each has a *priority*, which follows from a seed and the card, and of its
stage the lowest that is not revealed yet comes next: with another seed all stages come in another order, each of the
1,152 orders (A6) as likely as any.
"""

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.chance import STEP, mix
from ..engine.compiled import njit
from . import legal
from .decisions import NUM_ACTIONS
from .inputs import HIDDEN, INPUTS, MOST_INPUTS, write_inputs
from .observation import write_observation
from .opponents.scripted import choose
from .pieces import GOODS, MOST_PLAYERS, ROUNDS, STAGE_CARDS, STAGE_IN
from .rules import deal, push, score, set_up
from .state import COLUMNS, State, whole
from .tried import goes_on, write_tried

__all__ = [
    "COLUMNS", "HIDDEN", "INPUTS", "MAX_PLAYERS", "MOST_INPUTS", "NUM_ACTIONS", "TEAM", "TRUNCATED", "choose", "deal",
    "draw", "goes_on", "likelihood", "moment", "outcomes", "push", "score", "set_up", "write_inputs",
    "write_observation", "write_tried",
]  # fmt: skip

MAX_PLAYERS: Final = MOST_PLAYERS
TRUNCATED: Final = -1  # no game is cut off (A80)
TEAM: Final = False
_CARDS_STREAM: Final = np.uint64(0x4341524453)  # keeps the draws made with one seed apart; the value means nothing
_0, _PLACE = np.uint64(0), np.uint64(15)


@njit
def outcomes(s: State) -> int:
    """Return the number of round cards."""
    return ROUNDS


@njit
def hidden_cards(s: State) -> int:
    """Return the round cards that can be revealed next, as bits: those of the stage that nobody saw yet (A6)."""
    return whole(STAGE_CARDS[STAGE_IN[s["turn"]]]) & ~whole(s["shown"])


@njit
def likelihood(s: State, k: int) -> float:
    """Return how likely round card ``k`` comes: each that can is as likely as any other (A75)."""
    hidden = hidden_cards(s)
    if k < 0 or (hidden >> k) & 1 == 0:
        return 0.0
    return 1.0 / popcount(np.uint64(hidden))


@njit
def draw(s: State, seed: Word) -> int:
    """Return the round card that a seed brings (A75)."""
    hidden, stream, lowest = hidden_cards(s), mix(seed ^ _CARDS_STREAM), ~_0
    for card in range(ROUNDS):
        if (hidden >> card) & 1:
            priority = mix(stream + np.uint64(card) * STEP) & ~_PLACE
            lowest = min(lowest, priority | np.uint64(card))
    return whole(lowest & _PLACE)


@njit
def moment(s: State) -> Word:
    """Return a word made of what the seat to move has and is asked, which each of its decisions changes."""
    seat = s["to_move"]
    asked = whole(s["kind"]) << 8 | whole(s["baked"]) << 16 | whole(s["crafted"]) << 24 | whole(s["turn"]) << 32
    word = mix(np.uint64(asked | whole(seat) << 4 | whole(s["placed"][seat]) << 40 | whole(s["phase"]) << 44))
    for good in range(len(GOODS)):
        word = mix(word + np.uint64(s["goods"][seat, good]) * STEP)
    farm = whole(s["rooms"][seat]) << 32 | whole(s["stables"][seat]) << 16 | whole(s["fields"][seat])
    planted = whole(legal.empty_fields(s, seat)) << 16 | whole(s["majors"][seat])
    word = mix(word ^ mix(np.uint64(farm)) ^ s["sides"][seat])
    return mix(word + np.uint64(planted) * STEP)
