"""What an agent is, and how it meets games, environments and batches."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import GameOver
from bohemian_env.engine.batch import Batch
from bohemian_env.engine.checks import check_games
from bohemian_env.engine.contract import Action, Rules
from bohemian_env.engine.game import Game
from bohemian_env.engine.states import copy_states
from bohemian_env.games import GAMES, rules_of

from .alone import Alone

PROBABILITY: Final = "probability"  # how likely the agent is to choose the move; the numbers sum to 1
COINS_AHEAD: Final = "coins ahead"  # how far the agent expects to be ahead of the others, by its own estimate, in coins
CHANCE_OF_WINNING: Final = "chance of winning"  # how likely it is to win, 0 to 1, where a joint win counts in part
POINTS_TO_COME: Final = "points to come"
"""What its seat expects to gain still, at once and later, in points of the final scoring."""
EXPECTED_REWARD: Final = "expected reward"
"""What the agent was trained to increase: nearly 1 for a game won by far, nearly -1 for one lost by far."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number for each legal move, and the kind of number."""

    kind: str
    """PROBABILITY, COINS_AHEAD, CHANCE_OF_WINNING, POINTS_TO_COME or EXPECTED_REWARD."""
    values: Mapping[str, float]
    """The number of each legal move, by its text. The agent makes a move with the highest, unless its own docstring
    says otherwise."""
    chances: Mapping[str, float] | None = None
    """The chance of winning after each move, 0 to 1; None if the agent does not estimate it."""
    chance: float | None = None
    """The chance of winning of the seat to move, 0 to 1; None if the agent does not estimate it."""


class WrongGame(ValueError):
    """An agent of one game was asked about another."""


class Agent(Protocol):
    """A player of one game. It chooses only legal moves, and the same ones for the same seed and position.

    Several threads may ask one object: it answers them one after the other, as it would answer one of them.
    """

    name: str
    """Its name in tables and records."""

    def move(self, game: Game) -> str:
        """Return its move for the seat to move, so that ``game.push(agent.move(game))`` makes it.

        Raises:
            GameOver: the game has ended.
            ChanceNeeded: chance has to speak first.
            WrongGame: it is a game that the agent does not play.
        """
        ...

    def explain(self, game: Game) -> Explanation:
        """Return what it thinks of each legal move of the seat to move.

        Raises:
            GameOver, ChanceNeeded, WrongGame: as for :meth:`move`.
        """
        ...

    def act(self, env: AECEnv) -> Action:
        """Return its action for the selected agent of an AEC environment of this project, wrapped or raw.

        Raises WrongGame as :meth:`move`.
        """
        ...

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """Return its actions for the current seats of a batch.

        Args:
            batch: games that wait for a decision.
            games: numbers of the games to decide in, int64, (m,); all of them by default.

        Raises:
            IndexError: there is no such game.
            ValueError: they are no whole numbers in a row.
            WrongGame: as for :meth:`move`.

        Returns:
            int64, (m,). Where a game is over, the action is 0 and means nothing.
        """
        ...


class Thoughts(NamedTuple):
    """An :class:`Explanation` by action instead of move text."""

    kind: str
    """What kind of number it is, as there."""
    values: Mapping[Action, float]
    """The number of each legal action."""
    chances: Mapping[Action, float] | None = None
    """The chance of winning after each action, 0 to 1; None if the agent does not estimate it."""
    chance: float | None = None
    """The chance of winning of the seat to move, 0 to 1; None if the agent does not estimate it."""


class Player(Alone, ABC):
    """An agent that decides by positions, which this class takes from games, environments and batches."""

    _alone = ("decide", "think", "choose")
    name: str
    rules: Rules = rules_of(GAMES[0])
    """The game that it plays."""
    files: tuple[Path, ...] = ()
    """The files of its weights, if it has any."""
    sizes: Sequence[int] = rules.players
    """The numbers of players at the tables at which it plays."""

    @abstractmethod
    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        """Return its actions for the current seats of some positions.

        Args:
            states: positions, (n,), of the game's dtype, of games with the same number of players.
            seeds: seeds of the games, uint64 (n,), from which a scripted opponent draws its own chances.
            games: indices of the positions to decide in, int64 (m,).

        Returns:
            int64, (m,); 0 where a game is over.
        """

    @abstractmethod
    def think(self, states: np.ndarray) -> Thoughts:
        """Return what it thinks of the legal actions of one position, (1,), in which somebody decides."""

    def move(self, game: Game) -> str:
        """See :meth:`Agent.move`."""
        check_plays(self, game.rules)
        check_decides(game)
        seed = np.array([game.seed or 0], np.uint64)
        action = int(self.decide(copy_states(game.states), seed, np.zeros(1, np.int64))[0])
        return game.action_to_text(action)

    def explain(self, game: Game) -> Explanation:
        """See :meth:`Agent.explain`."""
        check_plays(self, game.rules)
        check_decides(game)
        thoughts = self.think(copy_states(game.states))
        texts = dict(zip(game.legal_actions, game.legal_moves, strict=True))

        def by_move(values: Mapping[Action, float]) -> dict[str, float]:
            return {text: values[action] for action, text in texts.items()}

        chances = None if thoughts.chances is None else by_move(thoughts.chances)
        return Explanation(thoughts.kind, by_move(thoughts.values), chances, thoughts.chance)

    def act(self, env: AECEnv) -> Action:
        """See :meth:`Agent.act`."""
        raw = env.unwrapped
        check_plays(self, raw.rules)
        return int(
            self.decide(copy_states(raw.states), np.array([raw.start.seed], np.uint64), np.zeros(1, np.int64))[0]
        )

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """See :meth:`Agent.act_batch`."""
        check_plays(self, batch.rules)
        numbers = np.arange(batch.n) if games is None else check_games(games, batch.n)
        return self.decide(*batch.arrays, numbers)


def check_plays(agent: Any, rules: Rules) -> None:
    """Raise WrongGame unless an agent, which has ``name`` and ``rules``, plays a game."""
    if agent.rules is not rules:
        raise WrongGame(f"{agent.name} plays {agent.rules.name}, and was asked about a game of {rules.name}")


def check_decides(game: Game) -> None:
    """Raise GameOver or ChanceNeeded unless somebody decides in a game."""
    if game.over:
        raise GameOver("the game is over; there is nothing to decide")
    if game.needs_chance:
        raise game.rules.chance_needed(f"{game.rules.due(game.states[0])} first")
