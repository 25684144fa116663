"""Versions of everything that can change a game or a number."""

from __future__ import annotations

import hashlib
import platform
import sys
from importlib.metadata import version
from pathlib import Path

import bohemian_env
from bohemian_env.compiled import source_hash
from bohemian_env.envs.aec import NAME as ENVIRONMENT

__all__ = ["ENVIRONMENT", "agents_hash", "versions"]


def versions() -> dict[str, str]:
    """By name; ``sources`` is the SHA-256 of the sources of ``bohemian_env``, torch is there if an agent needed it."""
    packages = ["numpy", "numba", "scipy", *(["torch"] if "torch" in sys.modules else [])]
    return {
        "environment": ENVIRONMENT,
        "bohemian-villages": bohemian_env.__version__,
        "sources": source_hash(),
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


def agents_hash() -> str:
    """SHA-256 over the sources of the agents and of the tournament, in hexadecimal."""
    folder = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.py"), *(folder / "tournament").glob("*.py")]):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
