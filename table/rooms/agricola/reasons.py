"""What speaks for a move: the points by column of the score that it brings in the end, against another move.

Both are played on with the same cards, by ``planner`` in all seats and to the end of the game.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from bohemian_env.agricola.game import Game
from bohemian_env.agricola.opponents.planner import Scratch, best_action, new_scratch
from bohemian_env.agricola.opponents.weights import PLANNER
from bohemian_env.agricola.pieces import SCORING
from bohemian_env.agricola.rules import deal, push, score
from bohemian_env.agricola.verbs import draw
from bohemian_env.engine.compiled import njit

GAMES: Final = 12
"""Games played on after each of the two moves."""
_SURE: Final = 2.0
"""Standard errors by which a difference must be apart from nothing."""
_LEAST: Final = 0.5
"""Points of a difference that is worth a word."""
_MOST: Final = 3
"""Differences that are told at most."""


@njit
def _play_on(states: np.ndarray, action: int, weights: np.ndarray, scratch: Scratch, out: np.ndarray) -> None:
    """Carry out an action in each position, let the planner play on with the cards of seed 0, 1, …, and write the score
    of the seat that decided. states: (n,), overwritten. out: int64, (n, COLUMNS).
    """
    scoring = np.zeros((5, out.shape[1]), np.int64)
    for i in range(states.shape[0]):
        s = states[i]
        seat = s["to_move"]
        push(s, action)
        while s["end"] == 0:
            if s["pending"] > 0:
                deal(s, draw(s, np.uint64(i)))
            else:
                push(s, best_action(s, weights, scratch))
        score(s, scoring)
        out[i] = scoring[seat]


def reasons(game: Game, move: str, other: str) -> list[tuple[str, float]]:
    """Return what a legal move brings more, or less, in the end than another one to the seat that is to move, by column
    of the score, the largest difference first: only what is sure and at least half a point. Nothing where these games
    do not speak for the move.
    """
    weights, scratch = PLANNER[game.players], new_scratch()
    found = np.zeros((2, GAMES, len(SCORING)), np.int64)
    for text, out in zip((move, other), found, strict=True):
        _play_on(np.repeat(game.states, GAMES), game.text_to_action(text), weights, scratch, out)
    more = found[0] - found[1]
    means, errors = more.mean(axis=0), more.std(axis=0, ddof=1) / np.sqrt(GAMES)
    if means[-1] <= 0:
        return []
    told = [
        (name, float(mean))
        for name, mean, error in zip(SCORING[:-1], means, errors, strict=False)
        if abs(mean) >= _LEAST and abs(mean) > _SURE * error
    ]
    return sorted(told, key=lambda one: -abs(one[1]))[:_MOST]
