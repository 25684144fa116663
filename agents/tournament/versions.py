"""Versions of everything that the games of a tournament and its figures depend on."""

from __future__ import annotations

from typing import Final

from agents.common.versions import ENVIRONMENT, rooms_hash, versions

__all__ = ["ENVIRONMENT", "agents_hash", "versions"]


ROOMS: Final = (".", "common", "network", "players", "tournament")
"""Folders of agents/ whose code the games of a tournament and their figures depend on."""


def agents_hash() -> str:
    """Return the SHA-256 over the source code of the agents and of the tournament, in hexadecimal."""
    return rooms_hash(ROOMS)
