"""A game played in place while all that happens is written down."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .contract import Action, Rules, State
from .legal import is_legal


class Transcript:
    """A game from its beginning on. What is played is not checked.

    rules: the game. start: its beginning.
    """

    def __init__(self, rules: Rules, start: Any) -> None:
        self.rules = rules
        self.start = start
        self.states: np.ndarray = start.new_state()
        self.actions: list[Action] = []
        self.outcomes: list[int] = []
        self.happened: list[tuple[Any, ...]] = [rules.told_begin(self.states)]

    @property
    def s(self) -> State:
        """The position reached."""
        return self.states[0]

    def deal(self, k: int) -> None:
        """Let chance, which is due, bring outcome ``k``."""
        self.outcomes.append(k)
        self.happened.append(self.rules.told_deal(self.states, k, self.start.pieces))

    def push(self, action: Action) -> None:
        """Carry out a legal action of the seat to move."""
        self.actions.append(action)
        self.happened.append(self.rules.told_push(self.states, action, self.start.pieces))

    def deal_seeded(self) -> None:
        """Let chance bring all that is due, by the seed of the beginning."""
        while self.s["pending"]:
            self.deal(int(self.rules.verbs.draw(self.s, np.uint64(self.start.seed))))

    def play(self, actions: Iterable[Action]) -> bool:
        """Play actions on the seed of the beginning; return whether all are legal, else what is illegal is left out."""
        self.deal_seeded()
        for action in actions:
            if not is_legal(self.s, int(action)):
                return False
            self.push(int(action))
            self.deal_seeded()
        return True

    def record(self) -> dict[str, Any]:
        """Return the game record so far."""
        return self.rules.record(self.start, self.happened, self.states)
