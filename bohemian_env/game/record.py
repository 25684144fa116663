"""A whole game as JSON: enough to replay it on a table, without the program and without the seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from . import rules
from .board import Board, Village
from .dice import DICE, rolled_handful
from .moves import move_of
from .notation import format_move
from .state import ENDS, MAX_PLAYERS, copy_states, has_cell, new_states

__all__ = ["FORMAT", "Setting", "Transcript", "final_scoring", "seeded_record", "winning_seats"]

FORMAT: Final = "bohemian-villages/1"


@dataclass(frozen=True, slots=True)
class Setting:
    """All that a game is set up with; the same setting and the same dice and moves make the same game."""

    board: Board
    players: int
    sides: int
    """Which side every tile shows (``rules.draw_sides``)."""
    coin_supply: int
    special_action_tiles: int
    max_turns: int | None
    seed: int | None
    names: tuple[str, ...]

    @property
    def villages(self) -> tuple[Village, ...]:
        """The villages in play, in the order of positions."""
        return self.board.shown(self.players, self.sides)

    def new_state(self) -> np.ndarray:
        """The first position, shape (1,): seat 0 is about to roll."""
        states = new_states(1)
        rules.new_game(
            states[0],
            self.board.tables[0],
            self.players,
            np.uint64(self.sides),
            self.coin_supply,
            self.special_action_tiles,
            self.max_turns or 0,
        )
        return states


def final_scoring(s: np.void) -> list[dict[str, int]]:
    """R25 for the position as it stands: one entry per seat, in the words of the game record."""
    out = np.zeros((MAX_PLAYERS, len(rules.SCORING)), np.int64)
    rules.score(s, out)
    return [dict(zip(rules.SCORING, map(int, row), strict=True)) for row in out[: int(s["players"])]]


def winning_seats(scoring: Sequence[dict[str, int]]) -> list[int]:
    """R26: the seats with the highest total."""
    best = max(entry["total"] for entry in scoring)
    return [seat for seat, entry in enumerate(scoring) if entry["total"] == best]


class Transcript:
    """Plays a game by the rules and writes down what happens, in the form of a game record."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.names = [v.name for v in setting.villages]
        self.states = setting.new_state()
        self.turns: list[dict[str, Any]] = []
        self._note_turn(0, np.zeros(MAX_PLAYERS, np.int64))

    @property
    def s(self) -> np.void:
        """The position reached."""
        return self.states[0]

    def _note_turn(self, turn: int, coins: np.ndarray) -> None:
        """Write down the turn that has begun since ``turn``, when the coins were ``coins``."""
        if self.s["turn"] > turn:
            seat = int(self.s["to_move"])
            self.turns.append({"seat": seat, "income": int(self.s["coins"][seat] - coins[seat])})

    def deal(self, rolled: int) -> None:
        """Chance rolls the handful ``rolled``."""
        s = self.s
        turn, coins = int(s["turn"]), s["coins"].copy()
        entry = self.turns[-1]
        if "roll" in entry:
            entry["moves"][-1]["rolled"] = list(DICE[rolled])
        else:
            entry["roll"] = list(DICE[rolled])
            entry["moves"] = []
        rules.deal(s, rolled)
        self._note_turn(turn, coins)

    def push(self, action: int) -> None:
        """A player carries out the legal action ``action``."""
        s = self.s
        turn, before = int(s["turn"]), copy_states(self.states)[0]
        move = move_of(action, DICE[s["dice"]], self.names)
        entry: dict[str, Any] = {"move": format_move(move)}
        rules.move(s, action)
        if move.act == "place":
            village = self.names.index(move.village)
            for seat in range(self.setting.players):
                if has_cell(before["own"][seat], move.kind, village):
                    entry["kicked"] = seat
        paid = [int(c) for c in (s["coins"] - before["coins"])[: self.setting.players]]
        if any(paid):
            entry["paid"] = paid
        self.turns[-1]["moves"].append(entry)
        coins = s["coins"].copy()
        rules.settle(s)
        self._note_turn(turn, coins)

    def record(self) -> dict[str, Any]:
        """The game record so far."""
        setting = self.setting
        record: dict[str, Any] = {
            "format": FORMAT,
            "players": list(setting.names),
            "seed": setting.seed,
            "figures": setting.board.setups[setting.players].figures,
            "special_action_tiles": setting.special_action_tiles,
            "coin_supply": setting.coin_supply,
            "max_turns": setting.max_turns,
            "villages": [v.to_json() for v in setting.villages],
            "turns": self.turns,
        }
        if self.s["end"]:
            record["end"] = ENDS[self.s["end"]]
            record["scoring"] = final_scoring(self.s)
            record["winners"] = winning_seats(record["scoring"])
        return record


def write_record(setting: Setting, actions: Iterable[int], roll: Callable[[np.void], int | None]) -> dict[str, Any]:
    """The record of the game with these decisions; ``roll`` names the handful that is rolled, None for not yet."""
    transcript = Transcript(setting)
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


def seeded_record(setting: Setting, actions: Iterable[int]) -> dict[str, Any]:
    """The record of the game with these decisions and the dice of the setting's seed."""
    seed = np.uint64(setting.seed or 0)
    return write_record(setting, actions, lambda s: int(rolled_handful(seed, s["turn"], s["spent"], s["pending"])))
