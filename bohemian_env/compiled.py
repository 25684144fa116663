"""The one way in which this package compiles a function with numba.

numba's disk cache notices a change in the file of a function, but not in the files of the functions it calls. Here
every entry of the cache is stamped with a hash of all sources of the package instead, so that editing the rules can
never leave a stale compiled environment behind. A function outside the package is stamped with that hash and with its
own file, so all that it calls must be in that file or in the package.

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python: slow, and steppable in a debugger.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np

__all__ = ["JIT_DISABLED", "njit", "source_hash"]

_ROOT: Final = Path(__file__).resolve().parent
F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED: bool = bool(numba.config.DISABLE_JIT)


@functools.cache
def source_hash() -> str:
    """Return the SHA-256 of the Python sources and data of this package, in hexadecimal."""
    digest = hashlib.sha256()
    for path in sorted([*_ROOT.rglob("*.py"), *_ROOT.rglob("*.toml")]):
        digest.update(path.relative_to(_ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def njit(function: F) -> F:
    """Compile ``function`` without Python objects and without holding the GIL, cached on disk.

    Unsigned 64-bit arithmetic wraps around in compiled code; uncompiled, NumPy's warning of that is switched off.
    """
    if JIT_DISABLED:

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with np.errstate(over="ignore"):
                return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]
    try:
        dispatcher = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # neither the package's folder nor the user's cache folder is writable
        return numba.njit(nogil=True, error_model="numpy")(function)
    cache_file: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(cache_file, "_source_stamp"):
        inside = Path(function.__code__.co_filename).resolve().is_relative_to(_ROOT)
        cache_file._source_stamp = source_hash() if inside else (source_hash(), cache_file._source_stamp)
    else:  # another version of numba: better no cache than one that cannot be stamped
        dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    return dispatcher
