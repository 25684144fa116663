"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

__all__ = ["BadOutput", "whole_files", "write_atomically"]


class BadOutput(ValueError):
    """A file cannot be written where it was asked for; the message says why."""


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: under a temporary name in the same folder, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
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
    """Open text files (UTF-8) for writing, under temporary names in their folders.

    When the block ends they get their names and replace what had them; when it is left by an error or an interrupt,
    none does and nothing is left behind. For a path that is None there is None in the list. On entry BadOutput is
    raised if a folder is missing or does not allow writing, or a path stands there twice.
    """
    targets = [None if path is None else _target(path) for path in paths]
    for number, target in enumerate(targets):
        if target is not None and target in targets[:number]:
            raise BadOutput(f"{paths[number]} is named for two outputs")
    opened: dict[Path, tuple[TextIO, Path]] = {}
    try:
        for path, target in zip(paths, targets, strict=True):
            if target is not None:
                part = target.with_name(f".{target.name}.{os.getpid()}.part")
                try:
                    opened[target] = part.open("w", encoding="utf-8", newline="\n"), part
                except OSError as error:
                    raise BadOutput(f"cannot write {path}: {error.strerror}") from error
        yield [None if target is None else opened[target][0] for target in targets]
        for file, _ in opened.values():
            file.close()  # before any is renamed: what is still to be written may fail
        for target, (_, part) in opened.items():
            part.replace(target)
    finally:
        for file, part in opened.values():
            with contextlib.suppress(OSError):
                file.close()
            part.unlink(missing_ok=True)
