"""The learner against sb3-contrib's own: the same distributions, the same buffer, the same update."""

import copy
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableRolloutBuffer
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from stable_baselines3.common.logger import Logger

from agents.network.net import PolicyNet, Shape
from agents.training.ppo import CompactBuffer, CompactDictBuffer, NetPolicy, Observations, SelfPlayPPO, parted
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import ADVICE_SIZE
from bohemian_env.villages.observation import OBSERVATION_SIZE
from bohemian_env.villages.opponents import Scripted
from bohemian_env.villages.sb3 import VillagesVecEnv
from tests.test_agents.networks import weights

GAMES, HORIZON = 24, 16
SAMPLES = GAMES * HORIZON


class PlainPolicy(NetPolicy):
    """Our network under sb3-contrib's own distribution."""

    def evaluate_actions(
        self, obs: Observations, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """As MaskableActorCriticPolicy."""
        logits, values = self.net(*parted(obs))
        distribution = MaskableCategorical(logits=logits, masks=action_masks, validate_args=True)
        return values, distribution.log_prob(actions), distribution.entropy()


with_and_without_advice = pytest.mark.parametrize("advice", [False, True], ids=["alone", "advised"])


def learner(*, advice: bool = False, **changed: Any) -> SelfPlayPPO:
    """A learner in small games against random and greedy, of which some end in every rollout."""
    env = VillagesVecEnv(GAMES, [Scripted("greedy"), Scripted("random")], max_turns=30, reward="mixed", advice=advice)
    settings: dict[str, Any] = dict(
        learning_rate=1e-3, n_steps=HORIZON, batch_size=SAMPLES, n_epochs=1, gamma=0.97, gae_lambda=0.9,
        rollout_buffer_class=CompactDictBuffer if advice else CompactBuffer, seed=3, device="cpu",
    )  # fmt: skip
    keywords = {"shape": Shape((32,), (24,), (16,), "planner" if advice else "")} | changed.pop("policy_kwargs", {})
    model = SelfPlayPPO(NetPolicy, env, policy_kwargs=keywords, **settings | changed)
    model.set_logger(Logger(None, []))
    return model


def fill(model: SelfPlayPPO) -> None:
    """Play until the buffer is full."""
    callback = model._setup_learn(SAMPLES, None)[1]
    model.collect_rollouts(model.env, callback, model.rollout_buffer, HORIZON)


def rolled_out(**changed: Any) -> SelfPlayPPO:
    """A learner with a full buffer, whose network has moved on since, so that ratios differ from 1 and are clipped."""
    model = learner(**changed)
    fill(model)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in net_of(model).parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator), alpha=0.06)
    return model


def net_of(model: MaskablePPO) -> PolicyNet:
    """The network of a learner."""
    assert isinstance(model.policy, NetPolicy)
    return model.policy.net


def plain_twin(model: SelfPlayPPO) -> MaskablePPO:
    """sb3-contrib's learner with the same settings, weights, and content of the buffer."""
    names = "learning_rate n_steps batch_size n_epochs gamma gae_lambda clip_range ent_coef vf_coef max_grad_norm"
    settings = {name: getattr(model, name) for name in [*names.split(), "policy_kwargs"]}
    twin = MaskablePPO(PlainPolicy, model.env, **settings, device="cpu")
    twin.set_logger(Logger(None, []))
    net_of(twin).load_state_dict(net_of(model).state_dict())
    advised = isinstance(model.rollout_buffer, CompactDictBuffer)
    assert type(twin.rollout_buffer) is (MaskableDictRolloutBuffer if advised else MaskableRolloutBuffer)
    for theirs, ours in zip(arrays(twin.rollout_buffer), arrays(model.rollout_buffer), strict=True):
        theirs[:] = ours
    twin.rollout_buffer.full = True
    return twin


def arrays(buffer: Any) -> list[np.ndarray]:
    """The arrays of a buffer, time and game first, in the same order for every kind of buffer."""
    seen = buffer.observations
    found = [seen[key] for key in sorted(seen)] if isinstance(seen, dict) else [seen]
    names = ("action_masks", "actions", "values", "log_probs", "rewards", "returns", "advantages")
    return [*found, *(getattr(buffer, name) for name in names)]


def gradients(model: MaskablePPO) -> torch.Tensor:
    """All gradients of the last minibatch in one vector."""
    found = [parameter.grad for parameter in net_of(model).parameters()]
    return torch.cat([grad.flatten() for grad in found if grad is not None])


def logged(model: MaskablePPO) -> dict[str, float]:
    """What the last update told the logger."""
    return {name.removeprefix("train/"): float(value) for name, value in model.logger.name_to_value.items()}


COEFFICIENTS = [dict(ent_coef=0.3, vf_coef=0.7, clip_range=0.05), dict(ent_coef=0.0, vf_coef=0.0)]


@pytest.mark.parametrize("settings", [dict(max_grad_norm=1e9), dict(max_grad_norm=0.05), *COEFFICIENTS], ids=str)
@with_and_without_advice
def test_an_update_is_sb3_contribs_own(advice: bool, settings: dict[str, Any]) -> None:
    """Plain gradient descent at a rate of 1, so that the weights tell the gradient."""
    plain = dict(learning_rate=1.0, policy_kwargs={"optimizer_class": torch.optim.SGD})
    model = rolled_out(advice=advice, **plain, **settings)
    twin = plain_twin(model)
    before = weights(net_of(model))
    assert torch.equal(before, weights(net_of(twin)))
    twin.train()
    model.train()
    moved = (weights(net_of(twin)) - before).norm()
    assert moved > 0.01
    assert (weights(net_of(model)) - weights(net_of(twin))).norm() < 1e-5 * moved
    assert (gradients(model) - gradients(twin)).norm() < 1e-5 * gradients(twin).norm()
    ours, theirs = logged(model), logged(twin)
    assert 0.05 < theirs["clip_fraction"] < 0.95  # both sides of the clipping are in it
    for name in ("policy_gradient_loss", "value_loss", "approx_kl", "clip_fraction", "explained_variance"):
        assert ours[name] == pytest.approx(theirs[name], rel=1e-3, abs=1e-6), name
    assert ours["entropy"] == pytest.approx(-theirs["entropy_loss"], rel=1e-5)


@with_and_without_advice
def test_updates_by_adam_are_sb3_contribs_own(advice: bool) -> None:
    """Several epochs, each of one minibatch."""
    model = rolled_out(advice=advice, learning_rate=1e-3, ent_coef=0.01, n_epochs=4)
    twin = plain_twin(model)
    before = weights(net_of(model))
    twin.train()
    model.train()
    assert (weights(net_of(twin)) - before).norm() > 0.01
    assert (weights(net_of(model)) - weights(net_of(twin))).norm() < 1e-3 * (weights(net_of(twin)) - before).norm()


@pytest.mark.parametrize(
    ("minibatch", "sizes"), [(128, [128] * 3), (100, [100] * 3 + [84]), (383, [383]), (1000, [384])]
)
def test_every_epoch_learns_from_every_decision_once(minibatch: int, sizes: list[int]) -> None:
    """Shuffled anew; a single one left over is left out, since it has no spread of advantages."""
    model = rolled_out(n_epochs=2)
    model.batch_size = minibatch
    shown: list[torch.Tensor] = []
    net_of(model).register_forward_pre_hook(lambda _, arguments: shown.append(arguments[0]))
    model.train()
    assert [len(observations) for observations in shown] == sizes * 2
    all_rows = model.rollout_buffer.observations.reshape(SAMPLES, -1)
    epochs = np.concatenate(shown[: len(sizes)]), np.concatenate(shown[len(sizes) :])
    assert not np.array_equal(epochs[0], epochs[1])
    if sum(sizes) == SAMPLES:
        for rows in epochs:
            assert not np.array_equal(rows, all_rows)
            assert sorted(map(bytes, rows)) == sorted(map(bytes, all_rows))
    assert model._n_updates == 2


def test_an_update_in_bfloat16_is_close_to_one_in_float32() -> None:
    found = []
    for bfloat16 in (False, True):
        model = rolled_out(max_grad_norm=1e9)
        model.policy.bfloat16 = bfloat16
        model.train()
        assert all(parameter.dtype == torch.float32 for parameter in net_of(model).parameters())
        found.append((gradients(model), logged(model)))
    (exact, told), (rough, roughly) = found
    assert not torch.equal(exact, rough)
    assert torch.nn.functional.cosine_similarity(exact, rough, dim=0) > 0.99
    assert float(rough.norm()) == pytest.approx(float(exact.norm()), rel=0.05)
    for name in ("policy_gradient_loss", "value_loss", "entropy"):
        assert roughly[name] == pytest.approx(told[name], rel=0.05, abs=0.005), name


def test_rollouts_in_bfloat16_are_close_to_those_in_float32() -> None:
    model = rolled_out()
    observations, masks, _ = samples(model)
    told = []
    for bfloat16 in (False, True):
        model.policy.bfloat16 = bfloat16
        with torch.no_grad():
            _, values, log_probabilities = model.policy(observations, True, masks.numpy())
        assert (values.dtype, log_probabilities.dtype) == (torch.float32, torch.float32)
        told.append(torch.stack([values.squeeze(1), log_probabilities]))
    assert not torch.equal(*told)
    torch.testing.assert_close(*told, rtol=0.05, atol=0.05)


def test_the_entropy_weight_is_in_the_loss_as_it_has_fallen() -> None:
    model = rolled_out(ent_coef=0.4, learning_rate=1.0, policy_kwargs={"optimizer_class": torch.optim.SGD})
    twin = plain_twin(model)
    twin.ent_coef = 0.1
    twin.train()
    model.progress = lambda: 0.75
    model._update_current_progress_remaining(SAMPLES, SAMPLES)
    model.train()
    assert (gradients(model) - gradients(twin)).norm() < 1e-5 * gradients(twin).norm()


def test_without_a_budget_of_its_own_it_follows_sb3s_count() -> None:
    model: Any = learner(learning_rate=lambda remaining: 0.01 * remaining, ent_coef=0.2)
    seen: list[float] = []
    train = model.train

    def spy() -> None:
        train()
        seen.append(model.ent_coef)

    model.train = spy
    model.learn(4 * SAMPLES)
    assert seen == pytest.approx([0.15, 0.1, 0.05, 0.0])


@pytest.fixture(scope="module", params=[False, True], ids=["alone", "advised"])
def model(request: pytest.FixtureRequest) -> SelfPlayPPO:
    """A learner with a full buffer, with and without advice; not to be changed."""
    return rolled_out(advice=request.param)


def samples(model: SelfPlayPPO) -> tuple[Observations, torch.Tensor, torch.Tensor]:
    """Observations, masks and actions of the buffer, one a row."""
    buffer = model.rollout_buffer
    seen: Any = buffer.observations
    flat = {key: rows_of(seen[key]) for key in seen} if isinstance(seen, dict) else rows_of(seen)
    return flat, rows_of(buffer.action_masks), rows_of(buffer.actions).reshape(-1).long()


def rows_of(array: np.ndarray) -> torch.Tensor:
    """Time and game made one axis."""
    return torch.from_numpy(array.reshape(SAMPLES, *array.shape[2:]))


def as_arrays(observations: Observations) -> Any:
    """The same as arrays, as environments give them."""
    if isinstance(observations, torch.Tensor):
        return observations.numpy()
    return {key: o.numpy() for key, o in observations.items()}


def theirs(model: SelfPlayPPO, masks: torch.Tensor | None) -> MaskableCategorical:
    """sb3-contrib's distribution over the actions of the samples."""
    with torch.no_grad():
        logits = net_of(model).logits(*parted(samples(model)[0]))
    return MaskableCategorical(logits=logits, masks=masks)


@pytest.mark.parametrize("as_array", [True, False])
@pytest.mark.parametrize("deterministic", [True, False])
def test_forward_is_sb3_contribs(model: SelfPlayPPO, deterministic: bool, as_array: bool) -> None:
    observations, masks, _ = samples(model)
    given: Any = masks.numpy().astype(np.int8) if as_array else masks
    with torch.no_grad():
        actions, values, log_probabilities = model.policy(observations, deterministic, given)
    distribution = theirs(model, masks)
    assert masks.gather(1, actions.unsqueeze(1)).all()
    torch.testing.assert_close(log_probabilities, distribution.log_prob(actions), rtol=1e-5, atol=1e-5)
    assert torch.equal(actions, distribution.probs.argmax(1)) == deterministic
    assert torch.equal(values, model.policy.predict_values(observations).detach())
    assert values.std() > 0.01


def test_predict_takes_the_most_likely_legal_action(model: SelfPlayPPO) -> None:
    observations, masks, _ = samples(model)
    expected = theirs(model, masks).probs.argmax(1).numpy()
    seen = as_arrays(observations)
    actions, _ = model.predict(seen, action_masks=masks.numpy(), deterministic=True)
    assert_array_equal(actions, expected)
    for row in range(5):
        one = {key: seen[key][row] for key in seen} if isinstance(seen, dict) else seen[row]
        action, _ = model.predict(one, action_masks=masks[row].numpy(), deterministic=True)
        assert action == expected[row]
    drawn, _ = model.predict(seen, action_masks=masks.numpy())
    assert masks[np.arange(SAMPLES), drawn].all()
    assert not np.array_equal(drawn, expected)


def test_the_first_policy_is_nearly_uniform_and_the_first_values_are_near_0() -> None:
    fresh = learner(policy_kwargs={"shape": Shape()})
    env: Any = fresh.env
    games = env.games
    observations, masks = torch.from_numpy(games.observations), torch.from_numpy(games.masks).bool()
    with torch.no_grad():
        logits, values = net_of(fresh)(observations)
    chances = logits.masked_fill(~masks, -torch.inf).softmax(1) * masks.sum(1, keepdim=True)
    assert 0.8 < float(chances[masks].min()) <= float(chances[masks].max()) < 1.25
    assert float(values.abs().max()) < 0.5
    assert len(set(logits[0].tolist())) == NUM_ACTIONS  # but not all the same


@with_and_without_advice
def test_the_compact_buffer_holds_what_the_plain_one_holds(advice: bool) -> None:
    """Filled side by side in one rollout, and compared row by row."""
    model = learner(advice=advice)
    assert isinstance(model.rollout_buffer, CompactDictBuffer if advice else CompactBuffer)
    compact: Any = model.rollout_buffer
    kind: Any = MaskableDictRolloutBuffer if advice else MaskableRolloutBuffer
    plain = kind(HORIZON, model.observation_space, model.action_space, "cpu", model.gae_lambda, model.gamma, GAMES)
    add, finish = compact.add, compact.compute_returns_and_advantage

    def add_both(*args: Any, **kwargs: Any) -> None:
        plain.add(*copy.deepcopy(args), **copy.deepcopy(kwargs))
        add(*args, **kwargs)

    def finish_both(**kwargs: Any) -> None:
        plain.compute_returns_and_advantage(**copy.deepcopy(kwargs))
        finish(**kwargs)

    compact.add, compact.compute_returns_and_advantage = add_both, finish_both
    largest = []
    for _ in range(3):  # from the second time on over old content
        plain.reset()
        fill(model)
        largest.append(np.abs(compact.rewards).max())
        for mine, other in zip(arrays(compact), arrays(plain), strict=True):
            assert mine.shape == other.shape
            assert_array_equal(mine, other)
    seen, told = parted(compact.observations)
    assert (seen.dtype, compact.action_masks.dtype) == (np.int8, np.bool_)
    assert seen.shape == (HORIZON, GAMES, OBSERVATION_SIZE)
    assert max(largest) > 0.1
    assert (told is not None) == advice
    if told is not None:
        assert (told.dtype, told.shape) == (np.float32, (HORIZON, GAMES, ADVICE_SIZE))
        assert told.any(axis=2).all()


def test_every_action_in_the_buffer_was_legal_by_the_mask_beside_it(model: SelfPlayPPO) -> None:
    """Masks are those of the observation that was acted on, not of the one after it."""
    _, masks, actions = samples(model)
    assert masks.gather(1, actions.unsqueeze(1)).all()
    assert not masks.all()
    assert (masks.sum(1) > 0).all()
