"""Positions from outside, checked: the one way in which foreign bytes become positions that compiled code may read.

Compiled code trusts a position: it takes cells, spaces and seats from it as indices and looks at no bounds. Whatever
brings positions along, a state of an environment or a pickle, passes each through :func:`check_state`: what a record
tells is read anew, as JSON is, and everything in it has to be what comes of that.
"""

from typing import Final

from ..engine.errors import BadPosition
from .decisions import DECISIONS
from .pieces import CELLS, CRAFTS, MAJORS, MATERIALS, MOST_PLAYERS, ROUNDS
from .position import MOST, read_position, write_position
from .setup import Setup
from .state import ENDS, NOBODY, PHASES, STATE, State

_CELLS: Final = (1 << len(CELLS)) - 1
_RANGES: Final = {
    "players": (1, MOST_PLAYERS),
    "storehouse": (0, 1),
    "turn": (0, ROUNDS),
    "to_move": (0, MOST_PLAYERS - 1),
    "pending": (0, 1),
    "end": (0, len(ENDS) - 1),
    "phase": (0, len(PHASES) - 1),
    "start_player": (0, MOST_PLAYERS - 1),
    "kind": (0, len(DECISIONS) - 1),
    "may_stop": (0, 1),
    "stable_built": (0, 1),
    "crafted": (0, (1 << len(CRAFTS)) - 1),
    "cards": (0, ROUNDS - 1),
    "shown": (0, (1 << ROUNDS) - 1),
    "laid": (0, MOST),
    "person": (NOBODY, MOST_PLAYERS - 1),
    "goods": (0, MOST),
    "begging": (0, MOST),
    "material": (0, len(MATERIALS) - 1),
    "majors": (0, (1 << len(MAJORS)) - 1),
    **dict.fromkeys(("rooms", "fields", "stables", "enclosed", "pastures", "grain", "vegetables"), (0, _CELLS)),
}
"""From where to where the numbers of each field go, where its type allows more."""


def setup_of(s: State) -> Setup:
    """Return the set-up of a position. Raises BadSetup if there is none with its numbers."""
    return Setup(int(s["players"]), bool(s["storehouse"]))


def check_state(s: State) -> None:
    """Raise BadPosition, whose message names the field, unless a position is what it tells, and a game could stop at
    it: a card is due, somebody decides, or the game is over. It takes about a millisecond.
    """
    for name, (low, high) in _RANGES.items():
        if (s[name] < low).any() or (s[name] > high).any():
            raise BadPosition(f"{name}: {s[name].tolist()} is not from {low} to {high}")
    built = read_position(write_position(s), **({"storehouse_solo": True} if s["storehouse"] else {}))[0][0]
    for name in STATE.names or ():
        if (s[name] != built[name]).any():
            raise BadPosition(f"{name}: {s[name].tolist()}; the rest gives {built[name].tolist()}")
