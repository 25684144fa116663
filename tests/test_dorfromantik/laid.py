"""Games of Dorfromantik that cases.py begins with, and the form of a case. Letters and rotations are D29's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Laid = tuple[str, int | None, int, int, int]
"""A tile, its marker's number, and the move: q, r, rotation."""
Move = tuple[int, int, int]
Cell = tuple[int, int]

GONE: Any = (None, None, None)
"""In the place of a move: the tile has none, and leaves the game (D13)."""


@dataclass(frozen=True)
class Case:
    """Some tiles laid, one more revealed perhaps, and placed perhaps; each other field is asked when it is given."""

    name: str
    laid: tuple[Laid, ...] = ()
    variant: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the game, where it is not the whole one for one player."""
    due: str | None = None
    """What comes after the tiles laid."""
    unseen: Mapping[Any, Fraction] | None = None
    """What chance can bring then."""
    tile: str | None = None
    """The tile revealed then, with the marker's number."""
    number: int | None = None
    cells: frozenset[Cell] | None = None
    """All cells where it may be placed."""
    rotations: Mapping[Cell, tuple[int, ...]] = field(default_factory=dict)
    """All rotations in which it may be placed in the cell."""
    place: Move | None = None
    """Where it is placed; this is legal, and the next three are all that it brings about."""
    fulfilled: tuple[str, ...] = ()
    aborted: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    score: Mapping[str, int] = field(default_factory=dict)
    """Parts of the score after all this."""
    position: Mapping[str, Any] = field(default_factory=dict)
    """Parts of the position after all this."""


def numbered(**numbers: int) -> list[dict[str, Any]]:
    """Tiles with their marker's numbers as a position lists them (D32)."""
    return [{"tile": tile, "number": number} for tile, number in sorted(numbers.items())]


def only(*tasks: str, **others: Any) -> dict[str, Any]:
    """A game with no other task tiles than these."""
    return {"tasks": list(tasks), **others}


def _tiles(ids: str) -> list[str]:
    return ids.split()


def small(landscape: str, tasks: str = "", **others: Any) -> dict[str, Any]:
    """A game with these tiles alone, and nothing in the box."""
    return {"landscape": _tiles(landscape), "tasks": _tiles(tasks), "left_in_box": 0, **others}


AROUND_THE_MIDDLE = frozenset({(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)})
ALL = (0, 1, 2, 3, 4, 5)

#: A forest of three with the 4 of W3, and the fourth tile that fulfils it; forest edges stay open.
FOREST_OF_THREE: tuple[Laid, ...] = (
    ("W3", 4, 0, 0, 0),
    ("G3", 6, -1, 0, 0),
    ("S1", 6, -2, 0, 0),
    ("L18", None, 1, 0, 1),
    ("L28", None, 1, -1, 0),
)
FOREST_OF_FOUR: tuple[Laid, ...] = (*FOREST_OF_THREE, ("L35", None, 0, 1, 0))

#: A forest of three with the 4 of W3, beside L35's forest of one; W5 may join them at (0, 1). L42 aborts G2.
TWO_FORESTS: tuple[Laid, ...] = (
    ("W3", 4, 0, 0, 0),
    ("G2", 6, -1, 0, 4),
    ("T3", 6, -2, 0, 0),
    ("L18", None, 1, 0, 1),
    ("L28", None, 1, -1, 0),
    ("L35", None, 1, 1, 5),
    ("L42", None, -1, -1, 0),
)

#: A track of three from its end L30 to the east, open at (5, 0), and a task to come.
TRACK_OF_THREE: tuple[Laid, ...] = (
    *FOREST_OF_THREE,
    ("L30", None, 2, 0, 3),
    ("L36", None, 3, 0, 0),
    ("L05", None, 4, 0, 0),
    ("L35", None, 0, 1, 0),
)

#: The two ends of streams, S2 and S3, both towards the empty cell (1, 0).
TWO_STUBS: tuple[Laid, ...] = (("S2", 6, 0, 0, 0), ("W3", 4, 1, -1, 0), ("S3", 5, 2, -1, 5))

#: A stream of four from north-west to south-east, with the 5 of S1, and a task to come since W3 is fulfilled.
STREAM_OF_FOUR: tuple[Laid, ...] = (
    ("S1", 5, 0, 0, 0),
    ("W3", 4, 1, -1, 0),
    ("T3", 6, -1, 0, 0),
    ("L37", None, 0, 1, 0),
    ("L03", None, 0, 2, 2),
    ("L15", None, 0, -1, 1),
    ("L18", None, 2, -2, 0),
    ("L28", None, 2, -1, 1),
    ("L35", None, 1, 0, 0),
)

#: G1 and two grain tiles; (0, -1) touches G1's grain and a village edge of L47.
GRAIN_OF_THREE: tuple[Laid, ...] = (("G1", 4, 0, 0, 0), ("L28", None, 1, 0, 3), ("L47", None, -1, 0, 1))

#: Two tracks run into the empty cell (-1, 0), where L33 has its grain edge; L46 may bring a third.
TWO_TRACKS_AT_A_CELL: tuple[Laid, ...] = (
    ("L33", None, 0, 0, 0),
    ("L34", None, -1, 1, 4),
    ("L40", None, 0, -1, 0),
)

#: V3 with its village of three, V1 with its village of two; L13 may join them at (1, -1).
TWO_VILLAGES: tuple[Laid, ...] = (
    ("V3", 5, 0, 0, 0),
    ("V1", 6, 1, 0, 3),
    ("L42", None, -1, 0, 0),
    ("L47", None, 2, 0, 0),
    ("L35", None, 0, 1, 3),
)

#: The two grain edges of G2: L18 covers one with a forest, the other borders the empty cell (1, 0).
TWO_GRAIN_EDGES: tuple[Laid, ...] = (("G2", 4, 0, 0, 0), ("L18", None, 1, -1, 0))

#: L33 and L38 with their flags, both towards the empty cell (-1, 0).
TWO_FLAGS: tuple[Laid, ...] = (("L33", None, 0, 0, 0), ("L38", None, -1, 1, 1))

#: Tracks that run in a ring of three.
RING: tuple[Laid, ...] = (("L34", None, 0, 0, 0), ("L40", None, 1, -1, 5), ("L46", None, 1, 0, 0))

#: Three task tiles with a marker of 1, each met by its own tile; a window of two leaves (0, -1), beside W4's forest.
LITTLE_MARKERS = {"W": [1, 1, 2, 3], "G": [1], "V": [1]}
ONE_CELL_LEFT: tuple[Laid, ...] = (("W4", 1, 0, 0, 0), ("G1", 1, 1, -1, 0), ("V3", 1, 1, 0, 0))

#: The 23 cells from (0, 0) to (22, 0).
STRAIGHT_LINE: tuple[Laid, ...] = tuple(
    (tile, None, q, 0, 2 if tile in ("L01", "L34") else 0)
    for q, tile in enumerate(
        _tiles("L04 L07 L08 L11 L13 L14 L17 L18 L20 L24 L25 L26 L28 L31 L33 L35 L38 L42 L43 L47 L48 L01 L34")
    )
)
