"""The verbs of Pig: its rules, what a player sees, what a learner is told, and its scripted opponents."""

from typing import Any, Final

import numpy as np

from bohemian_env.engine.bits import Word
from bohemian_env.engine.chance import STEP, mix, unit
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import Action, Seat, State
from bohemian_env.engine.states import without_gaps

NUM_ACTIONS, MAX_PLAYERS, COLUMNS, TRUNCATED, TEAM = 2, 2, 2, -1, False
ROLL, HOLD, GOAL = 0, 1, 100
STATE: Final = without_gaps([
    *[("players", "u1"), ("to_move", "i1"), ("turn", "i4"), ("pending", "u1"), ("end", "u1"), ("legal", "u8", (1,))],
    *[("points", "u1", (2,)), ("turn_points", "u1")],  # of each seat without those of the turn, and these
])  # fmt: skip
HIDDEN, SCALE, INPUTS, MOST_INPUTS = 32, 50.0, 402 + 3 * GOAL // 2, 2 + 3 * GOAL // 2


@njit
def set_up(s: State, seed: Word, common: np.void) -> None:
    s["players"], s["to_move"], s["turn"], s["end"], s["points"][:] = 2, 1, 0, 0, 0
    next_turn(s)


@njit
def next_turn(s: State) -> None:
    """Begin the other seat's turn, with a roll."""
    s["to_move"], s["turn_points"], s["pending"], s["legal"][0] = 1 - s["to_move"], 0, 0, 1 << ROLL
    s["turn"] += 1


@njit
def push(s: State, action: Action) -> None:
    if action == HOLD:
        s["points"][s["to_move"]] += s["turn_points"]
        next_turn(s)
    else:
        s["pending"], s["legal"][0] = 1, 0


@njit
def deal(s: State, k: int) -> None:
    """Let the die fall: a 1 ends the turn, anything else is counted, and wins once it makes 100 with the rest."""
    s["turn_points"] += k + 1
    points = s["points"][s["to_move"]] + s["turn_points"]
    if k == 0:
        next_turn(s)
    elif points >= GOAL:
        s["points"][s["to_move"]], s["turn_points"], s["pending"], s["end"] = points, 0, 0, 1
    else:
        s["pending"], s["legal"][0] = 0, 1 << ROLL | 1 << HOLD


@njit
def outcomes(s: State) -> int:
    return 6


@njit
def likelihood(s: State, k: int) -> float:
    return 1 / 6


@njit
def moment(s: State) -> Word:
    """Return a number of the turn and its points, which grow from roll to roll."""
    return np.uint64(s["turn"] * 128 + s["turn_points"])


@njit
def draw(s: State, seed: Word) -> int:
    return int(unit(mix(mix(seed) + moment(s) * STEP)) * 6)


@njit
def score(s: State, out: np.ndarray) -> None:
    """Write the points, and as the total 100 for who has won: so the mean of totals is the win share in percent."""
    for seat in range(2):
        out[seat, 0], out[seat, 1] = s["points"][seat], GOAL * (s["points"][seat] >= GOAL)


@njit
def write_observation(s: State, seat: Seat, out: np.ndarray) -> None:
    out[0], out[1], out[2] = s["points"][seat], s["points"][1 - seat], s["turn_points"]
    out[3], out[4] = not s["end"] and s["to_move"] == seat, not s["end"] and s["to_move"] != seat


@njit
def write_inputs(s: State, seat: Seat, out: np.ndarray) -> int:
    """Write whose turn it is, the points of both together, in fives, and each alone and what is at stake, in twos."""
    other, count = int(s["to_move"] != seat), 2
    stake, theirs = s["turn_points"] * (1 - other), s["points"][1 - seat] + s["turn_points"] * other
    mine = s["points"][seat] + stake
    out[0], out[1] = other, 2 + mine // 5 * 20 + theirs // 5
    for kind, points in enumerate((mine, theirs, stake)):
        for step in range(points // 2):
            out[count] = 402 + kind * GOAL // 2 + step
            count += 1
    return count


@njit
def choose(number: int, s: State, word: Word, scratch: Any) -> Action:
    """Return what an opponent does: anything, or hold at 20."""
    if s["turn_points"] == 0:
        return ROLL
    return int(word >> np.uint64(63)) if number == 0 else int(s["turn_points"] >= 20)
