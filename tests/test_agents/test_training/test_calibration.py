"""The curve from a network's values to chances of winning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from agents.network.files import load_net, save_net
from agents.network.net import Shape
from agents.players.policy import PolicyAgent, load_agent
from agents.training import calibration
from bohemian_env import Batch, Board, Game, observe
from tests.test_agents.networks import SMALL, TOLD, net_of


def test_the_curve_of_chances_is_found_again() -> None:
    """Results drawn from a known curve; the error of 40,000 draws is about .02 for the offset and .04 for the slope."""
    rng = np.random.default_rng(1)
    values = rng.uniform(-1, 1, 40_000)
    won = (rng.random(40_000) < 1 / (1 + np.exp(-(-0.7 + 2.5 * values)))).astype(float)
    offset, slope = calibration.fit(values, won)
    assert offset == pytest.approx(-0.7, abs=0.06)
    assert slope == pytest.approx(2.5, abs=0.12)
    chances = 1 / (1 + np.exp(-(offset + slope * values)))
    for chance, part, count in calibration.reliability(chances, won):
        assert part == pytest.approx(chance, abs=4 * np.sqrt(0.25 / count))


def test_reliability_puts_each_decision_in_one_range() -> None:
    rows = calibration.reliability(np.array([0.0, 0.05, 0.55, 1.0, 0.95]), np.array([0, 1, 1, 0.5, 1]), 2)
    assert rows == [(pytest.approx(0.025), 0.5, 2), (pytest.approx(2.5 / 3), pytest.approx(2.5 / 3), 3)]


@pytest.mark.parametrize("shape", [SMALL, TOLD])
def test_results_are_values_and_wins_of_the_deciding_seats(shape: Shape) -> None:
    agent = PolicyAgent(net_of(1, shape))
    values, won = calibration.results(agent, 2, 20, seed=5)
    assert values.shape == won.shape
    assert len(values) > 20 * 20
    batch = Batch(20, 2)
    batch.reset(5)
    told = batch.advise() if shape.advice else None
    np.testing.assert_allclose(values[:20], agent.values(batch.observations, told), atol=1e-5)
    assert set(np.unique(won)) <= {0.0, 0.5, 1.0}
    assert 0.2 < won.mean() < 0.8


def test_a_calibrated_agent_tells_its_chance_of_winning(saved: Path, tmp_path: Path) -> None:
    game = Game.new(2, seed=3).roll()
    assert load_agent(saved).explain(game).chance is None
    net, _ = load_net(saved)
    save_net(net, tmp_path / "agent.safetensors", Board.standard(), {"players": 2})
    assert calibration.main([str(tmp_path), "--games", "30"]) == 0
    agent = load_agent(tmp_path)
    offset, slope = agent.calibration
    value = float(agent.values(observe(game)["observation"][None])[0])
    assert agent.explain(game).chance == pytest.approx(1 / (1 + np.exp(-(offset + slope * value))))
    for name, tensor in net.state_dict().items():
        assert torch.equal(tensor, agent.net.state_dict()[name])


def test_what_cannot_be_calibrated_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibration.main([str(tmp_path)]) == 2
    assert "no trained agent in this folder" in capsys.readouterr().err
