"""What Dorfromantik hands over to the floor: its rules object, beside the verbs of verbs.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from ..engine.contract import Action, Reward, Rules, State
from ..engine.errors import BadOutcome, BadPosition, BadSetup, IllegalMove, brief
from ..engine.reward import END, GROWTH
from . import events, verbs
from .actions import NUM_ACTIONS, action_at, format_move, parse_move
from .check import checked_states
from .events import Ended, Event, Left, Marked, Placed, Revealed
from .moves import refusal, where_of
from .observation import PARTS
from .players import SCRIPTED, Scripted, new_scratch
from .position import read_position, write_position
from .record import replay, write_record
from .rules import MARKER_DUE, TASK_STACK, stack_due
from .setup import Setup, SetupOptions, Start
from .state import CONFIGURATION, ENDS, SCORING, STATE
from .tiles import IDS, KINDS, LANDSCAPE, MOST_PLAYERS, TASK_KIND, TILES

__all__ = ["RULES", "Dorfromantik"]

_SETUP: Final = ("players", "open_tasks", "left_in_box", "window", "numbers")
_FOLLOWING: Final = ("turn", "to_move", "pending", "end", "hidden")
_TOLD: Final = (*(name for name, *_ in CONFIGURATION if name != "markers"), *_FOLLOWING)
"""What two positions that are the same to players have in common: of equal markers it does not matter which was seen."""


def _tiles_in_play(states: np.ndarray) -> np.ndarray:
    """Return which tiles each position's set-up has: bool, (n, TILES)."""
    numbers = np.arange(TILES)
    hidden = np.where(
        numbers < LANDSCAPE,
        states["landscape"][:, None] >> np.minimum(numbers, LANDSCAPE - 1).astype(np.uint64),
        states["tasks"][:, None] >> np.maximum(numbers - LANDSCAPE, 0).astype(np.uint64),
    )
    seen = (states["tiles"][:, :, 0] != 0) | (states["hand"][:, None] == numbers)
    return seen | (hidden.astype(np.uint64) & np.uint64(1) == 1)


class Dorfromantik(Rules):
    """Dorfromantik, as the floor knows it; a game has no pieces that its texts need to know."""

    name = "dorfromantik"
    env_name = "dorfromantik_v0"
    verbs = verbs
    state = STATE
    players = range(1, MOST_PLAYERS + 1)
    parts = PARTS
    scoring = SCORING
    ends = ENDS
    rewards: ClassVar[Mapping[str, Reward]] = {
        "steady": Reward(GROWTH, "after every placement, the growth of the score (D24); every seat receives it"),
        "end": Reward(END, "the score, once at the end"),
    }
    opponents = SCRIPTED
    options = tuple(SetupOptions.__annotations__)
    scripted = Scripted
    start = Start
    events = (Revealed, Marked, Placed, Left, Ended)
    outcome_name = "draw"
    most_outcomes = TILES

    def setup(self, num_players: Any = 1, *more: Any, **options: Any) -> Setup:
        return Setup.of(num_players, *more, **options)

    def scratch(self) -> Any:
        return new_scratch()

    def checked_states(self, states: object) -> np.ndarray:
        return checked_states(states)

    def check_dealt(self, states: np.ndarray, dealt: np.ndarray) -> None:
        for name in _SETUP:
            if (dealt[name] != states[name]).any():
                raise BadSetup(f"positions: {name}: not that of the games of these seeds")
        if (_tiles_in_play(dealt) != _tiles_in_play(states)).any():
            raise BadSetup("positions: tiles: not those of the games of these seeds")

    def write_position(self, s: State, pieces: Any) -> dict[str, Any]:
        return write_position(s)

    def read_position(self, data: Any, **options: Any) -> tuple[np.ndarray, Any]:
        return read_position(data, options), ()

    def check_pieces(self, pieces: Any, s: State) -> None:
        if pieces != ():
            raise BadPosition(f"pieces of a game: {brief(pieces)} are not (): it has none")

    def same(self, states: np.ndarray, pieces: Any) -> Any:
        return tuple(states[name].tobytes() for name in _TOLD)

    def record(self, start: Start, happened: Sequence[tuple[Event, ...]], states: np.ndarray) -> dict[str, Any]:
        return write_record(start, happened, states[0])

    def replay(self, data: Any) -> Any:
        return replay(data, self.game.begin)

    def text_of(self, s: State, action: Action, pieces: Any) -> str:
        if not 0 <= action < NUM_ACTIONS:
            raise IllegalMove(str(action), f"the numbers of actions are 0 to {NUM_ACTIONS - 1} (D26)")
        return format_move(*where_of(s, action))

    def action_of(self, s: State, text: str, pieces: Any) -> Action | None:
        q, r, rotation = parse_move(text)
        action = action_at(q, r, rotation)
        return action if where_of(s, action) == (q, r, rotation) else None

    def refusal(self, s: State, move: Action | str, pieces: Any) -> IllegalMove:
        return refusal(s, move)

    def due(self, s: State) -> str:
        if s["pending"] == MARKER_DUE:
            kind = KINDS[TASK_KIND[s["hand"]]]
            return f"the marker of task tile {IDS[s['hand']]} has to be revealed, one of type {kind}"
        return f"the top tile of the {'task' if stack_due(s) == TASK_STACK else 'landscape'} stack has to be revealed"

    def seen(self, s: State, pieces: Any) -> str:
        return f", tile {IDS[s['hand']]}" + (f" with marker {s['number']}" if s["number"] else "")

    def outcome_of(self, s: State, k: int) -> str | int:
        return int(s["numbers"][k]) if s["pending"] == MARKER_DUE else IDS[k]

    def number_of(self, s: State, outcome: Any) -> int:
        for k in range(TILES):
            if verbs.likelihood(s, k) > 0:
                there = self.outcome_of(s, k)
                if type(there) is type(outcome) and there == outcome:
                    return k
        known = {self.outcome_of(s, k): None for k in range(TILES) if verbs.likelihood(s, k) > 0}
        raise BadOutcome(f"{brief(outcome)} cannot come; {self.due(s)}, which can be {', '.join(map(str, known))}")

    def told_push(self, states: np.ndarray, action: Action, pieces: Any) -> tuple[Event, ...]:
        return events.push(states[0], action)

    def told_deal(self, states: np.ndarray, k: int, pieces: Any) -> tuple[Event, ...]:
        return events.deal(states[0], k)

    def draw_text(self, position: Mapping[str, Any], **options: Any) -> str:
        from .draw import draw_text  # only here: the rules draw nothing

        return draw_text(position, **options)

    def draw_svg(self, position: Mapping[str, Any], **options: Any) -> str:
        from .draw import draw_svg

        return draw_svg(position, **options)


RULES: Final = Dorfromantik()
