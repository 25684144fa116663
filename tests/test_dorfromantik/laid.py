"""Games of Dorfromantik of a few tiles, and tiles that are laid, written in a line. Letters and rotations are D29's."""

from typing import Any, Final

Laid = tuple[str, int | None, int, int, int]
"""A tile, its marker's number, and the move: q, r, rotation."""
Move = tuple[int, int, int]
Cell = tuple[int, int]

GONE: Any = (None, None, None)
"""In the place of a move: the tile has none, and leaves the game (D13)."""


def small(landscape: str, tasks: str = "", **others: Any) -> dict[str, Any]:
    """A game with these tiles alone, and nothing in the box."""
    return {"landscape": landscape.split(), "tasks": tasks.split(), "left_in_box": 0, **others}


GAMES: Final = {
    # A forest of three with the 4 of W3, and the fourth tile that fulfils it; forest edges stay open.
    "FOREST_OF_THREE": "W3=4 0 0 0, G3=6 -1 0 0, S1=6 -2 0 0, L18 1 0 1, L28 1 -1 0",
    "FOREST_OF_FOUR": "FOREST_OF_THREE, L35 0 1 0",
    # A forest of three with the 4 of W3, beside L35's forest of one; W5 may join them at (0, 1). L42 aborts G2.
    "TWO_FORESTS": "W3=4 0 0 0, G2=6 -1 0 4, T3=6 -2 0 0, L18 1 0 1, L28 1 -1 0, L35 1 1 5, L42 -1 -1 0",
    # A track of three from its end L30 to the east, open at (5, 0), and a task to come.
    "TRACK_OF_THREE": "FOREST_OF_THREE, L30 2 0 3, L36 3 0 0, L05 4 0 0, L35 0 1 0",
    # The two ends of streams, S2 and S3, both towards the empty cell (1, 0).
    "TWO_STUBS": "S2=6 0 0 0, W3=4 1 -1 0, S3=5 2 -1 5",
    # A stream of four from north-west to south-east, with the 5 of S1, and a task to come since W3 is fulfilled.
    "STREAM_OF_FOUR": "S1=5 0 0 0, W3=4 1 -1 0, T3=6 -1 0 0, L37 0 1 0, L03 0 2 2, L15 0 -1 1, L18 2 -2 0, L28 2 -1 1, "
    "L35 1 0 0",
    # G1 and two grain tiles; (0, -1) touches G1's grain and a village edge of L47.
    "GRAIN_OF_THREE": "G1=4 0 0 0, L28 1 0 3, L47 -1 0 1",
    # Two tracks run into the empty cell (-1, 0), where L33 has its grain edge; L46 may bring a third.
    "TWO_TRACKS_AT_A_CELL": "L33 0 0 0, L34 -1 1 4, L40 0 -1 0",
    # V3 with its village of three, V1 with its village of two; L13 may join them at (1, -1).
    "TWO_VILLAGES": "V3=5 0 0 0, V1=6 1 0 3, L42 -1 0 0, L47 2 0 0, L35 0 1 3",
    # The two grain edges of G2: L18 covers one with a forest, the other borders the empty cell (1, 0).
    "TWO_GRAIN_EDGES": "G2=4 0 0 0, L18 1 -1 0",
    # L33 and L38 with their flags, both towards the empty cell (-1, 0).
    "TWO_FLAGS": "L33 0 0 0, L38 -1 1 1",
    # Three task tiles with a marker of 1, each met by its own tile; a window of two leaves (0, -1), beside W4's forest.
    "ONE_CELL_LEFT": "W4=1 0 0 0, G1=1 1 -1 0, V3=1 1 0 0",
    "LITTLE": "landscape; tasks W4 G1 V3 W3; window 2; markers W:1,1,2,3 G:1 V:1",
    # The 22 cells from (0, 0) to (21, 0).
    "LINE_OF_22": "L04 0 0 0, L07 1 0 0, L08 2 0 0, L11 3 0 0, L13 4 0 0, L14 5 0 0, L17 6 0 0, L18 7 0 0, L20 8 0 0, "
    "L24 9 0 0, L25 10 0 0, L26 11 0 0, L28 12 0 0, L31 13 0 0, L33 14 0 0, L35 15 0 0, L38 16 0 0, L42 17 0 0, "
    "L43 18 0 0, L47 19 0 0, L48 20 0 0, L01 21 0 2",
}
"""Tiles laid, and the game of ONE_CELL_LEFT, by the names that stand for them."""


def whole(text: str) -> str:
    """The text with what the names in it stand for."""
    for name, games in GAMES.items():
        text = text.replace(name, whole(games)) if name in text else text
    return text


def laid(text: str) -> tuple[Laid, ...]:
    """Tiles that are laid, such as ``W3=4 0 0 0, L18 gone``, with a marker's number and a move, if there is one."""
    return tuple(_row(*row.split()) for row in whole(text).split(", ") if row)


def _row(tile: str, *move: str) -> Laid:
    name, _, number = tile.partition("=")
    q, r, rotation = GONE if move == ("gone",) else map(int, move)
    return name, int(number) if number else None, q, r, rotation
