"""When a game of the vector environment is followed by the next: no decision and no reward is lost or counted twice.

The games are played beside it in the PettingZoo environment, and follow each other as the docs say (``Table``).
"""

import pickle
import sys
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import FlattenObservation, NormalizeObservation
from numpy.testing import assert_array_equal

from bohemian_env import BadSetup, GameOver, IllegalMove
from bohemian_env.villages.faces import AUTORESET, SelfPlay, VillagesVectorEnv
from bohemian_env.villages.opponents import Scripted
from tests.test_engine.learner_table import Table

N, PLAYERS, SEED = 4, 3, 31
SHORT: dict[str, Any] = {"num_players": PLAYERS, "coin_supply": 25, "max_turns": 9}
"""Parameters of games that soon end, by the bank or cut off."""
MODES = {"same_step": AutoresetMode.SAME_STEP, "next_step": AutoresetMode.NEXT_STEP, "disabled": AutoresetMode.DISABLED}


class Decision(NamedTuple):
    """What the learner sees and takes, and what it receives for that."""

    seen: bytes
    action: int
    reward: float
    terminated: bool
    truncated: bool
    last: bytes
    """What it sees when the game has ended with that; nothing while it goes on."""


def first_legal(mask: np.ndarray) -> int:
    """The learner's way to decide."""
    return int(mask.argmax())


def at_the_table(row: int, count: int) -> Iterator[Decision]:
    """So many decisions of a row."""
    table = Table(SEED + row, row % PLAYERS, Scripted("planner"), PLAYERS, coin_supply=25, max_turns=9)
    for _ in range(count):
        seen, action = table.observation.tobytes(), first_legal(table.mask)
        table.step(action)
        last = table.final.tobytes() if table.done else b""
        yield Decision(seen, action, table.reward, table.done and not table.cut_off, table.cut_off, last)


def in_mode(mode: str, steps: int) -> list[list[Decision]]:
    """The decisions of every row of the vector environment, taken as its mode asks for."""
    made: Any = dict(num_envs=N, opponents=["planner"], autoreset_mode=mode)
    env = gymnasium.make_vec("bohemian_env/Villages-v0", **made, **SHORT)
    found: list[list[Decision]] = [[] for _ in range(N)]
    shown, _ = env.reset(seed=SEED)
    done = np.zeros(N, np.bool_)
    for _ in range(steps):
        before, taken = shown, np.array([first_legal(mask) for mask in shown["action_mask"]])
        over = done if mode == "next_step" else np.zeros(N, np.bool_)
        shown, reward, terminated, truncated, infos = env.step(taken)
        done = terminated | truncated
        for i in np.flatnonzero(~over):
            last = infos["final_obs"][i] if done[i] and mode == "same_step" else {k: v[i] for k, v in shown.items()}
            if done[i]:
                assert not last["action_mask"].any()
                assert infos["cut_off"][i] == truncated[i]
            ending = last["observation"].tobytes() if done[i] else b""
            seen = before["observation"][i].tobytes()
            found[i].append(Decision(seen, int(taken[i]), float(reward[i]), terminated[i], truncated[i], ending))
        assert not reward[over].any()
        if mode == "disabled" and done.any():
            shown, _ = env.reset(options={"reset_mask": done})
    return found


@pytest.mark.parametrize("mode", MODES)
def test_no_decision_or_reward_is_lost_or_counted_twice(mode: str) -> None:
    ends = []
    for row, found in enumerate(in_mode(mode, 60)):
        assert found == list(at_the_table(row, len(found)))
        ends += [(one.terminated, one.truncated) for one in found if one.last]
    assert {(True, False), (False, True)} == set(ends)
    assert len(ends) > 20


@pytest.mark.parametrize(("name", "mode"), MODES.items())
def test_the_mode_is_told_where_others_look(name: str, mode: AutoresetMode) -> None:
    assert AUTORESET == MODES
    for given in (name, mode):
        env: Any = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=2, autoreset_mode=given)
        assert env.metadata["autoreset_mode"] is env.autoreset_mode is mode
    assert VillagesVectorEnv(1).autoreset_mode is AutoresetMode.SAME_STEP


def test_observation_wrappers_take_the_next_step_mode() -> None:
    many = gymnasium.make_vec("bohemian_env/Villages-v0", 3, autoreset_mode="next_step")
    env = NormalizeObservation(FlattenObservation(many))
    observations, _ = env.reset(seed=0)
    assert observations.shape == (3, 686 + 241)


@pytest.mark.parametrize(
    "options",
    [{"villages": "random"}, {"reset_mask": [True] * N}, {"reset_mask": np.zeros(N, np.bool_)},
     {"reset_mask": np.ones(N)}, {"reset_mask": np.ones(N + 1, np.bool_)},
     {"reset_mask": np.ones(N, np.bool_), "x": 1}],
    ids=str,
)  # fmt: skip
def test_unknown_options_are_refused_and_change_nothing(options: dict[str, Any]) -> None:
    env = VillagesVectorEnv(N, autoreset_mode="disabled", **SHORT)
    env.reset(seed=5)
    before, given = env.games.states.tobytes(), dict(options)
    with pytest.raises(BadSetup, match="reset_mask"):
        env.reset(seed=6, options=options)
    assert env.games.states.tobytes() == before
    assert options.keys() == given.keys()


def test_with_a_seed_the_games_of_a_mask_are_those_of_a_whole_reset() -> None:
    env = VillagesVectorEnv(N, autoreset_mode="disabled", **SHORT)
    whole, _ = env.reset(seed=9)
    env.reset(seed=50)
    mask = np.array([True, False, True, False])
    some, _ = env.reset(seed=9, options={"reset_mask": mask})
    other, _ = env.reset(seed=50)
    for i in range(N):
        assert_array_equal(some["observation"][i], (whole if mask[i] else other)["observation"][i])


def test_a_game_that_is_over_has_to_be_reset_where_nobody_else_does_it() -> None:
    env = VillagesVectorEnv(N, autoreset_mode="disabled", **SHORT)
    shown, _ = env.reset(seed=5)
    while not env.games.over.any():
        shown, *_ = env.step(shown["action_mask"].argmax(axis=1))
    over = np.flatnonzero(env.games.over).tolist()
    with pytest.raises(GameOver, match=f"games \\[{', '.join(map(str, over))}\\] are over; reset them"):
        env.step(shown["action_mask"].argmax(axis=1))


def test_an_illegal_action_changes_nothing_where_games_wait_for_the_next_step() -> None:
    env = VillagesVectorEnv(N, autoreset_mode="next_step", **SHORT)
    shown, _ = env.reset(seed=5)
    while not env.games.over.any() or env.games.over.all():
        shown, *_ = env.step(shown["action_mask"].argmax(axis=1))
    before, going = env.games.states.tobytes(), int(np.flatnonzero(~env.games.over)[0])
    actions = shown["action_mask"].argmax(axis=1)
    actions[going] = shown["action_mask"][going].argmin()
    with pytest.raises(IllegalMove, match="the learner may not take it"):
        env.step(actions)
    assert env.games.states.tobytes() == before


def test_rllib_is_told_that_it_drops_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray.rllib", types.ModuleType("ray.rllib"))
    told = "RLlib drops the first decision of games unless autoreset_mode is 'next_step'"
    with pytest.warns(UserWarning, match=told):
        VillagesVectorEnv(2)
    VillagesVectorEnv(2, autoreset_mode="next_step")  # pytest makes errors of warnings


def test_games_that_stay_over_are_pickled_as_they_are() -> None:
    games = SelfPlay(N, ["greedy"], autoreset=False, seed=5, advice=True, **SHORT)
    while not games.over.any():
        games.step(games.masks.argmax(axis=1))
    again = pickle.loads(pickle.dumps(games))
    assert not again.autoreset
    for name in ("states", "observations", "masks", "advice", "over", "dones", "learners"):
        assert_array_equal(getattr(again, name), getattr(games, name))
    assert not games.masks[games.over].any()
    assert games.advice is not None
    assert not games.advice[games.over].any()
    state = games.__getstate__()
    state["parameters"] |= {"autoreset": True}
    with pytest.raises(BadSetup, match="not all games wait for the learner"):
        SelfPlay.__new__(SelfPlay).__setstate__(state)
