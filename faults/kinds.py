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
)
"""What a campaign tries."""
