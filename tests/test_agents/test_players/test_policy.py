"""The player that asks a network alone: it chooses and draws what is legal."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import agents
from agents.network.net import Shape
from agents.players.policy import PolicyAgent
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import STANDING
from tests.test_agents.networks import SMALL, TOLD, net_of, net_that_says, played, seen


@pytest.mark.parametrize("sample", [False, True])
@pytest.mark.parametrize("size", [100.0, 1e30, 3e38, torch.inf])
def test_the_choice_is_legal_whatever_the_logits(size: float, sample: bool) -> None:
    """The network is all for illegal actions, and all against the legal ones."""
    observations, masks = seen(50)
    for i in range(50):
        logits = np.where(masks[i] == 1, -size, size)
        action = PolicyAgent(net_that_says(logits), sample=sample).choose(observations[i : i + 1], masks[i : i + 1])
        assert masks[i, action[0]] == 1


def test_the_most_likely_legal_action_is_taken() -> None:
    observations, masks = seen(300)
    logits = net_of(5)(torch.from_numpy(observations))[0].detach().numpy()
    expected = [max(np.flatnonzero(mask), key=lambda a: row[a]) for row, mask in zip(logits, masks, strict=True)]
    assert_array_equal(PolicyAgent(net_of(5)).choose(observations, masks), expected)
    assert len(set(expected)) > 20


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_with_advice_and_nothing_learnt_the_planners_best_is_taken(players: int) -> None:
    net = net_of(0, TOLD)
    with torch.no_grad():
        for parameter in net.policy.parameters():
            parameter.zero_()
    batch, planner = played(300, players), agents.make("planner")
    chosen = PolicyAgent(net).act_batch(batch)
    assert (batch.masks[np.arange(300), chosen] == 1).all()
    assert (batch.advise()[np.arange(300), STANDING + chosen] > -1e-6).all()
    assert (chosen == planner.act_batch(batch)).mean() > 0.9  # else of equal ones another


@pytest.mark.parametrize("shape", [SMALL, TOLD])
def test_what_an_agent_shows_its_network(shape: Shape) -> None:
    """What a batch shows of the games; with it a choice by hand is the one that the agent makes."""
    batch, agent, games = played(40, 3), PolicyAgent(net_of(3, shape)), np.array([31, 0, 7])
    observations, masks, advice = agent.show(batch.states, games)
    assert_array_equal(observations, batch.observations[games])
    assert_array_equal(masks, batch.masks[games])
    if shape.adviser:
        assert_array_equal(advice, batch.advise(games))
    else:
        assert advice is None
    chosen = agent.choose(observations, masks, advice)
    assert_array_equal(chosen, agent.act_batch(batch, games))
    assert_array_equal(chosen, agent.act_batch(batch)[games])
    chances = agent.probabilities(observations, masks, advice)
    assert_array_equal(chances.argmax(axis=1), chosen)
    assert_allclose(chances.sum(axis=1), 1, atol=1e-5)
    assert (agent.values(observations, advice).shape, agent.values(observations, advice).dtype) == ((3,), np.float32)


def test_draws_follow_the_softmax_over_legal_actions() -> None:
    n = 50_000
    observations, masks = seen(50)
    most = masks.sum(axis=1).argmax()
    legal = np.flatnonzero(masks[most])
    logits = np.random.default_rng(1).normal(0, 1, NUM_ACTIONS).astype(np.float32)
    logits[masks[most] == 0] += 5
    agent = PolicyAgent(net_that_says(logits), seed=4, sample=True)
    drawn = agent.choose(np.tile(observations[most], (n, 1)), np.tile(masks[most], (n, 1)))
    expected = np.exp(logits[legal].astype(np.float64))
    expected *= n / expected.sum()
    assert len(legal) > 15
    assert expected.min() > 50
    assert expected.max() > 5 * expected.min()
    assert stats.chisquare(np.bincount(drawn, minlength=NUM_ACTIONS)[legal], expected).pvalue > 0.001


def test_draws_follow_from_the_seed_and_go_on() -> None:
    observations, masks = seen(200)
    drawn = [PolicyAgent(net_of(5), seed=seed, sample=True) for seed in (1, 1, 2)]
    first, again, other = (agent.choose(observations, masks) for agent in drawn)
    assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(first, drawn[0].choose(observations, masks))


def test_bfloat16_changes_little() -> None:
    observations, masks = seen(300)
    exact, rough = (PolicyAgent(net_of(5), bfloat16=b).choose(observations, masks) for b in (False, True))
    assert (masks[np.arange(300), rough] == 1).all()
    assert 0.8 < (exact == rough).mean() < 1


@pytest.mark.parametrize("sample", [False, True])
def test_arrays_that_are_none_of_the_environment_are_refused(sample: bool) -> None:
    agent, told = PolicyAgent(net_of(0), sample=sample), PolicyAgent(net_of(0, TOLD))
    observations, masks = seen(5)
    advice = played(5, 2).advise()
    for wrong in (None, observations.tolist(), observations[0], observations[:, :-1], observations.astype(np.int64)):
        for ask in (agent.choose, agent.probabilities):
            with pytest.raises(ValueError, match=r"^observations: "):
                ask(wrong, masks)
        with pytest.raises(ValueError, match=r"^observations: "):
            agent.values(wrong)
    for wrong in (None, masks.tolist(), masks[:4], masks[:, :-1], masks.astype(bool), masks * 2, -masks):
        for ask in (agent.choose, agent.probabilities):
            with pytest.raises(ValueError, match=r"^masks: "):
                ask(observations, wrong)
    for wrong in (advice.tolist(), advice[:4], advice[:, :-1], advice.astype(np.float64)):
        with pytest.raises(ValueError, match=r"^advice: "):
            told.choose(observations, masks, wrong)


def test_arrays_in_reverse_are_arrays() -> None:
    observations, masks = seen(5)
    advice, agent = played(5, 2).advise(), PolicyAgent(net_of(0, TOLD))
    arrays = (observations[::-1], masks[::-1], advice[::-1])
    assert_array_equal(agent.choose(*arrays), agent.choose(*(array.copy() for array in arrays)))
