"""Damaged files: each is loaded as it was, or refused with its named error, and nothing is written over.

Where :mod:`fuzz` changes what a file says, here its bytes are damaged as disks and copies damage them.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest import mock

import torch

from agents.common import files
from agents.network.files import BadAgent, load_net, save_net
from agents.network.net import PolicyNet, Shape
from agents.training import run as runs
from agents.training.folder import BadRun
from bohemian_env import Board, BohemianError, Game
from table.seating import read_seating
from table.store import BadStore, Store, Unavailable

from .doors_files import keep_chunk, small_settings
from .doors_game import TOML
from .ledger import Tried

__all__ = ["DAMAGES", "attempt", "cache"]

_ONCE: Final = 30
"""Damaged files of each kind in an attempt."""
_GARBAGE: Final = (b"", b"\0", b"{}", b"[]", b"null", b"7", b'"x"', b"\xff\xfe", b"[" * 100_000, b"{" * 5000)


def damaged(content: bytes, other: bytes, rng: random.Random) -> bytes:
    """Return other content: bits flipped, cut, emptied, overwritten, or in part that of another file."""
    while (changed := _changed(content, other, rng)) == content:
        pass
    return changed


def _changed(content: bytes, other: bytes, rng: random.Random) -> bytes:
    how, place = rng.randrange(8), rng.randrange(len(content))
    if how == 0:
        return content[:place]
    if how == 1:
        return _GARBAGE[rng.randrange(len(_GARBAGE))]
    if how == 2:
        return content[:place] + bytes(len(content) - place)
    if how == 3:
        return content[:place] + rng.randbytes(min(512, len(content) - place)) + content[place + 512 :]
    if how == 4:
        return other[:place] + content[place:]
    if how == 5:  # a number in the header becomes huge
        return b"\xff" * 7 + b"\x7f" + content[8:]
    changed = bytearray(content)
    for _ in range(1 if how == 6 else 20):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


@dataclass(frozen=True)
class Kind:
    """A kind of file."""

    paths: tuple[Path, ...]
    """Those that are damaged, each in its turn."""
    load: Callable[[], Any]
    """Returns what a sound file holds, None where a damaged one is as none; to be compared."""
    named: tuple[type[Exception], ...]
    aside: bool = False
    """Whether a damaged file may be renamed, and what can be read of it taken over; what is loaded from one that stays
    must be what was written.
    """
    sealed: bool = True
    """Whether what is loaded must be what was written in any case: not so for texts that people write."""


def _agent(folder: Path) -> Kind:
    path = folder / "agent.safetensors"
    torch.manual_seed(0)
    save_net(PolicyNet(Shape((8,), (6,), ())), path, Board.standard(), {"samples": 7})

    def load() -> Any:
        net, description = load_net(path)
        return description, [value.numpy().tobytes() for value in net.state_dict().values()]

    return Kind((path, path.with_suffix(".json")), load, (BadAgent,))


def _checkpoint(folder: Path) -> Kind:
    home = folder / "run"
    runs.TrainingRun(home, small_settings()).train()

    def load() -> Any:
        with mock.patch.object(runs, "configure"), mock.patch.object(files, "sync"):  # no logs, no waiting
            run = runs.TrainingRun(home, None)
        run.close()
        return [value.numpy().tobytes() for value in run.net.state_dict().values()]

    return Kind((home / runs.CHECKPOINT,), load, (BadRun,))


def _record(folder: Path) -> Kind:
    game = Game.new(seed=1).roll()
    for _ in range(4):
        game = game.push(game.legal_moves[0])
        while game.needs_roll:
            game = game.roll()
    path = folder / "game.json"
    path.write_text(json.dumps(game.record()), encoding="utf-8")

    def load() -> Any:
        try:
            data = json.loads(path.read_bytes())
        except (RecursionError, ValueError):  # whoever reads a record has JSON's own errors
            return None
        return Game.from_record(data).record()

    return Kind((path,), load, (BohemianError,), sealed=False)


def _board(folder: Path) -> Kind:
    path = folder / "board.toml"
    path.write_bytes(TOML.read_bytes())
    return Kind((path,), lambda: Board.load(path).digest, (BohemianError,), sealed=False)


def _kept(folder: Path) -> Kind:
    kept, chunk, _ = keep_chunk(folder)

    def load() -> Any:
        played = kept.load(0, chunk, 2, True)
        return None if played is None else (played.totals.tobytes(), played.turns.tobytes(), played.records)

    return Kind((kept.folder / "0.npz",), load, ())


def _games(folder: Path) -> Kind:
    store = Store(folder / "table")
    for number in range(20):
        store.add(read_seating({"seats": [{"name": "Ann"}, {"name": "Bo"}], "seed": number}, ()))

    def load() -> Any:  # the number of games: damaged ones are among them
        again = Store(folder / "table")
        return len(again.recent(False, 30)) + len(again.recent(True, 30))

    return Kind((store.path,), load, (BadStore, Unavailable), aside=True, sealed=False)


DAMAGES: Final[dict[str, Callable[[Path], Kind]]] = {
    "agents": _agent,
    "checkpoints": _checkpoint,
    "records": _record,
    "boards": _board,
    "kept games": _kept,
    "games.sqlite3": _games,
}
"""Kinds of files, by their names in the table."""


def _told(kind: Kind, path: Path, content: bytes, expected: Any) -> str | None:
    """Load a damaged file, and return what is wrong about what comes; None if all is right."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    beside = {*path.parent.iterdir()}
    loaded = None
    try:
        loaded = kind.load()
        if kind.sealed and loaded is not None and loaded != expected:
            return "it was taken for another"
    except kind.named:
        pass
    except BaseException as error:
        return f"{error!r}"
    if not path.exists():
        return "the file was deleted"
    if not kind.aside:
        return None if path.read_bytes() == content else "the file was written over"
    aside = {*path.parent.iterdir()} - beside
    if not aside and loaded is not None:
        return None if loaded == expected else f"{loaded!r} was read in place of {expected!r}, and nothing set aside"
    same = any(one.read_bytes() == content for one in aside or (path,))
    for one in aside:
        one.unlink()
    return None if same else "the file is neither as it was nor set aside"


def attempt(seed: int, folder: Path) -> Iterator[Tried]:
    """Damage files of each kind."""
    rng = random.Random(seed)
    for name, make in DAMAGES.items():
        home = folder / name
        home.mkdir()
        kind = make(home)
        expected, good = kind.load(), [path.read_bytes() for path in kind.paths]
        broken: list[str] = []
        for number in range(_ONCE):
            which = rng.randrange(len(good))
            path, content = kind.paths[which], damaged(good[which], good[-1 - which], rng)
            if what := _told(kind, path, content, expected):
                broken.append(f"{path.name}, damaged file {number}: {what[:300]}")
            path.unlink(missing_ok=True)
            path.write_bytes(good[which])
        yield Tried(f"damaged: {name}", _ONCE, 0, tuple(broken))


_CACHED: Final = """
import sys
read = set()
sys.addaudithook(lambda event, about: read.add(str(about[0])) if event == "open" else None)
from bohemian_env import Batch
batch = Batch(2)
batch.step(batch.random_actions(1))
print(batch.states.tobytes().hex())
print(*sorted(path for path in read if path.endswith((".nbi", ".nbc"))), sep="\\n")
"""


def cache(seed: int, folder: Path) -> Iterator[Tried]:
    """Damage files that a program reads from the compiler's cache: the next one makes them anew, says so, and plays
    the same.
    """
    rng = random.Random(seed)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", _CACHED]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)

    run()  # compiles; what it reads then is not all that the next one does
    states, *cached = run().stdout.splitlines()
    broken = []
    for _ in range(3):
        path = Path(rng.choice(cached))
        path.write_bytes(content := damaged(path.read_bytes(), Path(cached[0]).read_bytes(), rng))
        if what := not_renewed(path, content, states, run()):
            broken.append(f"{path.name}: {what}")
    yield Tried("damaged: compiler cache", 3, 0, tuple(broken))


def not_renewed(path: Path, content: bytes, states: str, found: subprocess.CompletedProcess[str]) -> str | None:
    """Return what is wrong about a program that found damaged content in its cache; None if all is right."""
    if found.returncode != 0 or found.stdout.splitlines()[:1] != [states]:
        return f"exit status {found.returncode}: {found.stderr[-300:]}"
    if path.read_bytes() == content:
        return "it is still as it was damaged"
    # An index is also made anew, without a word, if it is of other sources or of another numba, as damage can have it.
    if path.suffix != ".nbi" and "made anew" not in found.stderr:
        return f"it was made anew without a word: {found.stderr[-300:]}"
    return None
