"""What values from outside are: whole numbers, truths, texts. Every check of a foreign value begins here."""

import math
import operator
import secrets
from collections.abc import Sequence
from typing import Final

import numpy as np

from .errors import BadSetup, IllegalMove, brief

_JOINERS: Final = "\u200c\u200d"
_DIRECTIONS: Final = "\u200e\u200f"
MAX_SEED: Final = 2**63 - 1
MOST_GAMES: Final = 2**24
"""The most games side by side, and threads for them."""


def is_whole(value: object, low: int, high: float = math.inf) -> bool:
    """Return whether ``value`` is a whole number from ``low`` to ``high``, of Python or NumPy; bools do not count."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and low <= int(value) <= high


def is_truth(value: object) -> bool:
    """Return whether ``value`` is true or false, of Python or NumPy."""
    return isinstance(value, bool | np.bool_)


def check_truth(name: str, value: object) -> None:
    """Raise BadSetup unless a parameter is true or false."""
    if not is_truth(value):
        raise BadSetup(f"{name} {brief(value)} is not True or False")


def texts_of(value: object) -> tuple[str, ...] | None:
    """Return the texts of a list or another collection; None if it is a text itself or holds anything else."""
    try:
        texts: tuple[object, ...] = tuple(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    found = tuple(text for text in texts if isinstance(text, str))
    return None if isinstance(value, str) or len(found) < len(texts) else found


def is_printable(text: str) -> bool:
    """Return whether all of a text can be shown, joiners and marks of direction among it."""
    return all(c.isprintable() or c in _JOINERS + _DIRECTIONS for c in text)


def printable(text: str) -> str:
    """Return a text as it can be shown: without outer spaces and marks of direction, and with a question mark for each
    character that cannot be printed. Joiners (U+200C, U+200D) stay between two others, where they shape letters.
    """
    shown = "".join(c if c.isprintable() or c in _JOINERS else "?" for c in text if c not in _DIRECTIONS)
    return shown.strip().strip(_JOINERS)


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
    """Return numbers of some of ``count`` games as int64, (m,). Raises IndexError: a number is not from 0 to count - 1.
    ValueError: they are no whole numbers in a row.
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
    """Return the seeds of the first games, ``seed + i`` or those given one by one: uint64, shape (count,). Raises
    BadSetup: a seed is not from 0 to 2**63 - 1, or there are not ``count`` seeds.
    """
    given = _array(seed)
    if given.dtype.kind not in "iu" or given.shape not in ((), (count,)):
        raise BadSetup(f"seed {brief(seed)} is neither a whole number nor {count} of them")
    last = given.max(initial=0) if given.shape else int(given) + count - 1
    if given.min(initial=0) < 0 or int(last) > MAX_SEED:
        raise BadSetup(f"seed {brief(seed)}: seeds are from 0 to {MAX_SEED}")
    return given.astype(np.uint64) if given.shape else np.uint64(given) + np.arange(count, dtype=np.uint64)


def check_seed(seed: object) -> int:
    """Return ``seed`` as an int if it is a whole number from 0 to 2**63 - 1; else raise BadSetup."""
    if type(seed) is int and 0 <= seed <= MAX_SEED:  # most seeds, at a fifth of the time
        return seed
    if not is_whole(seed, 0, MAX_SEED):
        raise BadSetup(f"seed {brief(seed)} is not a whole number from 0 to {MAX_SEED}")
    return int(seed)  # type: ignore[call-overload]


def whole_action(action: object, count: int) -> int:
    """Return an action of any whole type as an int. Raises IllegalMove for anything else. count: of all actions."""
    try:
        return operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise IllegalMove(brief(action), f"an action is a whole number from 0 to {count - 1}") from None
