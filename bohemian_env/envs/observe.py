"""What a seat sees of a game and may do in it, as arrays of the environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from gymnasium import spaces

from ..compiled import njit
from ..errors import BadSetup, brief
from ..game.actions import NUM_ACTIONS
from ..game.board import is_whole
from ..game.game import Game
from ..game.state import Seat, copy_states
from .advice import ADVICE_SIZE, AdviceRoom, advice_room, advice_space, adviser_of, write_advice
from .dealing import check_games
from .observation import OBSERVATION_SIZE, PARTS, space_of, write_mask, write_observation

__all__ = ["observation_space", "observe", "observe_some", "see", "see_some"]

_INT8: Final = np.dtype(np.int8)  # made once: making it again takes as long as a small array


def observation_space(advice: bool = False) -> spaces.Dict:
    """Return the space of what an agent sees: observation, mask, and on request advice."""
    space: dict[str, spaces.Space] = {
        "observation": space_of(PARTS, np.int8),
        "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
    }
    if advice:
        space["advice"] = advice_space()
    return spaces.Dict(space)


@njit
def _see(states: np.ndarray, seat: Seat, observation: np.ndarray, mask: np.ndarray) -> None:
    s = states[0]
    write_observation(s, seat, observation)
    if s["to_move"] == seat:
        write_mask(s, mask)
    else:
        mask[:] = 0


@njit
def _advise(states: np.ndarray, seat: Seat, room: AdviceRoom, out: np.ndarray) -> None:
    write_advice(states[0], seat, room, out)


def see(states: np.ndarray, seat: Seat, adviser: str = "") -> dict[str, np.ndarray]:
    """Return what ``seat`` sees of a position, (1,), in new arrays.

    These are ``"observation"``, int8 (OBSERVATION_SIZE,); ``"action_mask"``, int8 (NUM_ACTIONS,), all 0 unless the seat
    decides; and, if there is an adviser, ``"advice"``, float32 (ADVICE_SIZE,).
    """
    observation, mask = np.empty(OBSERVATION_SIZE, _INT8), np.empty(NUM_ACTIONS, _INT8)
    _see(states, seat, observation, mask)
    seen = {"observation": observation, "action_mask": mask}
    if adviser:
        seen["advice"] = np.empty(ADVICE_SIZE, np.float32)
        _advise(states, seat, advice_room(adviser), seen["advice"])
    return seen


def observe(game: Game, seat: Seat | np.integer | None = None, *, advice: bool | str = False) -> dict[str, np.ndarray]:
    """Return what a seat sees of a game, as the PettingZoo environment shows it (``see``).

    Before a roll, which the environment shows to nobody, the dice are those kept, mostly none, and nothing is legal.

    seat: the observer; the seat to move by default, or seat 0 once the game is over. advice: whose it is given
    (``advice.py``). Raises BadSetup if there is no such seat, or no such adviser.
    """
    adviser = adviser_of(advice)
    if seat is None:
        seat = game.to_move or 0
    elif not is_whole(seat, 0, game.players - 1):
        raise BadSetup(f"seat {brief(seat)} is not one of 0 to {game.players - 1}")
    return see(copy_states(game.states), int(seat), adviser)


@njit
def observe_some(games: np.ndarray, states: np.ndarray, observations: np.ndarray, masks: np.ndarray) -> None:
    """Write what the current seat of each of ``games`` sees and may do into the first rows of two buffers.

    games: int64 (m,), indices of positions. states: (n,), STATE. observations: int8 (m or more, OBSERVATION_SIZE),
    masks: int8 (m or more, NUM_ACTIONS), overwritten.
    """
    for place in range(games.shape[0]):
        s = states[games[place]]
        write_observation(s, s["to_move"], observations[place])
        write_mask(s, masks[place])


def see_some(states: np.ndarray, games: np.ndarray | Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays of :func:`observe_some` for some positions, the caller's to keep.

    Raises:
        IndexError: a number is not from 0 to n - 1.
        ValueError: they are no whole numbers, shape (m,).
    """
    games = check_games(games, len(states))
    observations = np.empty((len(games), OBSERVATION_SIZE), np.int8)
    masks = np.empty((len(games), NUM_ACTIONS), np.int8)
    observe_some(games, states, observations, masks)
    return observations, masks
