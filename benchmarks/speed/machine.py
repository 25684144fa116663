"""What a measurement ran on."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

__all__ = ["Machine", "describe"]

ROOT: Final = Path(__file__).resolve().parents[2]

PACKAGES: Final = (
    "numpy",
    "numba",
    "llvmlite",
    "gymnasium",
    "pettingzoo",
    "stable-baselines3",
    "torch",
    "pygame-ce",
    "rlcard",
    "open-spiel",
    "catanatron",
    "catanatron-gym",
    "pgx",
    "jax",
    "jaxlib",
)

QUIET: Final = 0.5
"""Load at the start from which on the machine counts as busy."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine, the versions, and when."""

    date: str
    commit: str
    cpu: str
    cores: int
    pinned_to: tuple[int, ...]
    system: str
    python: str
    versions: dict[str, str]
    load: float
    """Load average of the last minute before the start."""

    @property
    def quiet(self) -> bool:
        """Whether nothing much ran before the start."""
        return self.load < QUIET

    def as_json(self) -> dict[str, Any]:
        """Plain Python types."""
        return {**asdict(self), "pinned_to": list(self.pinned_to), "quiet": self.quiet}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _commit() -> str:
    """The commit of this checkout, and whether its files have changed since."""
    command = ("git", "-c", "safe.directory=*", "describe", "--always", "--dirty=, with local changes", "--exclude=*")
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def describe(cores: list[int]) -> Machine:
    """This machine, now; ``cores`` are those that will be pinned to."""
    versions = {package: version for package in PACKAGES if (version := _version(package))}
    return Machine(
        date=datetime.datetime.now().astimezone().date().isoformat(),
        commit=_commit(),
        cpu=_cpu(),
        cores=len(cores) or os.cpu_count() or 1,
        pinned_to=tuple(cores[:2]),
        system=f"{platform.system()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        versions=versions,
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0,
    )
