"""Odd values where games take foreign data: each is refused by a named error, in every game."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

from bohemian_env.engine.errors import BohemianError, IllegalMove
from bohemian_env.games import GAMES, rules_of
from tests.faults.odd import ODD


def played(game: str) -> Any:
    """A game after some moves, in which somebody decides."""
    made = rules_of(game).game.new(seed=1).dealt()
    for _ in range(5):
        made = made.push(made.legal_actions[0]).dealt()
    return made


@pytest.mark.parametrize("game", GAMES)
def test_the_text_of_an_odd_action(game: str) -> None:
    made = played(game)
    for odd in (*ODD.values(), np.array([[0, 1]]), [1], [10**5000], -(10**5000)):
        if isinstance(odd, int | np.integer) and 0 <= odd < rules_of(game).verbs.NUM_ACTIONS:
            continue
        with pytest.raises(IllegalMove):
            made.action_to_text(odd)


@pytest.mark.parametrize("game", GAMES)
def test_odd_parts_of_records_positions_and_pickles(game: str) -> None:
    made = played(game)
    make, parts = made.__reduce__()
    pickled = dict(enumerate(parts))
    for read, told in (
        (type(made).from_record, made.record()),
        (type(made).from_position, made.position()),
        (lambda parts: make(*parts.values()), pickled),
    ):
        for key in told:
            for odd in ODD.values():
                with contextlib.suppress(BohemianError):  # which some values are no reason for
                    read(told | {key: odd})
