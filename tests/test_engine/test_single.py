"""One game as a Gymnasium environment: what libraries ask of it, illegal actions, seeds, drawings."""

from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.testing import assert_array_equal
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from scipy.stats import chisquare
from stable_baselines3 import A2C
from stable_baselines3.common import env_checker
from stable_baselines3.common.env_util import make_vec_env

from bohemian_env import Game, GameOver, IllegalMove, observation_scale
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.faces import SelfPlay, VillagesEnv, VillagesVectorEnv
from bohemian_env.villages.sb3 import VillagesVecEnv
from tests.test_engine.environments import SHORT
from tests.test_engine.learner_table import Picky, Recorded

ID = "bohemian_env/Villages-v0"


def made(**parameters: Any) -> VillagesEnv:
    """The environment by its registered name, without wrappers."""
    env = gymnasium.make(ID, **parameters).unwrapped
    assert isinstance(env, VillagesEnv)
    return env


def illegal(env: VillagesEnv) -> int:
    """An action that is not legal now."""
    return int(env.action_masks().argmin())


@pytest.mark.filterwarnings("ignore:.*infinity")  # of advice, which has no bounds
@pytest.mark.parametrize(
    "parameters",
    [{}, {"flat": True}, {"normalized": True, "advice": True}, {"flat": True, "advice": "appraiser"}],
    ids=str,
)
def test_gymnasiums_checks_pass(parameters: dict[str, Any]) -> None:
    check_env(made(illegal="end", render_mode="ansi", **parameters), skip_render_check=True)


@pytest.mark.parametrize("flat", [False, True])
def test_stable_baselines3s_checks_pass(flat: bool) -> None:
    env_checker.check_env(made(illegal="end", flat=flat, normalized=True), warn=False)


def test_algorithms_without_masks_learn_from_it() -> None:
    env = make_vec_env(ID, 4, env_kwargs={"flat": True, "illegal": "end"})
    assert A2C("MlpPolicy", env, policy_kwargs={"net_arch": [8]}, device="cpu").learn(256).num_timesteps >= 256


def test_masks_are_found_through_make_vec_env() -> None:
    env = make_vec_env(ID, 3, env_kwargs={"flat": True})
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert (masks.dtype, masks.shape) == (np.bool_, (3, 241))
    assert masks.any(axis=1).all()


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasium_makes_many_of_it(mode: str) -> None:
    env = gymnasium.make_vec(ID, num_envs=2, vectorization_mode=mode, illegal="random", **SHORT)
    observations, _ = env.reset(seed=4)
    single, _ = made(**SHORT).reset(seed=5)
    assert_array_equal(observations["observation"][1], single["observation"])
    for _ in range(5):
        observations, *_ = env.step(observations["action_mask"].argmax(axis=1))
    env.close()


def test_it_is_self_play_of_one_game() -> None:
    """Step by step; an end is a termination, a cut-off a truncation (R24), and both have the reward that is scored."""
    env, met = made(opponents=["greedy", "random"], mixed=0.5, **SHORT), set()
    for seed in range(30):
        games = SelfPlay(1, ["greedy", "random"], mixed=0.5, autoreset=False, **SHORT)
        games.reset(seed, first_seat=seed % 3)
        shown, info = env.reset(seed=seed)
        assert info == {}
        while True:
            assert env.observation_space.contains(shown)
            assert_array_equal(shown["observation"], games.observations[0])
            assert_array_equal(shown["action_mask"], games.masks[0])
            assert_array_equal(env.action_masks(), games.masks[0] == 1)
            action = games.masks[0].argmax()
            games.step([int(action)])
            shown, reward, terminated, truncated, info = env.step(action)
            assert reward == games.rewards[0]
            if games.over[0]:
                break
            assert (terminated, truncated, info) == (False, False, {})
        assert (terminated, truncated) == (not games.cut_off[0], games.cut_off[0])
        assert info == {"win": games.ended.win[0], "margin": games.ended.margin[0], "cut_off": truncated}
        assert not shown["action_mask"].any()
        assert_array_equal(shown["observation"], games.final_observations[0])
        met.add(truncated)
        with pytest.raises(GameOver):
            env.step(0)
    assert met == {True, False}


def test_the_seed_says_everything_and_seats_take_turns() -> None:
    env = made(**SHORT)
    first, _ = env.reset(seed=7)
    followed, _ = env.reset()
    other = made(**SHORT)
    assert_array_equal(other.reset(seed=7)[0]["observation"], first["observation"])
    assert_array_equal(other.reset()[0]["observation"], followed["observation"])
    seats = []
    for seed in range(6):
        env.reset(seed=seed)
        seats.append(int(env.games.learners[0]))
    assert seats == [0, 1, 2, 0, 1, 2]
    fresh = [int(gymnasium.make(ID).reset()[0]["observation"].sum()) for _ in range(8)]
    assert len(set(fresh)) > 1


def test_an_illegal_action_may_be_refused() -> None:
    env = made(**SHORT)
    env.reset(seed=1)
    before = env.games.states.tobytes()
    for action in (illegal(env), 241, -1, "end", None, 1.5):
        with pytest.raises(IllegalMove, match="is not legal"):
            env.step(action)  # type: ignore[arg-type]
    assert env.games.states.tobytes() == before


def test_an_illegal_action_may_end_the_game() -> None:
    env = made(illegal="end", **SHORT)
    env.reset(seed=1)
    shown, reward, terminated, truncated, info = env.step(illegal(env))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info == {"illegal": True, "win": 0.0, "margin": env.unwrapped.games.margin(0), "cut_off": False}  # type: ignore[attr-defined]
    assert env.observation_space.contains(shown)
    assert not shown["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(GameOver):
        env.step(0)
    env.reset()
    env.step(int(env.action_masks().argmax()))


def test_an_illegal_action_may_be_replaced_by_any_legal_one() -> None:
    """Each as likely as any other."""
    env = made(illegal="random", **SHORT)
    env.reset(seed=1)
    legal, reached = env.action_masks(), Counter[bytes]()
    for action in np.flatnonzero(legal):
        env.reset(seed=1)
        env.step(int(action))
        reached[env.games.states.tobytes()] = 0
    assert len(reached) == legal.sum()  # all lead elsewhere
    for seed in range(20 * len(reached)):
        env.reset(seed=1)
        env.np_random = np.random.default_rng(seed)
        *_, info = env.step(241)
        assert info.pop("illegal")
        reached[env.games.states.tobytes()] += 1
    assert len(reached) == legal.sum()
    assert chisquare([*reached.values()]).pvalue > 0.001
    env.reset(seed=1)
    *_, info = env.step(int(legal.argmax()))
    assert "illegal" not in info


@pytest.mark.parametrize("shares", [(0, 1), (1, 0)])
def test_the_opponent_of_a_single_game_is_drawn_by_shares(shares: tuple[int, int]) -> None:
    asked = Recorded(Picky())
    env = VillagesEnv([asked, "greedy"], shares)
    for seed in range(5):
        observation, _ = env.reset(seed=seed)
        env.step(int(observation["action_mask"].argmax()))
    assert bool(asked.calls) == (shares == (1, 0))


@pytest.mark.parametrize("face", [VillagesEnv, VillagesVectorEnv, VillagesVecEnv])
def test_normalized_observations_are_divided_by_their_scale(face: Any) -> None:
    plain, scaled = face(), face(normalized=True)
    for env in (plain, scaled):
        env.seed(3) if face is VillagesVecEnv else env.reset(seed=3)
    entries = []
    for env in (plain, scaled):
        shown = env.reset() if face is VillagesVecEnv else env.reset(seed=3)[0]
        entries.append(np.atleast_2d(shown["observation"] if isinstance(shown, dict) else shown)[0])
    assert entries[1].dtype == np.float32
    assert_array_equal(entries[1], entries[0] / observation_scale())
    space = scaled.observation_space
    assert space.dtype == np.float32 if face is VillagesVecEnv else space["observation"].dtype == np.float32


def test_it_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    env = made(render_mode="ansi", num_players=3)
    env.reset(seed=2)
    drawn = env.render()
    assert "C (learner) to move" in drawn
    assert "opponent 0" in drawn
    human = made(render_mode="human", num_players=3)
    human.reset(seed=2)
    assert capsys.readouterr().out == f"{drawn}\n"
    human.step(int(human.action_masks().argmax()))
    assert "learner" in capsys.readouterr().out
    assert made().render() is None


def test_before_the_first_reset_there_is_no_game() -> None:
    env = made()
    assert not env.action_masks().any()
    with pytest.raises(GameOver, match="reset"):
        env.step(0)


def test_what_follows_a_position_depends_on_the_seed_alone() -> None:
    """Also who plays the other seats; and with the same seed a game from its beginning has its record again."""
    env: Any = made(opponents=["random", "greedy"], num_players=3).unwrapped
    options, seen = {"position": Game.new(3, seed=1).roll().position()}, set()
    for before in range(8):
        env.reset(seed=before), env.reset(seed=9, options=options)
        seen.add(env.games._games.tables["opponents"].tobytes())
    env.reset(seed=9)
    assert (len(seen), env.record()["seed"]) == (1, 9)


def test_the_margin_as_it_stands_is_at_the_end_that_of_the_game() -> None:
    env = made(illegal="end", **SHORT)
    env.reset(seed=3)
    ended, games = False, env.unwrapped.games  # type: ignore[attr-defined]
    while not ended:
        _, _, terminated, truncated, info = env.step(int(env.action_masks().argmax()))
        ended = terminated or truncated
    assert games.margin(0) == pytest.approx(info["margin"])


def test_a_monitor_finds_its_keywords_where_an_illegal_action_ended_the_game() -> None:
    keywords = {"info_keywords": ("win", "margin", "cut_off")}
    env = make_vec_env(ID, 1, env_kwargs={"flat": True, "illegal": "end", **SHORT}, monitor_kwargs=keywords)
    env.reset()
    (info,) = env.step(np.array([NUM_ACTIONS - 1]))[3]
    assert info["illegal"]
    assert {"win", "margin", "cut_off"} <= info["episode"].keys()
