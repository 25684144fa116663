"""Learning the appraiser's network: what a game teaches, that learning it helps, and that a run goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch import nn

from agents.training.folder import BadRun
from agents.training.td import _FIRST_SEED, TdConfig, TdRun, _Field, _Network, main, weights_of
from bohemian_env.chance import STEP, mix
from bohemian_env.game.facts import MAX_PLAYERS
from bohemian_env.opponents.appraiser import INPUTS, appraise, new_room, write_inputs
from bohemian_env.opponents.lookahead import search, search_room

TINY: Any = dict(games_at_once=4, minibatch=64)


def stated(state: np.void, weights: tuple[np.ndarray, ...], players: int) -> np.ndarray:
    """Every seat's chance, the seat to move first."""
    chances = np.zeros(MAX_PLAYERS)
    appraise(state, weights, new_room(), chances)
    return np.roll(chances[:players], -int(state["to_move"]))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_exported_network_states_what_the_learned_one_does(players: int) -> None:
    torch.manual_seed(players)
    network, config = _Network(players), TdConfig(players, 4, **TINY)
    nn.init.normal_(network.places)
    rows = _Field(config).play(weights_of(network), 0)
    inputs = np.zeros((len(rows.states), INPUTS), np.float32)
    write_inputs(rows.states, np.arange(len(inputs)), new_room(), inputs)
    turns = torch.from_numpy(rows.states["turn"].astype(np.int64))
    learned = torch.exp(network(torch.from_numpy(inputs), turns)).detach().numpy()
    for state, chances in zip(rows.states, learned, strict=True):
        assert_allclose(stated(state, weights_of(network), players), chances, atol=1e-5)


@pytest.mark.parametrize("lam", [0.0, 0.6, 1.0])
def test_targets_are_the_returns_that_lambda_asks_for(lam: float) -> None:
    """Rows come last first: each roll's position after it and before it, back to the first roll."""
    torch.manual_seed(1)
    weights, config = weights_of(_Network(3)), TdConfig(3, 1, lam=lam, stray=0.2, games_at_once=1)
    rows = _Field(config).play(weights, 0)
    before = rows.states["pending"] > 0
    assert before[-1], "the first roll"
    assert (rows.states["turn"][:-1] >= rows.states["turn"][1:]).all()
    result = np.roll(rows.targets[0], int(rows.states[0]["to_move"]))
    goal = result
    for state, target, rolled in zip(rows.states, rows.targets, before, strict=True):
        assert_allclose(target, np.roll(goal, -int(state["to_move"])), atol=1e-5)
        if rolled:
            own = np.roll(stated(state, weights, 3), int(state["to_move"]))
            goal = lam * goal + (1 - lam) * own
    assert sorted(result) in ([0, 0, 1], pytest.approx([0, 0.5, 0.5]), pytest.approx([1 / 3] * 3))


def test_among_planners_the_network_has_one_seat_and_seldom_wins_before_it_has_learned() -> None:
    torch.manual_seed(1)
    weights, field = weights_of(_Network(3)), _Field(TdConfig(3, 1, among=1.0, games_at_once=1))
    won = np.zeros(60)
    for number in range(len(won)):
        rows = field.play(weights, number)
        result = np.roll(rows.targets[0], int(rows.states[0]["to_move"]))
        won[number] = result[int(mix(np.uint64(_FIRST_SEED + number) ^ STEP) & np.uint64(0xFFFF)) % 3]
    assert won.mean() < 0.15


@pytest.mark.parametrize("players", [2, 4])
def test_what_a_search_says_is_the_target_of_its_roll(players: int) -> None:
    """With λ = 0 and all searched, of games in which the network begins: the first decision of each."""
    torch.manual_seed(1)
    weights, config = (
        weights_of(_Network(players)),
        TdConfig(players, 1, lam=0.0, among=1.0, searched=1.0, playouts=20, games_at_once=1),
    )
    field, seen = _Field(config), 0
    for number in range(40):
        word = mix(np.uint64(_FIRST_SEED + number) ^ STEP)
        rows = field.play(weights, number)
        rolled, target = rows.states[-2], rows.targets[-2]
        if rolled["pending"] or int(word & np.uint64(0xFFFF)) % players != rolled["to_move"]:
            continue
        seed = np.uint64(mix(np.uint64((int(word) + int(STEP)) % 2**64)))  # of the first decision
        value = search(rolled.copy(), seed, config.playouts, weights, search_room())
        assert target[0] == pytest.approx(value, abs=1e-6)
        assert target.sum() == pytest.approx(1, abs=1e-6)
        assert_array_equal(rows.targets[-1], target)  # of the position before these dice, too
        seen += 1
    assert seen >= 5


def test_learning_brings_what_is_stated_nearer_to_what_became(tmp_path: Path) -> None:
    run = TdRun(tmp_path, TdConfig(2, 60, lam=1.0, games_at_once=60, minibatch=128))
    rows = _Field(run.config).play(weights_of(run.network), 0)

    def surprise() -> float:
        weights = weights_of(run.network)
        chances = np.array([stated(state, weights, 2) for state in rows.states])
        return float(-(rows.targets * np.log(chances)).sum(axis=1).mean())

    before = surprise()
    run._learn(rows, 200)
    assert surprise() < before - 0.1


def test_a_run_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    """But for what it learns from: games before the stop are not played again."""
    config = TdConfig(2, 8, **TINY)
    run = TdRun(tmp_path / "run", config)
    run.train()
    run.folder.release()
    again = TdRun(tmp_path / "run", config)
    assert again.games == 8
    for one, other in zip(weights_of(run.network), weights_of(again.network), strict=True):
        assert_array_equal(one, other)
    moments = again.optimizer.state_dict()["state"]
    assert_array_equal(moments[0]["exp_avg"], run.optimizer.state_dict()["state"][0]["exp_avg"])


def test_a_run_begins_with_the_network_of_another(tmp_path: Path) -> None:
    first = TdRun(tmp_path / "first", TdConfig(2, 4, **TINY))
    first.train()
    second = TdRun(tmp_path / "second", TdConfig(2, 4, seed=1, rate=1e-4, **TINY), tmp_path / "first")
    for one, other in zip(weights_of(first.network), weights_of(second.network), strict=True):
        assert_array_equal(one, other)
    assert second.games == 0
    assert not second.optimizer.state
    with pytest.raises(BadRun, match="2 players, not 3"):
        TdRun(tmp_path / "third", TdConfig(3, 4, **TINY), tmp_path / "first")
    with pytest.raises(BadRun, match="no checkpoint"):
        TdRun(tmp_path / "fourth", TdConfig(2, 4, **TINY), tmp_path / "nowhere")


@pytest.mark.slow
def test_where_only_places_are_learned_nothing_else_changes(tmp_path: Path) -> None:
    first = TdRun(tmp_path / "first", TdConfig(2, 4, **TINY))
    first.train()
    before = weights_of(first.network)
    second = TdRun(tmp_path / "second", TdConfig(2, 8, seed=1, places=True, **TINY), tmp_path / "first")
    second.train()
    second.folder.release()
    again = TdRun(tmp_path / "second", TdConfig(2, 8, seed=1, places=True, **TINY))
    changed = [not np.array_equal(one, other) for one, other in zip(before, weights_of(again.network), strict=True)]
    assert changed == [False, False, False, True]


def test_what_it_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = TdRun(tmp_path / "run", TdConfig(2, 4, **TINY))
    run.train()
    run.folder.release()
    with pytest.raises(BadRun, match="other settings"):
        TdRun(tmp_path / "run", TdConfig(3, 4, **TINY))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["--players", "2", "--out", str(tmp_path / "new"), "--searched", "0.2"])
    assert "--searched 0.2 searches in games among planners, and --among is 0" in capsys.readouterr().err
    assert main(["--players", "2", "--out", str(tmp_path / "other")]) == 2
    assert "already holds something" in capsys.readouterr().err
    (tmp_path / "run" / "checkpoint.safetensors").write_bytes(b"damaged")
    with pytest.raises(BadRun, match="no checkpoint"):
        TdRun(tmp_path / "run", TdConfig(2, 4, **TINY))
