"""Versions of everything that can change a game or a number."""

import contextlib
import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import bohemian_env
from bohemian_env.engine.compiled import source_hash
from bohemian_env.games import GAMES, rules_of


def versions(environment: str = rules_of(GAMES[0]).env_name) -> dict[str, str]:
    """Return the versions by name, that of an environment first; ``sources`` is the SHA-256 of the source code of
    ``bohemian_env``.

    torch is named where it is installed, whether an agent needed it or not: what is imported differs between the
    processes of one tournament, and the same games must give the same words.
    """
    packages = {}
    for name in ("numpy", "numba", "scipy", "torch"):
        with contextlib.suppress(PackageNotFoundError):
            packages[name] = version(name)
    return {
        "environment": environment,
        "bohemian-villages": bohemian_env.__version__,
        "sources": source_hash(),
        "python": platform.python_version(),
        **packages,
    }


def rooms_hash(rooms: Iterable[str], top: str = "agents") -> str:
    """Return the SHA-256 over the source code in some folders of agents/ or another one at the top, in hexadecimal."""
    folder = Path(__file__).resolve().parents[2] / top
    digest = hashlib.sha256()
    for path in sorted(path for room in rooms for path in (folder / room).glob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
