"""The verbs of Take It Easy: its rules, what a player sees, and what a learner is told.

A tile has a number for each of the three directions, of three that there are: tile 9a + 3b + c has the a-th, b-th and
c-th. Lines are numbered direction by direction, cells column by column from the left, each from above.
"""

from typing import Final

import numpy as np

from bohemian_env.engine.bits import Word, popcount
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import Action, Seat, State
from bohemian_env.engine.states import without_gaps

CELLS, TILES, LINES = 19, 27, 15
NUM_ACTIONS, MAX_PLAYERS, COLUMNS, TRUNCATED, TEAM = CELLS, 1, 1, -1, True
NUMBERS: Final = np.array([[1, 5, 9], [2, 6, 7], [3, 4, 8]])
"""Those of each direction: down, down to the right, down to the left."""
AT: Final = [(q, r) for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2]
"""Column and row of each cell; a row goes down to the right."""
LINES_OF: Final = np.array([(q + 2, 5 + r + 2, 10 + q + r + 2) for q, r in AT])  # the three lines of each cell
LENGTH: Final = np.bincount(LINES_OF.ravel())
NUMBER_OF: Final = np.array([(tile // 9, tile // 3 % 3, tile % 3) for tile in range(TILES)])
"""Which of the three numbers of each direction a tile has."""
WITH: Final = np.array(
    [[sum(1 << t for t in range(TILES) if NUMBER_OF[t, d] == n) for n in range(3)] for d in range(3)]
)
"""The tiles with a number, as bits."""
OPEN, BROKEN, ALL = 3, 4, (1 << TILES) - 1
"""Instead of one of the three numbers: what a line without tiles has, and one with different numbers."""
STATE: Final = without_gaps([
    *[("players", "u1"), ("to_move", "i1"), ("turn", "i4"), ("pending", "u1"), ("end", "u1"), ("legal", "u8", (1,))],
    ("cells", "i1", (CELLS,)),  # the tile of each cell; -1 without
    *[("tile", "i1"), ("hidden", "u4")],  # the tile to place, or -1, and those not drawn yet, as bits
    *[("number", "u1", (LINES,)), ("missing", "u1", (LINES,))],  # of each line, and how many tiles it still takes
    ("points", "i2"),
])  # fmt: skip


@njit
def set_up(s: State, seed: Word, common: np.void) -> None:
    """Set up a game, whose first tile is to be drawn."""
    s["players"], s["to_move"], s["turn"], s["pending"], s["end"], s["legal"][0] = 1, 0, 0, 1, 0, 0
    s["cells"][:], s["tile"], s["hidden"], s["points"] = -1, -1, ALL, 0
    s["number"][:], s["missing"][:] = OPEN, LENGTH


@njit
def deal(s: State, k: int) -> None:
    """Draw tile ``k``."""
    s["tile"], s["pending"] = k, 0
    s["hidden"] &= ~(1 << k)
    s["turn"] += 1
    for cell in range(CELLS):
        s["legal"][0] |= np.uint64((s["cells"][cell] < 0) << cell)


@njit
def push(s: State, action: Action) -> None:
    """Place the tile in a cell; a line that is full and has one number scores this for each of its tiles."""
    s["cells"][action] = s["tile"]
    for d in range(3):
        line, number = LINES_OF[action, d], NUMBER_OF[s["tile"], d]
        if s["number"][line] == OPEN:
            s["number"][line] = number
        elif s["number"][line] != number:
            s["number"][line] = BROKEN
        s["missing"][line] -= 1
        if s["missing"][line] == 0 and s["number"][line] != BROKEN:
            s["points"] += NUMBERS[d, number] * LENGTH[line]
    s["tile"], s["legal"][0], s["end"] = -1, 0, s["turn"] == CELLS
    s["pending"] = 1 - s["end"]


@njit
def outcomes(s: State) -> int:
    """Return how many tiles there are."""
    return TILES


@njit
def likelihood(s: State, k: int) -> float:
    """Return how likely tile ``k`` comes: each that is hidden is as likely as any other."""
    return ((s["hidden"] >> k) & 1) / popcount(np.uint64(s["hidden"]))


@njit
def draw(s: State, seed: Word) -> int:
    """Return the tile that a seed brings: the hidden one with the lowest of numbers made of seed and tile."""
    lowest, found, stream = ~np.uint64(0), 0, mix(seed)
    for tile in range(TILES):
        priority = mix(stream + np.uint64(tile) * STEP)
        if (s["hidden"] >> tile) & 1 and priority <= lowest:
            lowest, found = priority, tile
    return found


@njit
def moment(s: State) -> Word:
    """Return the turn."""
    return np.uint64(s["turn"])


@njit
def score(s: State, out: np.ndarray) -> None:
    """Write the points of the lines that are full."""
    out[0, 0] = s["points"]


@njit
def write_observation(s: State, seat: Seat, out: np.ndarray) -> None:
    """Write the numbers in the cells, of the tile to place, and which tiles are hidden."""
    for d in range(3):
        for cell in range(CELLS):
            tile = s["cells"][cell]
            out[cell * 3 + d] = NUMBERS[d, NUMBER_OF[tile, d]] if tile >= 0 else 0
        out[CELLS * 3 + d] = NUMBERS[d, NUMBER_OF[s["tile"], d]] if s["tile"] >= 0 else 0
    for tile in range(TILES):
        out[(CELLS + 1) * 3 + tile] = (s["hidden"] >> tile) & 1


HIDDEN, SCALE = 32, 50.0
_LEFT, _CELL = CELLS + 1, CELLS + 1 + 9 * 10  # where the inputs of each kind begin: first the turns
_LINE = _CELL + 125 * 4
INPUTS, MOST_INPUTS = _LINE + 3 * 5 * 3 * 6 * 10, 1 + 9 + CELLS + LINES


@njit
def write_inputs(s: State, seat: Seat, out: np.ndarray) -> int:
    """Write the turn, how many tiles are hidden with each number, what each empty cell asks and how many hidden tiles
    fit, and of each line its number, length, missing tiles and how many hidden ones have its number."""
    hidden, left = np.int64(s["hidden"]), np.zeros((3, 5), np.int64)
    out[0], count = s["turn"], 1
    for d in range(3):
        for n in range(3):
            left[d, n] = popcount(np.uint64(hidden & WITH[d, n]))
            out[count] = _LEFT + (d * 3 + n) * 10 + left[d, n]
            count += 1
    for cell in range(CELLS):
        if s["cells"][cell] < 0:
            asked, fits = 0, hidden
            for d in range(3):
                number = s["number"][LINES_OF[cell, d]]
                asked = asked * 5 + number
                if number < OPEN:
                    fits &= WITH[d, number]
            out[count] = _CELL + asked * 4 + min(popcount(np.uint64(fits)), 3)
            count += 1
    for line in range(LINES):
        d, number, missing = line // 5, s["number"][line], s["missing"][line]
        if missing > 0:
            kind = ((d * 5 + number) * 3 + LENGTH[line] - 3) * 6 + missing
            out[count] = _LINE + kind * 10 + left[d, number]
            count += 1
    return count
