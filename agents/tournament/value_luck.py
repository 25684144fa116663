"""How lucky games are whose results are totals: the same formula as in luck.py, with the expected total for the chance
of winning.

What an agent's values (``agents/players/values.py``) expect after what chance brought, less their mean over all that it
could have brought, each as likely as it is. A total less the luck of its game has the same mean as the total, whatever
the values are worth, and varies the less the better they are.
"""

from typing import Any

import numpy as np

from agents.players.values import Room, best_actions, new_room, worth
from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import deal, draw, likelihood, outcomes, push, set_up
from bohemian_env.engine.reward import write_totals
from bohemian_env.games import rules_for


@loop
def expected_total(states: np.ndarray, weights: np.ndarray, room: Room) -> float:
    """Return the total that the seat to move of ``states[0]`` expects, chance and decisions of that moment included.

    states: (3 or more,), all but the first are overwritten.
    """
    s = states[0]
    seat = int(s["to_move"])
    if s["end"] != 0 or s["pending"] != 0:
        return worth(s, max(seat, 0), weights, room)
    write_totals(s, room.totals, room.scoring)
    total = float(room.totals[seat])
    best_actions(states, weights, 1, room)
    return total + room.worths[0]


@loop
def add_luck(s: Any, seed: Word, weights: np.ndarray, trials: np.ndarray, room: Room) -> float:
    """Let chance speak until a seat decides or the game is over, and return how lucky that was, in points."""
    luck = 0.0
    while s["pending"] != 0:
        drawn = draw(s, seed)
        for k in range(outcomes(s)):
            likely = likelihood(s, k)
            if likely > 0:
                trials[0] = s
                deal(trials[0], k)
                luck += ((1.0 if k == drawn else 0.0) - likely) * expected_total(trials, weights, room)
        deal(s, drawn)
    return luck


@loop
def begin(
    seeds: np.ndarray, common: np.ndarray, states: np.ndarray, weights: np.ndarray, trials: np.ndarray, luck: np.ndarray
) -> None:
    """Set up the games of some seeds, and write how lucky their beginnings were: float64, (games,)."""
    room = new_room()
    for i in range(seeds.shape[0]):
        set_up(states[i], seeds[i], common[0])
        luck[i] = add_luck(states[i], seeds[i], weights, trials, room)


@loop
def go_on(
    games: np.ndarray,
    states: np.ndarray,
    seeds: np.ndarray,
    actions: np.ndarray,
    weights: np.ndarray,
    trials: np.ndarray,
    luck: np.ndarray,
) -> None:
    """Carry out an action in some games, and add how lucky they were then."""
    room = new_room()
    for i in games:
        push(states[i], actions[i])
        luck[i] += add_luck(states[i], seeds[i], weights, trials, room)


class ValueLuck:
    """The luck of games that begin with ``seeds``, one event of chance after another.

    setup: of a game in which all seats play for one result. weights: of the values of a ``ValueAgent``.

    Attributes:
        of_seats: the luck of each seat so far, in points, the same for all of a game: float64, (games, players).
    """

    def __init__(self, setup: Any, seeds: np.ndarray, weights: np.ndarray) -> None:
        rules = rules_for(setup)
        self._seeds, self._weights = seeds, weights
        self._trials, self._luck = np.zeros(4, rules.state), np.zeros(len(seeds))
        self._go_on, self._players = rules.compiled(go_on), setup.players
        states = np.zeros(len(seeds), rules.state)
        rules.compiled(begin)(seeds, setup.common(), states, weights, self._trials, self._luck)

    def follow(self, games: np.ndarray, states: np.ndarray, actions: np.ndarray) -> None:
        """Carry out one action in some games, and enter how lucky they were then; arguments as of ``Luck.follow``."""
        self._go_on(games, states, self._seeds, actions, self._weights, self._trials, self._luck)

    @property
    def of_seats(self) -> np.ndarray:
        """See above."""
        return np.repeat(self._luck[:, None], self._players, axis=1)
