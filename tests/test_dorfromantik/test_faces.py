"""The environments of Dorfromantik: what libraries ask of them, seeds, rewards, and the game beneath."""

import doctest
from typing import Any

import numpy as np
import pytest

from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik import game as game_module
from bohemian_env.dorfromantik.contract import RULES
from bohemian_env.dorfromantik.faces import Batch, raw_env
from bohemian_env.dorfromantik.sb3 import DorfromantikVecEnv
from bohemian_env.engine.compiled import JIT_DISABLED
from bohemian_env.engine.errors import IllegalMove
from tests.test_villages.test_uncompiled import uncompiled


@pytest.mark.parametrize("reward", ["steady", "end"])
def test_d24_d25_all_seats_receive_the_growth_of_the_score(reward: str) -> None:
    env, rng, sums = raw_env(2, reward=reward), np.random.default_rng(3), {"player_0": 0.0, "player_1": 0.0}
    env.reset(seed=17)
    while not env.game().over:
        before = env.game().score["total"]
        env.step(int(rng.choice(env.legal_actions())))
        game = env.game()
        growth = game.score["total"] - before if reward == "steady" else game.over * game.score["total"]
        assert env.rewards == dict.fromkeys(sums, growth)
        sums = {agent: sums[agent] + env.rewards[agent] for agent in sums}
    assert sums == dict.fromkeys(sums, game.score["total"])


def test_d28_a_batch_plays_the_same_whatever_the_number_of_players() -> None:
    batches = [Batch(32, players) for players in range(1, 7)]
    for _ in range(80):
        actions = batches[0].random_actions()
        for batch in batches:
            batch.step(actions)
            assert (batch.states["tiles"] == batches[0].states["tiles"]).all()
            assert (batch.rewards[:, :1] == batches[0].rewards).all()


def test_stable_baselines3() -> None:
    env = DorfromantikVecEnv(4, opponents=["greedy"], num_players=2, seed=1)
    seen: Any = env.reset()
    assert seen.shape == (4, RULES.sizes[0])
    assert env.step(env.action_masks().argmax(axis=1))[1].shape == (4,)


def test_refusals_name_the_ruling() -> None:
    game = Game.new(tasks=["T3"], landscape=["L34", "L18", "L30"], left_in_box=0, markers={"T": [2]})
    game = game.deal("T3").deal(2)
    with pytest.raises(IllegalMove, match="D7: the first tile lies"):
        game.push("+1+0 r0")
    game = game.push("+0+0 r0").deal("L18")
    for move, told in (
        ("+0+0 r0", "D6: a tile lies in this cell"),
        ("+5+0 r0", "D8: it shares no edge with a tile that lies"),
        ("+40+0 r0", "D8"),
        ("+0+1 r0", "D9: a track meets another edge of the tile in direction 5"),
    ):
        with pytest.raises(IllegalMove, match=told):
            game.push(move)
    game = game.push("+1+0 r0").deal("L34")
    with pytest.raises(IllegalMove, match="D9: a track meets none in direction"):
        game.push("+1-1 r3")
    for number in (-1, 3456, 10**20):
        with pytest.raises(IllegalMove, match="the numbers of actions are 0 to 3455"):
            game.push(number)


def test_refusals_of_d11_d12_d25_d26() -> None:
    game = Game.new(tasks=["W3", "W2"], landscape=["L18", "L28"], open_tasks=1, markers={"W": [1, 2]}, left_in_box=0)
    game = game.deal("W3").deal(1).push("+0+0 r0").deal("W2").deal(2)
    with pytest.raises(IllegalMove, match="D25: W2 looks the same with r1"):
        game.push("+1+0 r4")
    small = Game.new(tasks=[], landscape=["L18", "L28", "L35"], window=2, left_in_box=0)
    small = small.deal("L18").push("+0+0 r0").deal("L28").push("+1+0 r0").deal("L35")
    with pytest.raises(IllegalMove, match="D26: the landscape would span 3 cells in q; 2 are the most"):
        small.push("+2+0 r0")
    joined = Game.new(tasks=["W3", "W5"], landscape=[], left_in_box=0, markers={"W": [1, 1]}, open_tasks=1)
    joined = joined.deal("W3").deal(1).push("+0+0 r0").deal("W5").deal(1)
    with pytest.raises(IllegalMove, match="D11: the territory of type W would have 2 tiles, more than the marker's 1"):
        joined.push("+1+0 r2")


def test_the_example_of_the_game_is_as_it_says() -> None:
    assert doctest.testmod(game_module).attempted == 8
    assert doctest.testmod(game_module).failed == 0


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="everything runs uncompiled already")
def test_the_rules_hold_uncompiled() -> None:
    files = ["tests/test_dorfromantik/test_cases.py", "tests/test_engine/test_lockstep.py"]
    chosen = "compiled or same_as_the_second and dorfromantik and variants"
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", "-k", chosen, *files]
    assert " passed" in uncompiled(*words)
