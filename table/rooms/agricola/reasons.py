"""What speaks for a move: the points, by column of the score, of which it brings more or less than another move, what
is still to come of it, and the goods for that.

Both moves are followed to the end of the round, by the agent ``values`` in all seats. Where that does not speak for the
move, the two are compared where the rollouts lead by which they were weighed.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from agents.players.values import best_actions, new_room, worth
from agents.positions import points
from bohemian_env.agricola.contract import RULES
from bohemian_env.agricola.game import Game
from bohemian_env.agricola.pieces import GOODS, SCORING
from bohemian_env.engine.contract import Action, State

LATER: Final = "later"
"""What a farm is expected to gain afterwards, beside the columns of the score."""
_PARTS: Final = (*SCORING[:-1], LATER)
_LEAST: Final = 0.1  # points of a difference that is worth a word
_MOST: Final = 3  # differences that are told at most, unless together they would speak against the move


class Reasons(NamedTuple):
    """What a move brings more, or less, than another one."""

    points: dict[str, float]
    """By column of the score, and LATER: what it brings more, the largest difference first, then what less."""
    goods: dict[str, int]
    """More of goods, where LATER is more, or less, where that is less, the largest difference first; only where both
    are compared at the same time.
    """


def _row(s: State, seat: int, later: float) -> np.ndarray:
    """Return the points of a seat, float64, (PARTS,)."""
    scored = RULES.scoring_of(s)[seat]
    return np.array([*(scored[column] for column in SCORING[:-1]), later], np.float64)


def _at_the_end_of_the_round(game: Game, action: Action) -> tuple[np.ndarray, np.ndarray]:
    """Return what the seat that acts has then: its points, float64, (PARTS,), and its goods, int64, (GOODS,)."""
    compiled, states = RULES.compiled, np.zeros(4, RULES.state)
    states[0] = here = game.states[0]
    here, seat, room = states[0], int(here["to_move"]), compiled(new_room)()
    weights = points.adviser(RULES.name).weights_for(int(here["players"]))
    RULES.verbs.push(here, action)
    while here["end"] == 0 and here["pending"] == 0:
        compiled(best_actions)(states, weights, points.LOOKED_AT, room)
        RULES.verbs.push(here, room.actions[0])
    total = RULES.scoring_of(here)[seat][SCORING[-1]]
    later = float(compiled(worth)(here, seat, weights, room)) - total
    return _row(here, seat, later), here["goods"][seat].astype(np.int64)


def _after_rollouts(game: Game, action: Action) -> np.ndarray:
    """Return what the seat that acts has where rollouts lead, on average: float64, (PARTS,)."""
    rows: Iterator[np.ndarray] = (_row(s, game.to_move or 0, later) for s, later in points.rollouts(game, action))
    found: np.ndarray = np.mean([*rows], axis=0)
    return found


def reasons(game: Game, move: str, other: str) -> Reasons:
    """Return what a legal move brings more, or less, than another one to the seat that is to move; nothing where
    neither comparison speaks for the move.
    """
    one, two = (game.text_to_action(text) for text in (move, other))
    (ours, own), (theirs, others) = (_at_the_end_of_the_round(game, action) for action in (one, two))
    differences, goods = ours - theirs, own - others
    if round(differences.sum(), 1) <= 0:
        differences, goods = _after_rollouts(game, one) - _after_rollouts(game, two), np.zeros_like(goods)
    if round(differences.sum(), 1) <= 0:
        return Reasons({}, {})
    found: dict[str, float] = {}
    for place in np.argsort(-abs(differences), kind="stable"):
        if abs(differences[place]) >= _LEAST and (len(found) < _MOST or sum(found.values()) <= 0):
            found[_PARTS[place]] = float(differences[place])
    order = np.argsort(-abs(goods), kind="stable")
    alike = [place for place in order if goods[place] * found.get(LATER, 0.0) > 0][:_MOST]
    told = sorted(found.items(), key=lambda one: (one[1] < 0, -abs(one[1])))
    return Reasons(dict(told), {GOODS[place]: int(goods[place]) for place in alike})
