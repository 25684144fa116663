"""Files that appear whole or not at all, also when the power fails."""

import contextlib
import errno
import os
import platform
import re
import secrets
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TextIO


def _numbering() -> str:
    """Return the name of the machine and, in a container, its own: what process numbers are unique in."""
    with contextlib.suppress(OSError):
        return platform.node() + os.readlink("/proc/self/ns/pid")
    return platform.node()


_HOST: Final = f"{zlib.crc32(_numbering().encode()):08x}"
_TEMPORARY: Final = re.compile(r"\..+\.([0-9a-f]{8})-([0-9]{1,9})-[0-9a-f]{16}\.tmp(-journal)?")
"""Names of files that are being written; a database has a journal beside it meanwhile."""
_LONGEST: Final = 40
"""Letters of a name that a temporary one begins with, so that it is not too long where the name itself is not."""


class BadAgent(ValueError):
    """A path holds no trained agent, or one that cannot play here; the message says why."""


class BadOutput(ValueError):
    """A file cannot be written where it was asked for; the message says why."""


def reason(error: BaseException) -> str:
    """Return what failed, for a reader: of what the system refused the file and why."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    return str(error)


def temporary_for(path: Path) -> Path:
    """Return a name beside ``path`` that nobody else uses; it tells which process of which machine does."""
    return path.with_name(f".{path.name[:_LONGEST]}.{_HOST}-{os.getpid()}-{secrets.token_hex(8)}.tmp")


def is_temporary(path: Path) -> bool:
    """Return whether a file has the name of one that is being written."""
    return _TEMPORARY.fullmatch(path.name) is not None


def _lives(pid: int) -> bool:
    if os.name == "nt":
        return True  # it cannot be asked: os.kill would end it
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass  # somebody else's
    return True


def clear_temporaries(folder: Path) -> None:
    """Delete what processes of this machine left half-written in a folder when they were killed."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            match = _TEMPORARY.fullmatch(path.name)
            if match and match[1] == _HOST and not _lives(int(match[2])):
                path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Put a file, or the names in a folder, on the disk, where the system can."""
    try:
        descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except PermissionError:  # folders on Windows, or those that may be written but not read
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            error.filename = str(path)
            raise
    finally:
        os.close(descriptor)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder with these permissions, and those around it with the usual ones, unless they are there."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode, exist_ok=True)
        sync(folder.parent)


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: under a temporary name in the same folder, then renamed.

    When this returns, the file is on the disk. Raises OSError if it cannot be written; nothing is left behind then.
    """
    make_folder(path.parent)
    temporary = temporary_for(path)
    try:
        temporary.write_bytes(content)
        sync(temporary)
        temporary.replace(path)
        sync(path.parent)
    except OSError as error:
        error.filename = str(path)  # instead of the temporary name
        raise
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _target(path: str | Path) -> Path:
    """Return the file that ``path`` means; raises BadOutput if no file can be written there."""
    target = Path(os.path.realpath(path))
    try:
        if not target.parent.is_dir():
            raise BadOutput(f"cannot write {path}: {Path(path).parent} is not a folder")
        if target.exists() and not target.is_file():
            raise BadOutput(f"cannot write {path}: it is not a file")
    except OSError as error:
        raise BadOutput(f"cannot write {path}: {error.strerror}") from error
    return target


@contextlib.contextmanager
def whole_files(paths: Sequence[str | Path | None]) -> Iterator[list[Any]]:
    """Open text files (UTF-8, what it lacks as an escape) for writing, under temporary names in their folders.

    When the block ends they get their names and replace what had them; when it is left by an error or an interrupt,
    none does and nothing is left behind. If the system refuses one its name, those before it have theirs. For a path
    that is None there is None in the list. On entry BadOutput is raised if a folder is missing or does not allow
    writing, or a path stands there twice.
    """
    targets = [None if path is None else _target(path) for path in paths]
    for number, target in enumerate(targets):
        if target is not None and target in targets[:number]:
            raise BadOutput(f"{paths[number]} is named for two outputs")
    opened: dict[Path, tuple[TextIO, Path]] = {}
    try:
        for path, target in zip(paths, targets, strict=True):
            if target is not None:
                clear_temporaries(target.parent)
                part = temporary_for(target)
                try:
                    opened[target] = part.open("x", encoding="utf-8", errors="backslashreplace", newline="\n"), part
                except OSError as error:
                    raise BadOutput(f"cannot write {path}: {error.strerror}") from error
        yield [None if target is None else opened[target][0] for target in targets]
        for file, part in opened.values():
            file.close()  # before any is renamed: what is still to be written may fail
            sync(part)
        for target, (_, part) in opened.items():
            part.replace(target)
        for folder in {target.parent for target in opened}:
            sync(folder)
    finally:
        for file, part in opened.values():
            with contextlib.suppress(OSError):
                file.close()
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
