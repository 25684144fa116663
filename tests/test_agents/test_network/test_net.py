"""The network: its sizes, and how its answers become chances and draws."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal

from agents.network.net import Shape, draw, masked_logits
from bohemian_env.engine.parts import space_of
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import STANDING
from bohemian_env.villages.observation import PARTS
from tests.test_agents.networks import SMALL, TOLD, net_of, played, seen


@pytest.mark.parametrize("shape", [Shape(), SMALL, Shape((5, 7), (), (3, 4))], ids=str)
def test_logits_values_and_their_sizes(shape: Shape) -> None:
    net = net_of(0, shape)
    observations, _ = seen(4)
    logits, values = net(torch.from_numpy(observations))
    assert (logits.shape, values.shape) == ((4, NUM_ACTIONS), (4,))
    assert (logits.dtype, values.dtype) == (torch.float32, torch.float32)
    assert torch.equal(net.logits(torch.from_numpy(observations)), logits)
    widths = [layer.out_features for layer in net.modules() if isinstance(layer, torch.nn.Linear)]
    assert widths == [*shape.trunk, *shape.policy, NUM_ACTIONS, *shape.value, 1]


def test_trust_weighs_what_is_told_of_actions_and_the_layers_see_the_standing() -> None:
    net, batch = net_of(1, TOLD), played(40)
    observations, advice = torch.from_numpy(batch.observations), torch.from_numpy(batch.advise())
    with torch.no_grad():
        logits, values = net(observations, advice)
        assert torch.equal(net.logits(observations, advice), logits)
        torch.testing.assert_close(net.values(observations, advice), values)
        net.trust.add_(1.0)
        torch.testing.assert_close(net.logits(observations, advice) - logits, advice[:, STANDING:])
        assert torch.equal(net.values(observations, advice), values)
        net.trust.sub_(1.0)
        advice[:, :STANDING] += 5
        other, changed = net(observations, advice)
    assert not torch.allclose(other, logits)
    assert not torch.allclose(changed, values)


@pytest.mark.parametrize(
    ("shape", "told", "said"), [(SMALL, True, "takes no advice"), (TOLD, False, "is told .*: give it advice")]
)
def test_advice_is_given_to_a_network_that_is_told_and_to_no_other(shape: Shape, told: bool, said: str) -> None:
    net, batch = net_of(0, shape), played(2)
    given = torch.from_numpy(batch.observations), torch.from_numpy(batch.advise()) if told else None
    for ask in (net, net.logits, net.values):
        with pytest.raises(ValueError, match=f"this network {said}"):
            ask(*given)


def test_the_trunk_scales_what_it_sees_to_about_one() -> None:
    scale = net_of(0).trunk.scale.numpy()
    observations, _ = seen(200, 5)
    largest = np.abs(observations).max(axis=0)
    assert_array_equal(scale[space_of(PARTS, np.int8).high == 1], 1)  # flags
    assert largest.max() > 30
    assert (largest * scale).max() <= 4
    assert (scale > 1 / 128).all()
    trunk, given = net_of(0).trunk, torch.from_numpy(observations)
    torch.testing.assert_close(trunk(given), trunk.layers(given.float() * torch.from_numpy(scale)))


def test_masked_logits_shift_legal_actions_and_leave_others_without_a_chance() -> None:
    logits = torch.randn(5, NUM_ACTIONS, generator=torch.Generator().manual_seed(1)) * 5
    masks = torch.rand(5, NUM_ACTIONS, generator=torch.Generator().manual_seed(2)) < 0.2
    masked = masked_logits(logits, masks)
    best = torch.where(masks, logits, -torch.inf).amax(1, keepdim=True)
    assert torch.equal(masked[masks], (logits - best)[masks])
    probabilities = masked.double().softmax(1)
    assert float(probabilities[~masks].max()) < 1e-20
    alone = torch.where(masks, (logits - best).double(), -torch.inf).softmax(1)
    torch.testing.assert_close(probabilities, alone, rtol=1e-5, atol=1e-20)


@pytest.mark.parametrize("uniform", [0.0, 1e-7, 0.5, 1 - 2**-24])
def test_draw_is_safe_at_the_ends_of_chance(uniform: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "rand", lambda size, **_: torch.full(size, uniform))
    rng = np.random.default_rng(1)
    some = rng.random((300, NUM_ACTIONS)) * (rng.random((300, NUM_ACTIONS)) < 0.1)
    chances = torch.from_numpy(some / some.sum(axis=1, keepdims=True)).float()
    assert (chances.gather(1, draw(chances).unsqueeze(1)) > 0).all()
