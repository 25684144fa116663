"""Ctrl-C and SIGTERM that wait."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def held_back() -> Iterator[list[int]]:
    """Let SIGINT and SIGTERM wait for the end of the block, and take effect then; give the list of those that came."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came  # only the main thread is ever interrupted
        return
    before = {}
    try:
        for number in _SIGNALS:
            before[number] = signal.signal(number, lambda number, _: came.append(number))
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        for arrived in came[:1]:
            signal.raise_signal(arrived)
