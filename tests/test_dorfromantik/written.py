"""Moves, positions and records of Dorfromantik as they are written (D26, D31, D32), as data."""

from typing import Any

from tests.test_dorfromantik.laid import Move, laid, small

#: Moves, their texts (D31) and their numbers among all actions (D26).
MOVES: list[tuple[Move, str, int]] = [
    ((0, 0, 0), "+0+0 r0", 0),
    ((3, -1, 2), "+3-1 r2", (3 * 24 + 23) * 6 + 2),
    ((-1, 0, 5), "-1+0 r5", 23 * 24 * 6 + 5),
    ((-22, -22, 3), "-22-22 r3", (2 * 24 + 2) * 6 + 3),
    ((22, 10, 1), "+22+10 r1", (22 * 24 + 10) * 6 + 1),
    ((23, 23, 5), "+23+23 r5", 3455),
]

#: Texts that are no moves (D31).
NO_MOVES = [
    "", "+0+0", "+0+0r0", "+0+0 0", "+0+0  r0", " +0+0 r0", "+0+0 r0 ", "+0+0 r0\n", "-0+0 r0", "+0-0 r0", "+00+0 r0",
    "+01+0 r0", "1+0 r0", "+1 0 r0", "+0+0 r6", "+0+0 r-1", "+0+0 r00", "+0+0 R0", "+1.0+0 r0", "+\u0661+0 r0",
    "++1+0 r0",
]  # fmt: skip

#: A whole little game of two: what is laid, the position before the last move, the last one, and the record (D32).
LITTLE_GAME = small("L18 L33 L42", "G2 W3", players=2, left_in_box=1, markers={"G": [4], "W": [2]})
LITTLE_LAID = laid("G2=4 0 0 0, W3=2 0 1 0, L18 1 -1 0, L33 1 0 1")
LITTLE_POSITION: dict[str, Any] = {
    "players": 2, "turn": 4, "to_move": 1, "over": False, "tile": {"tile": "L33", "number": None},
    "cells": [
        {"q": 0, "r": 0, "tile": "G2", "rotation": 0}, {"q": 0, "r": 1, "tile": "W3", "rotation": 0},
        {"q": 1, "r": -1, "tile": "L18", "rotation": 0},
    ],
    "open": [{"tile": "G2", "number": 4}, {"tile": "W3", "number": 2}], "fulfilled": [], "aborted": [],
    "flags": [], "left": [], "stacks": {"landscape": 0, "task": 0},
    "score": {"markers": 0, "flags": 0, "track": 0, "stream": 0, "total": 0},
}  # fmt: skip
LITTLE_END: dict[str, Any] = LITTLE_POSITION | {
    "to_move": None, "over": True, "tile": None,
    "cells": [*LITTLE_POSITION["cells"], {"q": 1, "r": 0, "tile": "L33", "rotation": 1}],
    "open": [], "fulfilled": [{"tile": "W3", "number": 2}], "aborted": [{"tile": "G2", "number": 4}],
    "flags": [{"tile": "L33", "points": 1}],
    "score": {"markers": 2, "flags": 1, "track": 0, "stream": 0, "total": 3},
}  # fmt: skip
LITTLE_RECORD: dict[str, Any] = {
    "format": "dorfromantik/1", "players": ["player_0", "player_1"],
    "turns": [
        {"tile": "G2", "marker": 4, "move": "+0+0 r0"}, {"tile": "W3", "marker": 2, "move": "+0+1 r0"},
        {"tile": "L18", "move": "+1-1 r0"},
        {"tile": "L33", "move": "+1+0 r1", "fulfilled": ["W3"], "aborted": ["G2"], "flags": ["L33"]},
    ],
    "score": LITTLE_END["score"],
}  # fmt: skip
