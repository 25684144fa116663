"""What the planner tells a network: read from the observation alone, and what the network makes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal

from agents import make
from agents.network.files import BadAgent, load_net, save_net
from agents.network.net import PolicyNet, Shape
from agents.players.policy import PolicyAgent
from bohemian_env import Batch, Board
from bohemian_env.envs.advice import ADVICE, STANDING, advise, read_observation
from bohemian_env.envs.observation import OBSERVATION_SIZE, write_observation
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.rules import is_legal
from bohemian_env.game.state import STATE
from bohemian_env.opponents import scratch_states
from bohemian_env.opponents.planner import WEIGHTS, estimates, planner_values

FARTHEST = 20.0
SHAPE = Shape((8,), (6,), (4,), advice=True)
SAME = [name for name in STATE.names or () if name not in ("villages", "max_turns", "manor", "town_hall")]
BY_SEAT = {"own", "coins", "figures"}
PLAYERS = [2, 3, 4, 5]


def positions(players: int) -> Iterator[Batch]:
    """A few games in which random play and the planner have gone on for ever more moves."""
    batch, rng, planner = Batch(40, players), np.random.default_rng(players), make("planner")
    batch.reset(3)
    for _ in range(22 * players):
        chance = (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        batch.step(np.where(rng.random(batch.n) < 0.5, chance, planner.act_batch(batch)))
        yield batch


def quiet(net: PolicyNet) -> PolicyNet:
    """A network whose layers say nothing."""
    with torch.no_grad():
        for parameter in [*net.policy.parameters(), *net.value.parameters()]:
            parameter.zero_()
    return net.eval()


@pytest.mark.parametrize("players", PLAYERS)
def test_a_position_can_be_read_from_what_any_seat_sees(players: int) -> None:
    seen, read = np.zeros(OBSERVATION_SIZE, np.int8), np.zeros(1, STATE)[0]
    looked = 0
    for batch in positions(players):
        for s in batch.states[::5]:
            for seat in range(players):
                write_observation(s, seat, seen)
                read_observation(seen, read)
                turned = [(seat + away) % players for away in range(players)]
                for name in SAME:
                    right = s[name][turned] if name in BY_SEAT else s[name]
                    if name in ("to_move", "bishop"):
                        right = turned.index(right) if right >= 0 else -1
                    elif name == "special":
                        right = sum((int(right) >> other & 1) << away for away, other in enumerate(turned))
                    shown = read[name][:players] if name in BY_SEAT else read[name]
                    assert_array_equal(shown, right, err_msg=name)
                for name in ("town_hall", "manor"):
                    assert_array_equal(read[name][: s["villages"]], s[name][: s["villages"]])
                looked += 1
    assert looked > 500


@pytest.mark.parametrize("players", PLAYERS)
def test_advice_is_what_the_planner_thinks(players: int) -> None:
    w, scratch, far = WEIGHTS[0, players], scratch_states(), 0
    for batch in positions(players):
        standing, actions = advise(batch.observations)
        assert (standing.shape, actions.shape) == ((batch.n, STANDING), (batch.n, NUM_ACTIONS))
        assert (standing.dtype, actions.dtype) == (np.float32, np.float32)
        for i in range(0, batch.n, 4):
            s, values, worth = batch.states[i], np.full(NUM_ACTIONS, np.nan), np.zeros(players)
            best = planner_values(s, w, scratch, values)
            legal = np.array([is_legal(s, action) for action in range(NUM_ACTIONS)])
            behind = values[legal] - values[best]
            far += int((behind < -FARTHEST).sum())
            assert actions[i][legal] == pytest.approx(np.maximum(behind, -FARTHEST), abs=1e-4)
            assert (actions[i][~legal] == 0).all()
            estimates(s, w, worth)
            own_first = np.roll(worth, -int(s["to_move"]))
            assert standing[i] == pytest.approx([*own_first, *[0] * (5 - players), values[best]], abs=1e-4)
    assert far > 0


def test_who_does_not_decide_has_no_advice() -> None:
    batch = Batch(3, 3)
    seen = np.zeros((2, OBSERVATION_SIZE), np.int8)
    s = batch.states[0]
    write_observation(s, (s["to_move"] + 1) % 3, seen[0])  # somebody else's turn
    standing, actions = advise(seen)  # the second row is of no game at all
    assert not actions.any()
    assert standing[0, :3].all()
    assert not standing[0, 3:].any()
    assert not standing[1].any()


@pytest.mark.parametrize(
    "observations", [np.zeros((2, 5), np.int8), np.zeros(OBSERVATION_SIZE, np.int8), np.zeros((2, OBSERVATION_SIZE))]
)
def test_other_arrays_are_refused(observations: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"observations .* are not int8"):
        advise(observations)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_network_that_has_learnt_nothing_plays_as_the_planner(players: int) -> None:
    torch.manual_seed(0)
    agent = PolicyAgent(quiet(PolicyNet(SHAPE)))
    for batch in positions(players):
        _, actions = advise(batch.observations)
        chosen = agent.choose(batch.observations, batch.masks)
        assert (batch.masks[np.arange(batch.n), chosen] == 1).all()
        assert (actions[np.arange(batch.n), chosen] == 0).all()


def test_trust_weighs_the_advice_and_advice_given_is_taken() -> None:
    torch.manual_seed(1)
    net = PolicyNet(SHAPE).eval()
    seen = torch.from_numpy(next(positions(2)).observations)
    advice = net.advice(seen)
    logits, values = net(seen)
    given, same_values = net(seen, advice)
    assert torch.equal(logits, given)
    assert torch.equal(logits, net.logits(seen))
    torch.testing.assert_close(values, net.values(seen))
    torch.testing.assert_close(values, same_values)
    with torch.no_grad():
        net.trust += 1.0
    torch.testing.assert_close(net.logits(seen) - logits, advice[1])
    other, changed = net(seen, (advice[0] + 5, advice[1]))
    assert not torch.allclose(other, net.logits(seen))
    assert not torch.allclose(changed, values)


def test_a_network_without_advice_asks_for_none() -> None:
    net = PolicyNet(Shape((8,), (), ()))
    assert net.advice(torch.zeros(2, OBSERVATION_SIZE, dtype=torch.int8)) == ()
    assert "trust" not in net.state_dict()


def test_the_file_names_the_adviser(tmp_path: Path) -> None:
    torch.manual_seed(2)
    path = tmp_path / "agent.safetensors"
    net = PolicyNet(SHAPE)
    save_net(net, path, Board.standard(), {})
    description = json.loads((tmp_path / "agent.json").read_text())
    assert description["network"]["advice"] == ADVICE == "planner/1"
    back, _ = load_net(tmp_path)
    assert back.shape == SHAPE
    assert torch.equal(back.trust, net.trust)
    description["network"]["advice"] = "planner/0"
    (tmp_path / "agent.json").write_text(json.dumps(description))
    with pytest.raises(BadAgent, match="advice 'planner/0' is neither null nor 'planner/1', which this version gives"):
        load_net(tmp_path)
