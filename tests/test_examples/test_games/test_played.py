"""What playouts say of moves and positions where a game has no values: in Pig, and alone in Take It Easy."""

from pathlib import Path

import numpy as np
import pytest

from agents.positions.played import standing, stated, stated_standing, worth
from bohemian_env.engine.game import Game
from table.room import room_of
from tests.test_examples.test_games.installed import install_example
from tests.test_examples.test_games.pig import GOAL, chances


@pytest.fixture
def game(packages: Path) -> Game:
    """Pig: the first seat has 30 points and 12 more in its turn, the other has 40."""
    game = install_example(packages, "pig").game.new()
    for sides in ([6] * 5, [5] * 8):
        for side in sides:
            game = game.push("roll").deal(side)
        game = game.push("hold")
    return game.push("roll").deal(6).push("roll").deal(6)


def test_moves_and_positions_are_worth_what_they_are_if_greedy_plays_on(game: Game) -> None:
    holds = np.zeros((GOAL, GOAL, GOAL), np.bool_)
    holds[:, :, 20:] = True
    wins, _ = chances(holds, holds)
    after = [1 - wins[40, 30, 0], *wins[30, 40, 14:19]]
    roll, hold = game.legal_actions
    exact = {roll: np.mean(after), hold: 1 - wins[40, 42, 0]}
    assert stated(game) == pytest.approx(exact, abs=0.05)
    assert worth(game) == pytest.approx(exact, abs=0.03)
    assert standing(game) == pytest.approx([exact[roll], 1 - exact[roll]], abs=0.03)
    due = game.push(roll)
    for side, chance in enumerate(after, start=1):
        assert standing(due.deal(side))[0] == pytest.approx(chance, abs=0.03)
    assert stated_standing(due) == pytest.approx(standing(due), abs=0.1)


def test_at_the_end_it_is_what_came(game: Game) -> None:
    for _ in range(10):
        game = game.push("roll").deal(6)
    assert game.over
    assert standing(game) == [1, 0]


def test_alone_the_total_counts(packages: Path) -> None:
    game = install_example(packages, "take_it_easy").game.new(seed=1).dealt()
    assert room_of("take_it_easy").unit == "points"
    assert {*worth(game)} == {*game.legal_actions}
    assert len(standing(game)) == 1
    assert 20 < standing(game)[0] < 100
