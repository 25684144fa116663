"""What a scripted opponent does in many games at once."""

from typing import Any, Final

import numpy as np

from .bits import Word
from .bound import loop, usual
from .chance import STEP, mix, own_word
from .contract import COLUMNS, TEAM, Action, State, choose, moment, push, score
from .legal import next_legal, pick_random


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


USUAL: Final = {
    "random": "any legal action, each as likely as any other",
    "greedy": "the action after which its total, less the mean of its rivals' totals, is highest at once; of equal "
    "ones any",
}
"""The opponents of a game that leaves out the verb ``choose``, and what each does."""


@usual("choose")
def choose_usual(number: int, s: State, word: Word, scratch: Any) -> Action:
    """Return the action of an opponent of :data:`USUAL`. scratch: a position, (1,), and room for a scoring."""
    if number == 0:
        return pick_random(s, word)
    states, scoring = scratch
    seat, best, most, highest = s["to_move"], -1, -np.inf, np.uint64(0)
    action = next_legal(s, 0)
    while action >= 0:
        states[0] = s
        push(states[0], action)
        score(states[0], scoring)
        value = float(scoring[seat, COLUMNS - 1])
        for other in range(s["players"]):
            if not TEAM and other != seat:
                value -= scoring[other, COLUMNS - 1] / (s["players"] - 1)
        lot = mix(word + np.uint64(action) * STEP)
        if value > most or (value == most and lot > highest):
            best, most, highest = action, value, lot
        action = next_legal(s, action + 1)
    return best
