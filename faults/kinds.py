"""The faults of a campaign."""

from __future__ import annotations

from typing import Final

from .campaign import Fault

__all__ = ["FAULTS"]

FAULTS: Final[tuple[Fault, ...]] = ()
"""What a campaign tries."""
