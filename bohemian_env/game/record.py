"""A whole game as JSON: enough to replay it on a table, without the program and without the seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from . import events, rules
from .actions import Action
from .dice import Handful, rolled_handful
from .events import Event, Moved, Rolled, TurnBegan
from .facts import ENDS, MAX_PLAYERS, SCORING
from .notation import format_move
from .setup import Start
from .state import Seat, State

__all__ = ["FORMAT", "Outcome", "Transcript", "final_scoring", "outcome_of", "seeded_record", "winning_seats"]

FORMAT: Final = "bohemian-villages/1"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    reason: str
    """``"no figures"`` (R4), ``"bank empty"`` (R21) or ``"truncated"`` (R24)."""
    scoring: tuple[dict[str, int], ...]
    """The scoring of each seat (R25): coins, town_halls, shops, churches, tiles, and their sum, total."""
    winners: tuple[Seat, ...]
    """The seats with the highest total (R26)."""


def final_scoring(s: State) -> list[dict[str, int]]:
    """Return the scoring of the position as it stands (R25): one entry per seat, in the words of the game record."""
    out = np.zeros((MAX_PLAYERS, len(SCORING)), np.int64)
    rules.score(s, out)
    return [dict(zip(SCORING, map(int, row), strict=True)) for row in out[: int(s["players"])]]


def winning_seats(scoring: Sequence[dict[str, int]]) -> list[Seat]:
    """Return the seats with the highest total (R26)."""
    best = max(entry["total"] for entry in scoring)
    return [seat for seat, entry in enumerate(scoring) if entry["total"] == best]


def outcome_of(s: State) -> Outcome | None:
    """Return how the game of the position ``s`` ended; None while it goes on."""
    if not s["end"]:
        return None
    scoring = final_scoring(s)
    return Outcome(str(ENDS[s["end"]]), tuple(scoring), tuple(winning_seats(scoring)))


class Transcript:
    """A game played by the rules while everything that happens is written down as a game record."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.villages = [v.name for v in start.villages]
        self.states = start.new_state()
        self.turns: list[dict[str, Any]] = []
        self._note(events.begin(self.s))

    @property
    def s(self) -> State:
        """The position reached."""
        return self.states[0]

    def deal(self, rolled: Handful) -> None:
        """Roll the handful ``rolled``."""
        self._note(events.deal(self.s, rolled))

    def push(self, action: Action) -> None:
        """Carry out the legal action ``action`` of the current seat."""
        self._note(events.push(self.s, action, self.villages))

    def _note(self, happened: Iterable[Event]) -> None:
        for event in happened:
            match event:
                case TurnBegan(seat, income):
                    self.turns.append({"seat": seat, "income": income})
                case Rolled(_, dice) if "roll" in self.turns[-1]:
                    self.turns[-1]["moves"][-1]["rolled"] = list(dice)
                case Rolled(_, dice):
                    self.turns[-1] |= {"roll": list(dice), "moves": []}
                case Moved():
                    entry: dict[str, Any] = {"move": format_move(event.move)}
                    if event.kicked is not None:
                        entry["kicked"] = event.kicked
                    if any(event.paid):
                        entry["paid"] = list(event.paid)
                    self.turns[-1]["moves"].append(entry)

    def record(self) -> dict[str, Any]:
        """Return the game record so far."""
        start, setup = self.start, self.start.setup
        record: dict[str, Any] = {
            "format": FORMAT,
            "players": list(start.names),
            "seed": start.seed,
            "figures": setup.board.setups[setup.players].figures,
            "special_action_tiles": setup.special_action_tiles,
            "coin_supply": setup.coin_supply,
            "max_turns": setup.max_turns,
            "villages": [v.to_json() for v in start.villages],
            "turns": self.turns,
        }
        if start.continues:
            record["continues"] = start.continues.to_json()
        if outcome := outcome_of(self.s):
            record["end"] = outcome.reason
            record["scoring"] = list(outcome.scoring)
            record["winners"] = list(outcome.winners)
        return record


def write_record(start: Start, actions: Iterable[Action], roll: Callable[[State], Handful | None]) -> dict[str, Any]:
    """Return the record of the game with these decisions. ``roll`` gives each roll, None for one not made yet."""
    transcript = Transcript(start)
    pending = iter(actions)
    while True:
        if transcript.s["pending"]:
            rolled = roll(transcript.s)
            if rolled is None:
                break
            transcript.deal(rolled)
        else:
            action = next(pending, None)
            if action is None:
                break
            transcript.push(int(action))
    return transcript.record()


def seeded_record(start: Start, actions: Iterable[Action]) -> dict[str, Any]:
    """Return the record of the game with these decisions and the dice of its seed."""
    seed = np.uint64(start.seed or 0)
    return write_record(start, actions, lambda s: int(rolled_handful(seed, s["turn"], s["spent"], s["pending"])))
