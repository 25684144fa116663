"""What a move is, what a turn can lead to, and a line for every decision: compiled."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bohemian_env.compiled import njit
from bohemian_env.game.actions import BISHOPS, END, NUM_ACTIONS, REROLLS, SPECIALS
from bohemian_env.game.dice import SIZE
from bohemian_env.game.facts import KINDS, MAX_PLAYERS, SCORING
from bohemian_env.game.rules import TOTAL, find_legal, is_legal, legal_count, move, score
from bohemian_env.game.state import CELLS, FIELD, WORD_KINDS
from bohemian_env.opponents.planner import planner_values, turn_key

__all__ = [
    *("BISHOP", "DECISION", "EMPTY", "GO_ON", "OVER", "REROLL", "SPECIAL", "STOP", "TIE", "WHAT", "WIN"),
    *("log_decisions", "turns_offered", "what_of"),
]

WHAT: Final = (*KINDS, "bishop", "special", "reroll", "end")
"""What a move is: the kind of building that it places a figure on, or one of the others of the notation."""
BISHOP, SPECIAL, REROLL, STOP = range(len(KINDS), len(WHAT))

EMPTY: Final = 1
"""Some way to play the turn leaves the current seat without a figure in hand, and the game goes on."""
GO_ON: Final = 2
"""Some way to play it lets the next seat have a turn."""
OVER: Final = 4
"""Some way to play it ends the game at once: the next seat has no figure in hand then (R4), or the bank is empty."""
WIN: Final = 8
"""Some way to play it does so with the current seat ahead of all others."""
TIE: Final = 16
"""Some way to play it does so with the current seat and others level at the top."""

DECISION: Final = np.dtype(
    [
        ("game", np.int32),
        ("turn", np.int32),  # over all seats, from 1
        ("seat", np.int8),
        ("dice", np.uint8),  # the unused dice, as an index into dice.DICE
        ("begins", np.bool_),  # the first decision of its turn
        ("choice", np.bool_),  # more than one action was legal
        ("offered", np.uint16),  # bit by place in WHAT: there is a legal action of that sort
        ("what", np.int8),  # what was chosen, as a place in WHAT
        ("action", np.uint8),
        ("kicked", np.int8),  # the seat whose figure was kicked out, -1 for none
        ("hand", np.int8),  # figures in hand before
        ("left", np.int8),  # and after the move
        ("over", np.bool_),  # the game ended with this move
        ("lead", np.int16),  # how far ahead of the best other seat before it, in coins, if it were scored now
        ("can", np.uint8),  # where the turn begins, bits EMPTY to TIE as far as they were looked for; else 0
        ("chances", np.float32, (MAX_PLAYERS,)),  # of winning, of each seat before the move
        ("best", np.int8),  # what the planner's best action is, as a place in WHAT
        ("differs", np.bool_),  # the planner sees a better turn than any that begins with the action chosen
        ("loss", np.float32),  # by how many coins, 0 where it does not differ
    ]
)
"""dtype of a decision."""
_ALL: Final = 4  # dice of a roll
_NEAR: Final = 1e-9  # coins by which values of the planner are equal
_LAST_FIGURES: Final = 2  # a turn has two moves, so no more figures can leave the hand


@njit
def what_of(action: Any) -> Any:
    """Return the place in WHAT of an action."""
    if action < BISHOPS:
        return (action - CELLS if action >= CELLS else action) // FIELD
    if action < SPECIALS:
        return BISHOP
    if action < REROLLS:
        return SPECIAL
    return REROLL if action < END else STOP


@njit
def _kicked(s: Any, action: Any) -> Any:
    """Return the seat that a legal action kicks out, -1 for none."""
    if action >= BISHOPS:
        return -1
    cell = action - CELLS if action >= CELLS else action
    word = 0 if cell < FIELD * WORD_KINDS else 1
    bit = np.uint64(1) << np.uint64(cell - word * FIELD * WORD_KINDS)
    for seat in range(s["players"]):
        if s["own"][seat, word] & bit:
            return seat
    return -1


@njit
def _lead(s: Any, seat: Any, columns: Any) -> Any:
    """Return how far the total of ``seat`` is ahead of the best other, scored as it stands."""
    score(s, columns)
    best = -9999
    for other in range(s["players"]):
        if other != seat:
            best = max(best, columns[other, TOTAL])
    return columns[seat, TOTAL] - best


@njit
def _stop_here(s: Any, seat: Any, columns: Any) -> Any:
    """Return what it leads to, as bits, if the turn of ``seat`` is over in ``s``."""
    following = seat + 1 if seat + 1 < s["players"] else 0
    if s["end"] != 0 or s["figures"][following] == 0:
        lead = _lead(s, seat, columns)
        return OVER | WIN if lead > 0 else OVER | TIE if lead == 0 else OVER
    return GO_ON | EMPTY if s["figures"][seat] == 0 else GO_ON


@njit
def _ways_to_end(s: Any, scratch: Any, columns: Any) -> Any:
    """Return bits EMPTY to TIE of a position in which a turn begins, over all ways to play it without rolling again.

    s: record of STATE. scratch: STATE, (2,), overwritten. columns: int64, (MAX_PLAYERS, len(SCORING)), overwritten.
    """
    seat = s["to_move"]
    found = 0
    for action in range(REROLLS):
        if is_legal(s, action):
            scratch[0] = s
            first = scratch[0]
            move(first, action)
            found |= _stop_here(first, seat, columns)
            if first["end"] == 0 and first["dice"] != 0 and find_legal(first):
                for other in range(REROLLS):
                    if is_legal(first, other):
                        scratch[1] = first
                        move(scratch[1], other)
                        found |= _stop_here(scratch[1], seat, columns)
    return found


@njit
def log_decisions(games: Any, states: Any, actions: Any, weights: Any, scratch: Any, values: Any, rows: Any) -> None:
    """Write a decision of each of some games down, before it is carried out.

    games: int64 (m,), in which somebody decides. states: STATE (n,). actions: int64 (m,), legal. weights: the
    planner's for this number of players. scratch: STATE (2,). values: float64 (NUM_ACTIONS,), overwritten. rows:
    DECISION (m,); all but chances, left and over is written.
    """
    columns = np.zeros((MAX_PLAYERS, len(SCORING)), np.int64)
    for k in range(len(games)):
        s = states[games[k]]
        action = actions[k]
        row = rows[k]
        seat = s["to_move"]
        row["game"] = games[k]
        row["turn"] = s["turn"]
        row["seat"] = seat
        row["dice"] = s["dice"]
        row["action"] = action
        row["what"] = what_of(action)
        row["kicked"] = _kicked(s, action)
        row["hand"] = s["figures"][seat]
        row["lead"] = _lead(s, seat, columns)
        row["can"] = 0
        row["begins"] = SIZE[s["dice"]] == _ALL and s["spent"] == 0
        if row["begins"]:
            following = seat + 1 if seat + 1 < s["players"] else 0
            if s["figures"][seat] <= _LAST_FIGURES or s["figures"][following] == 0:
                row["can"] = _ways_to_end(s, scratch, columns)
        row["choice"] = legal_count(s) > 1
        best = planner_values(s, weights, scratch, values)
        row["best"] = what_of(best)
        offered = 0
        for other in range(NUM_ACTIONS):
            if is_legal(s, other):
                offered |= 1 << what_of(other)
        row["offered"] = offered
        differs = values[action] < values[best] - _NEAR
        if differs and action < REROLLS and best < REROLLS:
            differs = turn_key(s, action, weights, scratch) != turn_key(s, best, weights, scratch)
        row["differs"] = differs
        row["loss"] = values[best] - values[action] if differs else 0.0


@njit
def turns_offered(states: Any, scratch: Any, found: Any) -> None:
    """Mark the ways to play the turns that begin in some positions, without rolling again.

    states: STATE (n,). scratch: STATE, (1 or more,), overwritten. found: bool, (n, len(WHAT), len(WHAT)), False
    before: found[i, a, b] for a move a and after it b; b is STOP where a is all.
    """
    for i in range(len(states)):
        s = states[i]
        for action in range(REROLLS):
            if is_legal(s, action):
                scratch[0] = s
                first = scratch[0]
                move(first, action)
                found[i, what_of(action), STOP] = True
                if first["end"] == 0 and first["dice"] != 0 and find_legal(first):
                    for other in range(REROLLS):
                        if is_legal(first, other):
                            found[i, what_of(action), what_of(other)] = True
