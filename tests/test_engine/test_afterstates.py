"""After-states: each is the position that its action leads to, before the dice fall."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bohemian_env import BadSetup, Batch, Game, GameOver, RollNeeded, afterstates, observation_parts
from bohemian_env.engine.observe import see
from tests.test_engine.environments import SMALL


def play(game: Game, rng: np.random.Generator) -> Game:
    """The game after a random move and the rolls that follow."""
    return game.push(str(rng.choice(game.legal_moves))).dealt()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_is_what_the_seat_sees_after_the_move(players: int) -> None:
    """Beside the game that makes the move; nothing of the roll to come is in it."""
    rng = np.random.default_rng(players)
    game, ended, rolls, own = Game.new(players, seed=players, coin_supply=120).dealt(), 0, 0, 0
    while not game.over:
        found = afterstates(game, "margin")
        assert found.actions.tolist() == list(game.legal_actions)
        assert not found.games.any()
        for place, move in enumerate(game.legal_moves):
            after = game.push(move)
            assert_array_equal(found.observations[place], see(game.rules, after.states, game.to_move)["observation"])
            assert bool(found.ended[place]) == after.over
            ended += after.over
            if after.over:
                totals = np.array([row["total"] for row in after.outcome().scoring])
                others = (totals.sum() - totals) / (players - 1)
                assert found.rewards[place] == pytest.approx(np.clip((totals - others) / 50, -1, 1))
            else:
                assert not found.rewards[place].any()
            assert found.dice_to_roll[place] == after.dice_to_roll
            dice = observation_parts(found.observations[place])["dice"].sum()
            if after.needs_roll:
                assert dice + after.dice_to_roll in (1, 2, 4)
                rolls += 1
            elif not after.over:
                assert dice in (1, 2)
                own += after.to_move == game.to_move
        game = play(game, rng)
    assert ended > 0
    assert rolls > 50
    assert own > 20


def test_dice_to_come_are_not_in_it() -> None:
    """Games of all seeds look alike after the same moves, but for the dice that have fallen."""
    seen = set()
    for seed in range(20):
        game = Game.new(seed=seed, villages=SMALL["villages"], board=SMALL["board"]).roll([1, 1, 1, 2])
        found = afterstates(game)
        seen.add(found.observations.tobytes())
    assert len(seen) == 1


@pytest.mark.parametrize("players", [2, 5])
def test_a_batch_gives_those_of_all_its_games(players: int) -> None:
    batch = Batch(9, players, autoreset=False, max_turns=25)
    steps = 0
    while not batch.over.all():
        found = batch.afterstates()
        assert_array_equal(np.bincount(found.games, minlength=9), batch.masks.sum(axis=1))
        some = batch.afterstates([7, 2])
        for name, array in found._asdict().items():
            alone = getattr(some, name)
            assert_array_equal(alone, np.concatenate([array[found.games == 7], array[found.games == 2]]))
        first = np.searchsorted(found.games, np.arange(9)[~batch.over])
        actions = np.zeros(9, np.int64)
        actions[~batch.over] = found.actions[first]
        before, rewards = found.ended[first], found.rewards[first]
        going = np.flatnonzero(~batch.over)
        batch.step(actions)
        assert_array_equal(batch.rewards[going][before], rewards[before])
        steps += 1
    assert steps > 10
    assert len(batch.afterstates().games) == 0


def test_what_it_refuses() -> None:
    game = Game.new(seed=1)
    with pytest.raises(RollNeeded, match="roll 4 dice"):
        afterstates(game)
    with pytest.raises(BadSetup, match="'coins'; known are win"):
        afterstates(game.roll(), "coins")
    with pytest.raises(IndexError, match="0 to 1"):
        Batch(2).afterstates([2])
    rng = np.random.default_rng(0)
    over = Game.new(seed=1, **SMALL).dealt()
    while not over.over:
        over = play(over, rng)
    with pytest.raises(GameOver, match="over"):
        afterstates(over)
