"""The compiled game in the form of the plain rules, so that both are asked the same and played in lock-step."""

from collections.abc import Mapping
from typing import Any

from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik.moves import action_at, format_move, parse_move
from bohemian_env.dorfromantik.rules import MARKER_DUE, TASK_STACK, stack_due
from tests.test_dorfromantik.laid import Move


class CompiledGame:
    """A game that is revealed, marked and placed in, as ``PlainGame`` is."""

    def __init__(self, players: int = 1, **variant: Any) -> None:
        self.game = Game.new(players, **variant)

    @property
    def due(self) -> str:
        s = self.game.states[0]
        if s["end"]:
            return "over"
        if not s["pending"]:
            return "move"
        if s["pending"] == MARKER_DUE:
            return "marker"
        return "task" if stack_due(s) == TASK_STACK else "landscape"

    def unseen(self) -> dict[Any, float]:
        return dict(self.game.chance_outcomes())

    def reveal(self, tile: str) -> None:
        self.game = self.game.deal(tile)

    def mark(self, number: int) -> None:
        self.game = self.game.deal(number)

    def legal(self) -> list[Move]:
        return sorted(map(parse_move, self.game.legal_moves))

    def place(self, q: int, r: int, rotation: int) -> dict[str, list[str]]:
        before = self.game.score["total"]
        self.game = self.game.push(format_move(q, r, rotation))
        (event,) = self.game.happened
        assert self.game.score["total"] >= before
        return {name: event.get(name, []) for name in ("fulfilled", "aborted", "flags")}

    def score(self) -> dict[str, int]:
        return self.game.score

    def position(self) -> dict[str, Any]:
        return self.game.position()

    def record(self) -> Mapping[str, Any]:
        """The record without the parameters of a variant, of which the rulings say nothing."""
        return {name: part for name, part in self.game.record().items() if name != "setup"}

    @staticmethod
    def index(q: int, r: int, rotation: int) -> int:
        return action_at(q, r, rotation)

    @staticmethod
    def text(q: int, r: int, rotation: int) -> str:
        return format_move(q, r, rotation)

    @staticmethod
    def parse(text: str) -> Move:
        return parse_move(text)
