"""The one way in which this package compiles a function with numba.

numba's disk cache notices a change in the file of a function, but not in the files of the functions it calls. Here
every entry of the cache is stamped with a hash of what the function is made of instead: its own file, the files of the
package that this one imports, theirs, and so on, and the data files beside them that they name. So editing the rules
can never leave a stale compiled environment behind, and a new word list or network compiles nothing anew. A function
outside this package may call what is in its own package, or its own file, and in this one, and nothing else. Every file
of the cache also ends with a checksum, so that a damaged one is thrown away and made anew.

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python: slow, and steppable in a debugger.
"""

import contextlib
import functools
import hashlib
import io
import pickle
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba.core.caching import IndexDataCacheFile

_ROOT: Final = Path(__file__).resolve().parents[1]
_CHECKSUM: Final = hashlib.sha256().digest_size
F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED: bool = bool(numba.config.DISABLE_JIT)


_IMPORT: Final = re.compile(r"^from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_WHOLE: Final = re.compile(r"^import[ \t]+()([\w.]+)()", re.MULTILINE)
_DATA: Final = re.compile(r"""["']([\w./-]+\.(?:toml|npz))["']""")


@functools.cache
def source_hash(root: Path = _ROOT) -> str:
    """Return the SHA-256 of the Python sources and data of a package, by default of this one, in hexadecimal."""
    return _hash_of(path for kind in ("py", "toml", "npz") for path in root.rglob(f"*.{kind}"))


@functools.cache
def root_of(path: Path) -> Path:
    """Return the folder of the outermost package that a source file is in; the file itself if it is in none."""
    while (path.parent / "__init__.py").is_file():
        path = path.parent
    return path


def _hash_of(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(root_of(path).parent).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _named_in(path: Path) -> frozenset[Path]:
    """Return the files of this package and of its own that a source file imports from, and the data files beside it
    that it names.
    """
    text, roots = path.read_text(encoding="utf-8"), {one.name: one for one in (root_of(path), _ROOT)}
    found = {path.parent / name for name in _DATA.findall(text)}
    for dots, module, names in _IMPORT.findall(text) + _WHOLE.findall(text):
        if not dots and module.split(".")[0] not in roots:
            continue
        start = path.parents[len(dots) - 1] if dots else roots[module.split(".")[0]].parent
        whole = start.joinpath(*module.split(".")) if module else start
        parts = [whole / name for name in re.findall(r"\w+", names)]
        if module or not all(part.with_suffix(".py").is_file() or part.is_dir() for part in parts):
            parts.append(whole)  # else it is a package, of which nothing is taken but modules
        for one in parts:
            found |= {one.with_suffix(".py"), one / "__init__.py"}
    return frozenset(one for one in found if one.is_file() and any(map(one.is_relative_to, roots.values())))


@functools.cache
def sources_of(path: Path) -> frozenset[Path]:
    """Return the files of this package and of its own that compiled functions in a source file are made of."""
    found, left = set[Path](), [path]
    while left:
        one = left.pop()
        if one.is_file():  # else it is a cell of a notebook
            found.add(one)
            left.extend(_named_in(one) - found if one.suffix == ".py" else ())
    return frozenset(found)


@functools.cache
def _stamp_of(paths: frozenset[Path]) -> str:
    return _hash_of(frozenset().union(*map(sources_of, paths)))


class _SealedFile(IndexDataCacheFile):
    """numba's cache of one function on disk, where each file ends with its stamp and a checksum of all before.

    What is damaged is told by a warning and made anew, instead of stopping every program from then on.
    """

    def load(self, key: Any) -> Any:
        """Return what the cache has for a signature; None if there is nothing or it is damaged."""
        try:
            return super().load(key)
        except Exception:  # unpickling damaged content raises almost anything
            with contextlib.suppress(OSError):
                Path(self._index_path).unlink()  # else saving would read it again
            message = "damaged files in the cache of compiled functions are made anew, which can take a minute"
            warnings.warn(message, RuntimeWarning, stacklevel=1)
            return None

    def _load_index(self) -> Any:
        try:
            if not self._unsealed(self._index_path).endswith(self._stamp()):
                return {}  # of other sources, whose classes may be gone, so it is not read
        except FileNotFoundError:
            return {}
        except ValueError:
            if super()._load_index():  # else it has another stamp, and perhaps no checksum
                raise
        try:
            return super()._load_index()
        except Exception:  # whole, but for a class that is gone
            return {}

    def _load_data(self, name: str) -> Any:
        content = self._unsealed(self._data_path(name))
        if not content.endswith(self._stamp()):  # numba writes the index first: this one is still the one before
            raise FileNotFoundError(name)
        return pickle.loads(content)

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        with super()._open_for_write(filepath) as file:
            yield (whole := io.BytesIO())
            content = whole.getvalue() + self._stamp()  # pickle ignores what follows
            file.write(content + hashlib.sha256(content).digest())

    def _stamp(self) -> bytes:
        return hashlib.sha256(repr(self._source_stamp).encode()).digest()

    @staticmethod
    def _unsealed(path: str) -> bytes:
        sealed = Path(path).read_bytes()
        content, checksum = sealed[:-_CHECKSUM], sealed[-_CHECKSUM:]
        if checksum != hashlib.sha256(content).digest():
            raise ValueError(f"{path} is damaged")
        return content


@functools.cache
def _warn_of_no_cache() -> None:
    message = "compiled functions cannot be kept, so that each start compiles anew: set NUMBA_CACHE_DIR to a folder"
    warnings.warn(f"{message} that may be written to", RuntimeWarning, stacklevel=3)


def _general(kind: Any) -> Any:
    """Return the type as which compiled code hands on an argument of a type: numba would compile a function anew for
    every number that stands in a call of it, and for every width of whole numbers.
    """
    kind = numba.types.unliteral(kind)
    return numba.int64 if isinstance(kind, numba.types.Integer) and kind.signed else kind


def _dispatcher(function: Any, cache: bool) -> Any:
    made = numba.njit(cache=cache, nogil=True, error_model="numpy")(function)
    if find := getattr(made, "get_call_template", None):  # another version of numba may call it otherwise
        made.get_call_template = lambda args, named: find(
            [*map(_general, args)], {name: _general(kind) for name, kind in named.items()}
        )
    return made


def njit(function: F, sources: Collection[Path] = ()) -> F:
    """Compile ``function`` without Python objects and without holding the GIL, cached on disk.

    Unsigned 64-bit arithmetic wraps around in compiled code; uncompiled, NumPy's warning of that is switched off.

    function: a plain function. sources: the files that it is made of besides its own.
    """
    if JIT_DISABLED:
        return np.errstate(over="ignore")(function)
    try:
        dispatcher = _dispatcher(function, cache=True)
    except RuntimeError:  # neither the package's folder nor the user's cache folder is writable
        _warn_of_no_cache()
        return _dispatcher(function, cache=False)
    try:
        cache = dispatcher._cache
        path, own = Path(function.__code__.co_filename).resolve(), cache._cache_file._source_stamp
        stamp = _stamp_of(frozenset((path, *sources))), None if path.is_file() else own
        cache._cache_file = _SealedFile(cache.cache_path, cache._impl.filename_base, stamp)
    except AttributeError:  # another version of numba: better no cache than one that cannot be stamped
        dispatcher = _dispatcher(function, cache=False)
    return dispatcher
