"""Files are written whole or not at all."""

import errno
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from agents.common import files
from agents.common.command import held_back
from agents.common.files import BadOutput, clear_temporaries, is_temporary, reason, whole_files, write_atomically
from tests.helpers import run_python


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / f"{'ä' * 120}.json"
    write_atomically(path, b"content")
    with whole_files([path]) as (file,):
        file.write("other")
    assert path.read_text(encoding="utf-8") == "other"
    assert [*tmp_path.iterdir()] == [path]


def write_whole(path: Path, content: bytes) -> None:
    """Write as evaluate.py writes its outputs."""
    with whole_files([path]) as (file,):
        file.write(content.decode())


WRITERS = [write_atomically, write_whole]


@pytest.mark.parametrize("write", WRITERS)
def test_every_write_has_a_temporary_name_of_its_own(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, names = Path.replace, list[str]()

    def rename(self: Path, target: Path) -> Path:
        names.append(self.name)
        assert is_temporary(self)
        assert f"-{os.getpid()}-" in self.name
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", rename)
    for _ in range(3):
        write(tmp_path / "file", b"content")
    assert len(set(names)) == 3
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@pytest.mark.parametrize("write", WRITERS)
def test_a_file_is_on_the_disk_before_it_gets_its_name_and_the_name_afterwards(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it is whole, old or new, also after a power cut."""
    fsync, replace, done = os.fsync, Path.replace, list[str]()

    def sync(descriptor: int) -> None:
        told = os.fstat(descriptor)
        done.append("folder" if told.st_ino == tmp_path.stat().st_ino else f"{told.st_size} bytes")
        fsync(descriptor)

    def rename(self: Path, target: Path) -> Path:
        done.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", rename)
    write(tmp_path / "file", b"content")
    assert done == ["7 bytes", "rename", "folder"]


def test_new_folders_are_on_the_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync, done = os.fsync, set[int]()

    def sync(descriptor: int) -> None:
        done.add(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", sync)
    write_atomically(tmp_path / "a" / "b" / "file", b"content")
    assert {path.stat().st_ino for path in (tmp_path, tmp_path / "a", tmp_path / "a" / "b")} <= done


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("number", [errno.EINVAL, errno.EIO])
def test_a_system_that_cannot_sync_is_not_asked_to_and_one_that_fails_is_told(
    write: Any, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    if number == errno.EINVAL:
        write(path, b"content")
        assert path.read_text() == "content"
    else:
        with pytest.raises(OSError, match="file"):
            write(path, b"content")
        assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("write", WRITERS)
def test_nothing_is_left_behind_on_a_full_disk(write: Any, tmp_path: Path) -> None:
    """A limit to the size of files stands in for it."""
    resource = pytest.importorskip("resource")
    path, before = tmp_path / "file", resource.getrlimit(resource.RLIMIT_FSIZE)
    path.write_text("old")
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**16, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write(path, b"x" * 2**20)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_killed_processes_left_is_cleared(tmp_path: Path) -> None:
    """And nothing else: no file of a process that lives, of another machine, or with another name."""
    code = (
        "import os, signal, sys; from pathlib import Path; from agents.common import files;"
        "Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL);"
        "files.write_atomically(Path(sys.argv[1]), b'half')"
    )
    for _ in range(2):
        run_python("-c", code, tmp_path / "file")
    left = list(tmp_path.iterdir())
    assert len(left) == 2
    assert all(map(is_temporary, left))
    pid = left[0].name.split("-")[1]
    stay = {files.temporary_for(tmp_path / "file"), tmp_path / f".file.{pid}.tmp", tmp_path / ".file.tmp"}
    stay.add(tmp_path / left[0].name.replace(files._HOST, "0" * 8))
    for path in stay:
        path.touch()
    clear_temporaries(tmp_path)
    assert set(tmp_path.iterdir()) == stay
    clear_temporaries(tmp_path / "nowhere")


def test_a_failure_is_told_with_the_file_and_why(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError, match="file") as caught:
        write_atomically(tmp_path / "file", b"")
    assert reason(caught.value) == f"{tmp_path / 'file'}: Is a directory"
    assert reason(OSError("the disk is tired")) == "the disk is tired"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_wait_for_the_end_of_a_block(number: signal.Signals) -> None:
    came, done = list[str](), list[str]()
    before = signal.signal(number, lambda *_: came.append("signal"))
    try:
        with held_back():
            signal.raise_signal(number)
            signal.raise_signal(number)
            done.extend(came)
        assert (done, came) == ([], ["signal"])
        signal.raise_signal(number)
        assert came == ["signal"] * 2
    finally:
        signal.signal(number, before)


def test_a_signal_while_they_begin_to_be_held_back_leaves_all_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that comes between the two is not held back yet."""
    set_handler, before = signal.signal, [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    def interrupted(number: signal.Signals, handler: Any) -> Any:
        if number == signal.SIGTERM:
            raise KeyboardInterrupt
        return set_handler(number, handler)

    monkeypatch.setattr(signal, "signal", interrupted)
    with pytest.raises(KeyboardInterrupt), held_back():
        raise AssertionError("it has begun")
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_files_get_their_names_when_all_is_written(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    other.write_text("old")
    with whole_files([one, None, other]) as (first, nothing, last):
        assert nothing is None
        first.write("é\n")
        last.write("new")
        assert not one.exists()
        assert other.read_text() == "old"
    assert one.read_bytes() == "é\n".encode()
    assert other.read_text() == "new"
    assert sorted(tmp_path.iterdir()) == [one, other]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ValueError])
def test_files_stay_as_they_were_after_an_interrupt(tmp_path: Path, stop: type[BaseException]) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")

    def write() -> None:
        with whole_files([old, new]) as (file, _):
            file.write("half")
            raise stop

    with pytest.raises(stop):
        write()
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_files_that_cannot_be_written_are_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    refusals = {
        (tmp_path / "missing" / "x.json",): "missing is not a folder",
        (file / "x.json",): "file is not a folder",
        (tmp_path,): "it is not a file",
        (file, tmp_path / "new", tmp_path / "." / "new"): "is named for two outputs",
        (file, tmp_path / ("x" * 300)): "cannot write .*: File name too long",
    }
    for paths, said in refusals.items():
        with pytest.raises(BadOutput, match=said), whole_files(paths):
            pytest.fail("the block was entered")
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    with whole_files([link]) as (file,):
        file.write("text")
    assert link.is_symlink()
    assert real.read_text() == "text"
