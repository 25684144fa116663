"""Players by sums of inputs, for every game that writes them: they take what is worth most, and look ahead."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from agents.players.names import Budget
from agents.players.value_search import ValueSearch, follow
from agents.players.values import (
    LOOKED_AT,
    ValueAgent,
    best_actions,
    count_weights,
    keep_best,
    load_values,
    new_room,
    worth_of,
    write_worths,
)
from bohemian_env.engine.dealing import redraw_seed
from bohemian_env.games import GAMES, faces_of, rules_of
from tests.helpers import ROOT

LEARNT = [name for name in GAMES if hasattr(rules_of(name).verbs, "write_inputs")]
SLOW = [pytest.param(name, marks=[pytest.mark.slow] if name == "agricola" else []) for name in LEARNT]


def some_weights(rules: Any) -> np.ndarray:
    """Any weights, small whole numbers, so that their sums are exact."""
    return np.random.default_rng(1).integers(-8, 9, count_weights(rules)).astype(np.float32)


def decisions(rules: Any, seed: int, every: int, **options: Any) -> list[np.ndarray]:
    """Copies of some positions of a random game in which a seat decides, each with room for three more."""
    rng, game, found = np.random.default_rng(seed), rules.game.new(**options, seed=seed).dealt(), []
    while not game.over:
        found.append(np.concatenate([np.array(game.states), np.zeros(3, rules.state)]))
        game = game.push(int(rng.choice(game.legal_actions))).dealt()
    return found[::every]


@pytest.mark.parametrize("name", SLOW)
def test_the_best_is_what_is_worth_most(name: str) -> None:
    rules = rules_of(name)
    weights, room = some_weights(rules), rules.compiled(new_room)()
    for states in decisions(rules, 3, 9):
        actions, worths = np.zeros(rules.verbs.NUM_ACTIONS, np.int64), np.zeros(rules.verbs.NUM_ACTIONS)
        own = getattr(rules.verbs, "write_worths", rules.compiled(write_worths))
        count = own(states, weights[rules.verbs.INPUTS if hasattr(rules.verbs, "QUICK") else 0 :], actions, worths)
        assert 0 < count <= np.bitwise_count(states["legal"][0]).sum()
        order = np.lexsort((actions[:count], -worths[:count]))[:LOOKED_AT]
        all_of = {int(a): rules.compiled(worth_of)(states, a, weights, room) for a in actions[order]}
        found = rules.compiled(best_actions)(states, weights, LOOKED_AT, room)
        assert [*room.actions[:found]] == sorted(all_of, key=lambda action: (-all_of[action], action))
        assert_array_equal(room.worths[:found], sorted(all_of.values(), reverse=True))


VARIANTS: list[dict[str, Any]] = [
    {},
    {"open_tasks": 8},
    {"window": 6},
    {"markers": {k: [3, 4, 5, 9, 30] for k in "WGVTS"}},
]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_quick_worths_are_those_of_carrying_out(variant: int) -> None:
    rules = rules_of("dorfromantik")
    verbs, weights = rules.verbs, some_weights(rules)
    quick = weights[verbs.INPUTS :]
    alone = np.zeros(verbs.INPUTS, np.float32)
    alone[: verbs.QUICK] = quick
    found, slowly = ((np.zeros(verbs.NUM_ACTIONS, np.int64), np.zeros(verbs.NUM_ACTIONS)) for _ in range(2))
    for states in decisions(rules, 10 + variant, 5, **VARIANTS[variant]):
        count = verbs.write_worths(states, quick, *found)
        assert count == rules.compiled(write_worths)(states, alone, *slowly)
        order = np.argsort(found[0][:count])
        assert_array_equal(found[0][order], slowly[0][:count])
        assert_allclose(found[1][order], slowly[1][:count])


def test_the_best_are_kept_in_order() -> None:
    rng = np.random.default_rng(2)
    for most in (1, 3, 20):
        actions, worths = rng.permutation(12), rng.integers(0, 4, 12).astype(float)
        expected = sorted(zip(-worths, actions, strict=True))[:most]
        assert keep_best(12, most, actions, worths) == len(expected)
        assert [*zip(-worths[: len(expected)], actions[: len(expected)], strict=True)] == expected


@pytest.mark.parametrize("name", SLOW)
def test_what_follows_an_action_depends_on_the_redraw_alone(name: str) -> None:
    rules = rules_of(name)
    weights, room = some_weights(rules) / np.float32(100), rules.compiled(new_room)()
    states = decisions(rules, 5, 20)[1]
    legal = np.flatnonzero(np.unpackbits(states["legal"][0].view(np.uint8), bitorder="little"))

    def followed(number: int, depth: int) -> tuple[float, int]:
        seed = np.uint64(redraw_seed(np.uint64(7), number))
        gain, moves = rules.compiled(follow)(states, int(legal[0]), weights, seed, depth, 4, room)
        return gain, moves

    before = states[0].copy()
    assert followed(0, 3) == followed(0, 3)
    assert len({followed(number, 3)[0] for number in range(8)}) > 1
    assert followed(0, 1)[1] < followed(0, 4)[1]
    assert states[0] == before


@pytest.mark.parametrize("name", SLOW)
def test_a_search_decides_by_position_and_seed(name: str) -> None:
    rules = rules_of(name)
    agent = ValueAgent(rules, some_weights(rules) / np.float32(100), "any")
    batch = faces_of(name).Batch(2, rules.setup().players, autoreset=False)
    batch.reset(3)
    for _ in range(5):
        batch.step(agent.act_batch(batch))
    searches = [ValueSearch("search", agent, Budget(playouts=60), seed) for seed in (1, 1, 2, 3, 4)]
    first, again, *_ = found = [search.act_batch(batch) for search in searches]
    assert_array_equal(first, again)
    assert all(batch.masks[game, action] for actions in found for game, action in enumerate(actions))
    assert_array_equal(searches[0].act_batch(batch, np.array([1])), first[1:])
    assert ValueSearch("search", agent, Budget(milliseconds=0.5)).act_batch(batch).shape == (2,)


def test_the_shipped_values_play_well() -> None:
    agent = load_values(ROOT / "agents" / "pretrained" / "dorfromantik")
    batch = faces_of("dorfromantik").Batch(40, 1, autoreset=False)
    batch.reset(0)
    while not batch.over.all():
        batch.step(agent.act_batch(batch))
    assert batch.totals.mean() > 120
