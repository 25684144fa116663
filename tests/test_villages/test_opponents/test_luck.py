"""The luck of a roll, beside plain games in which every roll falls as often as it can."""

import itertools
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

import agents
from bohemian_env import Game
from bohemian_env.engine.chance import STEP, mix, unit
from bohemian_env.villages.dice import handful
from bohemian_env.villages.facts import MAX_PLAYERS
from bohemian_env.villages.opponents.appraiser import load_weights, of_size
from bohemian_env.villages.opponents.luck import LuckRoom, add_luck, luck_room
from bohemian_env.villages.opponents.scripted import chance
from tests.test_villages.test_opponents.test_appraiser import positions
from tests.test_villages.test_opponents.test_appraiser import stated as stated_by

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
    return stated_by(game, of_size(load_weights(), game.players))


def point(k: int, shifts: list[float]) -> list[float]:
    """A point of the lattice: a place for the roll drawn, then one for each turn ahead."""
    return [(k * 14**number % 127 / 127 + shift) % 1.0 for number, shift in enumerate(shifts)]


def at(place: float, dice: int) -> Roll:
    """The roll at a place among all rolls in the order in which dice are rolled."""
    return list(itertools.product(range(1, 7), repeat=dice))[int(place * 6**dice)]


def two_rounds_on(game: Game, places: list[float]) -> np.ndarray:
    """What the network states once planner has played two rounds on with the rolls at some places."""
    for _, place in zip(range(2 * game.players), places, strict=False):
        if not game.over:
            game = after(game, at(place, game.dice_to_roll), "planner")
    return stated(game)


def luck(game: Game, roll: Roll, planners: int, seed: int, room: LuckRoom | None = None) -> np.ndarray:
    found = np.zeros(MAX_PLAYERS)
    network = of_size(load_weights(), game.players)
    add_luck(game.states[0], handful(roll), np.uint64(seed), planners, network, room or luck_room(), found)
    return found


@pytest.mark.parametrize(("players", "planners"), [(2, 0b10), pytest.param(5, 0b00110, marks=pytest.mark.slow)])
def test_the_luck_of_a_roll_is_what_it_changed_beside_rolls_drawn(players: int, planners: int) -> None:
    """At rolls of one die to four, whose turns planner plays and appraiser."""
    seen = set()
    for game in positions(players, 5):
        planner = not game.over and bool(planners >> game.to_move & 1)
        if not game.needs_roll or (game.dice_to_roll, planner) in seen:
            continue
        seen.add((game.dice_to_roll, planner))
        every = rolls(game.dice_to_roll)
        led_to = {roll: after(game, roll, "planner" if planner else "appraiser") for roll in dict.fromkeys(every)}
        word = int(chance(game.states[0], np.uint64(77), np.uint64(0x4C75636B)))
        words = [np.uint64((word + turn * int(STEP)) % 2**64) for turn in (2 * MAX_PLAYERS, *range(2 * MAX_PLAYERS))]
        shifts = [float(unit(np.uint64(mix(word)))) for word in words]
        mean = np.mean([stated(led_to[roll]) for roll in every], axis=0)
        roll = every[len(every) // 3]
        wanted = stated(led_to[roll]) - mean
        for k in range(127):
            first, *places = point(k, shifts)
            other = led_to[tuple(sorted(at(first, game.dice_to_roll)))]
            if (stated(other) == stated(led_to[roll])).all():
                continue
            for sign, place in ((1, led_to[roll]), (-1, other)):
                wanted += sign * (two_rounds_on(place, places) - stated(place)) / 127
        assert_allclose(luck(game, roll, planners, 77)[:players], wanted, atol=1e-5)
    assert {dice for dice, _ in seen} > {1, 4}
    assert {planner for _, planner in seen} == {False, True}


def test_the_luck_of_a_roll_does_not_follow_from_other_games() -> None:
    """At the first rolls of games, which look alike but for what their villages are worth."""
    room = luck_room()
    for seed in range(40):
        game = Game.new(2, seed=seed)
        assert np.array_equal(luck(game, (1, 2, 3, 4), 0, 77, room), luck(game, (1, 2, 3, 4), 0, 77))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_the_luck_of_a_roll_is_nothing_on_the_mean(players: int) -> None:
    """Over all rolls that could have come, each with many shifts of the lattice; and over all seats."""
    game = next(game for game in positions(players, 5) if game.needs_roll and game.dice_to_roll == 2)
    times = Counter(rolls(2))
    of_seeds = np.array([[luck(game, roll, 0b11111, seed) for roll in times] for seed in range(60)])
    assert_allclose(of_seeds.sum(axis=2), 0, atol=1e-9)
    means = np.average(of_seeds, axis=1, weights=list(times.values()))[:, :players]
    error = means.std(axis=0, ddof=1) / np.sqrt(len(means))
    assert np.abs(of_seeds).max() > 0.01
    assert (np.abs(means.mean(axis=0)) <= 4 * error + 1e-12).all()
    assert (error < 0.002).all()
