"""What Bohemian Villages hands over to the floor: its rules object, beside the verbs of verbs.py."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, ClassVar, Final

import numpy as np

from ..engine.contract import MARGIN, MIXED, WIN, Action, Advice, Reward, Rules, State
from ..engine.errors import BadSetup, IllegalMove
from ..engine.reward import MARGIN_SCALE
from ..engine.states import copy_states
from . import events, moves, verbs
from .advice import ADVICE_PARTS, ADVISERS, advice_room, advise_some, write_advice
from .board import Village
from .check import check_villages, checked_states
from .dice import DICE, handful
from .errors import BadDice, NoRollNeeded, RollNeeded
from .events import Ended, Event, Moved, Passed, Rolled, TurnBegan
from .facts import ENDS, MAX_PLAYERS, MIN_PLAYERS, PRINTED, SCORING
from .notation import format_move, parse_move
from .observation import PARTS
from .opponents.chances import action_chances
from .opponents.scripted import SCRIPTED, Scripted, new_scratch
from .position import read_position, write_position
from .record import replay, write_record
from .setup import Setup, SetupOptions, Start
from .state import STATE


def _names(villages: Sequence[Village]) -> list[str]:
    return [village.name for village in villages]


class Villages(Rules):
    """Bohemian Villages, as the floor knows it; the pieces of a game are its villages."""

    name = "villages"
    env_name = "bohemian_villages_v0"
    verbs: ClassVar[ModuleType] = verbs
    state = STATE
    players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    parts = PARTS
    scoring = SCORING
    ends = ENDS
    drawn = "villages and dice"
    unit = "coins"
    rewards: ClassVar[Mapping[str, Reward]] = {
        "win": Reward(WIN, "the winners share +1, the others share −1; 0 for all if all win"),
        "margin": Reward(MARGIN, f"(own total − mean of the others' totals) / {MARGIN_SCALE:.0f}, clipped to ±1"),
        "mixed": Reward(MIXED, "the mean of `win` and `margin`"),
    }
    opponents = SCRIPTED
    options = ("villages", *SetupOptions.__annotations__)
    scripted = Scripted
    start = Start
    events = (TurnBegan, Rolled, Moved, Passed, Ended)
    chance_needed = RollNeeded
    no_chance_needed = NoRollNeeded
    bad_outcome = BadDice
    outcome_name = "roll"
    most_outcomes = len(DICE)
    not_seen = ("max_turns",)
    drawing = f"{__package__}.render"
    scratch = staticmethod(new_scratch)
    checked_states = staticmethod(checked_states)
    check_pieces = staticmethod(check_villages)
    advice = Advice(ADVISERS, ADVICE_PARTS, advice_room, advise_some, lambda s, *more: write_advice(s[0], *more))

    def check_dealt(self, states: np.ndarray, dealt: np.ndarray) -> None:
        for name in ("players", "villages", *PRINTED, "have", "max_turns"):
            if (dealt[name] != states[name]).any():
                raise BadSetup(f"positions: {name}: not that of the games of these seeds")
        (coins, figures, tiles), (own_coins, own_figures, own_tiles) = _supplies(dealt), _supplies(states)
        if (own_coins != coins).any() or (own_figures != figures).any() or (own_tiles > tiles).any():
            raise BadSetup("positions: coins, figures or special action tiles: not those of the games of these seeds")

    def write_position(self, s: State, pieces: Any) -> dict[str, Any]:
        return write_position(s, pieces)

    def read_position(self, data: Any, **options: Any) -> tuple[np.ndarray, Any]:
        setup = Setup.of(**options)
        return read_position(data, setup.max_turns, setup.board)

    def same(self, states: np.ndarray, pieces: Any) -> Any:
        states = copy_states(states)
        states["max_turns"] = 0  # a parameter, not part of the position
        states["end"] = np.minimum(states["end"], 1)
        return (tuple(_names(pieces)), states.tobytes())

    def fixed_setup(self, start: Start) -> Setup:
        return replace(start.setup, villages=tuple(_names(start.villages)))

    def record(self, start: Start, happened: Sequence[tuple[Event, ...]], states: np.ndarray) -> dict[str, Any]:
        return write_record(start, happened, self.outcome(states[0]))

    def replay(self, data: Any) -> Any:
        return replay(data, self.game.begin)

    def text_of(self, s: State, action: Action, pieces: Any) -> str:
        return format_move(moves.move_of(action, DICE[s["dice"]], _names(pieces)))

    def action_of(self, s: State, text: str, pieces: Any) -> Action | None:
        return moves.action_of(parse_move(text), DICE[s["dice"]], _names(pieces))

    def refusal(self, s: State, move: Action | str, pieces: Any) -> IllegalMove:
        return moves.refusal(s, move, _names(pieces))

    def due(self, s: State) -> str:
        return f"seat {s['to_move']} has to roll {s['pending']} dice"

    def chances(self, s: State) -> Mapping[Action, float]:
        return action_chances(s)

    def seen(self, s: State, pieces: Any) -> str:
        return f", dice {','.join(map(str, DICE[s['dice']]))}"

    def outcome_of(self, s: State, k: int) -> tuple[int, ...]:
        return DICE[k]

    def number_of(self, s: State, outcome: Any) -> int:
        number = handful(outcome)
        if len(DICE[number]) != s["pending"]:
            raise BadDice(f"{len(DICE[number])} dice {list(outcome)}; {s['pending']} are to be rolled")
        return number

    def told_begin(self, states: np.ndarray) -> tuple[Event, ...]:
        return events.begin(states[0])

    def told_push(self, states: np.ndarray, action: Action, pieces: Any) -> tuple[Event, ...]:
        return events.push(states[0], action, _names(pieces))

    def told_deal(self, states: np.ndarray, k: int, pieces: Any) -> tuple[Event, ...]:
        return events.deal(states[0], k)


def _supplies(states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all coins, the figures of each seat, and all special action tiles that have not left the games."""
    coins = states["coins"].sum(axis=1) + states["bank"]
    figures = states["figures"] + np.bitwise_count(states["own"]).sum(axis=2)
    return coins, figures, states["special_supply"] + np.bitwise_count(states["special"])


RULES: Final = Villages()
