"""The course of games: set up by a seed, and played on through what chance brings to the next decision."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .bits import Word
from .bound import loop, usual
from .chance import STEP, mix
from .checks import first_seeds
from .compiled import njit
from .contract import Rules, State, deal, draw, set_up
from .errors import BadSetup

_SEEDS_STREAM: Final = np.uint64(0x5345454453)  # keeps the draws made with one seed apart; the value means nothing
_REDRAW_STREAM: Final = np.uint64(0x524544524157)
_1: Final = np.uint64(1)


@njit
def next_seed(seed: Word | int) -> Word:
    """Return the seed (0 to 2**63 - 1) of the game that follows that of ``seed`` where games restart by themselves."""
    return mix(mix(np.uint64(seed) ^ _SEEDS_STREAM)) >> _1


@njit
def redraw_seed(word: Word, number: int | np.int64) -> Word:
    """Return the seed of redraw ``number`` of what is hidden: with it ``draw`` brings another order, as likely as any.

    word: of the decision. Whoever compares actions lets all of them meet the same redraws.
    """
    return mix(word ^ _REDRAW_STREAM) + np.uint64(number) * STEP


@usual("outcomes", "likelihood", "draw")
def nothing(s: State, k: int | Word = 0) -> int:
    """Return 0: chance has nothing to bring in a game that leaves out its verbs."""
    return 0


@usual("deal")
def no_deal(s: State, k: int) -> None:
    """Let nothing be due any more."""
    s["pending"] = 0


@loop
def deal_seeded(s: State, seed: Word) -> None:
    """Let chance speak, as a seed has it, until a seat decides or the game is over."""
    while s["pending"] != 0:
        deal(s, draw(s, seed))


@loop
def deal_game(s: State, seed: Word, common: np.void) -> None:
    """Set up the game of a seed and go on to its first decision. s: overwritten. common: that of ``set_up``."""
    set_up(s, seed, common)
    deal_seeded(s, seed)


@loop
def deal_next(s: State, seed: Word, common: np.void) -> Word:
    """Set up the next game after that of ``seed`` in which somebody decides, and return its seed. s: is over."""
    while s["end"] != 0:
        seed = next_seed(seed)
        deal_game(s, seed, common)
    return seed


@loop
def deal_all(states: np.ndarray, seeds: np.ndarray, common: np.ndarray) -> None:
    """Set up the games of some seeds, up to their first decisions. states: (n,), overwritten; seeds: uint64, (n,)."""
    for i in range(states.shape[0]):
        deal_game(states[i], seeds[i], common[0])


def check_positions(
    rules: Rules, states: Any, seeds: int | Sequence[int] | np.ndarray, games: np.ndarray, common: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return copies of positions and seeds from outside, from which games may go on.

    states: (m,), dtype ``rules.state``. seeds: uint64, (m,). games: the numbers of the games, (m,).
    common: the set-up that the positions have to be of; None for any.

    Raises:
        BadPosition: a position contradicts itself or the rules; the message names the field.
        BadSetup: they are not one for each of different games, chance is due, or they are not of this set-up.
    """
    found, given = rules.checked_states(states), first_seeds(seeds, len(games))
    if len(found) != len(games) or len(np.unique(games)) != len(games):
        raise BadSetup(f"{len(found)} positions: expected one for each of {len(games)} different games")
    if (due := (found["end"] == 0) & (found["pending"] != 0)).any():
        number = int(due.argmax())
        raise BadSetup(f"position {number}: expected one in which somebody decides; {rules.due(found[number])}")
    if common is not None:
        check_dealt(rules, found, given, common)
    return found, given


def check_dealt(rules: Rules, states: np.ndarray, seeds: np.ndarray, common: np.ndarray) -> None:
    """Raise BadSetup unless checked positions can come up in the games of these seeds."""
    dealt = np.zeros(len(states), rules.state)
    rules.compiled(deal_all)(dealt, seeds, common)
    rules.check_dealt(states, dealt)
