"""The pieces (D1), read once from tiles.toml, and the tables that compiled code makes of them.

Tiles have the numbers 0 to 72 of that file: first the landscape tiles, then the task tiles. Kinds of territory have the
numbers 0 to 4 of :data:`KINDS`. A *turned tile*, ``6 * tile + rotation``, has its edges in directions, 0 to 5 clockwise
from the north-east, and sets of directions are six bits (D29).

The *word* of an empty cell that has neighbours says all that they show to it:

=========  =============================================================================
bits       meaning
=========  =============================================================================
0 to 11    two for each direction: no tile, or an edge that is track, stream, or neither
12 to 17   the directions in which a tile lies
18 to 47   the directions in which an edge of each kind lies, six bits for each kind
48 to 57   the cell itself
=========  =============================================================================
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import numpy as np

__all__ = [
    "CELL_AT", "COUNT", "DIRECTIONS", "EDGES", "EDGES_OF", "FACES_AT", "FITS", "FITS_AS", "FLAGGED", "FLAG_KIND", "IDS", "KINDS",
    "LANDSCAPE", "LEFT_IN_BOX", "LOOK", "LOWEST", "MARKERS", "MEADOW", "MOST_MARKERS", "MOST_PLAYERS", "NEIGHBOUR", "NUMBER", "OCCUPIED_AT",
    "OPEN_TASKS", "SHOWS", "STREAM", "TASKS", "TASK_KIND", "TILES", "TORUS", "TRACK", "WINDOW",
]  # fmt: skip

_DATA: Final = tomllib.loads((Path(__file__).parent / "tiles.toml").read_text(encoding="utf-8"))
_TILES: Final[list[dict[str, Any]]] = _DATA["landscape"] + _DATA["task"]

KINDS: Final = "WGVTS"
"""The kinds of territory: forest, grain, village, track, stream."""
TRACK, STREAM = KINDS.index("T"), KINDS.index("S")
MEADOW: Final = len(KINDS)
"""The number of the edges that belong to no territory."""
MARKERS: Final = {kind: tuple(_DATA["markers"][kind]) for kind in KINDS}
"""The numbers on the markers of each type."""
MOST_MARKERS: Final = 5
"""Markers of a type: marker ``j`` of type ``k`` has the number ``MOST_MARKERS * k + j``."""
LEFT_IN_BOX: Final[int] = _DATA["left_in_box"]
OPEN_TASKS: Final[int] = _DATA["open_tasks"]
MOST_PLAYERS: Final[int] = _DATA["most_players"]
TORUS: Final[int] = _DATA["torus"]
WINDOW: Final[int] = _DATA["window"]

IDS: Final[tuple[str, ...]] = tuple(tile["id"] for tile in _TILES)
"""The id of each tile, by its number."""
NUMBER: Final = {name: number for number, name in enumerate(IDS)}
"""The number of each tile, by its id."""
EDGES: Final[tuple[str, ...]] = tuple(tile["edges"] for tile in _TILES)
"""The edges of each tile, clockwise from direction 0 at rotation 0."""
TILES: Final = len(_TILES)
LANDSCAPE: Final = len(_DATA["landscape"])
TASKS: Final = TILES - LANDSCAPE
TASK_KIND: Final = np.array([KINDS.index(tile.get("type", " ")) if "type" in tile else -1 for tile in _TILES], np.int8)
"""The type of each task tile, -1 for landscape tiles."""
FLAG_KIND: Final = np.array([KINDS.index(tile["flag"]) if "flag" in tile else -1 for tile in _TILES], np.int8)
"""The type of each tile's flag, -1 without one."""
FLAGGED: Final = tuple(number for number in range(TILES) if FLAG_KIND[number] >= 0)
"""The tiles with a flag."""
DIRECTIONS: Final = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The steps in q and r in each direction (D29)."""

OCCUPIED_AT, FACES_AT, CELL_AT = 12, 18, 48
"""The places of parts of a word."""
_NEITHER, _PATTERNS = 1, 1 << OCCUPIED_AT
_SEEN_AS: Final = {"T": 2, "S": 3}


def turned(edges: str, rotation: int) -> str:
    """Return the edges of a tile by direction: edge i shows in direction i + rotation (D29)."""
    return "".join(edges[(direction - rotation) % 6] for direction in range(6))


def _looks(edges: str) -> list[int]:
    """Return, for each rotation, the lowest one that looks the same (D25)."""
    shown = [turned(edges, rotation) for rotation in range(6)]
    return [shown.index(look) for look in shown]


def _edges_of(edges: str, rotation: int) -> list[int]:
    look = turned(edges, rotation)
    return [sum(1 << direction for direction in range(6) if look[direction] == kind) for kind in KINDS + "M"]


def _shows(edges: str, rotation: int) -> list[int]:
    """Return what a turned tile adds to the word of its neighbour in each direction, which sees it on the other side."""
    words = []
    for direction, letter in enumerate(turned(edges, rotation)):
        side = (direction + 3) % 6
        word = 1 << (OCCUPIED_AT + side) | _SEEN_AS.get(letter, _NEITHER) << (2 * side)
        if letter in KINDS:
            word |= 1 << (FACES_AT + 6 * KINDS.index(letter) + side)
        words.append(word)
    return words


def _fits(edges: str) -> np.ndarray:
    """Return the rotations, as six bits, in which a tile fits a cell, by the lowest 12 bits of its word (D9)."""
    patterns, fits = np.arange(_PATTERNS), np.zeros(_PATTERNS, np.uint8)
    for rotation in sorted({*_looks(edges)}):
        ok = np.ones(_PATTERNS, np.bool_)
        for direction, letter in enumerate(turned(edges, rotation)):
            there = patterns >> (2 * direction) & 3
            ok &= (there == 0) | (there == _SEEN_AS.get(letter, _NEITHER))
        fits |= ok.astype(np.uint8) << rotation
    return fits


LOOK: Final = np.array([_looks(edges) for edges in EDGES], np.int8)
"""The lowest rotation that looks the same, for each tile and rotation."""
EDGES_OF: Final = np.array([_edges_of(edges, rotation) for edges in EDGES for rotation in range(6)], np.int8)
"""The directions in which each turned tile has edges of each kind, and last of meadow."""
SHOWS: Final = np.array([_shows(edges, rotation) for edges in EDGES for rotation in range(6)], np.uint64)
"""What each turned tile adds to the word of its neighbour in each direction."""
_PROFILES: Final = [("".join(c if c in _SEEN_AS else " " for c in edges), tuple(_looks(edges))) for edges in EDGES]
_FITTING: Final = {profile: _fits(edges) for profile, edges in zip(_PROFILES, EDGES, strict=True)}
FITS: Final = np.array(list(_FITTING.values()))
"""The rotations in which tiles fit, by what of them matters for that and by the lowest 12 bits of a word."""
FITS_AS: Final = np.array([list(_FITTING).index(profile) for profile in _PROFILES], np.int64)
"""The row of :data:`FITS` of each tile."""
COUNT: Final = np.array([bits.bit_count() for bits in range(64)], np.int64)
"""The number of directions in a set of them."""
LOWEST: Final = np.array([0, *((bits & -bits).bit_length() - 1 for bits in range(1, 64))], np.int64)
"""The lowest direction in a set of them."""
NEIGHBOUR: Final = np.array(
    [
        [(q + dq) % TORUS * TORUS + (r + dr) % TORUS for dq, dr in DIRECTIONS]
        for q in range(TORUS)
        for r in range(TORUS)
    ],
    np.int16,
)
"""The cell beside each cell of the torus in each direction; a cell is ``(q mod 24) * 24 + r mod 24`` (D26)."""
