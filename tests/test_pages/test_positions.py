"""The program that measures docs/positions.md, with few games of few agents."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from agents.common.statistics import Estimate
from agents.positions.book import BOOK, Book
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS
from pages import TABLE_SIZES, positions


def test_who_loses_less_wins_more_in_the_table_as_in_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "AGENTS", ("a", "b", "c", "d"))
    sizes = [str(players) for players in TABLE_SIZES]
    lost = {name: dict.fromkeys(sizes, Estimate(k, k, k)) for k, name in enumerate("abcd")}
    won = {(name, players): 1 - k / 10 for k, name in enumerate("abcd") for players in TABLE_SIZES}
    assert positions.predicted(lost, won).count("| -1.00 | -1.00 (") == 4
    assert positions.predicted(lost, {key: 1 - share for key, share in won.items()}).count("| 1.00 | 1.00 (") == 4


def test_the_page_is_made_by_one_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(positions, "AGENTS", ("random", "greedy", "rusher", "planner"))
    monkeypatch.setattr(positions, "DOCS", tmp_path)
    options = ["--games", "20", "--jobs", "1", "--work", str(tmp_path / "work")]
    assert positions.main(options) == 0
    text = (tmp_path / "positions.md").read_text(encoding="utf-8")
    assert shlex.join(["python", "-m", "pages.positions", *options]) in text
    assert re.search(r"^\| random \| \d+\.\d \(", text, re.MULTILINE)
    assert len(re.findall(r"^\| `\w+` \|", text, re.MULTILINE)) == 4
    assert not list((tmp_path / "work").iterdir())


def test_the_positions_of_the_project_are_of_its_rules() -> None:
    """Every position can be played to, and has the moves that the file says; the same number for every table."""
    book = Book.load(BOOK)
    assert book.sizes == [*range(MIN_PLAYERS, MAX_PLAYERS + 1)]
    assert len({len(book.positions(players)) for players in book.sizes}) == 1
    for players in book.sizes:
        assert len({one.seed for one in book.positions(players)}) == len(book.positions(players)) >= 100
        assert all(min(loss for loss, _ in one.losses.values()) == 0 for one in book.positions(players))
    assert BOOK.stat().st_size < 3_000_000
    assert "/" not in book.about["command"]
