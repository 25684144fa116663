"""The learner of values with layers: it picks what it tries, learns what it is told, and plays the same by a seed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from agents.common.files import BadAgent
from agents.players.values import count_weights, join_values, load_values, new_room, save_values, value_of
from agents.training.layers import OTHER, OWN, TAUGHT, LayerLearner, first_weights, learn_rows, new_rows, pick
from agents.training.layers import play_games as play
from bohemian_env.engine.chance import mix
from bohemian_env.games import rules_of

RULES = rules_of("agricola")
VERBS = RULES.verbs


def begun(seed: int = 1) -> np.ndarray:
    return first_weights(VERBS.INPUTS, 0, VERBS.HIDDEN, seed)


def test_what_is_picked_is_the_best_unless_it_strays() -> None:
    worths, words = np.array([3.0, 2.9, 1.0]), [np.uint64(mix(np.uint64(k))) for k in range(4000)]
    assert {pick(worths, 0.0, 0.0, word) for word in words} == {0}
    shares = np.bincount([pick(worths, 0.0, 0.1, word) for word in words]) / len(words)
    assert shares[1] / shares[0] == pytest.approx(np.exp(-1), abs=0.05)
    assert len(shares) == 2
    shares = np.bincount([pick(worths, 1.0, 0.0, word) for word in words]) / len(words)
    assert shares == pytest.approx([1 / 3] * 3, abs=0.03)


def test_first_weights_are_as_many_as_the_game_has() -> None:
    weights = begun()
    assert weights.shape == (count_weights(RULES),)
    assert weights.dtype == np.float32
    assert (weights == begun()).all()
    assert (weights != begun(2)).any()


def test_agents_of_all_numbers_of_players_are_joined(tmp_path: Path) -> None:
    folders = [tmp_path / str(players) for players in RULES.players]
    for players, folder in zip(RULES.players, folders, strict=True):
        folder.mkdir()
        save_values(folder, RULES, begun(players), {"players": players})
    join_values(folders, tmp_path / "all")
    agent = load_values(tmp_path / "all")
    for players in RULES.players:
        assert_array_equal(agent.weights_for(players), begun(players))
        assert_array_equal(load_values(folders[0]).weights_for(players), begun(1))
    about = json.loads((tmp_path / "all/agent.json").read_text())["about"]
    assert [run["players"] for run in about["runs"]] == [*RULES.players]
    with pytest.raises(BadAgent, match="expected a run for each"):
        join_values(folders[1:], tmp_path / "some")
    save_values(folders[0], RULES, np.stack([begun(1)] * 2), {"players": 1})
    with pytest.raises(BadAgent, match="one for each number of players"):
        load_values(folders[0])


@pytest.mark.slow
def test_it_learns_what_it_is_told() -> None:
    rows, rng, room = new_rows(1), np.random.default_rng(1), RULES.compiled(new_room)()
    for row in range(20):
        rows.inputs[10 * row : 10 * row + 10] = rng.choice(VERBS.INPUTS, 10, replace=False)
        rows.first[row + 1] = 10 * row + 10
    rows.gains[:20] = rng.normal(size=20) * 20
    weights = begun()
    gradient, mean, square = (np.zeros_like(weights) for _ in range(3))

    def errors() -> np.ndarray:
        value = RULES.compiled(value_of)
        values = [value(weights, rows.inputs[10 * row : 10 * row + 10], room) for row in range(20)]
        return np.abs(np.array(values) - rows.gains[:20])

    before, steps = errors(), 0
    for _ in range(60):
        steps = RULES.compiled(learn_rows)(np.arange(20), rows, weights, gradient, mean, square, steps, 3e-3, 5, room)
    assert steps == 60 * 4
    assert errors().mean() < 0.2 * before.mean()
    assert not gradient.any()


@pytest.mark.slow
def test_by_a_seed_it_plays_and_learns_the_same() -> None:
    def learnt() -> tuple[Any, ...]:
        weights = begun()
        traces, rates = np.zeros_like(weights), np.zeros_like(weights)
        learner = LayerLearner(RULES, RULES.setup(2).common(), weights, traces, rates, True, 0.5)
        told, seed = np.zeros(2), 5
        for part in (0.0, 0.3, 0.9):
            seed = learner.turn(seed, 3, part, 0.9, 1.0, told)
        return weights, seed, told

    (weights, seed, told), (again, *others) = learnt(), learnt()
    assert_array_equal(weights, again)
    assert (seed, told.tolist()) == (others[0], others[1].tolist())
    assert told[1] == 9
    assert (weights != begun()).any()


@pytest.mark.slow
@pytest.mark.parametrize("who", [OWN, TAUGHT, OTHER])
def test_what_came_of_a_position_is_written_of_the_seats_that_are_learnt_from(who: int) -> None:
    """With λ = 1 and no straying the first position of a seat has to gain all that its total rises by."""
    by, told, rows = np.full(VERBS.MAX_PLAYERS, OTHER), np.zeros(2), new_rows(2)
    by[1] = who
    states, common, weights = np.zeros(3, RULES.state), RULES.setup(2).common(), begun()
    if who == OTHER:
        by[0] = TAUGHT
    seed, scratch = np.uint64(3), RULES.scratch()
    _, count = RULES.compiled(play)(seed, 1, common, states, weights, by, 2, scratch, 0.0, 0.0, 1.0, rows, told)
    totals = [row["total"] for row in RULES.scoring_of(states[0])]
    assert told.tolist() == [totals[0 if who == OTHER else 1], 1]
    assert 20 < count < 400
    assert rows.first[count] > 20 * count
    start = [row["total"] for row in RULES.game.new(2, seed=3).dealt().scores]
    gained = totals[0 if who == OTHER else 1] - start[0]
    assert rows.gains[0] == pytest.approx(gained, abs=4)
