"""The luck of the dice is taken out of results: what is left has the same mean, and varies less."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

import agents
from agents.common.statistics import win_shares
from agents.tournament import BadTournament, compare, enter
from agents.tournament.luck import Luck
from agents.tournament.play import Played, play_chunk
from agents.tournament.schedule import Chunk, LineUp
from bohemian_env import Batch, Game, Setup
from bohemian_env.game.facts import MAX_PLAYERS
from bohemian_env.game.state import copy_states
from bohemian_env.opponents.appraiser import appraise, load_weights, new_room, of_size


def stated(game: Game) -> np.ndarray:
    """The chance of each seat by the shipped network, once the turn is played that planner would play."""
    planner = agents.make("planner")
    while not (game.over or game.needs_roll):
        game = game.push(planner.move(game))
    chances = np.zeros(MAX_PLAYERS)
    appraise(game.states[0], of_size(load_weights(), game.players), new_room(), chances)
    return chances[: game.players]


def surprise(game: Game, after: Game) -> np.ndarray:
    """How much better a roll was than the mean of all, by plain games."""
    falls = Counter(tuple(sorted(roll)) for roll in itertools.product(range(1, 7), repeat=game.dice_to_roll))
    mean = sum(count * stated(game.roll(roll)) for roll, count in falls.items()) / falls.total()
    return stated(after) - mean


@pytest.mark.parametrize("players", [2, 3])
def test_the_luck_of_a_game_is_that_of_its_rolls(players: int) -> None:
    """Of a game of five turns, by the batch and by plain games of the same seed."""
    setup = Setup.of(players, max_turns=5)
    batch = Batch(2, setup, autoreset=False)
    batch.reset(np.array([5, 6], np.uint64))
    luck, actions = Luck(setup, batch.seeds), np.zeros(2, np.int64)
    games = [Game.new(setup, seed=5), Game.new(setup, seed=6)]
    wanted = np.zeros((2, players))
    rng = np.random.default_rng(0)
    while not batch.over.all():
        going = np.flatnonzero(~batch.over)
        for k in going:
            while games[k].needs_roll:
                after = games[k].roll()
                wanted[k] += surprise(games[k], after)
                games[k] = after
            move = str(rng.choice(games[k].legal_moves))
            actions[k] = games[k].push(move).actions[-1]
            games[k] = games[k].push(move)
        states = copy_states(batch.states)
        luck.follow(going, states, actions)
        batch.step(actions)
    assert_allclose(luck.of_seats, wanted, atol=1e-5)
    assert np.abs(wanted).max() > 0.01


def played(luck: bool) -> Played:
    """300 games of greedy among two planners."""
    entrants = enter(["greedy", "planner"], 0)
    return play_chunk(Chunk(LineUp((0, 1, 1)), 77, 0, 100), entrants, Setup.of(3), luck=luck)


@pytest.mark.slow
def test_less_its_luck_the_mean_is_the_same_and_varies_less() -> None:
    plain, adjusted = played(False), played(True)
    assert not plain.luck.any()
    assert (plain.totals == adjusted.totals).all()
    here = adjusted.seating == 0
    won = (win_shares(adjusted.totals) * here).sum(axis=2).mean(axis=1)
    luck = (adjusted.luck * here).sum(axis=2).mean(axis=1)
    assert abs(luck.mean()) < 3 * luck.std() / np.sqrt(len(luck))
    weight = (luck * won).mean() / (luck * luck).mean()
    assert 0.1 < weight < 1
    assert np.var(won - weight * luck) < 0.97 * np.var(won)


@pytest.mark.slow
def test_agents_that_think_long_are_compared_less_their_luck() -> None:
    quick = compare(enter(["planner", "hoarder"], 0), games=200)
    slow = compare(enter(["greedy", "montecarlo:8"], 0), games=20)
    asked = compare(enter(["planner", "hoarder"], 0), games=200, luck=True)
    assert [one.luck for one in (quick, slow, asked)] == [False, True, True]
    assert quick.tables[0].worth is None
    assert asked.tables[0].worth > 1
    assert asked.tables[0].results[0].share.value != quick.tables[0].results[0].share.value
    assert (asked.tables[0].wins == quick.tables[0].wins).all()
    with pytest.raises(BadTournament, match="luck 'yes' is not True, False or None"):
        compare(enter(["greedy", "random"], 0), games=20, luck="yes")  # type: ignore[arg-type]
