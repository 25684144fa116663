"""After-states: where each legal action leads before chance speaks.

A learner of values needs no model of chance: it judges what each action leads to and takes the best. The position
after an action is the player's own next decision, the moment before chance speaks, or the end. It holds nothing of what
chance will bring.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .bound import loop
from .checks import check_games
from .contract import GROWTH, AnyGame, Rules, push, write_observation
from .errors import GameOver
from .legal import next_legal
from .reward import begin_rewards, new_scoring, write_gains
from .states import copy_states


class Afterstates(NamedTuple):
    """The after-states of k legal actions, game by game, the actions of each ascending."""

    games: np.ndarray
    """The number of the game of each: int64, (k,)."""
    actions: np.ndarray
    """The action that leads there: int64, (k,)."""
    observations: np.ndarray
    """What the seat that decides sees there: int8, (k, size of an observation)."""
    pending: np.ndarray
    """What chance has to bring next, 0 where a seat decides and at the end: int8, (k,). With dice, how many."""
    ended: np.ndarray
    """Whether the action ends the game: bool, (k,)."""
    rewards: np.ndarray
    """What each seat receives for the action, 0 where a reward comes at the end and this is none: float32,
    (k, players)."""

    @property
    def dice_to_roll(self) -> np.ndarray:
        """The former name of :attr:`pending`."""
        return self.pending


@loop
def _write(
    states: np.ndarray, games: np.ndarray, kind: int, scratch: np.ndarray, totals: np.ndarray, found: tuple[Any, ...]
) -> None:
    after = scratch[0]
    owners, actions, observations, pending, ended, rewards = found
    from_here, before, scoring = np.zeros_like(rewards[:1]), np.zeros_like(rewards[:1]), new_scoring()
    k = 0
    for game in games:
        s = states[game]
        begin_rewards(s, kind, from_here[0], totals, scoring)
        action = next_legal(s, 0)
        while action >= 0:
            scratch[0] = s
            push(after, action)
            owners[k], actions[k] = game, action
            write_observation(after, s["to_move"], observations[k])
            pending[k] = after["pending"]
            ended[k] = after["end"] != 0
            if ended[k] or kind == GROWTH:
                before[:] = from_here
                write_gains(after, kind, before[0], rewards[k], totals, scoring)
            else:
                rewards[k, :] = 0.0
            k += 1
            action = next_legal(s, action + 1)


def afterstates_of(
    rules: Rules, states: np.ndarray, games: np.ndarray | Sequence[int] | None, reward: str | None
) -> Afterstates:
    """Return the after-states of all legal actions of some positions, in new arrays.

    Args:
        rules: the game.
        states: positions, (n,), of games with the same number of players.
        games: indices of positions, int64 (m,), or None for all; where a game is over there are none.
        reward: the name of a reward of the game. One that counts from the beginning counts from here.

    Raises as ``check_games``, and BadSetup if there is no such reward.
    """
    games = np.arange(len(states)) if games is None else check_games(games, len(states))
    players = int(states[0]["players"])
    _, kind = rules.reward(reward, players)
    count = int(np.bitwise_count(states["legal"][games]).sum())
    found = Afterstates(
        games=np.empty(count, np.int64),
        actions=np.empty(count, np.int64),
        observations=np.empty((count, rules.sizes[0]), np.int8),
        pending=np.empty(count, np.int8),
        ended=np.empty(count, np.bool_),
        rewards=np.empty((max(count, 1), players), np.float32),
    )
    scratch, totals = np.zeros(1, rules.state), np.empty(players, np.int32)
    rules.compiled(_write)(states, games, kind, scratch, totals, tuple(found))
    return found._replace(rewards=found.rewards[:count])


def afterstates(game: AnyGame, reward: str | None = None) -> Afterstates:
    """Return the after-states of all legal actions of a game, in the order of its ``legal_moves``; ``games`` are all 0.

    reward: the name of a reward of the game.

    Raises:
        GameOver: the game has ended.
        ChanceNeeded: chance has to speak first.
        BadSetup: there is no such reward.
    """
    if game.over:
        raise GameOver("the game is over; no action is legal")
    game.check_decides()
    return afterstates_of(game.rules, copy_states(game.states), None, reward)
