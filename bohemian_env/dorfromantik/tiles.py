"""The pieces (D1), read once from tiles.toml, and the tables that compiled code makes of them.

Tiles have the numbers 0 to 72 of that file: first the landscape tiles, then the task tiles. Kinds of territory have the
numbers 0 to 4 of :data:`KINDS`. A *turned tile*, ``6 * tile + rotation``, has its edges in directions, 0 to 5 clockwise
from the north-east, and a set of directions is six bits (D29). A cell of the torus is ``(q mod 24) * 24 + r mod 24``.

The *word* of an empty cell beside tiles says all that they show to it: in bits 0 to 11, two for each direction, no
tile, or an edge that is track, stream or neither; from bit 12 on the directions in which a tile lies; from bit 18 on,
six for each kind, those in which an edge of that kind lies; and from bit 48 on the cell itself.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

import numpy as np

_DATA: Final = tomllib.loads((Path(__file__).parent / "tiles.toml").read_text(encoding="utf-8"))
_TILES: Final[list[dict[str, Any]]] = _DATA["landscape"] + _DATA["task"]

KINDS: Final = "WGVTS"
"""The kinds of territory: forest, grain, village, track, stream."""
TRACK, STREAM = KINDS.index("T"), KINDS.index("S")
ANY: Final = -1
"""In the place of a kind: whatever it is."""
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
NUMBER: Final = {name: number for number, name in enumerate(IDS)}
"""The number of each tile, by its id."""
EDGES: Final[tuple[str, ...]] = tuple(tile["edges"] for tile in _TILES)
"""The edges of each tile, clockwise from direction 0 at rotation 0."""
TILES, LANDSCAPE, TASKS = len(_TILES), len(_DATA["landscape"]), len(_DATA["task"])
TASK_KIND: Final = np.array([KINDS.index(tile["type"]) if "type" in tile else ANY for tile in _TILES], np.int64)
"""The type of each task tile, ANY for landscape tiles."""
FLAG_KIND: Final = np.array([KINDS.index(tile["flag"]) if "flag" in tile else ANY for tile in _TILES], np.int64)
"""The type of each tile's flag, ANY without one."""
FLAGGED: Final = tuple(np.flatnonzero(FLAG_KIND >= 0).tolist())
"""The tiles with a flag."""
DIRECTIONS: Final = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The steps in q and r in each direction (D29)."""
FACES_AT, CELL_AT = 18, 48
"""The places of parts of a word."""
_PATTERNS: Final = 1 << 12
PATTERN: Final = np.uint64(_PATTERNS - 1)
"""What of a word says which tiles fit."""
_SEEN_AS: Final = {"T": 2, "S": 3}  # in the pattern of a word; others are 1


def _turned(edges: str, rotation: int) -> str:
    """Return the edges of a tile by direction: edge i shows in direction i + rotation (D29)."""
    return "".join(edges[(direction - rotation) % 6] for direction in range(6))


def _looks(edges: str) -> list[int]:
    """Return, for each rotation, the lowest one that looks the same (D25)."""
    shown = [_turned(edges, rotation) for rotation in range(6)]
    return [shown.index(look) for look in shown]


def _shows(letters: str) -> list[int]:
    """Return what a tile adds to the word of its neighbour in each direction, which sees it from the other side."""
    words = []
    for direction, letter in enumerate(letters):
        side = (direction + 3) % 6
        word = _SEEN_AS.get(letter, 1) << (2 * side) | 1 << (FACES_AT + 6 * ANY + side)
        words.append(word | (1 << (FACES_AT + 6 * KINDS.index(letter) + side) if letter in KINDS else 0))
    return words


def _fits(edges: str) -> np.ndarray:
    """Return the rotations, as six bits, in which a tile fits a cell, by the pattern of its word (D9, D25)."""
    patterns, fits = np.arange(_PATTERNS), np.zeros(_PATTERNS, np.int64)
    for rotation in {*_looks(edges)}:
        ok = np.ones(_PATTERNS, np.int64)
        for direction, letter in enumerate(_turned(edges, rotation)):
            there = patterns >> (2 * direction) & 3
            ok &= (there == 0) | (there == _SEEN_AS.get(letter, 1))
        fits |= ok << rotation
    return fits.astype(np.uint8)


TURNED: Final = [_turned(edges, rotation) for edges in EDGES for rotation in range(6)]
"""The edges of each turned tile, by direction."""
EDGES_OF: Final = np.array(
    [[sum((letters[d] == kind) << d for d in range(6)) for kind in KINDS] for letters in TURNED], np.int8
)
"""The directions in which each turned tile has edges of each kind."""
SHOWS: Final = np.array([_shows(letters) for letters in TURNED], np.uint64)
"""What each turned tile adds to the word of its neighbour in each direction."""
LOOK: Final = np.array([_looks(edges) for edges in EDGES], np.int8)
"""The lowest rotation that looks the same, for each tile and rotation."""
_PROFILES: Final = [("".join(c if c in _SEEN_AS else " " for c in edges), tuple(_looks(edges))) for edges in EDGES]
_FITTING: Final = {profile: _fits(edges) for profile, edges in zip(_PROFILES, EDGES, strict=True)}
FITS: Final = np.array(list(_FITTING.values()))
"""The rotations in which tiles fit, by what of them matters for that and by the pattern of a word."""
FITS_AS: Final = np.array([list(_FITTING).index(profile) for profile in _PROFILES])
"""The row of :data:`FITS` of each tile."""
COUNT: Final = np.array([bits.bit_count() for bits in range(64)], np.int64)
"""The number of directions in a set of them."""
LOWEST: Final = np.array([max((bits & -bits).bit_length() - 1, 0) for bits in range(64)], np.int64)
"""The lowest direction in a set of them."""
_Q, _R = np.divmod(np.arange(TORUS * TORUS), TORUS)
NEIGHBOUR: Final = np.array([(_Q + q) % TORUS * TORUS + (_R + r) % TORUS for q, r in DIRECTIONS]).T.astype(np.int16)
"""The cell beside each cell of the torus in each direction."""
