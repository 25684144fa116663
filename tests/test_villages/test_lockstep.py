"""The compiled rules against the plain second implementation, move for move (reference/beside.py)."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from bohemian_env import Game
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages import rules
from bohemian_env.villages.contract import RULES
from bohemian_env.villages.dice import HANDFUL
from bohemian_env.villages.moves import move_of
from bohemian_env.villages.notation import format_move
from tests.faults import steps
from tests.reference.beside import STARTS, Differs, odd_start, ordinary_start, play
from tests.reference.rules import ReferenceGame


@pytest.mark.parametrize("players", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4)), 5])
@pytest.mark.parametrize("make", STARTS.values(), ids=lambda make: make.__name__)
def test_same_as_the_second_implementation(make: Callable[..., Any], players: int) -> None:
    rng = random.Random(f"{make.__name__} {players}")
    moves = 0
    while moves < 8_000:
        moves += play(make(rng, players), rng)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_same_over_many_moves(players: int) -> None:
    rng = random.Random(f"a million {players}")
    moves = 0
    while moves < 60_000:
        make = odd_start if rng.random() < 0.3 else ordinary_start
        moves += play(make(rng, players), rng)


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


def test_a_difference_is_told_with_the_game_that_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "ROUNDS", 1)
    rows = list(steps.beside(1, tmp_path))
    assert [(one.tries, one.broken) for one in rows] == [(4, ()) for _ in STARTS]

    right = RULES.scoring_of

    def wrong(s: Any) -> list[dict[str, int]]:
        return [entry | {"total": entry["total"] + 1} for entry in right(s)]

    monkeypatch.setattr(RULES, "scoring_of", wrong)
    with pytest.raises(Differs, match="scoring: compiled"):
        play(odd_start(random.Random(1), 2), random.Random(1))
    broken = next(steps.beside(1, tmp_path)).broken
    assert len(broken) == 4
    assert broken[0].startswith("random.Random('1 ordinary_start 2 0'): Differs: scoring")
