"""What a seat sees, as one int8 vector: all of the position (A74), with the seats counted from the observer.

The parts of the vector are declared once, in :data:`PARTS`; the space, the named views and the tables of the pages are
made from it. Seat 0 of a part is the observer, 1 the next clockwise; of seats that nobody has, all is 0.
"""

from typing import Final

import numpy as np

from ..engine.bits import popcount, spread_16, spread_64
from ..engine.compiled import njit
from ..engine.contract import Seat
from ..engine.parts import Part, offsets_of, size_of, taken_apart
from . import legal
from .decisions import DECISIONS
from .farm import SIDES
from .pieces import CELLS, CRAFTS, GOODS, MAJORS, MATERIALS, MOST_PLAYERS, SPACES
from .state import PHASES, State, whole

_SEATS: Final = MOST_PLAYERS
_LAYERS: Final = ("room", "field", "stable", "pasture", "grain", "vegetables")
_FAMILY: Final = ("people, newborns among them", "newborns", "people on spaces", "food of the well still to come")
PARTS: Final = (
    Part("cells", (_SEATS, len(_LAYERS), len(CELLS)), 0, 3, f"of each cell: {', '.join(_LAYERS)} on it"),
    Part("fences", (_SEATS, SIDES), 0, 1, "1: a fence stands on this side of cells"),
    Part("majors", (_SEATS, len(MAJORS)), 0, 1, "1: the seat has this major"),
    Part("open", (len(SPACES),), 0, 1, "1: this space is in play"),
    Part("laid", (len(SPACES),), 0, 127, "goods on this space", scale=8.0),
    Part("person", (len(SPACES), _SEATS), 0, 1, "1: a person of this seat is on this space"),
    Part("goods", (_SEATS, len(GOODS)), 0, 127, ", ".join(GOODS), scale=8.0),
    Part("family", (_SEATS, len(_FAMILY)), 0, 5, "; ".join(_FAMILY)),
    Part("begging", (_SEATS,), 0, 127, "begging cards", scale=8.0),
    Part("house", (_SEATS, len(MATERIALS)), 0, 1, f"1: it is of {', '.join(MATERIALS)}"),
    Part("start_player", (_SEATS,), 0, 1, "1: the seat has the marker"),
    Part("to_move", (_SEATS,), 0, 1, "1: the seat decides"),
    Part("players", (_SEATS,), 0, 1, "1: so many players (1 to 5) are at the table"),
    Part("decision", (len(DECISIONS),), 0, 1, "1: this is the kind of the decision; the first is none"),
    Part("parts_done", (3 + len(CRAFTS),), 0, 127, "it may end; grains baked; a stable was built; crafts used"),
    Part("phase", (len(PHASES),), 0, 1, f"1: it is this phase, of {', '.join(PHASES)}"),
    Part("round", (1,), 0, 14, "the round, 0 before the first", scale=8.0),
    Part("storehouse", (1,), 0, 1, "1: in solo, too, food is laid in the storehouse"),
)
OBSERVATION_SIZE: Final = size_of(PARTS)
OFFSETS: Final = offsets_of(PARTS)
"""The index of the first entry of each part, by name."""
_FENCES, _MAJORS, _OPEN, _LAID = (OFFSETS[name] for name in ("fences", "majors", "open", "laid"))
_PERSON, _GOODS, _FAMILY_AT, _BEGGING = (OFFSETS[name] for name in ("person", "goods", "family", "begging"))
_HOUSE, _START_PLAYER, _TO_MOVE = (OFFSETS[name] for name in ("house", "start_player", "to_move"))
_PLAYERS, _DECISION, _DONE, _PHASE = (OFFSETS[name] for name in ("players", "decision", "parts_done", "phase"))
_ROUND, _STOREHOUSE = OFFSETS["round"], OFFSETS["storehouse"]
_CELLS, _OF_FARM = len(CELLS), len(_LAYERS) * len(CELLS)
_U0, _U1 = np.uint64(0), np.uint64(1)


def observation_parts(observation: np.ndarray) -> dict[str, np.ndarray]:
    """Return the parts of observations, int8 (..., OBSERVATION_SIZE), by name, each of shape ``(..., *shape)``: views.
    Raises ValueError: the last axis is not OBSERVATION_SIZE long, or they are no whole numbers, as with ``normalized``.
    """
    return taken_apart(PARTS, observation)


@njit
def _write_number(cells: int, number: int, out: np.ndarray, at: int) -> None:
    """Write a number to the entries of some cells."""
    left = np.uint64(cells)
    while left != _U0:
        lowest = left & (~left + _U1)
        left ^= lowest
        out[at + popcount(lowest - _U1)] = number


@njit
def write_observation(s: State, seat: Seat, out: np.ndarray) -> None:
    """Write what ``seat`` sees in the position ``s``.

    s: read only. out: int8, shape (OBSERVATION_SIZE,), contiguous, overwritten.
    """
    players = whole(s["players"])
    out[:] = 0
    # Sets are written from low entries to high ones: each spread runs on into entries that are written after it.
    for away in range(players):
        who, at = (seat + away) % players, away * _OF_FARM
        spread_16(np.uint64(s["rooms"][who]), out, at)
        spread_16(np.uint64(s["fields"][who]), out, at + _CELLS)
        spread_16(np.uint64(s["stables"][who]), out, at + 2 * _CELLS)
        spread_16(np.uint64(s["enclosed"][who]), out, at + 3 * _CELLS)
        for k in range(3):
            _write_number(whole(s["grain"][who, k]), k + 1, out, at + 4 * _CELLS)
        for k in range(2):
            _write_number(whole(s["vegetables"][who, k]), k + 1, out, at + 5 * _CELLS)
    for away in range(players):
        spread_64(s["sides"][(seat + away) % players], out, _FENCES + SIDES * away)
    for away in range(players):
        spread_16(np.uint64(s["majors"][(seat + away) % players]), out, _MAJORS + len(MAJORS) * away)
    spread_64(legal.open_spaces(s), out, _OPEN)
    for space in range(len(SPACES)):
        out[_LAID + space] = min(s["laid"][space], 127)
    left = s["occupied"]
    while left != _U0:
        lowest = left & (~left + _U1)
        left ^= lowest
        space = popcount(lowest - _U1)
        out[_PERSON + _SEATS * space + (s["person"][space] - seat + players) % players] = 1
    for away in range(players):
        who = (seat + away) % players
        for good in range(len(GOODS)):
            out[_GOODS + len(GOODS) * away + good] = min(s["goods"][who, good], 127)
        at = _FAMILY_AT + len(_FAMILY) * away
        out[at], out[at + 1], out[at + 2] = s["people"][who], s["newborns"][who], s["placed"][who]
        out[at + 3] = s["well"][who]
        out[_BEGGING + away] = min(s["begging"][who], 127)
        out[_HOUSE + len(MATERIALS) * away + int(s["material"][who])] = 1
    out[_START_PLAYER + (s["start_player"] - seat + players) % players] = 1
    if s["kind"] != 0:
        out[_TO_MOVE + (s["to_move"] - seat + players) % players] = 1
    out[_PLAYERS + players - 1] = 1
    out[_DECISION + int(s["kind"])] = 1
    out[_DONE], out[_DONE + 1], out[_DONE + 2] = s["may_stop"], min(s["baked"], 127), s["stable_built"]
    for craft in range(len(CRAFTS)):
        out[_DONE + 3 + craft] = (s["crafted"] >> craft) & 1
    out[_PHASE + int(s["phase"])] = 1
    out[_ROUND] = s["turn"]
    out[_STOREHOUSE] = s["storehouse"]
