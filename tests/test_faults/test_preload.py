"""What a power cut may leave: what was synced, and of the rest what common sense allows."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from faults import preload
from tests.helpers import ROOT

pytestmark = pytest.mark.skipif(preload.library() is None, reason="needs Linux and a C compiler")


class Program:
    """Runs Python with the library, and cuts the power after it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self.disk = preload.Disk(self.folder, folder / "journal")

    def run(self, code: str, call: int = 0, error: int = 0) -> subprocess.CompletedProcess[str]:
        """Run code, in which `folder` is the Path that is watched; a call may fail with an error."""
        made = preload.library()
        assert made
        begin = f"""
from pathlib import Path
from faults import preload
folder = Path({str(self.folder)!r})
preload.begin(folder, Path({str(self.disk.journal)!r}))
preload.fail({call}, {error})
"""
        return subprocess.run(
            [sys.executable, "-c", begin + code], cwd=ROOT, env=preload.environment(made), text=True,
            capture_output=True, check=False,
        )  # fmt: skip

    def left(self) -> Iterator[dict[str, bytes | None]]:
        """Yield what power cuts leave."""
        state = self.disk.journal.read_bytes(), self.disk._names
        there, copy = self.inside(), self.folder.with_name("copy")
        shutil.copytree(self.folder, copy)
        for seed in range(60):
            shutil.rmtree(self.folder)
            shutil.copytree(copy, self.folder)
            self.disk.journal.write_bytes(state[0])
            self.disk._names = {name: file and preload._File(file.synced) for name, file in state[1].items()}
            dropped = self.disk.cut(random.Random(seed))
            left = self.inside()
            assert dropped == (left != there)
            yield left
        shutil.rmtree(copy)

    def inside(self) -> dict[str, bytes | None]:
        """What there is: names, and what is in the files."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes() if path.is_file() else None
            for path in self.folder.rglob("*")
        }


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


KEPT = """
import os
from agents.common.files import make_folder, write_atomically
make_folder(folder / "a" / "b")
write_atomically(folder / "a" / "kept", b"kept")
"""
CHUNK = """
import numpy as np
from agents.tournament.kept import Kept
from agents.tournament.play import Played
empty = np.zeros(0)
kept = Kept(folder / "x" / "y", "name")
kept.prepare()
kept.save(3, Played(*[empty] * 9, records=()))
"""
GAMES = """
from table.store import Store
store = Store(folder / "x" / "y")
game = store.add({"seats": [{"name": "Ann"}]})
for n in range(3):
    assert store.write(game, list(range(n)), list(range(n + 1)), False)
print(store.load(game))
"""


def test_what_was_synced_is_there_after_every_cut(program: Program) -> None:
    assert program.run(KEPT).returncode == 0
    assert all(found == {"a": None, "a/b": None, "a/kept": b"kept"} for found in program.left())


def test_what_was_not_synced_is_missing_torn_or_there(program: Program) -> None:
    """A file without fsync; a rename of one without fsync; a name in a folder that was not synced."""
    assert program.run(KEPT).returncode == 0
    program.disk.keep()
    assert program.run(
        """
import os
(folder / "new").write_bytes(b"new" * 100)
(folder / "a" / "part").write_bytes(b"renamed")
(folder / "a" / "part").rename(folder / "a" / "kept")
with open(folder / "named", "wb") as file:
    file.write(b"synced")
    file.flush()
    os.fsync(file.fileno())
"""
    ).returncode == 0  # fmt: skip
    cuts = list(program.left())
    news = {found.get("new") for found in cuts}
    assert {None, b"", b"new" * 100, bytes(300)} <= news
    assert any(new and len(new) < 300 for new in news)
    assert {b"kept", b"renamed", b"", bytes(7)} <= {found["a/kept"] for found in cuts}
    assert {found.get("named") for found in cuts} == {None, b"synced"}
    assert {"a/part" in found for found in cuts} == {True, False}


@pytest.mark.parametrize(("code", "name"), [(CHUNK, "x/y/name/3.npz"), (KEPT, "a/kept")])
def test_what_is_written_whole_outlives_a_power_cut_with_its_folders(code: str, name: str, program: Program) -> None:
    done = program.run(code)
    assert done.returncode == 0, done.stderr
    whole = (program.folder / name).read_bytes()
    assert all(found[name] == whole for found in program.left())


def test_a_move_that_was_kept_outlives_a_power_cut(program: Program) -> None:
    from table.store import Store

    done = program.run(GAMES)
    assert done.returncode == 0, done.stderr
    for _ in program.left():
        saved = Store(program.folder / "x" / "y").recent(over=False)
        assert [game.actions for game in saved] == [[0, 1, 2]]


def test_a_move_that_was_shown_outlives_a_power_cut_whoever_was_killed(program: Program) -> None:
    """A server dies when it has deleted the journal of the last move, but not synced that; the next shows the move."""
    from table.store import Store

    play = GAMES.replace("print(store.load(game))", "print(preload.left())")
    done = program.run(play, call=10_000, error=preload.DIE)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(program.folder / "x")
    program.disk.keep()
    assert program.run(play, call=10_000 - int(done.stdout), error=preload.DIE).returncode == -signal.SIGKILL
    program.disk.catch_up()
    shows = "from table.store import Store\n[game] = Store(folder / 'x' / 'y').recent(over=False)\nprint(game.actions)"
    assert program.run(shows).stdout == "[0, 1, 2]\n"
    for _ in program.left():
        assert [game.actions for game in Store(program.folder / "x" / "y").recent(over=False)] == [[0, 1, 2]]


@pytest.mark.parametrize(
    "call",
    [
        lambda folder: (folder / "file").write_bytes(b"one, ten, three"),
        lambda folder: (folder / "file").write_bytes(b"one, two, three, four"),
        lambda folder: os.truncate(folder / "file", 5),
        lambda folder: (folder / "file").unlink(),
        lambda folder: (folder / "file").rename(folder / "moved"),
        lambda folder: (folder / "linked").hardlink_to(folder / "file"),
        lambda folder: (folder / "new").mkdir(),
        lambda folder: (folder / "new").touch(),
        lambda folder: (folder / "empty").rmdir(),
    ],
)
@pytest.mark.parametrize("synced", [False, True])
def test_the_last_call_of_a_killed_program_is_known_and_synced_by_the_next(
    call: Callable[[Path], object], synced: bool, program: Program
) -> None:
    (program.folder / "file").write_bytes(b"one, two, three")
    (program.folder / "empty").mkdir()
    program.disk.keep()
    before = program.inside()
    call(program.folder)
    program.disk.catch_up()
    after = program.inside()
    if synced:
        sync = """
import os
for path in [*folder.iterdir(), folder]:
    os.fsync(os.open(path, os.O_RDONLY))
"""
        assert program.run(sync).returncode == 0
        assert all(found == after for found in program.left())
    else:
        cuts = list(program.left())
        assert before in cuts
        assert after in cuts


def test_a_file_that_took_the_name_of_another_with_the_last_call_is_whole(program: Program) -> None:
    """As files that are written whole do: a power cut leaves the old one or the new one."""
    (program.folder / "kept").write_bytes(b"old, and longer")
    (program.folder / ".kept.tmp").write_bytes(b"new")
    program.disk.keep()
    before = program.inside()
    (program.folder / ".kept.tmp").rename(program.folder / "kept")
    program.disk.catch_up()
    cuts = list(program.left())
    assert before in cuts
    assert {"kept": b"new"} in cuts
    assert all(found in (before, {"kept": b"new"}) for found in cuts)


def test_what_pages_show_with_their_requests_outlives_a_power_cut(program: Program) -> None:
    from table.store import Store

    shown = program.run("from table.store import Store\nprint(Store(folder / 'x').token, end='')").stdout
    assert len(shown) == 32
    for _ in program.left():
        assert Store(program.folder / "x").token == shown


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS, preload.SHORT, preload.DIE])
def test_one_call_fails_and_others_do_not(error: int, program: Program) -> None:
    code = """
import os
for n in range(4):
    fd = os.open(folder / "file", os.O_WRONLY | os.O_CREAT)
    try:
        print(os.write(fd, b"12345678"), end=" ")
    except OSError as error:
        print("error", error.errno, end=" ")
    os.close(fd)
fd = os.open(folder / "file", os.O_WRONLY)
os.fsync(fd)
print("left", preload.left(), end="")
"""
    assert program.run(code).stdout == "8 8 8 8 left 0"
    assert not program.disk.struck()
    if error == preload.SHORT:
        assert program.run(code, 2, error).stdout == "8 4 8 8 left 0"
    elif error == preload.DIE:
        died = program.run(code.replace("end=", "flush=True, end="), 4, error)
        assert (died.stdout, died.returncode) == ("8 ", -signal.SIGKILL)
    else:
        assert program.run(code, 4, error).stdout == f"8 error {error} 8 8 left 0"
        assert program.run(code, 10, error).stderr.endswith(f"{os.strerror(error)}\n")
    assert program.disk.struck()


def test_a_compiler_that_cannot_make_the_library_is_as_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cc").write_text("#!/bin/sh\necho 'stdio.h: no such file' >&2\nexit 1\n", encoding="utf-8")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert preload.library.__wrapped__() is None
    assert capsys.readouterr().err.startswith("faults: unsynced writes and failing calls are left out")
