"""Imitation: what the teacher shows, and that the network learns it."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal

from agents.network.net import Shape
from agents.training.imitation import Demonstrations, Rows, imitate
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.dealing import next_seed
from bohemian_env.villages import rules
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import ADVICE_SIZE
from bohemian_env.villages.faces import advise, deal_game, deal_seeded, reward_number, write_mask, write_rewards
from bohemian_env.villages.observation import OBSERVATION_SIZE, write_observation
from bohemian_env.villages.opponents import Scripted, lookahead, new_scratch, values_of
from bohemian_env.villages.opponents.appraiser import appraiser_values, load_weights, of_size
from bohemian_env.villages.opponents.halving import playout_seed
from bohemian_env.villages.setup import Setup
from bohemian_env.villages.state import new_states
from tests.test_agents.networks import net_of


def demonstrations(rows: int, **changed: Any) -> Demonstrations:
    """The first decisions of games of the planner."""
    usual = dict[str, Any](teacher="planner", random_part=0.0, setup=Setup.of(2), reward="mixed", gamma=1.0, seed=11)
    shown = Demonstrations(rows, **usual | changed)
    shown.next()
    return shown


def seen(state: Any) -> tuple[np.ndarray, np.ndarray]:
    """What the seat to move sees and may do."""
    observation, mask = np.zeros(OBSERVATION_SIZE, np.int8), np.zeros(NUM_ACTIONS, np.int8)
    write_observation(state, state["to_move"], observation)
    write_mask(state, mask)
    return observation, mask


@pytest.mark.parametrize(
    ("players", "teacher", "random_part", "gamma", "reward"),
    [(2, "planner", 0.0, 1.0, "win"), (3, "planner", 0.3, 0.9, "margin"), (5, "greedy", 1.0, 0.5, "mixed")],
)
def test_demonstrations_are_games_of_the_teacher(
    players: int, teacher: str, random_part: float, gamma: float, reward: str
) -> None:
    """The games are played again by the rules, with the moves that lead to what was seen next."""
    setup = Setup.of(players, max_turns=60)
    given: dict[str, Any] = dict(setup=setup, teacher=teacher, random_part=random_part)
    shown = demonstrations(1500, gamma=gamma, reward=reward, seed=5, adviser="planner", **given)
    common = setup.common()
    states, scratch, values = new_states(3), new_scratch(), np.empty(NUM_ACTIONS)
    now, trial, following = states
    row, games, free, others = 0, 0, 0, 0
    seed = np.uint64(5)
    while row < 1500:
        following_seed = np.uint64(next_seed(seed))
        deal_game(now, seed, common[0])
        deal_game(following, following_seed, common[0])
        after = seen(following)[0]
        seats: list[int] = []
        ends: list[np.ndarray] = []  # rewards after each move that may have been the last
        first = row
        while not ends and row < 1499:
            observation, mask = seen(now)
            assert_array_equal(shown.rows.observations[row], observation)
            assert_array_equal(shown.rows.masks[row], mask)
            values_of(Scripted(teacher).number, now, scratch, values)
            legal = np.flatnonzero(mask)
            best = legal[values[legal] >= values[legal].max() - 1e-9]
            assert_array_equal(np.flatnonzero(shown.rows.targets[row]), best)
            assert_array_equal(shown.rows.advice[row], advise(states[:1])[0])
            seats.append(int(now["to_move"]))
            row += 1
            found = []
            for action in legal.tolist():
                states[1] = states[0]
                rules.push(trial, action)
                deal_seeded(trial, seed)
                over = trial["end"] != 0
                if np.array_equal(after if over else seen(trial)[0], shown.rows.observations[row]):
                    found.append(action)
                    if over:
                        rewards, totals = np.zeros(players, np.float32), np.zeros(players, np.int32)
                        write_rewards(trial, reward_number(reward), rewards, totals)
                        ends.append(rewards)
            assert found, f"no move leads from row {row - 1} to the next"
            from_best = [action for action in found if action in best]
            free += len(legal) > len(best)
            others += not from_best
            if random_part == 0:
                assert from_best
            rules.push(now, (from_best or found)[0])
            deal_seeded(now, seed)
        if not ends:
            break
        own_later = np.array([seats[place + 1 :].count(seat) for place, seat in enumerate(seats)])
        expected = [rewards[seats] * gamma**own_later for rewards in ends]
        assert any(np.allclose(shown.rows.returns[first:row], returns, atol=1e-6) for returns in expected)
        games += 1
        seed = following_seed
    assert games > 5
    assert len(np.unique(shown.rows.returns)) > 3 or reward == "win"
    if 0 < random_part < 1:
        assert 0.1 * free < others < random_part * free


@pytest.mark.parametrize("players", [2, 5])
def test_a_teacher_may_search(players: int) -> None:
    """Its moves are what a search finds, and what begins the same turn; they differ from what was best before."""
    setup, rows = Setup.of(players), 120
    shown = demonstrations(rows, teacher="search:appraiser:24", setup=setup, seed=5, adviser="appraiser")
    weights, looking, told = of_size(load_weights(), players), lookahead.search_room(), np.empty(NUM_ACTIONS)
    states, common = new_states(1), setup.common()
    now, other = states[0], 0
    seed = np.uint64(5)
    deal_game(now, seed, common[0])
    word = np.uint64(mix(seed ^ STEP))
    for row in range(rows - 1):
        observation, mask = seen(now)
        assert_array_equal(shown.rows.observations[row], observation)
        legal = np.flatnonzero(mask)
        appraiser_values(now, weights, looking.appraiser, told)
        alike = told.copy()
        lookahead.search(now, np.uint64(playout_seed(now, word)), 24, 2 * players - 1, weights, looking)
        best = legal[alike[legal] == alike[looking.candidates[0]["action"]]]
        assert_array_equal(np.flatnonzero(shown.rows.targets[row]), best)
        other += alike[best[0]] < alike[legal].max()
        with np.errstate(over="ignore"):
            word += np.uint64(2) * STEP
        for action in best:
            states_then = states.copy()
            rules.push(states_then[0], action)
            deal_seeded(states_then[0], seed)
            if states_then[0]["end"] or np.array_equal(seen(states_then[0])[0], shown.rows.observations[row + 1]):
                break
        states[:] = states_then
        if now["end"]:
            break
    assert other > 5


def test_decisions_for_which_there_is_no_row_count_as_later_ones() -> None:
    few, many = demonstrations(10, gamma=0.5), demonstrations(800, gamma=0.5)
    assert_array_equal(few.rows.observations, many.rows.observations[:10])
    assert_array_equal(few.rows.returns, many.rows.returns[:10])


def test_demonstrations_go_on_with_new_games() -> None:
    shown, again = demonstrations(800), demonstrations(800)
    before = shown.rows.observations.copy()
    assert_array_equal(before, again.rows.observations)
    shown.next()
    assert not np.array_equal(shown.rows.observations[0], before[0])
    assert shown.seed not in (11, again.seed)


def test_advice_is_written_only_where_somebody_is_told() -> None:
    """And the teacher plays the same games."""
    silent, told = demonstrations(400), demonstrations(400, adviser="planner")
    assert silent.rows.advice.shape == (0, ADVICE_SIZE)
    assert told.rows.advice.any(axis=1).all()
    for name in set(Rows._fields) - {"advice"}:
        assert_array_equal(getattr(silent.rows, name), getattr(told.rows, name), err_msg=name)


@pytest.mark.parametrize("advice", [False, True])
def test_the_losses_are_those_of_the_definition(advice: bool) -> None:
    """The divergence of the policy from the best moves, all as likely; the squared error of the value."""
    shown = demonstrations(300, random_part=0.1, adviser="planner" if advice else "")
    net = net_of(0, Shape((16,), (16,), (16,), "planner" if advice else ""))
    given = torch.from_numpy(shown.rows.observations), torch.from_numpy(shown.rows.advice) if advice else None
    with torch.no_grad():
        logits, values = (output.double().numpy() for output in net(*given))
    policy = np.where(shown.rows.masks, np.exp(logits), 0)
    policy /= policy.sum(axis=1, keepdims=True)
    target = shown.rows.targets / shown.rows.targets.sum(axis=1, keepdims=True)
    inside = target > 0
    divergence = (target[inside] * np.log(target[inside] / policy[inside])).sum() / 300
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-9)
    told = imitate(net, optimizer, shown, minibatch=100, value_weight=0.5, max_gradient=0.5)
    error = ((values - shown.rows.returns) ** 2).mean()
    assert told == pytest.approx((divergence, error, (policy * shown.rows.targets).sum() / 300), rel=1e-4)


def test_a_network_learns_what_it_is_shown() -> None:
    shown = demonstrations(2000, reward="margin")
    net = net_of(0, Shape((64,), (32,), (32,)))
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    told = [imitate(net, optimizer, shown, minibatch=100, value_weight=0.5, max_gradient=0.5) for _ in range(15)]
    (policy, value, right), (later_policy, later_value, later_right) = told[0], told[-1]
    assert later_policy < 0.65 * policy
    assert later_value < 0.5 * min(value, float(shown.rows.returns.var()))
    assert later_right > right + 0.2
