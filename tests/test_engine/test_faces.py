"""Two faces of SelfPlay: Gymnasium's vector environment, and the one of Stable-Baselines3 for MaskablePPO.

What the games do is tested in test_self_play.py. Here each face is played beside SelfPlay itself, with the same seeds
and actions; and a rollout of MaskablePPO is recomputed.
"""

import contextlib
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import is_masking_supported
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.monitor import Monitor

from bohemian_env import IllegalMove
from bohemian_env.engine import vector
from bohemian_env.engine.checks import MAX_SEED
from bohemian_env.villages.faces import SelfPlay, VillagesVectorEnv
from bohemian_env.villages.opponents import Scripted
from bohemian_env.villages.sb3 import VillagesVecEnv
from tests.test_engine.environments import ACTIONS, SHORT
from tests.test_engine.learner_table import chooser
from tests.test_engine.many import EACH, Gymnasium, Sb3, seen_in

OPPONENTS = (Scripted("random", 1), Scripted("greedy", 2))


# --- each of them -----------------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("seed", [40, MAX_SEED - 2])
def test_a_reset_without_a_seed_brings_games_that_nobody_has_played(face: Any, seed: int) -> None:
    env = face(3, seed=seed)
    before = set(env.games.seeds.tolist())
    env.reset()
    assert not before & set(env.games.seeds.tolist())


@EACH
@pytest.mark.parametrize("given", [{}, {"seed": None}], ids=["nothing", "None"])
def test_faces_made_without_a_seed_play_games_of_their_own(face: Any, given: dict[str, Any]) -> None:
    """Workers that nobody seeded do not learn from the same games."""
    one, other = (face(3, **given) for _ in range(2))
    for env in (one, other):
        env.reset()
    assert not {*one.games.seeds.tolist()} & {*other.games.seeds.tolist()}


@EACH
def test_the_same_seed_brings_the_same_games(face: Any) -> None:
    """And after them others, the same again; one seed for all or one by one, or one that waits for the next reset."""
    env = face(3, seed=5, **SHORT)
    if face is Sb3:
        assert env.env.seed(20) == [20, 21, 22]
    assert env.games.seeds.tolist() == [5, 6, 7]
    first = seen_in(env.reset(20)).tobytes()
    assert env.games.seeds.tolist() == [20, 21, 22]
    without = seen_in(env.reset()).tobytes()
    assert without != first
    for seed in (20, [20, 21, 22])[: 1 + (face is Gymnasium)]:
        assert seen_in(env.reset(seed)).tobytes() == first
        assert seen_in(env.reset()).tobytes() == without


@EACH
def test_a_face_is_self_play(face: Any) -> None:
    """Step by step: observations, rewards, dones, infos; and masks of the observation given, also after an end."""
    n = 6
    env, games = face(n, opponents=OPPONENTS, **SHORT), SelfPlay(n, OPPONENTS, **SHORT)
    choose, met, lengths = chooser(4), set(), np.zeros(n, int)
    shown = env.reset(77)
    games.reset(77)
    for _ in range(60):
        masks = env.masks(shown)
        assert seen_in(shown).dtype == np.int8
        assert seen_in(shown).tobytes() == games.observations.tobytes()
        assert masks.shape == (n, ACTIONS)
        assert (masks == games.masks).all()
        actions = choose(masks)
        shown, rewards, dones, infos = env.step(actions)
        games.step(actions)
        lengths += 1
        assert (masks.dtype, rewards.dtype, dones.dtype) == face.dtypes
        assert rewards.tolist() == games.rewards.tolist()
        assert dones.tolist() == games.dones.tolist()
        assert len(infos) == n
        for i, info in enumerate(infos):
            if not dones[i]:
                assert info == {}
                info["mine"] = i  # the caller's to write into, and nobody else's
                continue
            met.add(bool(games.cut_off[i]))
            assert seen_in(info.pop(face.last)).tobytes() == games.final_observations[i].tobytes()
            episode = info.pop("episode")
            assert (episode["r"], episode["l"]) == (games.rewards[i], lengths[i])
            assert face is Gymnasium or episode["t"] == 0
            told = {"win": games.ended.win[i], "margin": games.ended.margin[i], "cut_off": games.cut_off[i]}
            assert info == told | ({"opponent": games.ended.opponent[i]} if face is Sb3 else {"final_info": told})
            lengths[i] = 0
    assert met == {True, False}


@EACH
def test_a_face_gives_copies(face: Any) -> None:
    """But masks of Stable-Baselines3 are a view, which it stacks into a copy at once."""
    env = face(3, opponents=OPPONENTS, **SHORT)
    shown, choose, ends = env.reset(3), chooser(5), 0
    given = [(shown, pickle.dumps(shown))]
    for _ in range(40):
        masks = env.masks(shown)
        made = env.env.step(choose(masks))
        given += [(one, pickle.dumps(one)) for one in (masks, made)]
        shown = made[0]
        ends += sum(face.last in info for info in made[-1])
    assert all(pickle.dumps(one) == before for one, before in given)
    assert ends > 5
    seen_in(shown)[:] = 77
    assert not (env.games.observations == 77).all()


@EACH
@pytest.mark.parametrize(("game", "bad"), [(1, None), (2, ACTIONS)])
def test_a_face_refuses_an_illegal_action(face: Any, game: int, bad: int | None) -> None:
    """None stands for an action that exists, but is not legal."""
    env = face(3, opponents=OPPONENTS, **SHORT)
    masks = env.masks(env.reset(1))
    actions = masks.argmax(axis=1)
    actions[game] = masks[game].argmin() if bad is None else bad
    before = env.games.states.tobytes()
    with pytest.raises(IllegalMove, match=f"game {game}: the learner"):
        env.step(actions)
    assert env.games.states.tobytes() == before


# --- Gymnasium --------------------------------------------------------------------------------------------------


def make(num_envs: int = 8, **parameters: Any) -> VillagesVectorEnv:
    """The Gymnasium face, by its registered name."""
    env = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=num_envs, **parameters)
    assert isinstance(env, VillagesVectorEnv)
    return env


def test_gymnasium_makes_it_by_name() -> None:
    env = make(8)
    assert (env.num_envs, env.games.n, env.games.num_players) == (8, 8, 2)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.spec is not None
    assert env.spec.id == "bohemian_env/Villages-v0"
    assert [getattr(opponent, "name", None) for opponent in env.games.opponents] == ["greedy"]
    assert env.render_mode is None
    assert make(1).games.n == 1
    env.close()


def test_gymnasium_passes_parameters_on() -> None:
    env = make(3, opponents=OPPONENTS, shares=[0, 1], seed=5, **SHORT)
    assert (env.games.num_players, env.games.seeds.tolist()) == (3, [5, 6, 7])
    choose, ended = chooser(0), 0
    observations, _ = env.reset(seed=5)
    for _ in range(40):
        observations, _, terminations, truncations, _ = env.step(choose(observations["action_mask"]))
        ended += int((terminations | truncations).sum())
        assert set(env.games.ended.opponent[terminations | truncations].tolist()) <= {1}
    assert ended > 5


# --- Stable-Baselines3 ------------------------------------------------------------------------------------------


def test_sb3_attributes_and_methods() -> None:
    env = VillagesVecEnv(4, OPPONENTS, **SHORT)
    env.reset()
    assert is_masking_supported(env)
    assert env.get_attr("render_mode") == [None] * 4
    assert env.get_attr("render_mode", [0, 2]) == [None] * 2
    assert env.get_attr("num_players") == [3] * 4
    assert env.get_attr("num_players", 1) == [3]
    with pytest.raises(AttributeError):
        env.get_attr("no_such_thing")
    with pytest.raises(AttributeError):
        env.set_attr("num_players", 2)
    with pytest.raises(AttributeError):
        env.env_method("no_such_thing")
    masks = np.stack(env.env_method("action_masks"))
    assert (masks == env.games.masks).all()
    for indices in (2, [2], [3, 0], range(1, 3), -1):
        rows = np.atleast_1d(np.arange(4)[indices])
        assert (np.stack(env.env_method("action_masks", indices=indices)) == masks[rows]).all()
        assert env.env_is_wrapped(Monitor, indices) == [False] * len(rows)
    assert env.env_is_wrapped(Monitor) == [False] * 4
    assert env.get_images() == [None] * 4
    env.close()


def test_returns_of_a_rollout() -> None:
    """Of MaskablePPO, undiscounted: the reward of the game, at each of its decisions.

    So it is whether the game came to its end or was cut off: what comes after it is not added (bootstrapped), nor is
    anything of the game that follows in the same row.
    """
    n, length = 6, 48
    env = VillagesVecEnv(n, OPPONENTS, **SHORT)
    small: dict[str, Any] = {"n_steps": length, "gamma": 1.0, "gae_lambda": 1.0, "policy_kwargs": {"net_arch": [8]}}
    model = MaskablePPO("MlpPolicy", env, seed=0, device="cpu", **small)
    model.set_logger(Logger(folder=None, output_formats=[]))
    _, callback = model._setup_learn(n * length)
    seeds = env.games.seeds.copy()
    assert model.collect_rollouts(env, callback, model.rollout_buffer, length)
    buffer = model.rollout_buffer

    games = SelfPlay(n, OPPONENTS, **SHORT)
    games.reset(seeds)
    dones, met = np.zeros((length, n), bool), set()
    for step in range(length):
        assert (buffer.observations[step] == games.observations).all()
        assert (buffer.action_masks[step] == games.masks).all()
        actions = buffer.actions[step].astype(int)[:, 0]
        assert games.masks[np.arange(n), actions].all()
        games.step(actions)
        assert (buffer.rewards[step] == games.rewards).all()
        dones[step] = games.dones
        met |= set(games.cut_off[games.dones].tolist())
        assert (games.rewards[~games.dones] == 0).all()
    assert met == {True, False}
    assert dones.sum() > 20
    for i in range(n):
        own = None
        for step in reversed(range(length)):
            own = buffer.rewards[step, i] if dones[step, i] else own
            assert own is None or buffer.returns[step, i] == pytest.approx(own, abs=1e-4)


@pytest.mark.parametrize(
    ("version", "mode", "warned"),
    [("1.3.0", "same_step", True), ("1.3.0", "next_step", False), ("1.4.0", "same_step", False)],
)
def test_an_older_gymnasium_that_loses_a_step_is_told(
    version: str, mode: str, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gymnasium, "__version__", version)
    vector._warn_of_lengths.cache_clear()
    with pytest.warns(UserWarning, match="loses a step") if warned else contextlib.nullcontext():
        VillagesVectorEnv(2, autoreset_mode=mode)
