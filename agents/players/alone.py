"""Objects that several threads may ask: one thread at a time is let in."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, ClassVar, Self

_ALL: weakref.WeakSet[Alone] = weakref.WeakSet()


class Alone:
    """An object of which one thread at a time runs some methods, so that the answers are those of one thread.

    They compute in arrays of the object, in compiled code that lets other threads run, or speak over its one pipe.
    Copies, pickles and forked processes have a lock of their own.
    """

    _alone: ClassVar[tuple[str, ...]] = ()  # the names of these methods, wherever a subclass defines one
    _lock: threading.RLock

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = super().__new__(cls)
        made._lock = threading.RLock()
        _ALL.add(made)
        return made

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in cls._alone:
            if name in vars(cls):
                setattr(cls, name, _one_at_a_time(vars(cls)[name]))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}


def _one_at_a_time(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def alone(self: Alone, *args: Any, **kwargs: Any) -> Any:
        with self._lock:
            return method(self, *args, **kwargs)

    return alone


def _unlock_all() -> None:
    for made in list(_ALL):  # another thread of the process before the fork may have held the lock
        made._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock_all)
