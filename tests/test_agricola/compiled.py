"""The compiled game in the form of the plain rules, so that both are asked the same and played in lock-step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bohemian_env.agricola import Game


class CompiledGame:
    """A game that is revealed and played in, as ``PlainGame`` is: changed in place; wrong calls raise ValueError."""

    def __init__(self, players: int = 2, storehouse_solo: bool = False) -> None:
        self.game = Game.new(players, storehouse_solo=storehouse_solo)

    @classmethod
    def from_position(cls, position: Mapping[str, Any], storehouse_solo: bool = False) -> CompiledGame:
        made = object.__new__(cls)
        made.game = Game.from_position(position, storehouse_solo=storehouse_solo)
        return made

    def possible_cards(self) -> list[str]:
        return [card for card, _ in self.game.chance_outcomes()]

    def reveal(self, card: str) -> None:
        self.game = self.game.deal(card)

    def legal_texts(self) -> list[str]:
        return list(self.game.legal_moves)

    def play(self, text: str) -> None:
        self.game = self.game.push(text)

    def position(self) -> dict[str, Any]:
        return self.game.position()

    def record(self) -> dict[str, Any]:
        return self.game.record()

    def scores(self) -> list[dict[str, int]]:
        return self.game.scores

    def winners(self) -> list[int]:
        outcome = self.game.outcome()
        return list(outcome.winners) if outcome else []
