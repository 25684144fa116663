"""Damaged files: what a reader takes or writes wrongly is found."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from faults.damage import _CACHED, Kind, _told, damaged, not_renewed
from tests.helpers import ROOT


def kind_of(path: Path, load: object) -> Kind:
    """A kind of file whose reader refuses by ValueError."""
    return Kind((path,), load, (ValueError,))  # type: ignore[arg-type]


def test_damage_follows_from_its_seed_and_changes_the_file() -> None:
    content, other = bytes(range(200)), bytes(300)
    made = [[damaged(content, other, random.Random(seed)) for seed in range(200)] for _ in range(2)]
    assert made[0] == made[1]
    assert content not in made[0]
    assert all(damaged(content, content, random.Random(seed)) != content for seed in range(200))


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


@pytest.mark.parametrize(("games", "said"), [(20, None), (3, "3 was read in place of 20")])
def test_a_store_that_shows_fewer_games_is_found(tmp_path: Path, games: int, said: str | None) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    kind = Kind((path,), lambda: games, (ValueError,), aside=True, sealed=False)
    told = _told(kind, path, b"damaged", 20)
    assert told is None if said is None else said in (told or "")


def test_a_store_that_sets_a_file_aside_may_show_fewer_games(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def load() -> int:
        path.rename(tmp_path / "aside")
        path.write_bytes(b"new")
        return 3

    assert _told(Kind((path,), load, (ValueError,), aside=True, sealed=False), path, b"damaged", 20) is None


def test_what_is_damaged_of_the_cache_is_index_and_code() -> None:
    for _ in range(2):  # a program that compiles reads less than the next one
        found = subprocess.run([sys.executable, "-c", _CACHED], cwd=ROOT, capture_output=True, text=True, check=True)
    _, *cached = found.stdout.splitlines()
    assert {Path(path).suffix for path in cached} == {".nbi", ".nbc"}


@pytest.mark.parametrize(
    ("name", "content", "out", "err", "said"),
    [
        ("f.nbc", b"new", "1f\nread", "damaged files are made anew", None),
        ("f.nbi", b"new", "1f\nread", "", None),
        ("f.nbc", b"new", "1f\nread", "", "without a word"),
        ("f.nbi", b"damaged", "1f\nread", "damaged files are made anew", "still"),
        ("f.nbc", b"new", "2f\nread", "damaged files are made anew", "exit status 0"),
    ],
)
def test_a_cache_that_stays_damaged_is_found(
    tmp_path: Path, name: str, content: bytes, out: str, err: str, said: str | None
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    told = not_renewed(path, b"damaged", "1f", subprocess.CompletedProcess([], 0, out, err))
    assert told is None if said is None else said in (told or "")
