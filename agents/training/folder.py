"""The folder of a training run: who has it, and whether a run can begin there."""

import os
import platform
from datetime import datetime
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from agents.common.files import clear_temporaries, is_temporary, make_folder, write_atomically

CONFIG_FILE: Final = "settings.json"  # the name of the file of settings in a run's folder
BOARD_FILE: Final = "board.toml"  # the name of the copy of a board file there
LOGS: Final = "tensorboard"  # the name of the folder of curves there
_LOCK: Final = ".lock"
_HOLDER: Final = ".holder"  # beside the lock, which others cannot read on every system
_BEFORE_TRAINING: Final = {CONFIG_FILE, BOARD_FILE, LOGS, _LOCK, _HOLDER}


class BadRun(ValueError):
    """A run cannot be begun or continued in a folder; the message says why and what can be done."""


class RunFolder:
    """A folder that one run has at a time, from :meth:`claim` to :meth:`release` or the end of the process.

    ``.lock`` is locked by the system, which unlocks it however the process ends; ``.holder`` says who has it.

    instead: what can be done besides giving another folder where this one holds something.
    """

    def __init__(self, path: Path, instead: str = "") -> None:
        self.path = path
        self._instead = instead
        self._lock = FileLock(path / _LOCK, timeout=0, thread_local=False)

    def check_free(self) -> None:
        """Raise BadRun unless a run can begin here: the folder is missing or empty, or a run was killed in it before
        it had trained."""
        if not self.path.exists():
            return
        if self.path.is_dir():
            names = {path.name for path in self.path.iterdir() if not is_temporary(path)}
            if not names or (_LOCK in names and names <= _BEFORE_TRAINING):
                return
        raise BadRun(f"{self.path} already holds something; give another --out{self._instead}")

    def claim(self, new: bool = False) -> None:
        """Take the folder, which is made, and clear away half-written files.

        Raises BadRun if another has it, or if ``new`` and no run can begin here (:meth:`check_free`).
        """
        if self._lock.is_locked:
            return
        if new:
            self.check_free()
        make_folder(self.path)
        try:
            self._lock.acquire()
        except Timeout:
            raise BadRun(
                f"{self.path} is in use by {self._holder()}; wait for its end, or give another --out"
            ) from None
        now = datetime.now().astimezone().isoformat(" ", "seconds")
        write_atomically(self.path / _HOLDER, f"process {os.getpid()} on {platform.node()} since {now}".encode())
        for folder in (self.path, self.path / "snapshots"):
            clear_temporaries(folder)
        if new:
            try:
                self.check_free()  # another may have begun meanwhile
            except BadRun:
                self.release()
                raise

    def _holder(self) -> str:
        try:
            return (self.path / _HOLDER).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return "another process"  # which has not written it yet

    def release(self) -> None:
        """Let others have the folder."""
        if self._lock.is_locked:
            (self.path / _HOLDER).unlink(missing_ok=True)
            self._lock.release(force=True)
