"""What Agricola hands over to the floor: its rules object, beside the verbs of verbs.py."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar, Final

import numpy as np

from ..engine.contract import END, GROWTH, SHARE, Action, Reward, Rules, State
from ..engine.errors import BadSetup
from . import refusals, verbs
from .check import check_state, setup_of
from .decisions import DECISIONS
from .observation import PARTS
from .opponents.planner import new_scratch
from .opponents.scripted import SCRIPTED, Scripted
from .pieces import CARDS, MOST_PLAYERS, ROUNDS, SCORING, SPACES, STAGE_IN
from .position import read_position, write_position
from .record import Event, replay, told_deal, told_push, write_record
from .setup import SetupOptions, Start
from .state import ENDS, STATE

_POTENTIAL: Final = "its score (A69) less the mean of the others', in solo its score (A72)"


class Agricola(Rules):
    """Agricola, as the floor knows it. A game has no pieces: its texts need only the position."""

    name = "agricola"
    env_name = "agricola_v0"
    verbs: ClassVar[ModuleType] = verbs
    state = STATE
    players = range(1, MOST_PLAYERS + 1)
    parts = PARTS
    scoring = SCORING
    ends = ENDS
    drawn = "round cards"
    rewards: ClassVar[Mapping[str, Reward]] = {
        "win": Reward(SHARE, "at the end, of n seats (n w − 1) / (n − 1), where w is the share of the win (A73)"),
        "score": Reward(GROWTH, f"for every decision and all it sets off, by how much it raises {_POTENTIAL}"),
        "end": Reward(END, "the sum of that, once, at the end"),
    }
    opponents = SCRIPTED
    options = tuple(SetupOptions.__annotations__)
    scripted = Scripted
    start = Start
    events = (dict,)
    outcome_name = "round card"
    most_outcomes = ROUNDS
    drawing = f"{__package__}.draw"
    scratch = staticmethod(new_scratch)
    check_state = staticmethod(check_state)
    write_position = staticmethod(write_position)
    read_position = staticmethod(read_position)
    refusal = staticmethod(refusals.refusal)
    told_push = staticmethod(told_push)
    told_deal = staticmethod(told_deal)

    def check_dealt(self, states: np.ndarray, dealt: np.ndarray) -> None:
        for s, begun in zip(states, dealt, strict=True):
            if (own := setup_of(s)) != (other := setup_of(begun)):
                raise BadSetup(f"positions: expected those of {other}, got {own}")

    def record(self, start: Start, happened: Sequence[tuple[Event, ...]], states: np.ndarray) -> dict[str, Any]:
        return write_record(start, happened, states[0], self.outcome(states[0]))

    def replay(self, data: Any) -> Any:
        return replay(data, self.game.begin)

    def text_of(self, s: State, action: Action, pieces: Any) -> str:
        return refusals.text_of(action)

    def action_of(self, s: State, text: str, pieces: Any) -> Action:
        return refusals.action_of(text)

    def due(self, s: State) -> str:
        return f"a round card of stage {STAGE_IN[s['turn']] + 1} has to be revealed"

    def seen(self, s: State, pieces: Any) -> str:
        return f", decision {DECISIONS[s['kind']]}"

    def outcome_of(self, s: State, k: int) -> str:
        return SPACES[CARDS + k]


RULES: Final = Agricola()
