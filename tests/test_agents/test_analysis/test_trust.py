"""How far stated chances of winning can be trusted."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from agents.analysis import trust as module
from agents.analysis.trust import TENTHS, trust
from agents.common.statistics import win_shares
from bohemian_env import Batch


@pytest.mark.parametrize("players", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_stated_chances_are_near_what_is_won(players: int) -> None:
    """The page has 20,000 games; in 300 a mean is off by some hundredths."""
    found = trust("appraiser", players, 300, 77)
    assert found.furthest < 0.12
    assert found.brier.value < found.constant.value
    for row in found.stated_less_won:
        assert sum(cell.value for cell in row) == pytest.approx(0, abs=1e-9)
        assert all(cell.low <= cell.value <= cell.high for cell in row)


def test_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where seat 0 is always told .7: stated less won, per tenth of the turns and seat."""

    def told(states: np.ndarray, games: np.ndarray) -> np.ndarray:
        return np.tile([0.7, 0.3], (len(games), 1))

    monkeypatch.setattr(module, "chances_of", told)
    found, batch, greedy = trust("greedy", 2, 40, 5), Batch(40, 2, autoreset=False), agents.make("greedy", 5)
    batch.reset(5)
    seen: list[tuple[int, int]] = []
    while not batch.over.all():
        seen += [(int(game), int(batch.states["turn"][game])) for game in np.flatnonzero(~batch.over)]
        batch.step(greedy.act_batch(batch))
    won = win_shares(batch.totals)
    for k in (0, TENTHS - 1):
        here = [game for game, turn in seen if TENTHS * (turn - 1) // int(batch.states["turn"][game]) == k]
        assert found.stated_less_won[k][0].value == pytest.approx(0.7 - won[here, 0].mean())
        assert found.stated_less_won[k][1].value == pytest.approx(0.3 - won[here, 1].mean())
    owners = [game for game, _ in seen]
    assert found.brier.value == pytest.approx(np.mean((np.array([0.7, 0.3]) - won[owners]) ** 2))
    assert found.constant.value == pytest.approx(np.mean((0.5 - won[owners]) ** 2))
