"""The appraiser: what its network sees and states, and that it takes the turn after which it is likeliest to win."""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bohemian_env import Game, observation_parts
from bohemian_env.engine.observe import see
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.facts import MAX_PLAYERS
from bohemian_env.villages.opponents.appraiser import (
    BLANK,
    INPUTS,
    ROUNDS,
    SHAPES,
    VERSION,
    Weights,
    add_changes,
    appraise,
    appraiser_values,
    forget,
    load_weights,
    new_room,
    turn_values,
    write_inputs,
)


def weights(seed: int) -> Weights:
    """A network that nobody trained, whose opinions are strong."""
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(0, 2 / np.sqrt(size[0]), size).astype(np.float32) for size in SHAPES)


def positions(players: int, seed: int = 0, **options: Any) -> Iterator[Game]:
    """A random game, at every decision, before every roll and at its end."""
    rng = np.random.default_rng(seed)
    game = Game.new(players, seed=seed, **options)
    while True:
        yield game
        if game.over:
            return
        game = game.roll() if game.needs_roll else game.push(str(rng.choice(game.legal_moves)))


def inputs(game: Game) -> np.ndarray:
    """What the network sees, (INPUTS,)."""
    out = np.full((1, INPUTS), np.nan, np.float32)
    write_inputs(game.states, np.zeros(1, np.int64), new_room(), out)
    return out[0]


def stated(game: Game, network: Weights) -> np.ndarray:
    """The chance of each seat, by the compiled network."""
    chances = np.zeros(MAX_PLAYERS)
    appraise(game.states[0], network, new_room(), chances)
    return chances[: game.players]


def by_hand(game: Game, network: Weights) -> np.ndarray:
    """The same by plain matrices, or the share of the win."""
    if game.over:
        winners = game.outcome().winners
        return np.array([(seat in winners) / len(winners) for seat in range(game.players)])
    seen = inputs(game).astype(np.float64)
    first, second, third, places = network
    for layer in (first, second):
        seen = np.maximum(seen @ layer[:-1] + layer[-1], 0)
    said = np.roll((seen @ third[:-1] + third[-1])[: game.players], int(game.states[0]["to_move"]))
    exps = np.exp(said + places[min((game.turn - 1) // game.players, ROUNDS - 1)][: game.players])
    return exps / exps.sum()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_sees_what_the_seat_to_move_observes_and_how_many_dice_are_to_be_rolled(players: int) -> None:
    for game in positions(players):
        if game.over:
            continue
        parts = observation_parts(see(game.rules, game.states, int(game.states[0]["to_move"]))["observation"])
        wanted = [
            parts["free"],
            *parts["figures_on"],
            parts["inn_active"],
            parts["dice"],
            [game.dice_to_roll == n for n in (1, 2, 3, 4)],
            parts["special_spent"],
            parts["bishop"],
            parts["special"],
            parts["figures"] / 8,
            parts["coins"] / 32,
            parts["town_hall_value"] / 8,
            parts["manor_value"] / 8,
            parts["special_supply"] / 8,
            parts["bank"].ravel() / 32,
            parts["turn"].ravel() / 32,
        ]
        assert_allclose(inputs(game), np.concatenate([np.ravel(part) for part in wanted]).astype(np.float32), rtol=1e-6)


def test_changes_lead_from_one_position_to_another() -> None:
    games = [game for game in positions(3) if not game.over]
    network, rng = weights(0), np.random.default_rng(0)
    for _ in range(100):
        one, two = (games[int(k)] for k in rng.integers(0, len(games), 2))
        for seat in range(3):
            sums = [network[0][INPUTS].copy() for _ in range(2)]
            room = new_room()
            add_changes(room.trials[BLANK], one.states[0], seat, 3, network[0], room.rows, room.times, sums[0])
            add_changes(one.states[0], two.states[0], seat, 3, network[0], room.rows, room.times, sums[0])
            add_changes(room.trials[BLANK], two.states[0], seat, 3, network[0], room.rows, room.times, sums[1])
            assert_allclose(sums[0], sums[1], atol=2e-5)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_states_what_its_network_says_and_the_result_at_the_end(players: int) -> None:
    for game in positions(players):
        assert_allclose(stated(game, weights(players)), by_hand(game, weights(players)), atol=1e-5)


@pytest.mark.parametrize("players", [2, 4])
def test_it_judges_every_turn_by_where_it_leads(players: int) -> None:
    """Beside plain games that make each move, and each second one where the turn goes on."""
    network, ends, seconds = weights(7), 0, 0
    for game in positions(players, 3, coin_supply=90):
        if game.over or game.needs_roll:
            continue
        seat, wanted = game.to_move, []
        for move in game.legal_moves:
            after = game.push(move)
            leads_to = [after] if after.over or after.needs_roll else [after.push(more) for more in after.legal_moves]
            assert all(end.over or end.needs_roll for end in leads_to)
            seconds += len(leads_to) > 1
            ends += any(end.over for end in leads_to)
            wanted.append(max(by_hand(end, network)[seat] for end in leads_to))
        values, room = np.full(NUM_ACTIONS, np.nan), new_room()
        before = game.states.tobytes()
        chosen = appraiser_values(game.states[0], network, room, values)
        assert game.states.tobytes() == before
        actions = list(game.legal_actions)
        assert_allclose(values[actions], wanted, atol=1e-5)
        assert np.isnan(np.delete(values, actions)).all()
        assert values[chosen] == np.nanmax(values)
        assert room.chances[1][seat] == values[chosen]
        assert room.chances[1][:players].sum() == pytest.approx(1)
    assert ends > 0
    assert seconds > 20


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_is_remembered_of_other_rolls_is_what_would_be_judged(players: int) -> None:
    network, room = weights(1), new_room()
    before_rolls = [game for game in positions(players, 4) if game.needs_roll]
    for game in before_rolls[:: len(before_rolls) // 8]:
        forget(room)
        for roll, _ in game.chance_outcomes():
            rolled = game.roll(roll)
            if rolled.over or rolled.needs_roll:
                continue
            state = rolled.states[0]
            (remembered, judged), fresh = np.full((2, NUM_ACTIONS), np.nan), new_room()
            turn_values(state, network, room, remembered)
            appraiser_values(state, network, fresh, judged)
            assert_allclose(remembered, judged, atol=1e-5)
            assert_allclose(room.chances[1], fresh.chances[1], atol=1e-5)


def test_nothing_is_remembered_of_other_positions_and_networks() -> None:
    """An agent's room serves all its games, and networks change while they learn."""
    room = new_room()
    for number, game in enumerate(positions(3, 4)):
        if not game.over and not game.needs_roll:
            for network in (weights(number), weights(number + 1)):
                (used, fresh), state = np.full((2, NUM_ACTIONS), np.nan), game.states[0]
                chosen = appraiser_values(state, network, room, used)
                assert chosen == appraiser_values(state, network, new_room(), fresh)
                assert np.array_equal(used, fresh, equal_nan=True)


def test_other_networks_are_another_version() -> None:
    """Agents are trained to listen to them, and their files name the version: with other networks it goes up."""
    layers = load_weights()
    digests = [hashlib.sha256(b"".join(layer[n].tobytes() for layer in layers)).hexdigest()[:8] for n in (2, 3, 4, 5)]
    assert (VERSION, digests) == (4, ["1fd9fcc4", "63d0d71d", "29c05486", "55ad6364"])
