"""What a measurement ran on."""

import datetime
import os
import platform
import subprocess
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]

PACKAGES: Final = (
    "numpy numba llvmlite gymnasium pettingzoo stable-baselines3 torch "
    "pygame-ce rlcard open-spiel catanatron catanatron-gym pgx jax jaxlib"
)


def _cpu() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """Return the commit of this checkout, and whether its files have changed since."""
    command = ("git", "-c", "safe.directory=*", "describe", "--always", "--dirty=, with local changes", "--exclude=*")
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return done.stdout.strip()


def describe(cores: list[int]) -> dict[str, Any]:
    """Return what this machine is now, with the versions and the date; ``cores`` are those that will be pinned to."""
    versions = {}
    for package in PACKAGES.split():
        with suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    return {
        "date": datetime.datetime.now().astimezone().date().isoformat(),
        "commit": commit(),
        "cpu": _cpu(),
        "cores": len(cores) or os.cpu_count() or 1,
        "pinned_to": cores[:2],
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "versions": versions,
    }
