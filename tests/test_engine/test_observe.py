"""What a seat sees of a game, and what it may do: as the PettingZoo environment shows it."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal, assert_equal

from bohemian_env import Game, observation_parts, observe
from bohemian_env.villages.advice import STANDING
from tests.helpers import game_at
from tests.test_engine.environments import PLAYERS, Maker, over
from tests.test_engine.test_advice import told

PARAMETERS: dict[str, Any] = {"coin_supply": 150, "max_turns": 40}


@pytest.mark.parametrize(("players", "adviser"), [*((players, "planner") for players in PLAYERS), (3, "appraiser")])
def test_a_game_is_seen_as_the_environment_shows_it(make: Maker, players: int, adviser: str) -> None:
    """By every seat, at every decision and at the end; the game that is played is that of the environment's seed. With
    advice, which is that of the position itself, as without.
    """
    game = Game.new(players, seed=players, **PARAMETERS).dealt()
    env, plain = make(players, advice=adviser, **PARAMETERS), make(players, **PARAMETERS)
    env.reset(seed=players)
    plain.reset(seed=players)
    rng, moments = np.random.default_rng(players), 0
    while True:
        assert game == env.unwrapped.game()
        before = game.states.tobytes()
        for seat, agent in enumerate(env.possible_agents):
            shown, without, again = env.observe(agent), plain.observe(agent), observe(game, seat)
            assert env.observation_space(agent).contains(shown)
            assert plain.observation_space(agent).contains(again)
            assert_equal(observe(game, seat, advice=adviser), shown)
            assert_equal(again, without)
            assert_equal({**without, "advice": told(game.states[0], seat, adviser)}, shown)
            for array in (*shown.values(), *again.values()):
                array[:] = 77  # the caller's to keep, and to spoil
            assert not (env.observe(agent)["advice"] == 77).any()
        assert_equal(observe(game), observe(game, game.to_move or 0))
        actions = list(game.legal_actions)
        assert actions == np.flatnonzero(observe(game)["action_mask"]).tolist() == env.unwrapped.legal_actions()
        assert [env.unwrapped.action_to_text(action) for action in actions] == list(game.legal_moves)
        assert game.states.tobytes() == before
        moments += 1
        if game.over:
            break
        assert env.observe(env.agent_selection)["advice"][STANDING:].any()
        place = int(rng.integers(len(actions)))
        for one in (env, plain):
            one.last()
            one.step(actions[place])
        game = game.push(game.legal_moves[place]).dealt()
    assert over(env)
    assert game.legal_actions == ()
    assert moments > 20
    assert not env.observe("player_0")["advice"].any()


def test_before_a_roll_the_dice_kept_are_seen_and_nothing_is_legal() -> None:
    again = game_at(dice=(1, 2, 3, 4), special=(0,)).push("reroll 1,2")
    second = game_at(dice=(1, 2), special=(0,)).push("reroll 1,2")
    for game, kept, made in ((Game.new(3, seed=1), 0, 0), (again, 2, 0), (second, 0, 1)):
        assert game.moves_made == made
        for seat in range(game.players):
            shown = observe(game, seat, advice=True)
            assert not shown["action_mask"].any()
            assert not shown["advice"].any()
            seen = observation_parts(shown["observation"])
            assert seen["dice"].sum() == kept
            assert seen["first_move_made"] == made
            assert seen["to_move"].tolist() == [(0 - seat) % game.players == away for away in range(5)]
            assert seen["figures"][: game.players].tolist() == list(np.roll(game.figures, -seat))
        assert game.legal_actions == ()


def test_numpys_whole_numbers_are_seats() -> None:
    game = Game.new(3, seed=1).roll()
    assert_array_equal(observe(game, np.int8(2))["observation"], observe(game, 2)["observation"])
