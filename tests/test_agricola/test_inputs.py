"""What a learner of values sees of a farm, and which actions it looks at."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from bohemian_env.agricola import Game
from bohemian_env.agricola.decisions import FENCE, NUM_ACTIONS, TEXTS
from bohemian_env.agricola.inputs import INPUTS, MOST_INPUTS, write_inputs
from bohemian_env.agricola.pieces import MOST_PLAYERS
from bohemian_env.agricola.tried import goes_on, write_tried


def positions(players: int, seed: int) -> Iterator[Game]:
    """The positions of a random game in which a seat decides."""
    rng, game = random.Random(seed), Game.new(players, seed=seed).dealt()
    while not game.over:
        yield game
        game = game.push(rng.choice(game.legal_actions)).dealt()


def seen(game: Game, seat: int) -> list[int]:
    """The inputs that are on for a seat."""
    out = np.zeros(MOST_INPUTS, np.int32)
    return out[: write_inputs(np.array(game.states)[0], seat, out)].tolist()


@pytest.mark.parametrize("players", range(1, MOST_PLAYERS + 1))
def test_each_input_is_written_once(players: int) -> None:
    for game in positions(players, 3):
        for seat in range(players):
            found = seen(game, seat)
            assert 0 <= min(found) <= max(found) < INPUTS
            assert len(found) == len(set(found))


def test_seats_see_the_table_from_where_they_sit() -> None:
    game = Game.new(2, seed=1).dealt().push("to wood")
    ours, theirs = seen(game, 0), seen(game, 1)
    assert ours != theirs
    before = seen(Game.new(2, seed=1).dealt(), 0)
    assert len(set(ours) - set(before)) > 3  # the wood, the person on the space and away from home, whose turn it is


@pytest.mark.parametrize("players", [1, 3])
def test_what_is_worth_a_look_is_legal(players: int) -> None:
    """Of cells one is left for each thing to build, two for stables; what is neither a cell nor fenced always is."""
    tried = np.zeros(NUM_ACTIONS, np.int64)
    for game in positions(players, 5):
        s = np.array(game.states)[0]
        found = tried[: write_tried(s, tried)].tolist()
        legal = set(game.legal_actions)
        assert found
        assert set(found) <= legal
        built = {action for action in legal if TEXTS[action].split()[0] in ("room", "stable", "plow")}
        assert {action for action in legal - built if action < FENCE} <= set(found)
        for thing, most in (("room", 1), ("plow", 1), ("stable", 2)):
            some = [action for action in found if TEXTS[action].startswith(f"{thing} ")]
            assert len(some) <= most
            assert bool(some) == any(TEXTS[action].startswith(f"{thing} ") for action in built)
        assert any(action >= FENCE for action in found) == any(action >= FENCE for action in legal)


def test_what_a_person_does_goes_on_until_it_is_done() -> None:
    game = Game.new(1, seed=1).dealt()
    assert not goes_on(np.array(game.states)[0], 0)
    game = game.push("to day-labourer")
    assert goes_on(np.array(game.states)[0], 0)
    assert not goes_on(np.array(game.push("take reed").states)[0], 0)
