"""Positions: copies of arrays of them, views that cannot be written to, and what those from outside have to be."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .checks import is_truth, is_whole
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


def check_form(value: Any, form: Any, where: str = "") -> None:
    """Raise BadPosition unless a value of a JSON has a form; what else an object has is not asked.

    form: an object's forms by key, with a question mark after it if it may be missing; the form of a list's entries, in
    a list, and then a range of how many there may be, unless any number may; that of what may be null, in a tuple; a
    range of whole numbers; bool; str; a set of names; or object, which everything is.
    """
    if form is object:
        return
    if isinstance(form, Mapping):
        if not isinstance(value, Mapping):
            told = f"{where}: {brief(value)}" if where else brief(value)
            raise BadPosition(f"{told} is not an object with {', '.join(key for key in form if key[-1] != '?')}")
        for key in form:
            name = key.removesuffix("?")
            at = f"{where}.{name}" if where else name
            if name in value:
                check_form(value[name], form[key], at)
            elif name == key:
                raise BadPosition(f"{at}: missing")
    elif isinstance(form, list):
        entries, *counts = form
        if not isinstance(value, list | tuple) or not all(len(value) in count for count in counts):
            told = "".join(f" of {' to '.join(map(str, dict.fromkeys((count[0], count[-1]))))}" for count in counts)
            raise BadPosition(f"{where}: {brief(value)} is not a list{told}")
        for i, entry in enumerate(value):
            check_form(entry, entries, f"{where}[{i}]")
    elif isinstance(form, tuple):
        if value is not None:
            check_form(value, form[0], where)
    elif isinstance(form, range):
        whole_in(value, where, form[0], form[-1])
    elif form is bool:
        if not is_truth(value):
            raise BadPosition(f"{where}: {brief(value)} is not true or false")
    elif form is str:
        if not isinstance(value, str):
            raise BadPosition(f"{where}: {brief(value)} is not a text")
    elif not (isinstance(value, str) and value in form):
        raise BadPosition(f"{where}: {brief(value)} is none of {', '.join(sorted(form))}")


def check_agrees(data: Any, told: Mapping[str, Any]) -> None:
    """Raise BadPosition unless a position JSON is the one that the position read from it is told by."""
    if found := difference(data, told, ""):
        raise BadPosition(found.replace("the replay gives", "the rest gives"))


def difference(given: Any, replayed: Any, where: str) -> str | None:
    """Describe the first place where a record differs from its replay; None if there is none."""
    if isinstance(given, Mapping) and isinstance(replayed, Mapping):
        for key in (*replayed, *(k for k in given if k not in replayed)):
            at = f"{where}.{key}" if where else str(key)
            if key not in given:
                return f"{at}: missing; the replay gives {brief(replayed[key])}"
            if key not in replayed:
                return f"{at}: {brief(given[key])} is superfluous; the replay gives none"
            if found := difference(given[key], replayed[key], at):
                return found
        return None
    if isinstance(given, list | tuple) and isinstance(replayed, list):
        if len(given) != len(replayed):
            return f"{where}: {len(given)} entries; the replay gives {len(replayed)}"
        pairs = enumerate(zip(given, replayed, strict=True))
        return next((d for k, (a, b) in pairs if (d := difference(a, b, f"{where}[{k}]"))), None)
    given = given.item() if isinstance(given, np.generic) else given
    if type(given) is not type(replayed) or given != replayed:
        return f"{where}: {brief(given)}; the replay gives {brief(replayed)}"
    return None
