"""How lucky each seat of a game was, so that results can be told from skill with fewer games.

The luck of a game of villages is that of its rolls (``bohemian_env.villages.opponents.luck``). A seat's share of the
win less its luck has the same mean as the share, whatever the network thinks of positions, and varies less. Where
results are totals, value_luck.py has the same of these.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bohemian_env import Setup
from bohemian_env.engine.compiled import njit
from bohemian_env.games import GAMES, rules_for, rules_of
from bohemian_env.villages.dice import rolled_handful
from bohemian_env.villages.opponents.appraiser import Weights, load_weights, of_size
from bohemian_env.villages.opponents.luck import LuckRoom, add_luck, luck_room
from bohemian_env.villages.opponents.planner import STYLES
from bohemian_env.villages.rules import deal, move, settle
from bohemian_env.villages.state import STATE
from bohemian_env.villages.verbs import set_up

from .value_luck import ValueLuck


@njit
def _roll(s: Any, seed: Any, planners: Any, weights: Weights, room: LuckRoom, luck: np.ndarray) -> None:
    """Roll until somebody decides, and enter how lucky that was: float64 (players,)."""
    while s["pending"] != 0:
        dice = rolled_handful(seed, s["turn"], s["spent"], s["pending"])
        add_luck(s, dice, seed, planners, weights, room, luck)
        deal(s, dice)


@njit
def _begin(
    seeds: Any, planners: Any, common: Any, states: Any, weights: Weights, room: LuckRoom, luck: np.ndarray
) -> None:
    for i in range(seeds.shape[0]):
        set_up(states[i], seeds[i], common[0])
        _roll(states[i], seeds[i], planners[i], weights, room, luck[i])


@njit
def _follow(
    games: Any, states: Any, seeds: Any, planners: Any, actions: Any, weights: Weights, room: LuckRoom, luck: np.ndarray
) -> None:
    for i in games:
        move(states[i], actions[i])
        settle(states[i])
        _roll(states[i], seeds[i], planners[i], weights, room, luck[i])


def no_luck(setup: Any, totals: bool, agents: Sequence[Any]) -> str:
    """Return why the luck of games is not known; nothing where it is.

    totals: whether results are totals. agents: those that play, of which one may have values.
    """
    rules = rules_for(setup)
    if not totals and rules is rules_of(GAMES[0]):
        return ""
    if not totals or not (rules.verbs.TEAM or setup.players == 1):
        return f"the luck of games of {rules.name} with {setup.players} rivals is not known"
    if _weights_of(agents) is None:
        return f"the luck of games of {rules.name} is not known unless one of the agents has values of positions"
    return ""


def _weights_of(agents: Sequence[Any]) -> np.ndarray | None:
    """Return the weights of the first agent that has values of positions."""
    found = (getattr(agent, "weights", None) for agent in agents)
    return next((weights for weights in found if isinstance(weights, np.ndarray)), None)


class Luck:
    """The luck of games that begin with ``seeds``, roll by roll.

    planners: the seats whose turns are taken to be as ``planner`` plays; those of the others as ``appraiser`` does.
    bool, (games, players).

    Attributes:
        of_seats: the luck of each seat so far, as a chance of winning: float64, (games, players).
    """

    def __init__(self, setup: Setup, seeds: np.ndarray, planners: np.ndarray) -> None:
        self.of_seats = np.zeros((len(seeds), setup.players))
        self._seeds = seeds
        self._planners = planners @ (1 << np.arange(setup.players))
        self._weights = of_size(load_weights(), setup.players)
        self._room = luck_room()
        states = np.zeros(len(seeds), STATE)
        common = setup.common()
        _begin(seeds, self._planners, common, states, self._weights, self._room, self.of_seats)

    def follow(self, games: np.ndarray, states: np.ndarray, actions: np.ndarray) -> None:
        """Carry out one action in some games and enter the luck of the rolls that follow.

        games: int64 (m,), numbers of games in which a player decides. states: (n,) STATE, carried on. actions: int64
        (n,), legal.
        """
        _follow(games, states, self._seeds, self._planners, actions, self._weights, self._room, self.of_seats)


def luck_of(setup: Any, seeds: np.ndarray, entrants: Sequence[Any], seats: np.ndarray) -> Luck | ValueLuck:
    """Return the luck of games that begin with ``seeds``, where it is known.

    seats: the number of the entrant at each seat, int64, (games, players).
    """
    rules = rules_for(setup)
    weights = _weights_of([entrant.agent for entrant in entrants])
    if weights is not None and (rules.verbs.TEAM or setup.players == 1):
        return ValueLuck(setup, seeds, weights)
    planners = np.array([entrant.argument in STYLES for entrant in entrants])
    return Luck(setup, seeds, planners[seats])
