"""Small variants solved exactly: the averages of three players are those that another program found."""

from __future__ import annotations

import pytest

from tests.test_dorfromantik.laid import small
from tests.test_dorfromantik.solver import BEST, GREEDY, RANDOM, value

FIVE = small("L17 L31 L33", "W2 G3", markers={"W": [3], "G": [2]}, open_tasks=1)
SIX = small("L17 L33 L01 L31", "W2 T3", markers={"W": [3], "T": [2]}, open_tasks=1)


@pytest.mark.parametrize(("player", "expected"), [(BEST, 5.583333), (RANDOM, 0.369544), (GREEDY, 3.006366)])
def test_five_tiles(player: int, expected: float) -> None:
    found, positions = value(player, **FIVE)
    assert found == pytest.approx(expected, abs=1e-6)
    assert positions > 1000


@pytest.mark.parametrize(("player", "expected"), [(BEST, 8.166667), (RANDOM, 1.542018), (GREEDY, 4.537795)])
def test_six_tiles(player: int, expected: float) -> None:
    found, positions = value(player, **SIX)
    assert found == pytest.approx(expected, abs=1e-6)
    assert positions > 10_000


def test_one_tile() -> None:
    assert value(BEST, **small("L33"))[0] == 0
    assert value(BEST, **small("", "T5", markers={"T": [1]}))[0] == 2, (
        "the marker, met at once, and a track of one tile"
    )
