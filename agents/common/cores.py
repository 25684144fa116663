"""The processor cores that this process may use."""

import math
import os
from collections.abc import Iterator
from pathlib import Path


def usable_cores() -> list[int]:
    """Return the cores that this process may use, the highest number first.

    Where its control group has a quota of processor time, as a container's often has, at most that many are listed,
    rounded up. Systems like to answer interrupts on the first core, so whoever wants one core takes the last. Where a
    system does not say which cores a process may run on, all that it has are listed.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = sorted(os.sched_getaffinity(0), reverse=True)
    else:
        cores = list(reversed(range(os.cpu_count() or 1)))
    return cores[: _quota()]


def _quota(root: Path = Path("/")) -> int | None:
    """Return how many cores' time the control groups of this process have, rounded up; None without a limit.

    root: the folder of ``proc`` and ``sys``.
    """
    quotas = [math.ceil(quota / period) for quota, period in _limits(root) if quota > 0 and period > 0]
    return max(1, min(quotas)) if quotas else None


def _limits(root: Path) -> Iterator[tuple[int, int]]:
    """Yield the microseconds of processor time in a period, and the period's, of each group around this process."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    for line in lines:
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        mounts = [f"sys/fs/cgroup/{controllers}", "sys/fs/cgroup/cpu"] if controllers else ["sys/fs/cgroup"]
        if controllers and "cpu" not in controllers.split(","):
            continue
        names = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if controllers else ("cpu.max",)
        group = Path(path.lstrip("/"))
        for mount in mounts:
            for folder in (group, *group.parents):  # a container may see its own group as the root
                try:
                    text = " ".join((root / mount / folder / name).read_text(encoding="utf-8") for name in names)
                    quota, period = map(int, text.split())
                except (OSError, ValueError):  # no such file, or "max"
                    continue
                yield quota, period
