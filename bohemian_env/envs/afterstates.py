"""After-states: where each legal action leads before the dice fall.

A learner of values needs no model of the dice: it judges what each action leads to and takes the best. The position
after an action is the player's own next decision where its turn goes on, the moment before a roll, or the end. It holds
nothing of the dice to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..compiled import njit
from ..errors import GameOver, RollNeeded
from ..game.actions import NUM_ACTIONS
from ..game.game import Game
from ..game.rules import is_legal, legal_count, push
from ..game.state import STATE, copy_states
from .dealing import check_games
from .observation import OBSERVATION_SIZE, write_observation
from .reward import reward_number, write_rewards

__all__ = ["Afterstates", "afterstates", "afterstates_of"]


class Afterstates(NamedTuple):
    """The after-states of k legal actions, game by game, the actions of each ascending."""

    games: np.ndarray
    """The number of the game of each: int64, (k,)."""
    actions: np.ndarray
    """The action that leads there: int64, (k,)."""
    observations: np.ndarray
    """What the seat that decides sees there: int8, (k, OBSERVATION_SIZE). "to_move" says whose turn it is then,
    and "dice" which dice it has, or keeps; none where it has to roll all."""
    dice_to_roll: np.ndarray
    """How many dice must be rolled next, 0 where the player decides again and at the end: int8, (k,)."""
    ended: np.ndarray
    """Whether the action ends the game: bool, (k,)."""
    rewards: np.ndarray
    """The reward of each seat where it does, 0 elsewhere: float32, (k, players)."""


@njit
def _count(states: np.ndarray, games: np.ndarray) -> int:
    count = 0
    for game in games:
        count += legal_count(states[game])
    return count


@njit
def _write(
    states: np.ndarray,
    games: np.ndarray,
    reward: int,
    scratch: np.ndarray,
    totals: np.ndarray,
    found: tuple[np.ndarray, ...],
) -> None:
    after = scratch[0]
    owners, actions, observations, dice_to_roll, ended, rewards = found
    k = 0
    for game in games:
        s = states[game]
        for action in range(NUM_ACTIONS):
            if is_legal(s, action):
                scratch[0] = s
                push(after, action)
                owners[k], actions[k] = game, action
                write_observation(after, s["to_move"], observations[k])
                dice_to_roll[k] = after["pending"]
                ended[k] = after["end"] != 0
                if ended[k]:
                    write_rewards(after, reward, rewards[k], totals)
                else:
                    rewards[k, :] = 0.0
                k += 1


def afterstates_of(states: np.ndarray, games: np.ndarray | Sequence[int] | None, reward: str) -> Afterstates:
    """Return the after-states of all legal actions of some positions, in new arrays.

    Args:
        states: positions, (n,), dtype STATE, of games with the same number of players.
        games: indices of positions, int64 (m,), or None for all; where a game is over there are none.
        reward: a name of ``reward.REWARDS``.

    Raises:
        IndexError: a number is not from 0 to n - 1.
        ValueError: they are no whole numbers, shape (m,).
        BadSetup: there is no such reward.
    """
    number = reward_number(reward)
    games = np.arange(len(states)) if games is None else check_games(games, len(states))
    players = int(states[0]["players"])
    count = _count(states, games)
    found = Afterstates(
        games=np.empty(count, np.int64),
        actions=np.empty(count, np.int64),
        observations=np.empty((count, OBSERVATION_SIZE), np.int8),
        dice_to_roll=np.empty(count, np.int8),
        ended=np.empty(count, np.bool_),
        rewards=np.empty((count, players), np.float32),
    )
    _write(states, games, number, np.zeros(1, STATE), np.empty(players, np.int32), tuple(found))
    return found


def afterstates(game: Game, reward: str = "win") -> Afterstates:
    """Return the after-states of all legal actions of a game, in the order of its ``legal_moves``; ``games`` are all 0.

    reward: a name of ``reward.REWARDS``.

    Raises:
        GameOver: the game has ended.
        RollNeeded: dice have to be rolled first.
        BadSetup: there is no such reward.
    """
    if game.over:
        raise GameOver("the game is over; no action is legal")
    if game.needs_roll:
        raise RollNeeded(f"seat {game.to_move} has to roll {game.dice_to_roll} dice first")
    return afterstates_of(copy_states(game.states), None, reward)
