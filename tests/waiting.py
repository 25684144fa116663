"""Waiting for what other processes do, and whether there are any."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


def until(true: Callable[[], Any], what: str, seconds: float = 120, log: Path | None = None) -> Any:
    """Wait for something that happens soon, and return it. what, and the file log: told if it does not happen."""
    give_up = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < give_up, f"no {what} after {seconds} s {log.read_text() if log else ''}"
        time.sleep(0.02)
    return found


def there(pid: int) -> bool:
    """Whether there is a process of this number, if only a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def running(pid: int) -> bool:
    """Whether a process is there and, where that can be seen, no zombie."""
    if not Path("/proc/self").exists():
        return there(pid)
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
