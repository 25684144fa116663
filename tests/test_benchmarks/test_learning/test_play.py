"""Ratings at a price of a move, and what decisions of the agents of runs cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.positions.book import Book
from agents.positions.report import costs
from benchmarks.learning.__main__ import main
from benchmarks.learning.cells import Cell, Plan, load_agent
from benchmarks.learning.play import ANCHORS, _schedule, price_of, rated
from benchmarks.learning.positions import judged
from benchmarks.learning.workers import run_here
from pages import benchmark
from tests.test_agents.test_positions.test_positions import book_of

CELL = Cell("evolution", "2p-planner-fixed", 3, budget=300, settings={"population": 4, "games": 4})
PLAN = Plan(points=0, games=4, transfer=False)


@pytest.mark.parametrize(
    ("milliseconds", "price"), [(0.001, 0.1), (0.1, 0.1), (0.2, 5), (5.4, 5), (6, 50), (54, 50), (56, None)]
)
def test_a_price_is_the_lowest_that_a_move_fits(milliseconds: float, price: float | None) -> None:
    assert price_of(milliseconds) == price


def test_every_size_of_table_has_the_same_weight() -> None:
    """As many games each, but for the anchors, who meet at one kind of table with two players, and at two with more."""
    for players in (2, 3, 4, 5):
        found = _schedule(4, players, lambda one: 60)
        assert sum(games for line_up, games in found if line_up.order[0] >= len(ANCHORS)) == 2 * 2 * 60
        assert all(line_up.is_duel and line_up.players == players for line_up, _ in found)


def test_ratings_are_from_tables_of_every_size(tmp_path: Path) -> None:
    said: list[str] = []
    found = rated(["random", "greedy"], 480, 8, 1, tmp_path, said.append)
    assert said == [f"{players} players" for players in (2, 3, 4, 5)]
    ratings = {row["agent"]: row["rating"] for row in found["rows"]}
    assert [*ratings] == [*ANCHORS, "random"]  # an anchor that is named is not there twice
    assert ratings["random"]["high"] < ratings["greedy"]["value"] == 1000 < ratings["planner"]["low"]
    assert all(row["price"] == 0.1 and len(row["milliseconds"]) == 4 for row in found["rows"])
    assert list(tmp_path.iterdir()) == []
    text = benchmark.play(found)
    assert [line.split(" | ")[1] for line in text.splitlines()[2:]] == ["`planner`", "`greedy`", "`random`"]
    assert benchmark.play(None) == benchmark.NONE


def test_an_agent_that_cannot_play_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--agents", "nobody", "--out", str(tmp_path), "--work", str(tmp_path)]) == 2
    assert "nobody" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_decisions_of_runs_are_judged(tmp_path: Path) -> None:
    results, work, path = tmp_path / "results", tmp_path / "work", tmp_path / "book.json"
    path.write_text(json.dumps(book_of().to_json()), encoding="utf-8")
    run_here(CELL, PLAN, results, work)
    said: list[str] = []
    found = judged(results, work, said.append, path)
    assert said == []
    (run,) = found["runs"]
    assert (run["algorithm"], run["task"], run["seed"]) == (CELL.algorithm, CELL.task, CELL.seed)
    player = load_agent("evolution", work / f"{CELL.name}.safetensors")
    assert run["value"] == pytest.approx(costs(Book.load(path), player)["2"].value, abs=1e-3)
    text = benchmark.positions(found)
    assert text.splitlines()[2].startswith(f"| `evolution` | {run['value']:.1f} (")
    assert "`planner`, as it comes" in text
    (work / f"{CELL.name}.safetensors").unlink()
    assert judged(results, work, said.append, path)["runs"] == []
    assert "is not there: python -m benchmarks.learning run" in said[0]


def test_positions_that_are_none_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for book in (tmp_path / "none.json", tmp_path):
        assert main(["positions", "--book", str(book), "--out", str(tmp_path)]) == 2
        assert capsys.readouterr().err.startswith("benchmarks.learning: ")
    assert list(tmp_path.iterdir()) == []
