"""The PettingZoo environment: what the library's own conformance tests leave out (test_conformance.py runs those).

What is drawn into an observation is tested in test_observation.py, and what the rewards are in test_reward.py. Most
tests run twice, on the bare environment and on the one in PettingZoo's wrappers.
"""

import itertools
import random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces

from bohemian_env import GameOver, IllegalMove, bohemian_villages_v0
from bohemian_env.engine import aec
from tests.helpers import BOARD, SIX
from tests.test_engine.environments import (
    ACTIONS,
    OBSERVATION,
    PLAYERS,
    SMALL,
    Maker,
    begun,
    decisions,
    everything,
    legal,
    moments,
    over,
    play,
)

# --- creation ---


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo before 1.27 has no registry")
def test_both_ways_of_creation_make_the_same_environment() -> None:
    ours = begun(bohemian_villages_v0.env, num_players=3, reward="margin")
    registered = pettingzoo.make("aec", "bohemian_env/Villages-v0", num_players=3, reward="margin")
    registered.reset(seed=7)
    assert type(registered) is type(ours)
    assert type(registered.unwrapped) is type(ours.unwrapped) is bohemian_villages_v0.raw_env
    assert list(moments(registered)) == list(moments(ours))
    assert "bohemian_env/Villages-v0" in str(pettingzoo.spec("aec", "bohemian_env/Villages-v0"))


@pytest.mark.parametrize("players", PLAYERS)
def test_agents_and_spaces(make: Maker, players: int) -> None:
    env = make(players)
    names = [f"player_{seat}" for seat in range(players)]
    assert env.possible_agents == names
    assert (env.max_num_agents, env.num_players) == (players, players)
    assert env.unwrapped.agents == []
    env.reset(seed=0)
    assert env.agents == names
    for name in names:
        space, actions = env.observation_space(name), env.action_space(name)
        assert space is env.observation_space(name)
        assert actions is env.action_space(name)
        assert space == spaces.Dict(
            {
                "observation": spaces.Box(env.state_space.low, env.state_space.high, (OBSERVATION,), np.int8),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        assert actions == spaces.Discrete(ACTIONS)
    for name in names:
        env.action_space(name).seed(0)
    samples = [[env.action_space(name).sample() for _ in range(5)] for name in names]
    assert samples == samples[:1] * players, "sampling from one agent's space moved another's on"


def test_parameters_reach_the_game(make: Maker) -> None:
    env = begun(make, 2, SIX, board=BOARD, coin_supply=77, special_action_tiles=3, max_turns=9)
    record = env.record()
    assert [village["name"] for village in record["villages"]] == list(SIX)
    assert (record["coin_supply"], record["special_action_tiles"], record["max_turns"]) == (77, 3, 9)
    assert record["players"] == ["player_0", "player_1"]


# --- bookkeeping ---


@pytest.mark.parametrize("reward", ["win", "margin", "mixed"])
@pytest.mark.parametrize("players", PLAYERS)
def test_last_gives_the_sum_of_rewards_since_the_agent_acted(make: Maker, players: int, reward: str) -> None:
    """Over whole games, one after the other, to the removal of every agent."""
    env = make(players, reward=reward, max_turns=30)
    rng = random.Random(players)
    for seed in range(3):
        env.reset(seed=seed)
        due = dict.fromkeys(env.agents, 0.0)
        received: dict[str, float] = {}
        for agent in env.agent_iter():
            _, given, termination, truncation, _ = env.last()
            assert given == due[agent]
            if termination or truncation:
                received[agent] = given
                env.step(None)
                continue
            assert given == 0
            due[agent] = 0.0
            env.step(rng.choice(legal(env)))
            for other, more in env.rewards.items():
                due[other] += more
        assert received == due
        assert any(received.values())


@pytest.mark.parametrize(("parameters", "passes"), [({}, False), (SMALL, True)], ids=["ordinary", "small"])
def test_an_agent_goes_on_while_its_turn_does(make: Maker, parameters: dict[str, Any], passes: bool) -> None:
    """The agent selected is that of the turn (R3). It may act again in a turn; turns that pass are left out."""
    acted_again = left_out = 0
    for seed in range(5):
        env = begun(make, 3, seed=seed, **parameters)
        turns, agents = [], []
        for _ in decisions(env, seed):
            turns.append(env.state_dict()["turn"])
            agents.append(env.agent_selection)
            assert env.agent_selection == f"player_{(turns[-1] - 1) % 3}"
        acted_again += sum(turn == following for turn, following in itertools.pairwise(turns))
        left_out += sum(following > turn + 1 for turn, following in itertools.pairwise(turns))
    assert acted_again > 5
    assert (left_out > 10) == passes


@pytest.mark.parametrize(
    ("parameters", "reason"), [({}, "no figures"), ({"coin_supply": 12}, "bank empty"), ({"max_turns": 7}, "truncated")]
)
@pytest.mark.parametrize("players", PLAYERS)
def test_all_agents_end_in_the_same_step(make: Maker, players: int, parameters: dict[str, Any], reason: str) -> None:
    """Terminated by R4 and R21, truncated by R24; the one that acted last stays selected. A cut-off is scored."""
    env = begun(make, players, reward="margin", **parameters)
    for _ in decisions(env, players):
        assert env.unwrapped.outcome() is None
        actor = env.agent_selection
    outcome = env.unwrapped.outcome()
    assert outcome.reason == reason
    assert env.agent_selection == actor
    assert env.agents == env.possible_agents
    assert list(env.truncations.values()) == [reason == "truncated"] * players
    assert list(env.terminations.values()) == [reason != "truncated"] * players
    totals = [row["total"] for row in outcome.scoring]
    assert len(set(totals)) > 1
    for agent, total in zip(env.agents, totals, strict=True):
        margin = (total - (sum(totals) - total) / (players - 1)) / 50
        assert env.rewards[agent] == pytest.approx(max(-1, min(1, margin)), abs=1e-6)
    if reason == "truncated":
        assert env.state_dict()["turn"] == 7
        assert env.record()["end"] == "truncated"


def test_dead_steps_remove_one_agent_after_the_other(make: Maker) -> None:
    env = play(begun(make, 4))
    last, rest = env.agent_selection, env.possible_agents
    rest.remove(last)
    at = env.unwrapped.states.tobytes()
    for action in (0, 240):
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(action)
    assert env.agents == [f"player_{seat}" for seat in range(4)]
    for agent in [last, *rest]:
        assert env.agent_selection == agent
        env.step(None)
        assert agent not in env.agents
        assert set(env.rewards.values()) <= {0}
    assert env.agents == []
    assert env.unwrapped.states.tobytes() == at


def test_a_game_that_nobody_decides_is_over_at_its_beginning() -> None:
    """One turn, whose roll allows nothing: all agents are truncated, and it can be dealt anew."""
    env = bohemian_villages_v0.env(2, **(SMALL | {"max_turns": 1}))
    ended = [seed for seed in range(200) if not (env.reset(seed=seed), legal(env))[1]]
    assert 0 < len(ended) < 200
    env.reset(seed=ended[0])
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.outcome().reason == "truncated"
    for _ in env.agent_iter():
        assert env.last()[1:4] == (0, False, True)  # all tied
        env.step(None)
    assert env.agents == []
    env.reset(seed=next(seed for seed in range(200) if seed not in ended))
    assert not over(env)


# --- steps that are refused ---


def test_illegal_actions_raise_in_the_bare_environment() -> None:
    """Every action that the mask does not allow, at several moments; nothing changes, byte for byte."""
    reasons = set()
    for steps in (0, 1, 9, 23, 40):
        env = begun(bohemian_villages_v0.raw_env, 3, steps=steps)
        before = everything(env)
        for action in {-(2**70), -(2**63), -1, *range(ACTIONS + 1), 2**40, 2**63, 2**70} - set(legal(env)):
            with pytest.raises(IllegalMove) as caught:
                env.step(action)
            reasons.add(caught.value.reason.split(":")[0])
            assert env.unwrapped.states.tobytes() == before["position"], action
        assert everything(env) == before
        play(env)
        assert over(env)
    assert {"R7", "R8", "R9", "R10", "actions are 0 to 240"} <= reasons


@pytest.mark.parametrize("action", [None, 1.0, "3", np.float32(2), [1]])
def test_what_is_no_number_raises_in_the_bare_environment(action: Any) -> None:
    env = begun(bohemian_villages_v0.raw_env, 2, steps=5)
    before = everything(env)
    with pytest.raises(IllegalMove, match="an action is a whole number from 0 to 240"):
        env.step(action)
    assert everything(env) == before


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8])
def test_actions_may_be_numbers_of_numpy(make: Maker, kind: type) -> None:
    env, other = begun(make, 2), begun(make, 2)
    for _ in range(20):
        action = min(legal(env))
        env.step(kind(action) if action < 128 else action)
        other.step(action)
    assert everything(env) == everything(other)


@pytest.mark.parametrize("players", PLAYERS)
def test_an_illegal_action_ends_the_wrapped_game(players: int) -> None:
    """The offender gets -1, the others 0; the position stays; afterwards it can be dealt anew."""
    env = begun(bohemian_villages_v0.env, players, steps=8)
    offender, before = env.agent_selection, everything(env)
    allowed = legal(env)
    env.step(next(action for action in range(ACTIONS) if action not in allowed))
    after = everything(env)
    assert all(after[key] == before[key] for key in ("position", "seed", "record", "agents"))
    assert env.rewards == dict.fromkeys(env.agents, 0.0) | {offender: -1.0}
    assert env.unwrapped.outcome() is None
    received = {}
    for agent in env.agent_iter():
        _, received[agent], termination, truncation, _ = env.last()
        assert termination
        assert truncation
        env.step(None)
    assert received == dict.fromkeys(env.possible_agents, 0) | {offender: -1}
    env.reset(seed=7)
    assert list(moments(env)) == list(moments(begun(bohemian_villages_v0.env, players)))


def test_before_the_first_reset_there_is_no_game() -> None:
    raw = bohemian_villages_v0.raw_env()
    for call in (
        lambda: raw.step(0),
        lambda: raw.step(None),
        raw.state_dict,
        raw.record,
        raw.get_state,
        raw.state,
        raw.legal_actions,
        lambda: raw.observe("player_0"),
        lambda: raw.action_to_text(0),
        lambda: raw.text_to_action("end"),
    ):
        with pytest.raises(GameOver, match=r"(there is no game yet|every agent has left it); call reset\(\)"):
            call()
    assert raw.seed is None


def test_steps_after_the_last_agent_left(caplog: pytest.LogCaptureFixture) -> None:
    """The bare environment raises; PettingZoo's wrapper warns. The game at its end can still be read."""
    for make in (bohemian_villages_v0.raw_env, bohemian_villages_v0.env):
        env = begun(make, 3)
        *_, last = moments(env)
        for action in (None, 0):
            if make is bohemian_villages_v0.raw_env:
                with pytest.raises(GameOver, match="reset"):
                    env.step(action)
            else:
                env.step(action)
                assert "Should reset() first" in caplog.messages[-1]
        assert everything(env) == last
        assert env.state_dict()["over"]
        assert env.unwrapped.outcome().reason == env.record()["end"]


# --- the game behind it ---


def test_state_is_what_the_first_seat_sees(make: Maker) -> None:
    env = begun(make, 4)
    states = set()
    for _ in decisions(env, 4):
        state = env.state()
        assert env.state_space.contains(state)
        assert state.dtype == np.int8
        assert state.tobytes() == env.observe("player_0")["observation"].tobytes()
        states.add(state.tobytes())
    assert len(states) > 40


@pytest.mark.parametrize("action", [-1, ACTIONS, 2**63, 2**64 - 1, 2**80, -(2**70), np.uint64(2**63)])
def test_numbers_that_are_no_actions_do_not_come_to_compiled_code(action: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """There the first call makes code for its type, and an unsigned number would make other code."""
    env = bohemian_villages_v0.raw_env()
    env.reset(seed=1)
    monkeypatch.setattr(aec, "_step", None)
    with pytest.raises(IllegalMove, match=str(action)):
        env.step(action)
