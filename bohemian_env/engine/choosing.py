"""What a scripted opponent does in many games at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from .bits import Word
from .bound import loop
from .chance import own_word
from .contract import choose, moment


@loop
def choose_all(
    number: int,
    games: np.ndarray,
    states: np.ndarray,
    game_seeds: np.ndarray,
    own_seed: Word,
    scratch: Any,
    actions: np.ndarray,
) -> None:
    """Write the actions that the verb ``choose`` returns for some positions of an array; 0 where the game is over.

    games: int64 (m,), their indices. states: (n,). game_seeds: uint64 (n,). actions: int64 (m,), overwritten.
    """
    for place in range(games.shape[0]):
        s = states[games[place]]
        word = own_word(game_seeds[games[place]], own_seed, moment(s))
        actions[place] = choose(number, s, word, scratch) if s["end"] == 0 else 0
