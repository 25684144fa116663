"""Damaged files: what a reader takes or writes wrongly is found."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from faults.damage import Kind, _told, damaged


def kind_of(path: Path, load: object) -> Kind:
    """A kind of file whose reader refuses by ValueError."""
    return Kind((path,), load, (ValueError,))  # type: ignore[arg-type]


def test_damage_follows_from_its_seed_and_changes_the_file() -> None:
    content, other = bytes(range(200)), bytes(300)
    made = [[damaged(content, other, random.Random(seed)) for seed in range(200)] for _ in range(2)]
    assert made[0] == made[1]
    assert sum(one != content for one in made[0]) > 190
    assert {b"", content[:10]} & {*made[0]} or min(map(len, made[0])) < 20


@pytest.mark.parametrize("fault", ["none", "another", "error", "written", "deleted"])
def test_what_a_reader_does_wrongly_is_found(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "file"

    def load() -> bytes:
        if fault == "another":
            return path.read_bytes()
        if fault == "error":
            raise KeyError("x")
        if fault == "written":
            path.write_bytes(b"")
        if fault == "deleted":
            path.unlink()
        raise ValueError("damaged")

    told = _told(kind_of(path, load), path, b"damaged", b"sound")
    said = {"another": "taken for another", "error": "KeyError", "written": "written over", "deleted": "deleted"}
    assert told is None if fault == "none" else said[fault] in (told or "")
