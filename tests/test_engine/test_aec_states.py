"""The PettingZoo environment: its seeds, copies of it, and going back to a state."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadSetup, bohemian_villages_v0
from bohemian_env.engine.checks import MAX_SEED
from bohemian_env.engine.dealing import next_seed
from tests.helpers import FROZEN, SIX
from tests.test_engine.environments import ACTIONS, SMALL, Maker, begun, everything, legal, moments, over, play

# --- seeds ---


def test_without_a_seed_the_next_game_follows_from_the_one_before(make: Maker) -> None:
    env, other = begun(make, 3, steps=20), make(3)
    for _ in range(3):
        seed = int(next_seed(np.uint64(env.seed)))
        env.reset()
        other.reset(seed=seed)
        assert env.seed == seed
        assert everything(env) == everything(other)
        play(env, 5)
        play(other, 5)


def test_the_first_seed_is_any(make: Maker) -> None:
    seeds = set()
    for _ in range(8):
        env = make()
        env.reset()
        assert 0 <= env.seed <= MAX_SEED
        seeds.add(env.seed)
    assert len(seeds) == 8


def test_a_reset_is_a_fresh_start(make: Maker) -> None:
    """After a whole game, after half of one, and with unknown options."""
    fresh = everything(begun(make, 4))
    env = begun(make, 4)
    for steps in (0, 30, 10_000):
        play(env, steps)
        env.reset(seed=7, options={"unknown": 1})
        assert everything(env) == fresh
    list(moments(env))
    env.reset(seed=7)
    assert everything(env) == fresh


# --- copies ---

COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}

MOMENTS = (0, 21, 10_000)
"""Steps after which a game is copied: at its beginning, in the middle, at its end."""


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("steps", MOMENTS)
@pytest.mark.parametrize("players", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_a_copy_plays_on_equally_and_leaves_the_original_alone(make: Maker, players: int, steps: int, how: str) -> None:
    env = begun(make, players, board=FROZEN, steps=steps)
    before = everything(env)
    copied = COPIES[how](env)
    assert everything(env) == everything(copied) == before
    played = list(moments(copied))
    assert everything(env) == before
    assert list(moments(env)) == played
    assert copied.unwrapped.outcome() == env.unwrapped.outcome()
    copied.reset()
    env.reset()
    assert everything(copied) == everything(env)


@pytest.mark.parametrize("how", COPIES)
def test_an_environment_that_was_never_reset_can_be_copied(make: Maker, how: str) -> None:
    copied = COPIES[how](make(3, SMALL["villages"], board=SMALL["board"], reward="margin", render_mode="ansi"))
    copied.reset(seed=7)
    assert copied.render() == begun(make, 3, SMALL["villages"], board=SMALL["board"], render_mode="ansi").render()


# --- states ---


@pytest.mark.parametrize("steps", MOMENTS)
@pytest.mark.parametrize("players", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_going_back_to_a_state(make: Maker, players: int, steps: int) -> None:
    """As often as one likes; the record is that of the moment, and what follows is the same."""
    env = begun(make, players, reward="margin", steps=steps)
    before, state = everything(env), env.get_state()
    played = list(moments(env))
    for _ in range(2):
        env.set_state(state)
        assert everything(env) == before
        assert list(moments(env)) == played
    env.reset(seed=99)
    env.set_state(state)
    env.reset()
    assert env.seed == int(next_seed(np.uint64(7)))


def test_a_state_in_another_environment(make: Maker) -> None:
    """Of the same parameters, whatever was played in it before; a copy of the state will do as well."""
    env, other = begun(make, 3, coin_supply=50, steps=25), begun(make, 3, coin_supply=50, seed=1, steps=40)
    state = env.get_state()
    other.set_state(pickle.loads(pickle.dumps(state)))
    assert everything(other) == everything(env)
    assert list(moments(other)) == list(moments(env))
    raw = bohemian_villages_v0.raw_env(3, coin_supply=50)
    raw.set_state(state)  # without a reset
    assert list(moments(raw)) == list(moments(begun(make, 3, coin_supply=50, steps=25)))


def test_a_state_with_agents_partly_removed(make: Maker) -> None:
    env = play(begun(make, 4, max_turns=9))
    env.step(None)
    before, state = everything(env), env.get_state()
    left = list(moments(env))
    assert (len(before["agents"]), env.agents) == (3, [])
    env.reset(seed=3)
    env.set_state(state)
    assert everything(env) == before
    assert list(moments(env)) == left


def test_a_state_is_a_copy_both_ways(make: Maker) -> None:
    env = begun(make, 2, steps=5)
    before, state = everything(env), env.get_state()
    kept = pickle.dumps(state)
    play(env)
    assert pickle.dumps(state) == kept
    env.set_state(state)
    state["position"]["bank"] += 1
    for name in ("actions", "agents", "rewards", "terminations"):
        state[name].clear()
    assert everything(env) == before


def test_a_state_keeps_the_infos_of_its_moment(make: Maker) -> None:
    env = begun(make, 2, steps=5)
    state = env.get_state()
    env.infos["player_0"]["seen"] = True
    env.set_state(state)
    assert env.infos == {"player_0": {}, "player_1": {}}
    env.infos["player_1"]["seen"] = True
    assert state["infos"] == {"player_0": {}, "player_1": {}}


def test_the_wrapper_forgets_its_old_mask_when_asked_again() -> None:
    """docs/env.md: last() after set_state. The mask seen before the way back would end the game for a legal action."""
    env = begun(bohemian_villages_v0.env, 2, steps=6)
    state, at_state = env.get_state(), set(legal(env))
    for _ in range(30):
        play(env, 1)
        if over(env):
            break
        now = set(legal(env))  # the wrapper has seen this mask
        for action in at_state - now:
            env.set_state(state)
            assert set(legal(env)) == at_state
            env.step(action)
            assert not over(env)
            return
    pytest.fail("no later moment forbids what was legal before")


def test_going_back_from_an_illegal_end() -> None:
    """Play goes on as if the illegal action had not been tried."""
    env = begun(bohemian_villages_v0.env, 3, steps=6)
    state = env.get_state()
    played = list(moments(begun(bohemian_villages_v0.env, 3, steps=6)))
    env.step(next(action for action in range(ACTIONS) if action not in legal(env)))
    assert over(env)
    env.set_state(state)
    assert list(moments(env)) == played


OTHER: list[dict[str, Any]] = [
    {"num_players": 3}, {"board": replace(FROZEN, coin_supply=299), "coin_supply": 300}, {"coin_supply": 299},
    {"special_action_tiles": 6}, {"max_turns": None}, {"villages": [*SIX[:-1], "Mirschau"]},
]  # fmt: skip


@pytest.mark.parametrize("parameters", OTHER, ids=str)
def test_the_state_of_another_environment_is_refused(make: Maker, parameters: dict[str, Any]) -> None:
    villages = "random" if "num_players" in parameters else SIX
    usual: dict[str, Any] = {"num_players": 2, "villages": villages, "board": FROZEN}
    state = begun(make, steps=4, **(usual | parameters)).get_state()
    env = begun(make, steps=4, **(usual | {"num_players": 2}))
    before = everything(env)
    with pytest.raises(BadSetup, match="the state is of"):
        env.set_state(state)
    assert everything(env) == before


def test_the_state_of_other_players_is_refused(make: Maker) -> None:
    env = begun(make, steps=4)
    state = env.get_state()
    names = tuple(f"somebody {k}" for k in range(len(env.possible_agents)))
    with pytest.raises(BadSetup, match=r"start: names .*somebody 0.* are not those of the agents"):
        env.set_state(state | {"start": replace(state["start"], names=names)})
