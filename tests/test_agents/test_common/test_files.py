"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.common.files import write_atomically


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, interrupted: list[int]) -> None:
    path = tmp_path / "file"
    interrupted[0] = 1
    write_atomically(path, b"old content")
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new content")
    assert path.read_bytes() == b"old content"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_replaces_what_was_there_and_makes_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    for content in (b"longer content", b"short"):
        write_atomically(path, content)
        assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]
