"""The panel that a network in training is compared with."""

from __future__ import annotations

import torch

from agents.network.net import PolicyNet, Shape
from agents.training.panel import PANEL, panel_shares
from bohemian_env import Board
from tests.test_agents.test_training.runs import tiny


def test_the_panel_plays_the_same_games_each_time_and_tells_strong_from_weak() -> None:
    """From every seat, and with the network's most likely moves."""
    settings = tiny(panel_games=200)
    torch.manual_seed(1)
    weak = panel_shares(PolicyNet(Shape((8,), (8,), (8,))), settings, Board.standard())
    assert set(weak) == set(PANEL)
    torch.manual_seed(1)
    assert panel_shares(PolicyNet(Shape((8,), (8,), (8,))), settings, Board.standard()) == weak
    assert max(weak.values()) < 0.3
