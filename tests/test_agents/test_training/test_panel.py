"""The panel that a network in training is compared with."""

import math
from dataclasses import replace

import pytest

from agents.network.files import load_net
from agents.network.net import Shape
from agents.pretrained import duel, shipped_path
from agents.training.config import TrainConfig
from agents.training.panel import PANEL, panel_shares, picture
from bohemian_env import Board
from tests.test_agents.networks import net_of
from tests.test_agents.test_training.runs import tiny


@pytest.mark.slow
def test_the_panel_plays_the_same_games_each_time_and_tells_strong_from_weak() -> None:
    """From every seat, and with the network's most likely moves."""
    settings = tiny(panel_games=200, max_turns=TrainConfig.max_turns)
    weak, again = (panel_shares(net_of(1, Shape((8,), (8,), (8,))), settings, Board.standard()) for _ in range(2))
    assert set(weak) == set(PANEL)
    assert again == weak
    assert max(weak.values()) < 0.3
    net, _ = load_net(shipped_path(2))
    told = replace(settings, advice=True, adviser=net.shape.adviser)
    strong = panel_shares(net, told, Board.standard())
    for name, share in strong.items():
        assert share == pytest.approx(duel("ppo", name, 2)["win_share"]["value"], abs=3.5 * 0.5 / math.sqrt(200))


def test_names_of_any_kind_are_drawn() -> None:
    """The agent that a run is against may have a path with anything in it."""
    drawn = picture([{"samples": 1, "seconds": 1.0, "players": 2, "shares": {"runs/a b$x^$": 0.5}}])
    assert b"runs/a b$x^$" in drawn
