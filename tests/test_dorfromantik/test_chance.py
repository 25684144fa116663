"""Chance (D27): what can come and how likely; what a seed brings; and what another seed brings in its place."""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik.contract import RULES
from bohemian_env.engine.dealing import redraw_seed
from bohemian_env.engine.errors import BadOutcome, NoChanceNeeded
from tests.test_dorfromantik.laid import small
from tests.test_dorfromantik.positions import VARIANTS, games, play

LITTLE: dict[str, Any] = small("L17 L33 L01 L31", "W2 W4 T3", markers={"W": [3, 4, 5], "T": [2]}, open_tasks=2)


def drawn(game: Game) -> dict[str, list[Any]]:
    """What came in a game: the tiles of both stacks, and the markers of each type, in order."""
    found: dict[str, list[Any]] = {}
    for turn in game.record()["turns"]:
        found.setdefault("landscape" if turn["tile"][0] == "L" else "task", []).append(turn["tile"])
        if "marker" in turn:
            found.setdefault(turn["tile"][0], []).append(turn["marker"])
    return found


def test_the_sum_of_all_likelihoods_is_one() -> None:
    for variant in range(len(VARIANTS)):
        for game in games(variant, 2):
            chances = [chance for _, chance in game.chance_outcomes()]
            assert sum(chances) == pytest.approx(1 if game.needs_chance else 0)
            if game.needs_chance:
                s, k = game.states[0], RULES.verbs
                for out in (-1, k.outcomes(s), 1000):
                    assert k.likelihood(s, out) == 0


def test_the_kth_of_a_stack_follows_from_seed_stack_and_k_alone() -> None:
    for seed in range(12):
        whole = drawn(games(0, seed)[-1])
        for other in range(3):
            *_, last = play(Game.new(3, seed=seed), 100 + other, greedy=other / 2)
            for stack, came in drawn(last).items():
                shorter = min(len(came), len(whole.get(stack, [])))
                assert came[:shorter] == whole.get(stack, [])[:shorter]


def test_other_seeds_bring_other_stacks() -> None:
    assert len({tuple(drawn(games(0, seed)[-1])["landscape"]) for seed in range(12)}) == 12


def stacks(game: Game, seed: int) -> tuple[tuple[Any, ...], ...]:
    """All that is still to come with a seed, of all stacks, found by playing on in some way."""
    verbs, states = RULES.verbs, game.states.copy()
    s, found = states[0], []
    while not s["end"]:
        if s["pending"]:
            k = verbs.draw(s, np.uint64(seed))
            found.append(RULES.outcome_of(s, k))
            verbs.deal(s, k)
        else:
            verbs.push(s, int(np.flatnonzero(np.unpackbits(s["legal"].view(np.uint8), bitorder="little"))[0]))
    tiles = tuple(what for what in found if isinstance(what, str) and what[0] == "L")
    return tiles, tuple(what for what in found if isinstance(what, str) and what[0] != "L")


def begun() -> Game:
    """A game in which a landscape tile is due and two more are hidden, and with a tile in the box."""
    game = Game.new(tasks=[], landscape=["L17", "L33", "L01", "L31", "L48"], left_in_box=1)
    return game.deal("L33").push("+0+0 r0")


def test_a_redraw_brings_every_order_of_what_is_hidden_as_often_as_any_other() -> None:
    game, count = begun(), 24 * 250
    orders = Counter(stacks(game, int(redraw_seed(np.uint64(77), number)))[0] for number in range(count))
    hidden = ["L17", "L01", "L31", "L48"]
    expected = list(itertools.permutations(hidden, 3))
    assert set(orders) == set(expected)
    assert stats.chisquare([orders[order] for order in expected]).pvalue > 0.001


def test_what_was_drawn_does_not_tell_what_another_seed_brings() -> None:
    """Of games in which their seeds brought the same tile first, another seed brings all orders of the rest."""
    orders = Counter[tuple[Any, ...]]()
    count = 0
    for seed in range(6000):
        game = Game.new(seed=seed, tasks=[], landscape=["L17", "L33", "L01", "L31"], left_in_box=0).deal()
        if game.tile == "L33":
            orders[stacks(game, 10**6 + seed)[0]] += 1
            count += 1
    assert set(orders) == set(itertools.permutations(["L17", "L01", "L31"]))
    assert stats.chisquare(list(orders.values())).pvalue > 0.001
    assert stats.binomtest(count, 6000, 1 / 4).pvalue > 0.001


@pytest.mark.slow
def test_task_tiles_and_markers_come_in_every_order() -> None:
    tasks, markers = Counter[Any](), Counter[Any]()
    for seed in range(6000):
        game = Game.new(seed=seed, **LITTLE)
        came = []
        for _ in range(2):
            game = game.deal().deal()
            came.append((game.tile, game.number))
            game = game.push(game.legal_actions[0])
        tasks[tuple(tile for tile, _ in came)] += 1
        numbers = tuple(number for tile, number in came if tile[0] == "W")
        if len(numbers) == 2:
            markers[numbers] += 1
    assert set(tasks) == set(itertools.permutations(["W2", "W4", "T3"], 2))
    assert set(markers) == set(itertools.permutations([3, 4, 5], 2))
    for found in (tasks, markers):
        assert stats.chisquare(list(found.values())).pvalue > 0.001


@pytest.mark.slow
def test_equal_markers_come_twice_as_often() -> None:
    numbers = Counter(Game.new(seed=seed).deal("W1").deal().number for seed in range(5000))
    assert stats.chisquare([numbers[number] for number in (4, 5, 6)], [1000, 2000, 2000]).pvalue > 0.001


def test_what_was_seen_does_not_change_with_another_seed() -> None:
    for game in games(0, 3)[5::20]:
        before = game.state_dict()
        for seed in range(20):
            states = game.states.copy()
            s = states[0]
            if s["pending"]:
                RULES.verbs.deal(s, RULES.verbs.draw(s, np.uint64(seed)))
                after = RULES.write_position(s, ())
                assert after["cells"] == before["cells"]
                assert after["score"] == before["score"]


def test_given_chance() -> None:
    game = Game.new()
    refused: list[tuple[Any, str]] = [
        ("L01", "'L01' cannot come: a tile of the task stack has to be revealed, one of W1, W2"),
        ("w1", "'w1' cannot come"),
        (4, "4 cannot come"),
        (None, "has no seed, so say what chance brings: a tile of the task stack"),
        (True, "True cannot come"),
    ]
    for outcome, told in refused:
        with pytest.raises(BadOutcome, match=told):
            game.deal(outcome)
    game = game.deal("W1")
    told = "cannot come: a marker of type W has to be revealed, for task tile W1, one of 4, 5, 6"
    for outcome in ("W2", 3, "4", 4.5, [4], {}):
        with pytest.raises(BadOutcome, match=told):
            game.deal(outcome)
    assert game.deal(np.int64(4)).number == 4
    with pytest.raises(NoChanceNeeded, match="seat 0 has to decide"):
        game.deal(4).deal("W2")
