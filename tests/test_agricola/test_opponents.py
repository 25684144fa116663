"""The scripted opponents: planner never begs and farms well over all orders of the cards; greedy is beaten by it."""

from itertools import permutations, product

import numpy as np
import pytest

from agents.tournament import compare, enter
from bohemian_env.agricola import Setup
from bohemian_env.agricola.contract import RULES
from bohemian_env.agricola.decisions import FENCE, TEXTS
from bohemian_env.agricola.faces import Batch
from bohemian_env.agricola.opponents.estimate import KNOTS, NAMES
from bohemian_env.agricola.opponents.planner import new_scratch
from bohemian_env.agricola.opponents.scripted import Scripted, choose
from bohemian_env.agricola.opponents.weights import GREEDY, PLANNER
from bohemian_env.agricola.pieces import MOST_PLAYERS, ROUNDS, STAGE_OF, STAGES
from bohemian_env.engine.legal import is_legal

PLAYER = {name: Scripted(name).number for name in RULES.opponents}
SCRATCH = new_scratch()


def orders() -> list[tuple[int, ...]]:
    """All orders of the cards (A6)."""
    of_stages = [[card for card in range(ROUNDS) if STAGE_OF[card] == stage] for stage in range(len(STAGES))]
    return [sum(order, ()) for order in product(*map(permutations, of_stages))]


def played(players: int, order: tuple[int, ...], name: str = "planner") -> tuple[np.ndarray, np.ndarray]:
    """The totals and the begging cards of a game of one opponent with itself."""
    s = Setup(players).start().new_state()[0]
    while not s["end"]:
        if s["pending"]:
            RULES.verbs.deal(s, order[s["turn"]])
        else:
            action = choose(PLAYER[name], s, np.uint64(7), SCRATCH)
            assert is_legal(s, action)
            RULES.verbs.push(s, action)
    return np.array([row["total"] for row in RULES.scoring_of(s)]), s["begging"][:players].copy()


@pytest.mark.slow
def test_planner_farms_alone_over_all_orders() -> None:
    found = [played(1, order) for order in orders()]
    assert len(found) == 1152
    assert np.mean([totals for totals, _ in found]) >= 36
    assert np.mean([begging > 0 for _, begging in found]) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("players", "least"), [(2, 31), (3, 22), (4, 20), (5, 14)])
def test_planner_farms_among_its_like(players: int, least: float) -> None:
    some = orders()[::9]
    found = [played(players, order) for order in some]
    totals, begging = (np.array(one) for one in zip(*found, strict=True))
    assert totals.mean(axis=0).min() >= least
    if players < 5:
        assert (begging > 0).any(axis=1).mean() < 0.05


@pytest.mark.parametrize("players", [2, 4])
def test_planner_beats_greedy_and_greedy_beats_random(players: int) -> None:
    """By seeds, so that the shares are always the same."""
    for better, other in (("planner", "greedy"), ("greedy", "random")):
        entrants = enter([better, other], 7, game=RULES.name)
        found = compare(entrants, Setup(players), games=60, tables="single", seed=7).results[0]
        assert found.share.value > 1.2 / players
        assert found.margin.value > 0


def test_every_weight_has_its_name() -> None:
    assert GREEDY.shape == (KNOTS, len(NAMES))
    assert PLANNER.shape == (MOST_PLAYERS + 1, KNOTS, len(NAMES))
    assert np.isfinite(PLANNER).all()
    assert (PLANNER[1:, :, 0] == 1).all()


def test_pastures_that_are_alike_are_tried_once() -> None:
    """With many sets to choose from, planner still decides; among those that are alike it takes the last ones."""
    batch = Batch(64, 2)
    chosen = set[str]()
    for _ in range(400):
        actions = np.array([choose(PLAYER["planner"], s, np.uint64(0), SCRATCH) for s in batch.states])
        chosen |= {TEXTS[action] for action in actions if action >= FENCE}
        batch.step(actions)
    assert len(chosen) > 3
