"""The weights of the estimates."""

from __future__ import annotations

from typing import Final

import numpy as np

from .estimate import KNOTS, NAMES

_PLAIN: Final = {
    "score": 1.0, "wood": 0.3, "more_wood": 0.1, "clay": 0.25, "more_clay": 0.05, "reed": 0.5, "more_reed": 0.1,
    "stone": 0.5, "more_stone": 0.2, "grain": 0.5, "vegetable": 0.5, "growing_grain": 0.3, "growing_vegetables": 0.3,
    "empty_fields": 0.2, "food": 0.2, "missing": -1.0, "missing_soon": -1.0, "more_food": 0.05, "room": 1.0,
    "people": 2.0, "cooking": 2.0, "oven": 0.3, "sheep_pair": 0.5, "boar_pair": 0.5, "cattle_pair": 0.5,
    "free_places": 0.2,
}  # fmt: skip
GREEDY: Final = np.array([[_PLAIN.get(name, 0.0) for name in NAMES]] * KNOTS)
PLANNER: Final = np.array([GREEDY] * 6)
