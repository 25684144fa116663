"""Dealing many games: what they have in common, as compiled code reads it, and the game of a seed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..bits import Word
from ..compiled import njit
from ..errors import BadSetup, brief
from ..game import rules
from ..game.board import BOARD, is_whole
from ..game.facts import PRINTED
from ..game.setup import MAX_SEED, Setup
from ..game.state import State, new_states
from .reward import reward_number

__all__ = [
    "any_seed",
    "check_actions",
    "check_count",
    "check_dealt",
    "check_game",
    "check_games",
    "check_names",
    "common_array",
    "deal_game",
    "deal_next",
    "first_seeds",
]

MOST_GAMES: Final = 2**24
"""The most games side by side, and threads for them."""
COMMON: Final = np.dtype(
    [
        ("board", BOARD),
        ("sides", np.uint64),  # which side every tile shows, if the villages are named
        ("named", np.bool_),  # otherwise the seed of each game draws the sides
        ("players", np.uint8),
        ("coin_supply", np.int32),
        ("special_action_tiles", np.int8),
        ("max_turns", np.int32),  # 0: no limit
        ("reward", np.uint8),  # number of the reward (reward.py)
    ]
)
"""The dtype of what many games have in common: their set-up and their reward."""


def common_array(setup: Setup, reward: str = "win") -> np.ndarray:
    """Return a set-up and a reward as compiled code reads them: shape (1,), dtype :data:`COMMON`.

    Raises:
        BadSetup: the reward is unknown.
    """
    array = np.zeros(1, COMMON)
    row = array[0]
    row["board"] = setup.board.tables[0]
    row["sides"] = setup.sides(0)
    row["named"] = setup.named
    row["players"] = setup.players
    row["coin_supply"] = setup.coin_supply
    row["special_action_tiles"] = setup.special_action_tiles
    row["max_turns"] = setup.max_turns or 0
    row["reward"] = reward_number(reward)
    return array


def check_count(name: str, value: object) -> None:
    """Raise BadSetup unless a number of games or threads is whole and from 1 to 2**24, for which there may be room."""
    if not is_whole(value, 1, MOST_GAMES):
        raise BadSetup(f"{name} {brief(value)} is not a whole number from 1 to {MOST_GAMES:,}")


def check_names(what: str, parts: object, names: Sequence[str]) -> None:
    """Raise BadSetup unless a part of a pickled state is a dictionary with exactly these names."""
    if not isinstance(parts, dict) or {*parts} != {*names}:
        raise BadSetup(f"{what}: not a dictionary with exactly {', '.join(names)}")


def check_actions(actions: np.ndarray | Sequence[int], count: int, whose: str = "") -> np.ndarray:
    """Return actions as int64, (count,). Raises ValueError, whose message begins with ``whose``, if they are others."""
    given = _array(actions)
    if given.shape != (count,) or given.dtype.kind not in "iu":
        raise ValueError(f"{whose}actions of shape {given.shape} and dtype {given.dtype} are not {count} whole numbers")
    return given.astype(np.int64, copy=False)


def check_game(i: object, count: int) -> None:
    """Raise IndexError unless ``i`` is the number of one of ``count`` games."""
    if not is_whole(i, 0, count - 1):
        raise IndexError(f"game {brief(i)}: numbers of games are 0 to {count - 1}")


def check_games(games: np.ndarray | Sequence[int], count: int) -> np.ndarray:
    """Return numbers of some of ``count`` games as int64, (m,).

    Raises:
        IndexError: a number is not from 0 to count - 1. ValueError: they are no whole numbers in a row.
    """
    given = _array(games)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise ValueError(f"games of shape {given.shape} and dtype {given.dtype} are not whole numbers in a row")
    if given.size and not 0 <= int(given.min()) <= int(given.max()) < count:
        raise IndexError(f"games {given.min()} to {given.max()}: numbers of games are 0 to {count - 1}")
    return given.astype(np.int64, copy=False)


def _array(given: object) -> np.ndarray:
    """Return what was given as an array, one of objects if it has no shape."""
    try:
        return np.asarray(given)
    except ValueError:  # lists of different lengths
        return np.empty(0, object)


def any_seed() -> int:
    """Return a seed that nobody named, for the first of some games: below 2**53, which every reader of JSON keeps."""
    return secrets.randbits(53)


def first_seeds(seed: int | Sequence[int] | np.ndarray, count: int) -> np.ndarray:
    """Return the seeds of the first games, ``seed + i`` or those given one by one: uint64, shape (count,).

    Raises:
        BadSetup: a seed is not from 0 to 2**63 - 1, or there are not ``count`` seeds.
    """
    given = _array(seed)
    if given.dtype.kind not in "iu" or given.shape not in ((), (count,)):
        raise BadSetup(f"seed {brief(seed)} is neither a whole number nor {count} of them")
    last = given.max(initial=0) if given.shape else int(given) + count - 1
    if given.min(initial=0) < 0 or int(last) > MAX_SEED:
        raise BadSetup(f"seed {brief(seed)}: seeds are from 0 to {MAX_SEED}")
    return given.astype(np.uint64) if given.shape else np.uint64(given) + np.arange(count, dtype=np.uint64)


@njit
def set_up(s: State, seed: Word, common: np.void) -> None:
    """Set up the game of a seed (R1, R2), whose first roll is due then.

    s: overwritten. common: record of COMMON.
    """
    sides = common["sides"] if common["named"] else rules.draw_sides(seed)
    rules.new_game(
        s,
        common["board"],
        common["players"],
        sides,
        common["coin_supply"],
        common["special_action_tiles"],
        common["max_turns"],
    )


@njit
def deal_game(s: State, seed: Word, common: np.void) -> None:
    """Set up the game of a seed and roll for the first decision. The arguments are those of :func:`set_up`."""
    set_up(s, seed, common)
    rules.deal_seeded(s, seed)


@njit
def deal_next(s: State, seed: Word, common: np.void) -> Word:
    """Set up the next game after that of ``seed`` in which somebody decides, and return its seed.

    The arguments are those of :func:`deal_game`; ``s`` is over.
    """
    while s["end"] != 0:
        seed = rules.next_seed(seed)
        deal_game(s, seed, common)
    return seed


@njit
def _deal_all(states: np.ndarray, seeds: np.ndarray, common: np.ndarray) -> None:
    for i in range(states.shape[0]):
        deal_game(states[i], seeds[i], common[0])


def check_dealt(states: np.ndarray, seeds: np.ndarray, common: np.ndarray) -> None:
    """Raise BadSetup unless checked positions, (n,), have the boards and the supplies of the games of ``seeds``, (n,).

    common: (1,), dtype COMMON.
    """
    dealt = new_states(len(states))
    _deal_all(dealt, seeds, common)
    for name in ("players", "villages", *PRINTED, "have", "max_turns"):
        if (dealt[name] != states[name]).any():
            raise BadSetup(f"positions: {name}: not that of the games of these seeds")
    (coins, figures, tiles), (own_coins, own_figures, own_tiles) = _supplies(dealt), _supplies(states)
    if (own_coins != coins).any() or (own_figures != figures).any() or (own_tiles > tiles).any():
        raise BadSetup("positions: coins, figures or special action tiles: not those of the games of these seeds")


def _supplies(states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all coins, the figures of each seat, and all special action tiles that have not left the games."""
    coins = states["coins"].sum(axis=1) + states["bank"]
    figures = states["figures"] + np.bitwise_count(states["own"]).sum(axis=2)
    return coins, figures, states["special_supply"] + np.bitwise_count(states["special"])
