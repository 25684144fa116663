"""The weights of the estimates of ``greedy``, guessed, and of ``planner``, which were tuned."""

from typing import Final

import numpy as np

from ..pieces import MOST_PLAYERS
from .estimate import KNOTS, NAMES, TUNED

_PLAIN: Final = {
    "score": 1.0, "wood": 0.3, "more_wood": 0.1, "clay": 0.25, "more_clay": 0.05, "reed": 0.5, "more_reed": 0.1,
    "stone": 0.5, "more_stone": 0.2, "grain": 0.5, "vegetable": 0.5, "growing_grain": 0.3, "growing_vegetables": 0.3,
    "empty_fields": 0.2, "food": 0.2, "missing": -1.0, "missing_soon": -1.0, "more_food": 0.05, "room": 1.0,
    "people": 2.0, "cooking": 2.0, "oven": 0.3, "sheep_pair": 0.5, "boar_pair": 0.5, "cattle_pair": 0.5,
    "free_places": 0.2,
}  # fmt: skip
GREEDY: Final = np.array([[_PLAIN.get(name, 0.0) for name in NAMES]] * KNOTS)
"""The weights of ``greedy``: (KNOTS, len(NAMES))."""
_ONE: Final = {"score": [1.0] * KNOTS}
PLANNER: Final = np.zeros((MOST_PLAYERS + 1, KNOTS, len(NAMES)))
"""The weights of ``planner`` by the number of players."""
for _players in range(1, MOST_PLAYERS + 1):
    PLANNER[_players] = np.transpose([(TUNED[f"players-{_players}"] | _ONE)[name] for name in NAMES])
