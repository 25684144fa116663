"""Positions of many kinds of Dorfromantik games, for tests."""

import functools
import random
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik.contract import RULES

VARIANTS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"window": 4},
    {"open_tasks": 25, "markers": {kind: [1, 2, 3, 3, 4] for kind in "WGVTS"}},
    {"landscape": [], "left_in_box": 0},
    {"tasks": []},
)
"""The game itself; a small window, where tiles leave (D13); many tasks and little markers; one kind of tile alone."""


def play(game: Game, seed: int, greedy: float = 0.7) -> Iterator[Game]:
    """Play a seeded game on, greedily or at random, and yield it after every draw and every placement."""
    rng, scratch = random.Random(seed), RULES.scratch()
    while not game.over:
        if game.needs_chance:
            game = game.deal()
        else:
            number = int(rng.random() < greedy)
            word = np.uint64(rng.getrandbits(64))
            game = game.push(int(RULES.verbs.choose(number, game.states.copy()[0], word, scratch)))
        yield game


@functools.cache
def games(variant: int, seed: int, players: int = 2) -> tuple[Game, ...]:
    """A game of a variant at every moment."""
    begun = Game.new(players, seed=seed, **VARIANTS[variant])
    return (begun, *play(begun, seed))


def decisions(variant: int, seed: int, players: int = 2) -> list[Game]:
    """A game of a variant at every decision, and at its end."""
    return [game for game in games(variant, seed, players) if not game.needs_chance]
