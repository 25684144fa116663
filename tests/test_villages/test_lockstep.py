"""The compiled rules against the plain second implementation, move for move (reference/beside.py)."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bohemian_env.villages.contract import RULES
from tests.faults import steps
from tests.reference.beside import STARTS, Differs, odd_start, ordinary_start, play


@pytest.mark.parametrize("players", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4)), 5])
@pytest.mark.parametrize("make", STARTS.values(), ids=lambda make: make.__name__)
def test_same_as_the_second_implementation(make: Callable[..., Any], players: int) -> None:
    rng = random.Random(f"{make.__name__} {players}")
    moves = 0
    while moves < 8_000:
        moves += play(make(rng, players), rng)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_same_for_a_quarter_of_a_million_moves_each(players: int) -> None:
    rng = random.Random(f"a million {players}")
    moves = 0
    while moves < 250_000:
        make = odd_start if rng.random() < 0.3 else ordinary_start
        moves += play(make(rng, players), rng)


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
