"""Small variants solved exactly: the averages of three players are those that another program found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.players.names import Budget
from agents.players.value_search import ValueSearch
from agents.players.values import ValueAgent
from agents.training.values import ValueRun
from bohemian_env.dorfromantik.contract import RULES
from bohemian_env.dorfromantik.verbs import deal, likelihood, outcomes, push
from tests.test_dorfromantik.laid import small
from tests.test_dorfromantik.solver import BEST, GREEDY, RANDOM, value

FIVE = small("L17 L31 L33", "W2 G3", markers={"W": [3], "G": [2]}, open_tasks=1)
SIX = small("L17 L33 L01 L31", "W2 T3", markers={"W": [3], "T": [2]}, open_tasks=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "most", "means"),
    [(FIVE, 1000, (5.583333, 0.369544, 3.006366)), (SIX, 10_000, (8.166667, 1.542018, 4.537795))],
    ids=["five tiles", "six tiles"],
)
def test_a_few_tiles(variant: dict[str, Any], most: int, means: tuple[float, ...]) -> None:
    for player, expected in zip((BEST, RANDOM, GREEDY), means, strict=True):
        found, positions = value(player, **variant)
        assert found == pytest.approx(expected, abs=1e-6)
        assert positions > most


@pytest.mark.slow
def test_one_tile() -> None:
    assert value(BEST, **small("L33"))[0] == 0
    met = value(BEST, **small("", "T5", markers={"T": [1]}))[0]
    assert met == 2, "the marker, met at once, and a track of one tile"


def mean_of(act: Callable[[Any], int], states: np.ndarray) -> float:
    """What a player scores on average from a position, (1,), on, by all that chance can bring."""
    if states["end"][0]:
        return float(states["score"][0, -1])
    if not states["pending"][0]:
        after = states.copy()
        push(after[0], act(states[0]))
        return mean_of(act, after)
    found = 0.0
    for k in range(outcomes(states[0])):
        if likely := likelihood(states[0], k):
            after = states.copy()
            deal(after[0], k)
            found += likely * mean_of(act, after)
    return found


@pytest.mark.slow
def test_a_search_on_what_was_learnt_plays_six_tiles_as_well_as_can_be(tmp_path: Path) -> None:
    """All seeds are fixed, and so is what is learnt."""
    settings = {"game": "dorfromantik", "players": 1, "seed": 0, "trace": 0.9, "rate": 1.0, "options": SIX}
    run = ValueRun(tmp_path / "run", settings)
    run.learn(20_000)
    run.learn(10_000)
    begun, agent = RULES.setup(**SIX).start().new_state(), ValueAgent(RULES, run.weights, "learnt")
    assert mean_of(ValueSearch("alone", agent, Budget(playouts=1), depth=1, most=1).search, begun) > 7
    searched = mean_of(ValueSearch("with time", agent, Budget(playouts=2000), depth=6, most=100).search, begun)
    assert 8.166667 - 0.05 < searched < 8.166667 + 1e-6
