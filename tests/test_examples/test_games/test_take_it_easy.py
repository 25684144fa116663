"""Take It Easy: its rules, beside a plain second implementation, and that learning gets anywhere."""

import random
from pathlib import Path
from typing import Any

import pytest

from agents.players.values import ValueAgent
from agents.training.values import ValueRun
from bohemian_env.engine.contract import Rules
from bohemian_env.engine.errors import BadPosition
from bohemian_env.games import faces_of
from tests.test_examples.test_games import take_it_easy as plain
from tests.test_examples.test_games.installed import install_example

BEST = "524 568 573 574 528 563 578 164 178 123 168 174 968 973 928 964 963 978 924"
"""A board that brings the most points, column by column."""


@pytest.fixture
def rules(packages: Path) -> Rules:
    return install_example(packages, "take_it_easy")


def placed(game: Any, **tiles: str) -> Any:
    for cell, tile in tiles.items():
        game = game.deal(tile).push(cell)
    return game


def test_a_line_of_one_number_scores_it_for_each_of_its_tiles(rules: Rules) -> None:
    game = placed(rules.game.new(), a="963", b="924")
    assert game.outcome() is None
    assert rules.scoring_of(game.states[0]) == [{"total": 0}]
    assert rules.scoring_of(placed(game, c="978").states[0]) == [{"total": 27}]  # down, with three tiles
    assert rules.scoring_of(placed(game, c="178").states[0]) == [{"total": 0}]  # two numbers in it


@pytest.mark.parametrize(
    ("cells", "tiles", "points"),
    [
        ("hijkl", "523 524 573 563 564", 25),  # down
        ("aejos", "163 164 568 563 968", 30),  # down to the right
        ("cfjnq", "128 168 578 528 968", 40),  # down to the left
        ("adh", "123 563 973", 9),
        ("bfkp", "123 523 924 928", 8),
        ("abcd", "123 124 163 164", 3),  # the fourth is in the next column
    ],
)
def test_the_lines_of_each_direction(rules: Rules, cells: str, tiles: str, points: int) -> None:
    game = placed(rules.game.new(), **dict(zip(cells, tiles.split(), strict=True)))
    assert rules.scoring_of(game.states[0]) == [{"total": points}]


def test_every_cell_is_in_three_lines_and_there_are_fifteen() -> None:
    found = plain.lines()
    assert sorted(len(cells) for _, cells in found) == [3] * 6 + [4] * 6 + [5] * 3
    assert all(sum(cell in cells for _, cells in found) == 3 for cell in plain.CELLS)


def test_the_best_board_has_307_points(rules: Rules) -> None:
    game = placed(rules.game.new(), **dict(zip("abcdefghijklmnopqrs", BEST.split(), strict=True)))
    assert (game.over, game.outcome().reason, game.outcome().scoring) == (True, "the board is full", ({"total": 307},))
    assert len({*BEST.split()}) == 19


def test_it_goes_as_by_a_plain_implementation(rules: Rules) -> None:
    for seed in range(40):
        choice, game, told = random.Random(seed), rules.game.new(seed=seed).dealt(), plain.TakeItEasy()
        hidden = {*plain.TILES}
        while not game.over:
            tile = rules.outcome_of(game.states[0], int(game.states[0]["tile"]))
            hidden.remove(tile)
            assert [*game.legal_actions] == [k for k, cell in enumerate(plain.CELLS) if cell not in told.board]
            cell = choice.choice(game.legal_actions)
            told.place(cell, tile)
            game = game.push(cell)
            assert rules.scoring_of(game.states[0])[0]["total"] == told.points()
            if not game.over:
                assert {text for text, _ in game.chance_outcomes()} == hidden
                assert all(part == pytest.approx(1 / len(hidden)) for _, part in game.chance_outcomes())
                game = game.deal()
        assert len(told.board) == game.turn == 19


def test_lines_that_nearly_are_score_in_a_plain_game_as_well(rules: Rules) -> None:
    """The best board with two tiles exchanged: random games have few lines that score."""
    for seed in range(30):
        tiles, choice = BEST.split(), random.Random(seed)
        one, other = choice.sample(range(19), 2)
        tiles[one], tiles[other] = tiles[other], tiles[one]
        order = choice.sample(range(19), 19)
        game, told = rules.game.new(), plain.TakeItEasy()
        for cell in order:
            game = game.deal(tiles[cell]).push(cell)
            told.place(cell, tiles[cell])
            assert rules.scoring_of(game.states[0])[0]["total"] == told.points()
        assert 100 < told.points() < 307


def test_the_board_is_drawn_with_letters_for_empty_cells(rules: Rules) -> None:
    game = placed(rules.game.new(), j="963", a="524").deal("178")
    assert rules.draw_text(game.position(), names=["Ann"]).splitlines() == [
        "to move: Ann",
        "Ann: total 0",
        "tile: 178",
        "",
        "           h",
        "      d         m",
        "524        i         q",
        "      e         n",
        " b        963        r",
        "      f         o",
        " c         k         s",
        "      g         p",
        "           l",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [("tile", 27), ("tile", 0), ("cells", [0] * 19), ("cells", [5] + [-1] * 18), ("points", 9), ("hidden", 1)],
)
def test_positions_that_cannot_be_are_refused(rules: Rules, name: str, value: object) -> None:
    position = placed(rules.game.new(), a="123").deal("124").position()
    with pytest.raises(BadPosition):
        rules.game.from_position(position | {name: value})


@pytest.mark.slow
def test_learning_gets_beyond_115_points(rules: Rules, tmp_path: Path) -> None:
    run = ValueRun(tmp_path / "run", {"game": "take_it_easy", "players": None, "seed": 0, "trace": 0.9, "rate": 1.0})
    while run.games < 3000:
        run.learn(50, run.games / 3000)
    agent, games = ValueAgent(rules, run.weights, "learnt"), faces_of("take_it_easy").Batch(2000, autoreset=False)
    games.reset(10**6)
    for _ in range(19):
        games.step(agent.act_batch(games))
    assert games.totals.mean() > 115
