"""What a scripted opponent thinks of a position: an optional part of what the environment shows.

With ``advice="planner"``, or ``True``, and with ``advice="appraiser"`` a player sees it beside the observation: one
float32 vector, whose parts are declared in :data:`ADVICE_PARTS`. The planner speaks of coins, the appraiser of chances
of winning in points, hundredths. It adds nothing to what the observation tells, since the adviser looks at the same
position; it saves a learner from finding out what is known.
"""

from typing import Final, NamedTuple

import numpy as np

from ..engine.compiled import njit
from ..engine.errors import BadSetup, brief
from ..engine.legal import is_legal
from ..engine.parts import Part, offsets_of
from .actions import END, NUM_ACTIONS
from .facts import MAX_PLAYERS
from .opponents import appraiser, planner
from .opponents.appraiser import appraiser_values, of_size
from .opponents.planner import WEIGHTS, estimates, planner_values
from .opponents.scripted import Scratch, new_scratch
from .state import STATE, Seat, State

ADVISERS: Final = {"planner": f"planner/{planner.VERSION}", "appraiser": f"appraiser/{appraiser.VERSION}"}
"""Who may advise, and that with the version of its weights. Compiled code numbers them in this order."""
_PLANNER: Final = 0
_POINTS: Final = 100.0
FARTHEST: Final = 20
"""The most coins or points by which an action is said to fall behind the best."""

_MEANINGS: Final = {
    "standing": "what this seat has by the adviser's estimate",
    "lead": "how far the observer is ahead, or its chance, after its best turn; 0 unless it decides",
    "behind": f"what an action is worth, less what the best one is: −{FARTHEST} to 0; 0 also if illegal",
}
ADVICE_PARTS: Final = tuple(
    Part(name, shape, low, high, _MEANINGS[name], unit="coins or points")
    for name, shape, low, high in (
        ("standing", (MAX_PLAYERS,), -np.inf, np.inf),
        ("lead", (1,), -np.inf, np.inf),
        ("behind", (NUM_ACTIONS,), -FARTHEST, 0),
    )
)
"""The parts of the advice; seats are seen from the observer, as in the observation."""
_OFFSETS: Final = offsets_of(ADVICE_PARTS)
_LEAD, _BEHIND = _OFFSETS["lead"], _OFFSETS["behind"]
STANDING: Final = _BEHIND
"""The number of entries about the seats, which come before those about the actions."""
ADVICE_SIZE: Final = sum(part.size for part in ADVICE_PARTS)


class AdviceRoom(NamedTuple):
    """An adviser, and the arrays that it writes to; each thread needs its own."""

    adviser: int
    """Its number."""
    scratch: np.ndarray
    """Positions, (3,), dtype STATE: the planner tries moves in the first two; the last is judged."""
    own: Scratch
    """What the adviser writes to where it plays."""


def advice_room(adviser: str = "planner") -> AdviceRoom:
    """Return room for :func:`write_advice` by one of :data:`ADVISERS`; raises BadSetup for others."""
    if not isinstance(adviser, str) or adviser not in ADVISERS:
        raise BadSetup(f"adviser {brief(adviser)} is none of {', '.join(ADVISERS)}")
    return AdviceRoom(list(ADVISERS).index(adviser), np.zeros(3, STATE), new_scratch())


@njit
def write_advice(s: State, seat: Seat, room: AdviceRoom, out: np.ndarray) -> None:
    """Write what an adviser tells ``seat`` about the position ``s``.

    All entries are 0 where nobody decides; "lead" and "behind" are 0 unless ``seat`` decides.

    Args:
        s: the position, read only; none of the room.
        seat: the observer.
        room: what :func:`advice_room` made.
        out: float32, (ADVICE_SIZE,), overwritten.
    """
    out[:] = 0.0
    if s["end"] != 0 or s["pending"] != 0:
        return
    players, values, appraising = s["players"], room.own.values, room.own.room
    room.scratch[-1] = s
    seen = room.scratch[-1]
    seen["max_turns"] = 0  # an observation does not say when the game will be cut off (R24)
    if room.adviser == _PLANNER:
        unit, w = 1.0, WEIGHTS[0, players]
        estimates(s, w, values)
        standing = values
    else:
        unit = _POINTS
        chosen = appraiser_values(seen, of_size(room.own.weights, players), appraising, values)
        standing = appraising.chances[1]
    for away in range(players):
        other = seat + away
        if other >= players:
            other -= players
        out[away] = unit * standing[other]
    if s["to_move"] != seat:
        return
    if room.adviser == _PLANNER:
        chosen = planner_values(seen, w, room.scratch, values)
    best = values[chosen]
    out[_LEAD] = unit * best
    for action in range(END + 1):
        if is_legal(s, action):
            out[_BEHIND + action] = max(unit * (values[action] - best), -float(FARTHEST))


@njit
def advise_some(games: np.ndarray, states: np.ndarray, room: AdviceRoom, out: np.ndarray) -> None:
    """Write what an adviser tells the current seat of each of ``games`` into the first rows of a buffer.

    games: int64 (m,), indices of positions. states: (n,), STATE. room: that of :func:`write_advice`.
    out: float32 (m or more, ADVICE_SIZE), overwritten.
    """
    for place in range(games.shape[0]):
        s = states[games[place]]
        write_advice(s, s["to_move"], room, out[place])
