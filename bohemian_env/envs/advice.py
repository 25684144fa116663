"""What the planner thinks of a position: an optional part of what the environment shows.

With ``advice=True`` a player sees it beside the observation: one float32 vector, whose parts are declared in
:data:`ADVICE_PARTS` and whose numbers are coins. It adds nothing to what the observation tells, since the planner looks
at the same position; it saves a learner from finding out what a plain estimate knows.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from gymnasium import spaces

from ..compiled import njit
from ..game.actions import END, NUM_ACTIONS
from ..game.facts import MAX_PLAYERS
from ..game.rules import is_legal
from ..game.state import STATE, Seat, State
from ..opponents.planner import VERSION, WEIGHTS, estimates, planner_values
from .observation import Part, offsets_of, space_of

__all__ = [
    "ADVICE",
    "ADVICE_PARTS",
    "ADVICE_SIZE",
    "STANDING",
    "advice_room",
    "advice_space",
    "advise",
    "advise_some",
    "write_advice",
]

ADVICE: Final = f"planner/{VERSION}"
"""The source of the advice: the planner and the version of its weights."""
FARTHEST: Final = 20
"""The most coins by which an action is said to fall behind the best."""

ADVICE_PARTS: Final = (
    Part("standing", (MAX_PLAYERS,), -np.inf, np.inf, "what this seat has by the planner's estimate", unit="coins"),
    Part(
        "lead",
        (1,),
        -np.inf,
        np.inf,
        "how far the observer is ahead after its best turn; 0 unless it decides",
        unit="coins",
    ),
    Part("behind", (NUM_ACTIONS,), -FARTHEST, 0, "how far an action falls behind the best; 0 if illegal", unit="coins"),
)
"""The parts of the advice; seats are seen from the observer, as in the observation."""
_OFFSETS: Final = offsets_of(ADVICE_PARTS)
_LEAD, _BEHIND = _OFFSETS["lead"], _OFFSETS["behind"]
STANDING: Final = _BEHIND
"""The number of entries about the seats, which come before those about the actions."""
ADVICE_SIZE: Final = sum(part.size for part in ADVICE_PARTS)


def advice_space() -> spaces.Box:
    """Return the space of the advice: float32, shape (ADVICE_SIZE,)."""
    return space_of(ADVICE_PARTS, np.float32)


def advice_room() -> tuple[np.ndarray, np.ndarray]:
    """Return room for :func:`write_advice`: its ``scratch`` and ``values``. Each thread needs its own."""
    return np.zeros(3, STATE), np.empty(NUM_ACTIONS, np.float64)


@njit
def write_advice(s: State, seat: Seat, scratch: np.ndarray, values: np.ndarray, out: np.ndarray) -> None:
    """Write what the planner tells ``seat`` about the position ``s``.

    All entries are 0 where nobody decides; "lead" and "behind" are 0 unless ``seat`` decides.

    Args:
        s: the position, read only.
        seat: the observer.
        scratch: STATE, (3 or more,), overwritten: the planner tries moves in the first two, and the last holds what it
            judges, the position as ``seat`` sees it. ``s`` may be one of those between.
        values: float64, (NUM_ACTIONS,), overwritten.
        out: float32, (ADVICE_SIZE,), overwritten.
    """
    out[:] = 0.0
    if s["end"] != 0 or s["pending"] != 0:
        return
    players = s["players"]
    w = WEIGHTS[0, players]
    estimates(s, w, values)
    for away in range(players):
        other = seat + away
        if other >= players:
            other -= players
        out[away] = values[other]
    if s["to_move"] != seat:
        return
    scratch[-1] = s
    seen = scratch[-1]
    seen["max_turns"] = 0  # an observation does not say when the game will be cut off (R24)
    best = values[planner_values(seen, w, scratch, values)]
    out[_LEAD] = best
    for action in range(END + 1):
        if is_legal(s, action):
            out[_BEHIND + action] = max(values[action] - best, -float(FARTHEST))


@njit
def advise_some(
    games: np.ndarray, states: np.ndarray, scratch: np.ndarray, values: np.ndarray, out: np.ndarray
) -> None:
    """Write what the planner tells the current seat of each of ``games`` into the first rows of a buffer.

    games: int64 (m,), indices of positions. states: (n,), STATE. scratch, values: those of :func:`write_advice`.
    out: float32 (m or more, ADVICE_SIZE), overwritten.
    """
    for place in range(games.shape[0]):
        s = states[games[place]]
        write_advice(s, s["to_move"], scratch, values, out[place])


def advise(states: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
    """Return what the planner tells the current seats of some positions: float32, (m, ADVICE_SIZE), new.

    states: (n,), dtype STATE. games: indices of positions, int64 (m,); all by default.
    """
    games = np.arange(len(states)) if games is None else games
    out = np.empty((len(games), ADVICE_SIZE), np.float32)
    advise_some(games, states, *advice_room(), out)
    return out
