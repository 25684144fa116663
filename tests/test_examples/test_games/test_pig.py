"""Pig: its rules, beside a plain second implementation, and how near learning comes to the optimum."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.players.values import ValueAgent
from agents.training.values import ValueRun
from bohemian_env.engine.contract import Rules
from bohemian_env.engine.errors import BadPosition
from tests.test_examples.test_games import pig as plain
from tests.test_examples.test_games.installed import install_example
from tests.test_examples.test_games.pig import GOAL


@pytest.fixture
def rules(packages: Path) -> Rules:
    return install_example(packages, "pig")


def rolled(game: Any, *sides: int) -> Any:
    for side in sides:
        game = game.push("roll").deal(side)
    return game


def test_a_turn_is_rolled_held_and_lost(rules: Rules) -> None:
    game = rules.game.new()
    assert game.legal_moves == ("roll",)  # nothing is there to be held
    game = rolled(game, 5, 6)
    assert (game.to_move, game.legal_moves, game.position()["turn_points"]) == (0, ("roll", "hold"), 11)
    held = game.push("hold")
    assert (held.to_move, held.turn, held.position()["points"]) == (1, 2, [11, 0])
    lost = rolled(held, 4, 1)
    assert (lost.to_move, lost.turn, lost.position()["points"], lost.legal_moves) == (0, 3, [11, 0], ("roll",))


def test_who_has_100_points_wins_at_once_and_the_other_one_s_total_is_0(rules: Rules) -> None:
    game = rolled(rules.game.new(), *[6] * 16)
    assert (game.over, game.position()["turn_points"]) == (False, 96)
    game = rolled(game.push("hold"), 6).push("hold")
    for side, points in ((4, 100), (6, 102)):
        won = rolled(game, side)
        assert (won.over, won.position()["points"], won.outcome().winners) == (True, [points, 6], (0,))
        assert [row["total"] for row in won.outcome().scoring] == [100, 0]
    assert not rolled(game, 3).over


def test_it_goes_as_by_a_plain_implementation(rules: Rules) -> None:
    for seed in range(60):
        dice, game, told = random.Random(seed), rules.game.new(seed=seed), plain.Pig()
        while told.winner() is None:
            assert (game.to_move, game.over) == (told.seat, False)
            assert game.position()["points"] == told.points
            assert game.position()["turn_points"] == sum(told.rolls)
            assert game.legal_moves == (("roll", "hold") if told.rolls else ("roll",))
            if told.rolls and dice.random() < 0.1:
                game = game.push("hold")
                told.hold()
            else:
                game = game.push("roll").deal()
                told.roll(game.happened[0]["outcome"])
        assert game.outcome().winners == (told.winner(),)


@pytest.mark.parametrize(
    ("name", "value"),
    [("turn", 2), ("turn", 0), ("to_move", 1), ("points", [0, 100]), ("points", [95, 0]), ("end", 1), ("pending", 2)],
)
def test_positions_that_cannot_be_are_refused(rules: Rules, name: str, value: object) -> None:
    position = rolled(rules.game.new(), 5).position()
    with pytest.raises(BadPosition):
        rules.game.from_position(position | {name: value})


# --- the optimum ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_optimum_is_the_published_one() -> None:
    best = plain.optimum()
    wins, others = plain.chances(best, best)
    assert wins[0, 0, 0] == pytest.approx(others[0, 0, 0]) == pytest.approx(0.5306, abs=5e-5)
    at_20 = np.zeros_like(best)
    at_20[:, :, 20:] = True
    assert plain.win_share(best, at_20) == pytest.approx(0.5399, abs=5e-5)
    assert plain.win_share(at_20, best) == pytest.approx(1 - plain.win_share(best, at_20))


def way_of(agent: ValueAgent) -> np.ndarray:
    """Where an agent holds: bool, by its points, the other's and the turn's."""
    holds = np.zeros((GOAL, GOAL, GOAL), np.bool_)
    mine, theirs, more = (one.ravel() for one in np.indices(holds.shape))
    asked = (more > 1) & (mine + more < GOAL)
    states = np.zeros(int(asked.sum()), agent.rules.state)
    states["players"], states["turn"], states["legal"] = 2, 3, 3
    states["points"] = np.stack([mine, theirs], axis=1)[asked]
    states["turn_points"] = more[asked]
    actions = agent.decide(states, np.zeros(len(states), np.uint64), np.arange(len(states)))
    holds[mine[asked], theirs[asked], more[asked]] = actions == 1
    return holds


@pytest.mark.slow
def test_what_is_learnt_is_near_the_optimum(rules: Rules, tmp_path: Path) -> None:
    run = ValueRun(
        tmp_path / "run", {"game": "pig", "players": None, "seed": 0, "trace": 0.5, "rate": 0.1, "among": 0.0}
    )
    while run.games < 150_000:
        run.learn(50, run.games / 150_000)
    assert plain.win_share(plain.optimum(), way_of(ValueAgent(rules, run.weights, "learnt"))) <= 0.51
