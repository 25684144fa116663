"""Finished chunks on disk, so that an interrupted tournament goes on where it was."""

import contextlib
import dataclasses
import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from filelock import FileLock, Timeout

from agents.common.files import clear_temporaries, make_folder, write_atomically
from agents.common.versions import rooms_hash, versions
from bohemian_env.engine.compiled import root_of, source_hash
from bohemian_env.engine.contract import Setup
from bohemian_env.games import GAMES, rules_for, rules_of

from .play import Entrant, Played
from .schedule import BadTournament, Chunk

ROOMS: Final = (".", "common", "network", "players", "tournament")
"""Folders of agents/ whose code the games of a tournament depend on."""
_FORMAT: Final = "bohemian-chunk/4"
_TOLD: Final = ("records", "reasons")  # the parts of Played that are not arrays
_MOST: Final = 1 << 20  # the most bytes that are read for each game and entrant; the record of a long game has 30,000


class CannotKeep(BadTournament):
    """Finished games cannot be kept in the folder that was named."""


def fingerprint(chunks: Sequence[Chunk], entrants: Sequence[Entrant], setup: Setup, records: bool) -> str:
    """Return a hash of everything that the games of a tournament depend on, and of what is kept of them."""
    conditions = {
        "format": _FORMAT,
        "versions": versions(),
        "agents": rooms_hash(ROOMS),
        "entrants": [[e.name, e.argument, e.seed, e.weights] for e in entrants],
        "game": rules_for(setup).name,
        "rules": source_hash(root_of(Path(str(rules_for(setup).verbs.__file__)).resolve())),
        "setup": {field.name: getattr(setup, field.name) for field in dataclasses.fields(setup)},
        "chunks": [[c.line_up.order, c.seed, c.start, c.blocks, c.luck] for c in chunks],
        "records": records,
    }
    # A board is told by its digest.
    text = json.dumps(conditions, default=lambda part: part.digest)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Kept:
    """The folder ``parent / name`` of one tournament, made when it is needed.

    name: the ``fingerprint`` of the tournament; games of another one are never taken for its own. game: its game.
    """

    def __init__(self, parent: str | Path, name: str, game: str = GAMES[0]) -> None:
        self.name = name
        self._ends = len(rules_of(game).ends)
        self.folder = Path(parent) / name
        self._made = [folder for folder in self.folder.parents if not folder.exists()]
        self._lock = FileLock(self.folder / ".lock", timeout=0, thread_local=False)

    def prepare(self, fresh: bool = False) -> None:
        """Make the folder, and keep other processes out of it until :meth:`release`.

        fresh: whether what it holds is deleted. Raises CannotKeep if it cannot be written to, and BadTournament if
        another process plays the same games.
        """
        try:
            make_folder(self.folder)
            self._lock.acquire()
            for path in self.folder.glob("*.npz") if fresh else ():
                path.unlink()
            clear_temporaries(self.folder)
        except Timeout:
            told = "another process plays these games and keeps them there; wait for it, or choose another folder"
            raise BadTournament(f"{self.folder}: {told} (--work)") from None
        except OSError as error:
            raise CannotKeep(f"cannot keep games in {self.folder.parent}: {error.strerror}") from error

    def release(self) -> None:
        """Let other processes have the folder, with what is kept in it."""
        self._lock.release(force=True)

    def save(self, number: int, played: Played) -> None:
        """Keep chunk ``number``: whole or not at all. Raises OSError if it cannot be written."""
        arrays = {f.name: getattr(played, f.name) for f in dataclasses.fields(played) if f.name not in _TOLD}
        text = json.dumps([played.records, played.reasons], ensure_ascii=False).encode()
        content = io.BytesIO()
        label = np.array([self.name, str(number)])
        np.savez_compressed(content, **arrays, told=np.frombuffer(text, np.uint8), label=label)
        write_atomically(self.folder / f"{number}.npz", content.getvalue())

    def load(self, number: int, chunk: Chunk, entrants: int, records: bool) -> Played | None:
        """Return chunk ``number`` as it was kept; None if it was not, or if its file is damaged or not its own."""
        try:
            content = io.BytesIO((self.folder / f"{number}.npz").read_bytes())  # NumPy leaves a damaged file open
            with zipfile.ZipFile(content) as archive:
                if sum(member.file_size for member in archive.infolist()) > _MOST * (chunk.games + entrants):
                    return None
            with np.load(content, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            label = arrays.pop("label").tolist()
            found, reasons = map(tuple, json.loads(arrays.pop("told").tobytes()))
            played = Played(**arrays, records=found, reasons=reasons)
        except Exception:  # whatever a damaged archive makes zipfile, zlib, NumPy or json say
            return None
        fits = label == [self.name, str(number)] and len(found) == (chunk.games if records else 0)
        return played if fits and _fits(played, chunk, entrants) and _can_be(played, chunk, self._ends) else None

    def remove(self) -> None:
        """Delete the folder, unless another process has it, and those around it that were made for it and are empty."""
        try:
            self._lock.acquire()
        except (OSError, Timeout):
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()
        for folder in self._made:
            with contextlib.suppress(OSError):
                folder.rmdir()


def _fits(played: Played, chunk: Chunk, entrants: int) -> bool:
    games = (chunk.blocks, chunk.line_up.rotations)
    seats = (*games, chunk.line_up.players)
    expected = {
        "seating": (np.int64, seats),
        "totals": (np.int32, seats),
        "turns": (np.int32, games),
        "ends": (np.uint8, games),
        "decisions": (np.int64, (entrants,)),
        "seconds": (np.float64, (entrants,)),
        "luck": (np.float64, seats),
        "failed": (np.bool_, seats),
    }
    found = {name: getattr(played, name) for name in expected}  # bytes, where the archive holds no array of that name
    return all(
        isinstance(array, np.ndarray) and (array.dtype, array.shape) == expected[name] for name, array in found.items()
    )


def _can_be(played: Played, chunk: Chunk, ends: int) -> bool:
    """Return whether arrays of the right types and shapes, and what is told beside them, can be those of games."""
    return (
        np.array_equal(played.seating, chunk.seating)
        and bool(((played.ends > 0) & (played.ends < ends)).all())
        and bool((played.turns > 0).all())
        and bool(np.isfinite(played.luck).all())
        and bool((np.isfinite(played.seconds) & (played.seconds >= 0) & (played.decisions >= 0)).all())
        and all(isinstance(why, str) for why in played.reasons)
        and bool(played.reasons) == bool(played.failed.any())
        and all(isinstance(record, dict) for record in played.records)
    )
