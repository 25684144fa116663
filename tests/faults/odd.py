"""Values that fit nowhere, and the mutator: it makes inputs out of valid examples."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from bohemian_env.engine.errors import brief

__all__ = ["ODD", "Arguments", "Below", "as_json", "as_text", "changes", "mutated"]

Below = Callable[[int], int]
"""Where decisions come from: called with n, at least 1, it returns a number from 0 to n - 1."""

ODD: Final[dict[str, Any]] = {
    "None": None, "true": True, "false": False, "-1": -1, "0": 0, "1": 1, "255": 255, "2**31": 2**31, "2**63": 2**63,
    "2**64": 2**64, "10**5000": 10**5000, "1.5": 1.5, "nan": float("nan"), "inf": float("inf"), "text": "x",
    "no text": "", "digits": "7", "bytes": b"x", "nul": "\0", "long": "x" * 5000, "surrogate": "\ud800", "list": [],
    "numbers": [1], "nested": [[1]], "ragged": [[1], [2, 3]], "texts": ["x", "y"], "None in it": [None], "mapping": {},
    "set": {1}, "object": object(), "function": len, "float32": np.float32(2), "array": np.zeros((2, 2)),
    "whole array": np.zeros((2, 2), np.int64), "no shape": np.array(3.5), "large": np.array([2**63], np.uint64),
    "negative": np.array([-1]), "truths": np.array([True]), "objects": np.array([None, "x"], object),
}  # fmt: skip
"""Values by their names."""
_VALUES: Final = tuple(ODD.values())
_KEYS: Final = (None, 1, "", "x", "name", "\ud800", 1.5, ("x",))
_CHARACTERS: Final = "0123456789+-:,.@/ \t\n\0aexX{}[]\"'\\_%<&\x7fé\u2028\ud800\U0001f600"
_NUMBERS: Final = (0, 1, -1, 2, 5, 6, 100, 127, 128, 210, 240, 241, 255, 256, 10_000, 2**31 - 1, 2**31, 2**63 - 1)


class Arguments(dict[str, Any]):
    """Arguments of a call by their names: each may become anything, but none goes and none comes."""


def mutated(value: Any, below: Below) -> Any:
    """Return a value like another one, with one to three changes somewhere in it; what is given stays as it is."""
    for _ in range(1 + below(3)):
        value = _changed(value, below)
    return value


def _changed(value: Any, below: Below) -> Any:
    if type(value) is Arguments:
        name = list(value)[below(len(value))]
        return Arguments({**value, name: _changed(value[name], below)})
    change = _CHANGES.get(type(value))
    if change is None or not below(32):
        return _VALUES[below(len(_VALUES))]
    return change(value, below)


def as_text(value: Any, write: Callable[[Any], str] = str) -> str:
    """Return a value as text, by default as Python prints it; where it has more digits than that prints, others."""
    try:
        return write(value)
    except ValueError:
        return "9" * 4000


def as_json(value: Any) -> str:
    """Return a value as JSON: what JSON does not know becomes a text."""
    return as_text(value, partial(json.dumps, default=repr, skipkeys=True))


def changes(before: Any, after: Any, at: str = "") -> list[str]:
    """Return what was changed, as texts with the place of each; what is the same object is taken to be equal."""
    if before is after:
        return []
    kinds = type(before) is type(after)
    if kinds and isinstance(before, dict) and [*before] == [*after]:
        return [line for key in before for line in changes(before[key], after[key], f"{at}.{key}")]
    if kinds and isinstance(before, list | tuple) and len(before) == len(after):
        rows = enumerate(zip(before, after, strict=True))
        return [line for number, pair in rows for line in changes(*pair, f"{at}[{number}]")]
    return [f"{at or 'all'} is {brief(after)}"]


def _dict(value: dict[Any, Any], below: Below) -> Any:
    if not value:
        return {_KEYS[below(len(_KEYS))]: None}
    keys, how = list(value), below(32)
    key, other = keys[below(len(keys))], keys[below(len(keys))]
    changed = dict(value)
    if how == 0:
        del changed[key]
    elif how == 1:
        changed[_KEYS[below(len(_KEYS))]] = value[key]
    elif how == 2:
        changed[key], changed[other] = value[other], value[key]
    elif how == 3:
        changed[key] = value[other]
    else:
        changed[key] = _changed(value[key], below)
    return changed


def _row(value: list[Any] | tuple[Any, ...], below: Below) -> Any:
    if not value:
        return type(value)([_VALUES[below(len(_VALUES))]])
    changed, how, place, other = list(value), below(32), below(len(value)), below(len(value))
    if how == 0:
        del changed[place]
    elif how == 1:
        changed.insert(other, value[place])
    elif how == 2:
        changed[place], changed[other] = value[other], value[place]
    elif how == 3:
        changed = changed[:place]
    elif how == 4:
        changed *= 2
    elif how == 5:
        return changed if type(value) is tuple else tuple(changed)
    else:
        changed[place] = _changed(value[place], below)
    return type(value)(changed)


def _cut(value: Any, start: int, end: int, how: int) -> Any:
    """Return a text or bytes without a part, with it twice, or up to it."""
    return (value[:start] + value[end:], value[:end] + value[start:], value[:start])[how]


def _text(value: str, below: Below) -> Any:
    start = below(len(value) + 1)
    end = min(start + 1 + below(4), len(value))
    how = below(8)
    if how < 3:
        return _cut(value, start, end, how)
    if how == 3:
        return value.swapcase()
    if how == 4:
        return value[:start] + str(_NUMBERS[below(len(_NUMBERS))]) + value[end:]
    return value[:start] + _CHARACTERS[below(len(_CHARACTERS))] + value[start if how == 5 else end :]


def _bytes(value: bytes, below: Below) -> Any:
    if not value:
        return b"\0"
    start, how = below(len(value)), below(8)
    end = min(start + 1 + below(16), len(value))
    if how < 3:
        return _cut(value, start, end, how)
    if how == 3:
        return value[:start] + bytes(end - start) + value[end:]
    if how == 4:
        return value[:start] + b"\xff" * (end - start) + value[end:]
    return value[:start] + bytes([value[start] ^ 1 << below(8)]) + value[start + 1 :]


def _whole(value: int, below: Below) -> Any:
    how = below(4)
    if how == 0:
        return value + 1
    if how == 1:
        return value - 1
    return -value if how == 2 else _NUMBERS[below(len(_NUMBERS))]


def _array(value: np.ndarray, below: Below) -> Any:
    how = below(16)
    if how == 0 and value.ndim:
        return value[:-1]
    if how == 1 and value.ndim:
        return value[::-1]
    if how == 2:
        return value[None]
    if how == 3 and value.dtype.kind in "biuf":
        with np.errstate(invalid="ignore", over="ignore"):
            return value.astype((np.float64, np.int8, np.bool_, np.uint64, object)[below(5)])
    if how == 4:
        return value.tolist()
    if how == 5 and value.ndim:
        return np.concatenate([value, value])
    if value.dtype.kind in "iuf" and value.size and how < 12:
        changed = value.copy()
        number = _NUMBERS[below(len(_NUMBERS))]
        with np.errstate(all="ignore"):
            changed.reshape(-1)[below(value.size)] = np.array(number).astype(value.dtype)
        return changed
    if value.dtype.hasobject or not value.nbytes:
        return _VALUES[below(len(_VALUES))]
    return np.frombuffer(_flipped(value.tobytes(), below), value.dtype).reshape(value.shape).copy()


def _flipped(value: bytes, below: Below) -> bytes:
    place = below(len(value))
    return value[:place] + bytes([value[place] ^ 1 << below(8)]) + value[place + 1 :]


_CHANGES: Final[dict[type, Callable[[Any, Below], Any]]] = {
    dict: _dict, list: _row, tuple: _row, str: _text, bytes: _bytes, int: _whole, np.ndarray: _array,
    bool: lambda value, below: not value, float: lambda value, below: (-value, value * 2, value + 0.5)[below(3)],
}  # fmt: skip
