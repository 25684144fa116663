"""What a seat sees of a game and may do in it, as arrays of the environment."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces

from .bound import loop
from .checks import check_games, is_whole
from .contract import AnyGame, Rules, Seat, write_observation
from .errors import BadSetup, brief
from .legal import write_mask
from .parts import size_of, space_of
from .states import copy_states

_INT8: Final = np.dtype(np.int8)  # made once: making it again takes as long as a small array


def observation_space(rules: Rules, advice: bool = False) -> spaces.Dict:
    """Return the space of what an agent sees: observation, mask, and on request advice."""
    space: dict[str, spaces.Space] = {
        "observation": space_of(rules.parts),
        "action_mask": spaces.Box(0, 1, (rules.verbs.NUM_ACTIONS,), np.int8),
    }
    if advice and rules.advice:
        space["advice"] = space_of(rules.advice.parts, np.float32)
    return spaces.Dict(space)


@loop
def _see(states: np.ndarray, seat: Seat, observation: np.ndarray, mask: np.ndarray) -> None:
    s = states[0]
    write_observation(s, seat, observation)
    if s["to_move"] == seat:
        write_mask(s, mask)
    else:
        mask[:] = 0


def look_of(rules: Rules) -> tuple[Any, int, int]:
    """Return what :func:`see` does all with: its loop and the two sizes, for those who see often."""
    return rules.compiled(_see), *rules.sizes


def see(
    rules: Rules, states: np.ndarray, seat: Seat, adviser: str = "", look: tuple[Any, int, int] | None = None
) -> dict[str, np.ndarray]:
    """Return what ``seat`` sees of a position, (1,), in new arrays.

    These are ``"observation"``, int8, with the game's parts; ``"action_mask"``, int8 (NUM_ACTIONS,), all 0 unless the
    seat decides; and, if there is an adviser, ``"advice"``, float32.
    """
    write, size, count = look or look_of(rules)
    observation, mask = np.empty(size, _INT8), np.empty(count, _INT8)
    write(states, seat, observation, mask)
    seen = {"observation": observation, "action_mask": mask}
    if adviser and rules.advice:
        seen["advice"] = np.empty(size_of(rules.advice.parts), np.float32)
        rules.advice.seat(states, seat, rules.advice.room(adviser), seen["advice"])
    return seen


def observe(
    game: AnyGame, seat: Seat | np.integer | None = None, *, advice: bool | str = False
) -> dict[str, np.ndarray]:
    """Return what a seat sees of a game, as the PettingZoo environment shows it (``see``).

    Where chance is due, which the environment shows to nobody, nothing is legal.

    seat: the observer; the seat to move by default, or seat 0 once the game is over. advice: whose it is given. Raises
    BadSetup if there is no such seat, or no such adviser.
    """
    adviser = game.rules.adviser(advice)
    if seat is None:
        seat = game.to_move or 0
    elif not is_whole(seat, 0, game.players - 1):
        raise BadSetup(f"seat {brief(seat)} is not one of 0 to {game.players - 1}")
    return see(game.rules, copy_states(game.states), int(seat), adviser)


@loop
def observe_some(games: np.ndarray, states: np.ndarray, observations: np.ndarray, masks: np.ndarray) -> None:
    """Write what the current seat of each of ``games`` sees and may do into the first rows of two buffers.

    games: int64 (m,), indices of positions. states: (n,). observations and masks: int8, (m or more, …), overwritten.
    """
    for place in range(games.shape[0]):
        s = states[games[place]]
        write_observation(s, s["to_move"], observations[place])
        write_mask(s, masks[place])


def see_some(rules: Rules, states: np.ndarray, games: np.ndarray | Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays of :func:`observe_some` for some positions, the caller's to keep. Raises as ``check_games``."""
    games = check_games(games, len(states))
    observations = np.empty((len(games), rules.sizes[0]), np.int8)
    masks = np.empty((len(games), rules.sizes[1]), np.int8)
    rules.compiled(observe_some)(games, states, observations, masks)
    return observations, masks


def advice_of(
    rules: Rules, states: np.ndarray, games: np.ndarray | Sequence[int] | None = None, adviser: bool | str = True
) -> np.ndarray:
    """Return what an adviser tells the seats to move of some positions: float32, (m, size), new; 0 where one is over.

    states: (n,). games: indices of positions, int64 (m,); all by default. adviser: one of the game's. Raises as
    ``check_games``, and BadSetup if there is no such adviser.
    """
    name, advice = rules.adviser(adviser), rules.advice
    if not name or not advice:
        raise BadSetup(f"adviser {brief(adviser)} is none of {', '.join(advice.names if advice else ())}")
    games = np.arange(len(states)) if games is None else check_games(games, len(states))
    out = np.empty((len(games), size_of(advice.parts)), np.float32)
    advice.some(games, states, advice.room(name), out)
    return out
