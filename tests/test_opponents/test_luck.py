"""The luck of a roll, beside plain games in which every roll falls as often as it can."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

import agents
from bohemian_env import Game
from bohemian_env.game.dice import handful
from bohemian_env.game.facts import MAX_PLAYERS
from bohemian_env.opponents.appraiser import appraise, load_weights, new_room, of_size
from bohemian_env.opponents.luck import add_luck, luck_room
from tests.test_opponents.test_appraiser import positions

Roll = tuple[int, ...]


def rolls(dice: int) -> list[Roll]:
    """All rolls of so many dice, each as often as it falls, in order."""
    return sorted(tuple(sorted(roll)) for roll in itertools.product(range(1, 7), repeat=dice))


def after(game: Game, roll: Roll, player: str) -> Game:
    """Where the turn leads that a player plays with a roll."""
    agent = agents.make(player)
    game = game.roll(roll)
    while not (game.over or game.needs_roll):
        game = game.push(agent.move(game))
    return game


def stated(game: Game) -> np.ndarray:
    chances = np.zeros(MAX_PLAYERS)
    appraise(game.states[0], of_size(load_weights(), game.players), new_room(), chances)
    return chances[: game.players]


def looked_ahead(game: Game) -> np.ndarray:
    """The mean of what the network states after twelve next rolls, one from each twelfth of all."""
    if game.over:
        return stated(game)
    every = rolls(game.dice_to_roll)
    nexts = [every[(2 * k + 1) * len(every) // 24] for k in range(12)]
    return np.mean([stated(after(game, roll, "planner")) for roll in nexts], axis=0)


@pytest.mark.parametrize(("players", "planners"), [(2, 0b10), (5, 0b00110)])
def test_the_luck_of_a_roll_is_what_it_changed_beside_all_others(players: int, planners: int) -> None:
    """At rolls of one die to four, whose turns planner plays and appraiser."""
    seen = set()
    for game in positions(players, 5):
        planner = not game.over and bool(planners >> game.to_move & 1)
        if not game.needs_roll or (game.dice_to_roll, planner) in seen:
            continue
        seen.add((game.dice_to_roll, planner))
        every, chances, known = rolls(game.dice_to_roll), {}, {}
        for roll in dict.fromkeys(every):
            leads_to = after(game, roll, "planner" if planner else "appraiser")
            place = leads_to.states.tobytes()
            if place not in known:
                known[place] = looked_ahead(leads_to)
            chances[roll] = known[place]
        mean = np.mean([chances[roll] for roll in every], axis=0)
        for roll in chances:
            luck = np.zeros(MAX_PLAYERS)
            network = of_size(load_weights(), players)
            add_luck(game.states[0], handful(roll), planners, network, luck_room(), luck)
            assert_allclose(luck[:players], chances[roll] - mean, atol=1e-5)
            assert luck.sum() == pytest.approx(0, abs=1e-9)
    assert {dice for dice, _ in seen} > {1, 4}
    assert {planner for _, planner in seen} == {False, True}
