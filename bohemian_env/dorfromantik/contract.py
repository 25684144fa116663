"""What Dorfromantik hands over to the floor: its rules object, beside the verbs of verbs.py."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar, Final

import numpy as np

from ..engine.contract import END, GROWTH, Action, Reward, Rules, State
from ..engine.errors import BadSetup
from . import moves, verbs
from .check import check_state, setup_of
from .moves import action_at, parse_move
from .observation import PARTS
from .players import SCRIPTED, Scripted, new_scratch
from .position import read_position, write_position
from .record import Event, replay, told_deal, told_push, write_record
from .rules import MARKER_DUE, TASK_STACK, stack_due
from .setup import SetupOptions, Start
from .state import ENDS, SCORING, STATE, TOLD
from .tiles import IDS, KINDS, MOST_PLAYERS, TASK_KIND, TILES


class Dorfromantik(Rules):
    """Dorfromantik, as the floor knows it. A game has no pieces: its texts need only the position."""

    name = "dorfromantik"
    env_name = "dorfromantik_v0"
    verbs: ClassVar[ModuleType] = verbs
    state = STATE
    players = range(1, MOST_PLAYERS + 1)
    parts = PARTS
    scoring = SCORING
    ends = ENDS
    drawn = "tiles and markers"
    rewards: ClassVar[Mapping[str, Reward]] = {
        "steady": Reward(GROWTH, "for every placement, by how much it raises the score (D24); all seats receive it"),
        "end": Reward(END, "the score, once, at the end"),
    }
    opponents = SCRIPTED
    options = tuple(SetupOptions.__annotations__)
    scripted = Scripted
    start = Start
    events = (dict,)
    outcome_name = "tile or marker"
    most_outcomes = TILES
    drawing = f"{__package__}.draw"
    scratch = staticmethod(new_scratch)
    check_state = staticmethod(check_state)
    write_position = staticmethod(write_position)
    read_position = staticmethod(read_position)
    text_of = staticmethod(moves.text_of)
    refusal = staticmethod(moves.refusal)
    told_push = staticmethod(told_push)
    told_deal = staticmethod(told_deal)

    def check_dealt(self, states: np.ndarray, dealt: np.ndarray) -> None:
        for s, begun in zip(states, dealt, strict=True):
            if (own := setup_of(s)) != (other := setup_of(begun)):
                told = f"expected those of {other.players} players and {other.options}"
                raise BadSetup(f"positions: {told}, got {own.players} players and {own.options}")

    def same(self, states: np.ndarray, pieces: Any) -> Any:
        return tuple(states[name].tobytes() for name in TOLD)

    def record(self, start: Start, happened: Sequence[tuple[Event, ...]], states: np.ndarray) -> dict[str, Any]:
        return write_record(start, happened, states[0])

    def replay(self, data: Any) -> Any:
        return replay(data, self.game.begin)

    def action_of(self, s: State, text: str, pieces: Any) -> Action | None:
        named = parse_move(text)
        action = action_at(*named)
        return action if moves.where_of(s, action) == named else None

    def due(self, s: State) -> str:
        if s["pending"] == MARKER_DUE:
            return f"a marker of type {KINDS[TASK_KIND[s['hand']]]} has to be revealed, for task tile {IDS[s['hand']]}"
        return f"a tile of the {'task' if stack_due(s) == TASK_STACK else 'landscape'} stack has to be revealed"

    def seen(self, s: State, pieces: Any) -> str:
        return f", tile {IDS[s['hand']]}" + (f" with marker {s['number']}" if s["number"] else "")

    def outcome_of(self, s: State, k: int) -> str | int:
        return int(s["numbers"][k]) if s["pending"] == MARKER_DUE else IDS[k]


RULES: Final = Dorfromantik()
