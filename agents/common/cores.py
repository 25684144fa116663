"""The processor cores that this process may use."""

from __future__ import annotations

import os

__all__ = ["usable_cores"]


def usable_cores() -> list[int]:
    """Return the cores that this process may run on, the highest number first.

    Systems like to answer interrupts on the first core, so whoever wants one core takes the last. Where a system does
    not say which cores a process may use, all that it has are listed.
    """
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0), reverse=True)
    return list(reversed(range(os.cpu_count() or 1)))
