"""Positions: copies of arrays of them, views that cannot be written to, and the form of those from outside."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .checks import is_whole
from .errors import BadPosition, BadSetup, brief


def without_gaps(fields: Sequence[Any]) -> np.dtype[np.void]:
    """Return the dtype of records with these fields, in an order in which all are aligned, filled up to whole words."""
    ordered = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    spare = -np.dtype(ordered).itemsize % 8
    return np.dtype([*ordered, *([("_spare", np.uint8, (spare,))] if spare else [])])


def read_only(array: np.ndarray) -> np.ndarray:
    """Return a view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def copy_states(states: np.ndarray) -> np.ndarray:
    """Return a copy of an array of positions, made in a fiftieth of the time that ``states.copy()`` takes.

    NumPy copies records field by field, but plain bytes in one go.
    """
    return np.ndarray(states.shape, states.dtype, bytearray(states.tobytes()))


def copy_foreign(data: object, state: np.dtype[np.void]) -> np.ndarray:
    """Return a copy of positions from outside. Raises BadPosition unless they are (n,), of dtype ``state``."""
    wanted = "a contiguous array of shape (n,) and dtype STATE"
    if not isinstance(data, np.ndarray):
        raise BadPosition(f"positions: {type(data).__name__} is not {wanted}")
    if data.dtype != state or data.ndim != 1 or not data.flags.c_contiguous:
        given = f"an array of shape {data.shape} and dtype {str(data.dtype)[:60]}"
        raise BadPosition(f"positions: {given} is not {wanted}")
    return copy_states(np.asarray(data))


def each_checked(data: object, state: np.dtype[np.void], check: Callable[[np.void], None]) -> np.ndarray:
    """Return a copy of positions from outside, (n,), dtype ``state``, once ``check`` has looked at each of them.

    Raises BadPosition for other arrays, and with the number of the position for the BadPosition or BadSetup of a check.
    """
    states = copy_foreign(data, state)
    for number, s in enumerate(states):
        try:
            check(s)
        except (BadPosition, BadSetup) as error:
            raise BadPosition(str(error) if len(states) == 1 else f"position {number}: {error}") from None
    return states


def check_fields(data: object, fields: Sequence[str]) -> None:
    """Raise BadPosition unless a position JSON is an object with exactly these fields."""
    if not isinstance(data, Mapping):
        raise BadPosition(f"a position is the JSON object that Game.position() gives, not {brief(data)}")
    for key in (*fields, *data):
        if key not in data:
            raise BadPosition(f"{key}: missing")
        if key not in fields:
            raise BadPosition(f"unknown field {brief(key)}; known are {', '.join(fields)}")


def whole_in(value: Any, where: str, low: int, high: int) -> int:
    """Return a number of a position JSON as an int. Raises BadPosition unless it is whole and from low to high."""
    if not is_whole(value, low, high):
        raise BadPosition(f"{where}: {brief(value)} is not a whole number from {low} to {high}")
    return int(value)
