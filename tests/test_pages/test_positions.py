"""The program that measures docs/positions.md, with few games of few agents."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from agents.common.statistics import Estimate
from agents.positions.book import BOOK, Book
from agents.positions.worth import stated
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS
from pages import TABLE_SIZES, positions


def test_who_loses_less_wins_more_in_the_table_as_in_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "AGENTS", ("a", "b", "c", "d"))
    sizes = [str(players) for players in TABLE_SIZES]
    lost = {name: dict.fromkeys(sizes, Estimate(k, k, k)) for k, name in enumerate("abcd")}

    def won(*shares: float) -> dict[tuple[str, int], Estimate]:
        pairs = zip("abcd", shares, strict=True)
        return {(name, players): Estimate(one, one, one) for name, one in pairs for players in TABLE_SIZES}

    assert positions.predicted(lost, won(0.9, 0.8, 0.7, 0.6)).count("| -1.00 | -1.00 (") == 4
    assert positions.predicted(lost, won(0.6, 0.7, 0.8, 0.9)).count("| 1.00 | 1.00 (") == 4


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A file of the first 25 positions of each number of players."""
    data = json.loads(BOOK.read_text(encoding="utf-8"))
    path = tmp_path / "few.json"
    path.write_text(json.dumps(data | {"positions": {n: found[:25] for n, found in data["positions"].items()}}))
    return path


def test_what_moves_lose_and_how_far_off_that_is(monkeypatch: pytest.MonkeyPatch, few: Path) -> None:
    """If rollouts said of all moves that they are as good, none would be costly by them; by the book some are."""
    monkeypatch.setattr(positions, "worth", lambda state, _: dict.fromkeys(stated(state), 0.5))
    for line in positions.called_costly(Book.load(few)).splitlines()[2:]:
        _, _, lost, rolled, book, off, rolled_off, called, none, costly, _ = (cell.strip() for cell in line.split("|"))
        assert (rolled, none) == ("0.0 (0.0 to 0.0)", "0 of 0")
        assert float(lost.split()[0]) > 0
        assert float(off) > 0
        assert float(rolled_off) >= float(book.split()[0]) > 0  # a root of squares is no less than the mean
        right, of = map(int, called.split(" of "))
        assert 0 < right < of < 25
        assert right <= int(costly) < 25


@pytest.mark.slow
def test_the_page_is_made_by_one_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, few: Path) -> None:
    monkeypatch.setattr(positions, "BOOK", few)
    monkeypatch.setattr(positions, "AGENTS", ("random", "greedy", "rusher", "planner"))
    monkeypatch.setattr(positions, "DOCS", tmp_path)
    options = ["--games", "20", "--jobs", "1", "--work", str(tmp_path / "work")]
    assert positions.main(options) == 0
    text = (tmp_path / "positions.md").read_text(encoding="utf-8")
    assert shlex.join(["python", "-m", "pages.positions", *options]) in text
    assert re.search(r"^\| random \| \d+\.\d \(", text, re.MULTILINE)
    assert len(re.findall(r"^\| `\w+` \|", text, re.MULTILINE)) == 4
    assert re.search(r"^\| 5 \|.* \d+ of \d+ \| \d+ of \d+ \| \d+ \|$", text, re.MULTILINE)
    assert not list((tmp_path / "work").iterdir())


def test_the_positions_of_the_project_are_of_its_rules() -> None:
    """Every position can be played to, and has the moves that the file says; the same number for every table."""
    book = Book.load(BOOK)
    assert book.sizes == [*range(MIN_PLAYERS, MAX_PLAYERS + 1)]
    assert len({len(book.positions(players)) for players in book.sizes}) == 1
    for players in book.sizes:
        assert book.batch(players).n == len(book.positions(players))  # played as far, and the moves compared
        assert len({one.seed for one in book.positions(players)}) == len(book.positions(players)) >= 100
        assert all(min(loss for loss, _ in one.losses.values()) == 0 for one in book.positions(players))
    assert BOOK.stat().st_size < 3_000_000
    assert "/" not in book.about["command"]
