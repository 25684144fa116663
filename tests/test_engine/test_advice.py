"""What advisers tell: their own numbers, the same through every door, and nothing that is not in the observation.

:func:`position_in` reads a position back from an observation, following docs/villages.md and not the code.
"""

import pickle
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import agents
from bohemian_env import Batch, Game, Setup, observation_parts
from bohemian_env.engine.legal import is_legal
from bohemian_env.engine.parts import space_of
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import ADVICE_PARTS, ADVICE_SIZE, ADVISERS, STANDING, advice_room, write_advice
from bohemian_env.villages.dice import handful
from bohemian_env.villages.faces import SelfPlay
from bohemian_env.villages.observation import OBSERVATION_SIZE, write_observation
from bohemian_env.villages.opponents import Scripted
from bohemian_env.villages.opponents.appraiser import appraiser_values, load_weights, new_room, of_size
from bohemian_env.villages.opponents.planner import WEIGHTS, estimates, planner_values
from bohemian_env.villages.rules import find_legal
from bohemian_env.villages.state import STATE, new_states
from tests.helpers import game_at
from tests.test_engine.environments import PLAYERS, SHORT
from tests.test_engine.many import EACH, seen_in

FARTHEST = 20.0


def positions(players: int, max_turns: int | None = None) -> Iterator[Batch]:
    """A few games in which random play and the planner have gone on for ever more moves."""
    batch = Batch(40, Setup.of(players, max_turns=max_turns))
    rng, planner = np.random.default_rng(players), agents.make("planner")
    batch.reset(3)
    for _ in range(22 * players):
        chance = (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        batch.step(np.where(rng.random(batch.n) < 0.5, chance, planner.act_batch(batch)))
        yield batch


def told(state: Any, seat: int, adviser: str = "planner") -> np.ndarray:
    """What a seat is told of a position."""
    out = np.full(ADVICE_SIZE, np.nan, np.float32)
    write_advice(state, seat, advice_room(adviser), out)
    return out


def position_in(observation: np.ndarray) -> tuple[np.ndarray, int]:
    """The position that an observation shows, and the observer's seat; somebody decides in it."""
    seen = observation_parts(observation)
    states = new_states(1)
    s = states[0]

    def put(words: np.ndarray, cells: np.ndarray) -> None:
        """Write a set of cells, (11, 9), as its two words: of the first seven kinds, and of the others."""
        for word, flags in enumerate((cells[:7], cells[7:])):
            words[word] = sum(1 << int(bit) for bit in np.flatnonzero(flags))

    put(s["have"], seen["free"] | seen["figures_on"].max(axis=0))
    put(s["occupied"], seen["figures_on"].max(axis=0))
    s["town_hall"], s["manor"], s["villages"] = seen["town_hall_value"], seen["manor_value"], 9
    s["bank"], s["turn"] = seen["bank"], seen["turn"]
    players = s["players"] = 2 + int(seen["players"].argmax())
    s["to_move"] = (int(seen["turn"].item()) - 1) % players
    observer = (int(s["to_move"]) - int(seen["to_move"].argmax())) % players
    s["bishop"] = -1
    for away in range(players):
        seat = (observer + away) % players
        put(s["own"][seat], seen["figures_on"][away])
        s["coins"][seat], s["figures"][seat] = seen["coins"][away], seen["figures"][away]
        s["special"] |= int(seen["special"][away]) << seat
        if seen["bishop"][away]:
            s["bishop"] = seat
    s["special_supply"], s["spent"] = seen["special_supply"][0], seen["special_spent"][0]
    s["active"] = sum(int(active) << village for village, active in enumerate(seen["inn_active"]))
    s["dice"] = handful([number for number in range(1, 7) for _ in range(seen["dice"][number - 1].sum())])
    find_legal(s)
    return states, observer


def told_of(observation: np.ndarray) -> np.ndarray:
    """What the planner tells of the position that an observation shows."""
    states, observer = position_in(observation)
    return told(states[0], observer)


# --- what it says -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_advice_is_what_the_planner_thinks_as_each_seat_sees_it(players: int) -> None:
    w, scratch, far = WEIGHTS[0, players], np.zeros(2, STATE), 0
    for batch in positions(players):
        for s in batch.states[::4]:
            values, worth = np.full(NUM_ACTIONS, np.nan), np.zeros(players)
            best = planner_values(s, w, scratch, values)
            legal = np.array([is_legal(s, action) for action in range(NUM_ACTIONS)])
            behind = np.where(legal, np.maximum(values - values[best], -FARTHEST), 0)
            far += int((behind == -FARTHEST).sum())
            estimates(s, w, worth)
            for seat in range(players):
                standing = [*np.roll(worth, -seat), *[0] * (5 - players)]
                decides = seat == s["to_move"]
                expected = [*standing, values[best] if decides else 0, *(behind if decides else 0 * behind)]
                assert_array_equal(told(s, seat), np.array(expected, np.float32))
    assert far > 0


@pytest.mark.parametrize("players", PLAYERS)
def test_the_appraiser_speaks_of_chances_in_points(players: int) -> None:
    """Every seat's after the best turn of the one that decides; and how far its own falls behind with each action."""
    weights, room, values = of_size(load_weights(), players), new_room(), np.zeros(NUM_ACTIONS)
    for batch in positions(players):
        for s in batch.states[::8]:
            best = appraiser_values(s, weights, room, values)
            legal = np.array([is_legal(s, action) for action in range(NUM_ACTIONS)])
            behind = np.where(legal, np.maximum(100 * (values - values[best]), -FARTHEST), 0)
            for seat in range(players):
                standing = [*np.roll(100 * room.chances[1, :players], -seat), *[0] * (5 - players)]
                assert sum(standing) == pytest.approx(100)
                decides = seat == s["to_move"]
                expected = [*standing, 100 * values[best] if decides else 0, *(behind if decides else 0 * behind)]
                assert_allclose(told(s, seat, "appraiser"), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("adviser", ADVISERS)
def test_where_nobody_decides_nothing_is_said(adviser: str) -> None:
    ended = game_at(dice=(1, 2), max_turns=1).push("end")
    rolls_again = game_at(dice=(1, 2, 3, 4), special=(0,)).push("reroll 1,2")
    assert ended.over
    assert rolls_again.needs_roll
    for game in (ended, rolls_again, Game.new(2, seed=0)):
        for seat in (0, 1):
            assert not told(game.states[0], seat, adviser).any()


@pytest.mark.parametrize("adviser", ADVISERS)
@pytest.mark.parametrize("max_turns", [None, pytest.param(7, marks=pytest.mark.slow)])
@pytest.mark.parametrize("players", PLAYERS)
def test_advice_says_nothing_that_the_observation_does_not(players: int, max_turns: int | None, adviser: str) -> None:
    """It is that of the position which the observation shows; so equal observations have equal advice.

    But for the last bits: what the other seats have is added up in another order.
    """
    seen, again = np.zeros((2, OBSERVATION_SIZE), np.int8)
    looked = 0
    for batch in positions(players, max_turns):
        for s in batch.states[::8]:
            for seat in range(players):
                write_observation(s, seat, seen)
                states, observer = position_in(seen)
                shown = states[0]
                write_observation(shown, observer, again)
                assert_array_equal(seen, again)
                assert observer == seat
                if seat == s["to_move"]:
                    assert_array_equal(shown["legal"], s["legal"])
                assert_allclose(told(shown, seat, adviser), told(s, seat, adviser), rtol=1e-5, atol=2e-5)
                looked += 1
    assert looked > 400


def test_advice_does_not_know_when_a_game_is_cut_off() -> None:
    """R24: an observation does not say it, though the planner, which plays with the whole position, sees it."""
    unlike = 0
    for batch in positions(2):
        for s in batch.get_state()[0][::8]:
            before = told(s, s["to_move"])
            s["max_turns"] = s["turn"]
            after = told(s, s["to_move"])
            assert_array_equal(before, after)
            values = np.zeros(NUM_ACTIONS)
            best = planner_values(s, WEIGHTS[0, 2], np.zeros(2, STATE), values)
            unlike += values[best] != pytest.approx(after[STANDING - 1], abs=1e-3)
            assert s["max_turns"] == s["turn"]
            s["max_turns"] = 0
    assert unlike > 100


def test_the_parts_make_the_space() -> None:
    space = space_of(ADVICE_PARTS, np.float32)
    assert (space.shape, space.dtype) == ((ADVICE_SIZE,), np.float32)
    at = 0
    for part in ADVICE_PARTS:
        assert set(space.low[at : at + part.size]) == {np.float32(part.low)}
        assert set(space.high[at : at + part.size]) == {np.float32(part.high)}
        at += part.size
    assert at == ADVICE_SIZE
    assert [part.name for part in ADVICE_PARTS] == ["standing", "lead", "behind"]
    assert STANDING == ADVICE_SIZE - NUM_ACTIONS
    assert space.low[-1] == -FARTHEST


# --- every door -------------------------------------------------------------------------------------------------


def test_a_batch_tells_the_current_seat_of_each_game() -> None:
    batch = Batch(12, 4, max_turns=9, autoreset=False)
    batch.reset(5)
    ended = 0
    while not batch.over.all():
        adviser = "appraiser" if ended else "planner"
        advice = batch.advise(adviser=adviser)
        assert (advice.shape, advice.dtype) == ((12, ADVICE_SIZE), np.float32)
        for i, s in enumerate(batch.states):
            assert_array_equal(advice[i], told(s, s["to_move"], adviser))
        assert not advice[batch.over].any()
        assert advice[~batch.over].any(axis=1).all()
        some = np.array([7, 0, 7])
        assert_array_equal(batch.advise(some, adviser), advice[some])
        ended += int(batch.over.sum())
        batch.step(batch.random_actions(1))
    assert ended > 0
    assert batch.advise(np.zeros(0, np.int64)).shape == (0, ADVICE_SIZE)


def nearest(advice: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The first of the legal actions that fall behind least, whatever the last bits say."""
    return np.where(masks == 1, advice[:, STANDING:].round(3), -np.inf).argmax(axis=1)


class Follower:
    """A policy that takes the action which falls behind least, and looks at what it is shown."""

    def __init__(self) -> None:
        self.decided = 0

    def act(self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None) -> np.ndarray:
        """As PolicyOpponent.act."""
        assert advice is not None
        assert len(advice) == len(observations)
        for observation, one in zip(observations, advice, strict=True):
            assert_allclose(one, told_of(observation), rtol=1e-6, atol=1e-6)
        self.decided += len(observations)
        return nearest(advice, masks)


def test_self_play_tells_the_learner_and_policies() -> None:
    """The games are those that are played without telling anybody, by a policy that finds out itself."""
    follower = Follower()
    games = SelfPlay(8, [Scripted("greedy"), follower], mixed=0.5, advice=True, seed=5, **SHORT)
    deaf: Any = SimpleNamespace(act=lambda seen, masks: nearest(np.array([*map(told_of, seen)]), masks))
    silent = SelfPlay(8, [Scripted("greedy"), deaf], mixed=0.5, seed=5, **SHORT)
    ends = 0
    for _ in range(40):
        assert games.advice is not None
        assert silent.advice is None
        for i, s in enumerate(games.states):
            assert_array_equal(games.advice[i], told(s, games.learners[i]))
        assert games.advice.any(axis=1).all()
        actions = games.masks.argmax(axis=1)
        games.step(actions)
        silent.step(actions)
        assert games.states.tobytes() == silent.states.tobytes()
        ends += int(games.dones.sum())
    assert ends > 10
    assert follower.decided > 100


def test_self_play_names_its_adviser() -> None:
    games = SelfPlay(8, [Scripted("greedy")], advice="appraiser", seed=5, **SHORT)
    assert (games.adviser, SelfPlay(1, [Scripted("greedy")], advice=True).adviser) == ("appraiser", "planner")
    again = pickle.loads(pickle.dumps(games))
    for one in (games, again):
        assert one.advice is not None
        for i, s in enumerate(one.states):
            assert_array_equal(one.advice[i], told(s, one.learners[i], "appraiser"))


@EACH
def test_the_faces_of_many_games_pass_advice_on(face: Any) -> None:
    """Copies of that of SelfPlay, which is in the space; nothing is said of a game that has ended, and what else is
    shown is what is shown without advice.
    """
    env, plain = face(6, advice=True, **SHORT), face(6, **SHORT)
    assert env.space["advice"] == space_of(ADVICE_PARTS, np.float32)
    assert (env.space["observation"].shape, env.space["observation"].dtype) == ((OBSERVATION_SIZE,), np.int8)
    shown, silent, ends = env.reset(31), plain.reset(31), 0
    for _ in range(40):
        assert {*shown} == {*env.space.spaces}
        assert "advice" not in silent
        assert_array_equal(shown["observation"], seen_in(silent))
        assert_array_equal(shown["advice"], env.games.advice)
        assert not np.shares_memory(shown["advice"], env.games.advice)
        assert all(env.space.contains({name: array[i] for name, array in shown.items()}) for i in range(6))
        actions = env.masks(shown).argmax(axis=1)
        shown, _, dones, infos = env.step(actions)
        silent, _, _, others = plain.step(actions)
        for i in np.flatnonzero(dones):
            last = infos[i][face.last]
            assert env.space.contains(last)
            assert_array_equal(last["observation"], seen_in(others[i][face.last]))
            assert not last["advice"].any()
            ends += 1
    assert ends > 10
