"""Positions from outside, checked: the one way in which foreign bytes become positions that compiled code may read.

Compiled code trusts a position: it takes tiles, cells and territories from it as indices and looks at no bounds.
Whatever brings positions along, a state of an environment or a pickle, passes each through :func:`check_state`: what a
record tells is built anew by the rules, as for JSON, and everything in it has to be what comes of that.
"""

import numpy as np

from ..engine.errors import BadPosition
from . import rules, tiles
from .position import build, told_of
from .setup import Setup
from .state import TOLD, State
from .tiles import IDS, LANDSCAPE, MOST_MARKERS, TASKS, TILES


def setup_of(s: State) -> Setup:
    """Return the set-up of a position. Raises BadSetup if there is none with its numbers."""
    hidden = int(s["landscape"]) & ((1 << LANDSCAPE) - 1) | (int(s["tasks"]) & ((1 << TASKS) - 1)) << LANDSCAPE
    ids = [IDS[tile] for tile in range(TILES) if hidden >> tile & 1 or s["tiles"][tile, 0] or tile == s["hand"]]
    landscape = tuple(tile for tile in ids if tiles.NUMBER[tile] < LANDSCAPE)
    rows = s["numbers"].reshape(-1, MOST_MARKERS).tolist()
    markers = tuple(tuple(number for number in row if number) for row in rows)
    numbers = (int(s[name]) for name in ("open_tasks", "window", "left_in_box"))
    return Setup(int(s["players"]), landscape, tuple(ids[len(landscape) :]), markers, *numbers)


def check_state(s: State) -> None:
    """Raise BadPosition unless a position is what its tiles lead to, the order of its frontier aside, and a game could
    stop at it: chance is due, somebody decides, or the game is over. It takes about a millisecond.
    """
    built = build(told_of(s), setup_of(s))[0]
    for name in TOLD:
        if (s[name] != built[name]).any():
            raise BadPosition(f"{name}: not what follows from the tiles and the set-up")
    unseen = int(s["markers"]) >> np.arange(32) & 1
    numbers = unseen[: len(s["numbers"])] * s["numbers"]
    fits = np.sort(numbers.reshape(-1, MOST_MARKERS)) == np.sort(s["hidden"].reshape(-1, MOST_MARKERS))
    if not fits.all() or unseen.sum() > np.count_nonzero(numbers):
        raise BadPosition("markers: not those that were not seen yet")
    if (np.sort(s["frontier"]) != np.sort(built["frontier"])).any() or s["frontier"][s["frontier_size"] :].any():
        raise BadPosition("frontier: not the empty cells beside tiles")
    expected, size = built["cells"].copy(), int(s["frontier_size"])
    expected[s["frontier"][:size] >> np.uint64(tiles.CELL_AT)] = rules.FRONTIER + np.arange(size)
    if (s["cells"] != expected).any():
        raise BadPosition("cells: not the tiles, and the places of the empty cells beside them")
