"""The compiled rules of Bohemian Villages allow what the plain ones do with every handful of dice there is."""

import random
from itertools import combinations_with_replacement

import pytest

from bohemian_env import Game
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages import rules
from bohemian_env.villages.dice import HANDFUL
from bohemian_env.villages.moves import move_of
from bohemian_env.villages.notation import format_move
from tests.reference.rules import ReferenceGame


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_handful_allows_the_same_moves(players: int) -> None:
    """At decisions throughout a game, with all rolls of as many dice in place of those at hand."""
    rng, game, seen = random.Random(players), Game.new(players, seed=players), 0
    while not game.over:
        game = game.roll() if game.needs_roll else game.push(rng.choice(game.legal_moves))
        if game.needs_roll or game.over or rng.random() < 0.7:
            continue
        position = game.position()
        for dice in combinations_with_replacement(range(1, 7), len(game.dice)):
            states = game.states.copy()
            states["dice"] = HANDFUL[dice]
            rules.find_legal(states[0])
            told = [format_move(move_of(action, dice, game.villages)) for action in legal_actions(states[0])]
            allowed = ReferenceGame.from_position(position | {"dice": list(dice)}).legal_moves()
            assert sorted(told) == sorted(allowed), (dice, position)
            seen += 1
    assert seen > 500
