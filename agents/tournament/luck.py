"""How lucky each seat of a game was, so that results can be told from skill with fewer games.

The luck of a game of villages is that of its rolls (``bohemian_env.villages.opponents.luck``). A seat's share of the
win less its luck has the same mean as the share, whatever the network thinks of positions, and varies less. Where
results are totals, so does a total less what is luck to the values of one of the agents (``agents/players/luck.py``).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.players.luck import begin, go_on
from agents.players.values import ValueAgent
from bohemian_env.engine.compiled import njit
from bohemian_env.games import GAMES, rules_for, rules_of
from bohemian_env.villages.dice import rolled_handful
from bohemian_env.villages.opponents.appraiser import Weights, load_weights, of_size
from bohemian_env.villages.opponents.luck import LuckRoom, add_luck, luck_room
from bohemian_env.villages.opponents.planner import STYLES
from bohemian_env.villages.rules import deal, move, settle
from bohemian_env.villages.verbs import set_up


@njit
def _roll(s: Any, seed: Any, planners: Any, weights: Weights, room: LuckRoom, luck: np.ndarray) -> None:
    """Roll until somebody decides, and enter how lucky that was: float64, (players,).

    planners: the seats whose turns are taken to be as ``planner`` plays, bit by bit; those of the others as
    ``appraiser`` does.
    """
    while s["pending"] != 0:
        dice = rolled_handful(seed, s["turn"], s["spent"], s["pending"])
        add_luck(s, dice, seed, planners, weights, room, luck)
        deal(s, dice)


@njit
def _begin(
    seeds: Any, common: Any, states: Any, planners: Any, weights: Weights, room: LuckRoom, luck: np.ndarray
) -> None:
    """Set up the games of some seeds, and enter how lucky their beginnings were: float64, (games, players)."""
    for i in range(seeds.shape[0]):
        set_up(states[i], seeds[i], common[0])
        _roll(states[i], seeds[i], planners[i], weights, room, luck[i])


@njit
def _go_on(
    games: Any, states: Any, seeds: Any, actions: Any, planners: Any, weights: Weights, room: LuckRoom, luck: np.ndarray
) -> None:
    """Carry out an action in some games, and enter how lucky they were then."""
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
    if _judge(agents) is None:
        return f"the luck of games of {rules.name} is not known unless one of the agents has values of positions"
    return ""


def _judge(agents: Sequence[Any]) -> ValueAgent | None:
    """Return the first agent that has values of positions."""
    return next((agent for agent in agents if isinstance(agent, ValueAgent)), None)


class Luck:
    """The luck of games that begin with some seeds, one event of chance after another.

    begin, go_on: :func:`_begin` and :func:`_go_on`, or those of ``agents/players/luck.py`` for the game. given: what
    they are given besides.

    Attributes:
        of_seats: the luck of each seat so far, as a chance of winning, or in points where results are totals: float64,
            (games, players).
    """

    def __init__(self, setup: Any, seeds: np.ndarray, begin: Any, go_on: Any, *given: Any) -> None:
        self.of_seats = np.zeros((len(seeds), setup.players))
        self._seeds, self._go_on, self._given = seeds, go_on, given
        begin(seeds, setup.common(), np.zeros(len(seeds), rules_for(setup).state), *given, self.of_seats)

    def follow(self, games: np.ndarray, states: np.ndarray, actions: np.ndarray) -> None:
        """Carry out one action in some games and enter the luck of the chance that follows.

        games: int64 (m,), numbers of games in which a player decides. states: (n,), carried on. actions: int64 (n,),
        legal.
        """
        self._go_on(games, states, self._seeds, actions, *self._given, self.of_seats)


def luck_of(setup: Any, seeds: np.ndarray, entrants: Sequence[Any], seats: np.ndarray) -> Luck:
    """Return the luck of games that begin with ``seeds``, where it is known.

    seats: the number of the entrant at each seat, int64, (games, players).
    """
    rules = rules_for(setup)
    judge = _judge([entrant.agent for entrant in entrants])
    if judge is not None and (rules.verbs.TEAM or setup.players == 1):
        compiled = rules.compiled(begin), rules.compiled(go_on)
        return Luck(setup, seeds, *compiled, judge.weights_for(setup.players), np.zeros(4, rules.state))
    planners = np.array([entrant.argument in STYLES for entrant in entrants])[seats] @ (1 << np.arange(setup.players))
    return Luck(setup, seeds, _begin, _go_on, planners, of_size(load_weights(), setup.players), luck_room())
