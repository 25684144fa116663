"""Versions of everything that can change a game or a number."""

from __future__ import annotations

import contextlib
import hashlib
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import bohemian_env
from bohemian_env.compiled import source_hash
from bohemian_env.envs.aec import NAME as ENVIRONMENT

__all__ = ["ENVIRONMENT", "agents_hash", "versions"]


ROOMS: Final = (".", "common", "network", "players", "tournament")
"""Folders of agents/ whose code the games of a tournament and their figures depend on."""


def versions() -> dict[str, str]:
    """Return the versions by name; ``sources`` is the SHA-256 of the source code of ``bohemian_env``.

    torch is named where it is installed, whether an agent needed it or not: what is imported differs between the
    processes of one tournament, and the same games must give the same words.
    """
    packages = {}
    for name in ("numpy", "numba", "scipy", "torch"):
        with contextlib.suppress(PackageNotFoundError):
            packages[name] = version(name)
    return {
        "environment": ENVIRONMENT,
        "bohemian-villages": bohemian_env.__version__,
        "sources": source_hash(),
        "python": platform.python_version(),
        **packages,
    }


def agents_hash() -> str:
    """Return the SHA-256 over the source code of the agents and of the tournament, in hexadecimal."""
    folder = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted(path for room in ROOMS for path in (folder / room).glob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
