"""Ratings at a price of a move."""

from pathlib import Path

import pytest

from benchmarks.learning.play import ANCHORS, _schedule, price_of, rated
from pages import benchmark


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
    assert all(len(row["milliseconds"]) == 4 for row in found["rows"])
    assert all(row["price"] == price_of(max(row["milliseconds"])) for row in found["rows"])
    assert list(tmp_path.iterdir()) == []
    text = benchmark.play(found)
    assert [line.split(" | ")[1] for line in text.splitlines()[2:-2]] == ["`planner`", "`greedy`", "`random`"]
    assert benchmark.play(None) == benchmark.NONE
