"""The faults of a campaign."""

from __future__ import annotations

from typing import Final

from .campaign import Fault

__all__ = ["FAULTS"]

FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "http",
        "faults.web:hostile",
        "The table's server is sent thousands of requests that are malformed, foreign, stale, too long, too deep, or "
        "equal and at once, by clients that are slow, endless or gone. No answer is 5xx, lacks the security headers, "
        "or tells a seed or the token; slow clients are cut off, an honest one beside is answered within 2 s; no game "
        "changes but by accepted moves; nothing is printed, and the memory stays.",
        aims={"http: malformed requests": 25_000, "http: paths that lead elsewhere": 20_000},
        limit=300,
    ),
)
"""What a campaign tries."""
