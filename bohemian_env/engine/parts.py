"""Vectors of declared parts: what a player sees as int8, and what it is told besides.

A game declares the parts of its observation once; space, scale and named views are made from that.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from gymnasium import spaces

JOIN: Final = 128
"""The base of numbers too large for an int8, which take two entries: number = 128 * first + second."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a vector: of the observation, or of the advice."""

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str
    joined: bool = False
    """Whether the last axis is one number in two entries (``JOIN``)."""
    unit: str = ""
    """What the numbers count, where the meaning does not say so."""
    scale: float | tuple[float, float] = 1.0
    """What entries are divided by to make all about as large; of numbers in two entries, each of the two."""

    @property
    def size(self) -> int:
        """How many entries of the vector the part takes."""
        return int(np.prod(self.shape))


def size_of(parts: Sequence[Part]) -> int:
    """Return the number of entries of a vector of these parts."""
    return sum(part.size for part in parts)


def offsets_of(parts: Sequence[Part]) -> dict[str, int]:
    """Return the index of the first entry of each part, by name."""
    ends = itertools.accumulate((part.size for part in parts), initial=0)
    return {part.name: first for part, first in zip(parts, ends, strict=False)}


def space_of(parts: Sequence[Part], dtype: Any = np.int8) -> spaces.Box:
    """Return the space of a vector of these parts."""
    low, high = (np.concatenate([np.full(p.size, getattr(p, end), dtype) for p in parts]) for end in ("low", "high"))
    return spaces.Box(low, high, dtype=dtype)


def scale_of(parts: Sequence[Part]) -> np.ndarray:
    """Return what each entry is divided by to make all of them about as large: float32, (size,)."""
    return np.concatenate([np.broadcast_to(np.array(part.scale, np.float32), part.shape).ravel() for part in parts])


def taken_apart(parts: Sequence[Part], observation: np.ndarray) -> dict[str, np.ndarray]:
    """Return the parts of vectors, int8 (..., size), by name, each of shape ``(..., *shape)``.

    They are views, except that numbers in two entries are joined, as int16 without the last axis. Raises ValueError:
    the last axis is not as long as the parts, or they are no whole numbers, as with ``normalized``.
    """
    observation, size = np.asarray(observation), size_of(parts)
    if observation.shape[-1:] != (size,):
        raise ValueError(f"shape {observation.shape}: the last axis of an observation is {size} long")
    if observation.dtype.kind not in "iu":
        raise ValueError(f"dtype {observation.dtype}: observations are int8; normalized ones are not taken apart")
    found = {}
    for part, at in zip(parts, offsets_of(parts).values(), strict=True):
        view = observation[..., at : at + part.size].reshape(observation.shape[:-1] + part.shape)
        found[part.name] = view[..., 0].astype(np.int16) * JOIN + view[..., 1] if part.joined else view
    return found
