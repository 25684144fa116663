"""Chance (A6, A75): every order of the round cards comes, as often as any other, and follows from the seed alone."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from bohemian_env.agricola import Game
from bohemian_env.agricola.contract import RULES
from bohemian_env.engine.errors import BadOutcome, NoChanceNeeded
from tests.test_agricola.laid import CARDS

VERBS: Any = RULES.verbs
STAGES = [range(4), range(4, 7), range(7, 9), range(9, 11), range(11, 13), range(13, 14)]
"""The numbers of the cards of each stage."""


def order(seed: int, s: Any) -> tuple[int, ...]:
    """The order in which a seed brings the cards that are not revealed in ``s``, of which nothing else goes on."""
    shown, turn, found = s["shown"], s["turn"], []
    word = np.uint64(seed)
    while s["turn"] < len(CARDS):
        found.append(int(VERBS.draw(s, word)))
        s["shown"] |= 1 << found[-1]
        s["turn"] += 1
    s["shown"], s["turn"] = shown, turn
    return tuple(found)


def test_a6_all_1152_orders_come_equally_often() -> None:
    s = Game.new(1).states.copy()[0]
    orders = Counter(order(seed, s) for seed in range(1152 * 12))
    assert len(orders) == 1152
    for came in orders:
        assert [sorted(came[stage.start : stage.stop]) for stage in STAGES] == [[*stage] for stage in STAGES]
    assert stats.chisquare([*orders.values()]).pvalue > 0.001


def test_a75_the_order_follows_from_the_seed_alone() -> None:
    for seed in (0, 5, 2**63 - 1):
        rng, wanted = random.Random(seed), [CARDS[card] for card in order(seed, Game.new(1).states.copy()[0])]
        for players in (1, 2, 5):
            game = Game.new(players, seed=seed)
            while not game.over:
                game = game.deal() if game.needs_chance else game.push(rng.choice(game.legal_actions))
            assert game.position()["cards"] == wanted


def test_a75_what_came_does_not_tell_what_another_seed_brings() -> None:
    """After the same three cards, seeds bring every order of the rest equally often."""
    game = Game.new(2)
    for card in ("major", "sheep", "sow-bake"):
        game = game.deal(card)
        while not game.needs_chance:
            game = game.push(game.legal_actions[0])
    s = game.states.copy()[0]
    orders = Counter(order(seed, s)[1:6] for seed in range(1200))
    assert len(orders) == 12
    assert stats.chisquare([*orders.values()]).pvalue > 0.001


def test_a75_what_can_come_is_equally_likely() -> None:
    game, met = Game.new(2, seed=9), list[str]()
    while not game.over:
        if not game.needs_chance:
            assert game.chance_outcomes() == ()
            game = game.push(game.legal_actions[0])
            continue
        stage = next(stage for stage in STAGES if len(met) in stage)
        hidden = [CARDS[card] for card in stage if CARDS[card] not in met]
        assert game.chance_outcomes() == tuple((card, pytest.approx(1 / len(hidden))) for card in hidden)
        game = game.deal()
        met = game.position()["cards"]
        assert met[-1] in hidden
    assert len(met) == 14


def test_a75_given_cards() -> None:
    game = Game.new()
    for wrong in ("growth", "Sheep", "wood", 3, True, None):
        with pytest.raises(BadOutcome):
            game.deal(wrong)
    with pytest.raises(NoChanceNeeded, match="seat 0 has to decide"):
        game.deal("sheep").deal("fences")
    told = "'sheep' cannot come: a round card of stage 1 has to be revealed, one of sow-b"
    with pytest.raises(BadOutcome, match=told):
        Game.from_position(Game.new(2, seed=1).position() | PLAYED).deal("sheep")


PLAYED = {
    "round": 1, "cards": ["sheep"],
    "spaces": [*Game.new(2).position()["spaces"], {"space": "sheep", "goods": 1, "person": None}],
}  # fmt: skip
"""A second round is to begin."""
