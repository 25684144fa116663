"""How lucky games are whose results are totals: the same formula as in luck.py, with the expected total for the chance
of winning.

A total less the luck of its game (``agents/players/luck.py``) has the same mean as the total, whatever the values are
worth, and varies the less the better they are.
"""

from typing import Any

import numpy as np

from agents.players.luck import add_luck
from agents.players.values import new_room
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import push, set_up
from bohemian_env.games import rules_for


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
