"""The faults of a campaign."""

from __future__ import annotations

from typing import Final

from .campaign import Fault

__all__ = ["FAULTS"]

FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "beside",
        "faults.beside:beside",
        "Random games with two to five players by the compiled rules and by a second, plain implementation: legal "
        "moves and positions are the same at every decision, and at the end the scoring and the record.",
        {
            "beside the plain rules: ordinary": 33_400,
            "beside the plain rules: little boards": 33_400,
            "beside the plain rules: generated boards and tiny banks": 33_400,
        },
    ),
    Fault(
        "steps",
        "faults.steps:steps",
        "Random steps of many games at once, ordinary ones and such on generated boards with tiny banks; coins, "
        "figures, buildings, inns, tiles, dice, turns, the end and the legal actions are checked after every step. On "
        "a sample, observations are within their space, and masks are compared with the plain rules.",
        {"random steps with invariants": 1_000_000_000, "mask against the plain rules": 250_000},
    ),
)
"""What a campaign tries."""
