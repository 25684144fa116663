"""A folder whose unsynced writes can be dropped, and calls that can be let fail: `unsynced.c`, compiled and preloaded.

What a power cut may leave, as :meth:`Disk.cut` has it: what was synced is there. Of a file that was written since it
was last synced, any of those writes may be missing or torn, and what was appended may be zeros. Of the names that were
given and taken in a folder since that was last synced, any first part may be there, in their order. This is less than
common file systems promise, and all that POSIX does.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["DIE", "SHORT", "Disk", "begin", "environment", "fail", "left", "library"]

SOURCE: Final = Path(__file__).with_name("unsynced.c")
SHORT: Final = -1
"""In place of an error number: only half of the bytes are written."""
DIE: Final = -2
"""In place of an error number: the program is killed before the call."""


@functools.cache
def library() -> Path | None:
    """Return the compiled library, made if it is missing; None, told on stderr, where none can be made."""
    made = _made() if sys.platform.startswith("linux") else None
    if made is None:
        print(
            "faults: unsynced writes and failing calls are left out: that needs Linux and cc with its headers",
            file=sys.stderr,
        )
    return made


def _made() -> Path | None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    folder = Path(tempfile.gettempdir()) / f"faults-{os.getuid()}"  # not that of an attempt, which ends before
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} is somebody else's")
    made = folder / f"{hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]}.so"
    if not made.exists():
        part = made.with_suffix(f".{os.getpid()}")
        command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(part), str(SOURCE), "-ldl", "-lpthread"]
        if subprocess.run(command, capture_output=True).returncode:
            return None
        part.replace(made)
    return made


def environment(made: Path) -> dict[str, str]:
    """Return the environment of a process that preloads the library."""
    return os.environ | {"LD_PRELOAD": str(made)}


def _preloaded() -> Any:
    return ctypes.CDLL(None)


def begin(folder: Path, journal: Path | None = None) -> None:
    """In a process that has preloaded the library: watch what it does below a folder, and note it in a journal."""
    _preloaded().unsynced_begin(os.fsencode(folder.resolve()), os.fsencode(journal) if journal else None)


def fail(calls: int, error: int) -> None:
    """Let call number ``calls`` from now, of those that write below the folder, fail with ``error``; or SHORT, DIE."""
    _preloaded().unsynced_fail(calls, error)


def left() -> int:
    """Return how many calls are left before the one that fails; 0 when it has."""
    found: int = _preloaded().unsynced_left()
    return found


class _Entry(NamedTuple):
    letter: str
    inode: int
    offset: int
    size: int
    data: bytes
    more: str


def _entries(journal: bytes) -> Iterator[_Entry]:
    """Yield the entries of a journal; the last may be torn, which the program was not told of then."""
    at = 0
    while (end := journal.find(b"\n", at)) >= 0:
        letter, *numbers = journal[at:end].decode().split(" ")
        inode, offset, size, first, second = map(int, numbers)
        at = end + 1 + first + second
        if at > len(journal):
            return
        data = journal[end + 1 : end + 1 + first]
        yield _Entry(letter, inode, offset, size, data, os.fsdecode(journal[at - second : at]))


class _Change(NamedTuple):
    """Bytes that were written; or, if ``data`` is None, a size that was set."""

    offset: int
    data: bytes | None


@dataclass
class _File:
    synced: bytes = b""
    pending: list[_Change] = field(default_factory=list)

    def apply(self, changes: list[_Change]) -> bytes:
        content = bytearray(self.synced)
        for offset, data in changes:
            content.extend(bytes(max(0, offset - len(content))))
            if data is None:
                del content[offset:]
            else:
                content[offset : offset + len(data)] = data
        return bytes(content)

    def after_cut(self, rng: random.Random) -> bytes:
        """Return what a power cut may leave."""
        whole = self.apply(self.pending)
        way = rng.choice(("dropped", "kept", "torn", "some", "zeros"))
        if not self.pending or way == "kept":
            return whole
        if way == "zeros":
            return self.synced[: len(whole)] + bytes(max(0, len(whole) - len(self.synced)))
        if way == "torn":
            *first, (offset, data) = self.pending[: rng.randint(1, len(self.pending))]
            torn = data and data[: rng.randint(0, len(data))]
            return self.apply([*first, _Change(offset, torn)])
        return self.apply([change for change in self.pending if way == "some" and rng.random() < 0.5])


class _Name(NamedTuple):
    """A name that was given (``file``; None is a folder) or taken, and the one it was moved from."""

    path: str
    taken: bool
    file: _File | None = None
    before: str = ""


class Disk:
    """A folder, and what was done to it since all of it was synced.

    Args:
        folder: what it holds now is taken to be synced.
        journal: where the library notes what is done to it, outside of it.
    """

    def __init__(self, folder: Path, journal: Path) -> None:
        self.folder = folder
        self.journal = journal
        self.keep()

    def keep(self) -> None:
        """Take what the folder holds now to be synced."""
        self._names = self._inside()
        self.journal.unlink(missing_ok=True)

    def _inside(self) -> dict[str, _File | None]:
        return {
            str(path.relative_to(self.folder)): _File(path.read_bytes()) if path.is_file() else None
            for path in sorted(self.folder.rglob("*"))
        }

    def cut(self, rng: random.Random) -> bool:
        """Leave in the folder what a power cut might, which is synced from then on; no program may run in it.

        Returns whether anything is now other than it was.
        """
        there = self._inside()
        kept, pending, _ = self._replay()
        way = rng.choice(("dropped", "kept", "some"))
        for names in pending.values():
            some = {"dropped": 0, "kept": len(names), "some": rng.randint(0, len(names))}[way]
            for name in names[:some]:
                _enter(kept, name)
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path_of, file in sorted(kept.items()):
            path = self.folder / path_of
            if path.parent.is_dir():  # else its folder is gone
                path.mkdir() if file is None else path.write_bytes(file.after_cut(rng))
        self.keep()
        return self._names != there

    def catch_up(self) -> None:
        """Note the last call of a program that was killed, if it was killed between the call and the note: the programs
        that follow find it done, and sync it with what they do.
        """
        _, _, seen = self._replay()
        was = {path: None if file is None else file.apply(file.pending) for path, file in seen.items()}
        now = {path: None if file is None else file.synced for path, file in self._inside().items()}
        missing = [path for path in was if path not in now]
        changed = [path for path in now if path not in was or was[path] != now[path]]
        if missing and changed:  # one call did both: it gave a file the name of another, or a new one
            self._note("r", missing.pop(), changed.pop())
        for path in missing:
            self._note("u", path)
        for path in changed:
            if (content := now[path]) is None:
                self._note("m", path)
            elif path not in was and (
                linked := [old for old in was if (self.folder / old).samefile(self.folder / path)]
            ):
                self._note("l", linked[0], path)
            else:
                self._note_change(path, was.get(path) or b"", content)

    def _note_change(self, path: str, was: bytes, now: bytes) -> None:
        """Note that a file was opened, and cut off or written where it differs."""
        inode = (self.folder / path).stat().st_ino
        self._note("o", path, inode=inode, size=-1)
        if len(now) < len(was):
            self._note("t", inode=inode, size=len(now))
        elif differs := [at for at, byte in enumerate(now) if was[at : at + 1] != bytes([byte])]:
            data = now[differs[0] : differs[-1] + 1]
            self._note("w", data, inode=inode, offset=differs[0], size=len(data))

    def _note(
        self, letter: str, one: str | bytes = b"", two: str = "", *, inode: int = 0, offset: int = 0, size: int = 0
    ) -> None:
        first, second = os.fsencode(one), os.fsencode(two)
        with self.journal.open("ab") as journal:
            journal.write(f"{letter} {inode} {offset} {size} {len(first)} {len(second)}\n".encode() + first + second)

    def struck(self) -> bool:
        """Return whether a call was let fail, or killed the program."""
        return any(entry.letter == "f" for entry in _entries(self._content()))

    def _replay(self) -> tuple[dict[str, _File | None], dict[str, list[_Name]], dict[str, _File | None]]:
        """Return the names that are synced, the changes of names since then by their folders, and the names after
        these.
        """
        kept, seen = dict(self._names), dict(self._names)
        pending: dict[str, list[_Name]] = defaultdict(list)
        inodes: dict[int, _File] = {}

        def change(name: _Name) -> None:
            _enter(seen, name)
            pending[os.path.dirname(name.path)].append(name)

        for letter, inode, offset, size, data, more in _entries(self._content()):
            path = os.fsdecode(data) if letter not in "w" else ""
            if letter == "o":
                if path not in seen:
                    change(_Name(path, False, _File()))
                file = seen[path]
                assert file is not None, f"{path}: a folder was opened for writing"
                inodes[inode] = file
                if size == 0:
                    file.pending.append(_Change(0, None))
            elif letter == "w":
                inodes[inode].pending.append(_Change(offset, data))
            elif letter == "t":
                inodes[inode].pending.append(_Change(size, None))
            elif letter == "s":
                file = inodes.get(inode) or seen[path]
                assert file is not None
                file.synced, file.pending = file.apply(file.pending), []
            elif letter == "d":
                for name in pending.pop(path, []):
                    _enter(kept, name)
            elif letter in "rl":
                change(_Name(more, False, seen[path], path if letter == "r" else ""))
            elif path and letter in "umx":  # the folder itself is taken to be there
                change(_Name(path, letter in "ux"))
        return kept, pending, seen

    def _content(self) -> bytes:
        return self.journal.read_bytes() if self.journal.exists() else b""


def _enter(names: dict[str, _File | None], name: _Name) -> None:
    if name.before:
        names.pop(name.before, None)
    if name.taken:
        names.pop(name.path, None)
    else:
        names[name.path] = name.file
