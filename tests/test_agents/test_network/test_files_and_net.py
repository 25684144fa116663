"""Trained agents: their two files, what is refused and why, and how their network is turned into a choice."""

from __future__ import annotations

import json
import os
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal
from safetensors.torch import save
from scipy import stats

from agents.common.files import write_atomically
from agents.network.files import BadAgent, load_net, save_net
from agents.network.net import PolicyNet, Shape, draw, legal_probabilities, masked_logits
from agents.players.policy import PolicyAgent, load_agent
from agents.training import calibration
from bohemian_env import Batch, Board, bohemian_villages_v0
from bohemian_env.envs.observation import OBSERVATION_SIZE, high_values
from bohemian_env.game.actions import NUM_ACTIONS

SMALL = Shape((8,), (6,), ())
BOARD = Board.standard()
OTHER_BOARD = Board.of_villages([{"name": "Alone", "buildings": ["inn"]}], 3, coin_supply=300, special_action_tiles=7)
NOWHERE = "no/such/folder"


def net_of(seed: int, shape: Shape = SMALL) -> PolicyNet:
    """A network with chance weights."""
    torch.manual_seed(seed)
    return PolicyNet(shape).eval()


def net_that_says(logits: torch.Tensor | np.ndarray) -> PolicyNet:
    """A network whose logits are these, whatever it sees."""
    net = net_of(0)
    last = net.policy[-1]
    assert isinstance(last, torch.nn.Linear)
    with torch.no_grad():
        last.weight.zero_()
        last.bias.copy_(torch.as_tensor(logits))
    return net


def same_weights(a: PolicyNet, b: PolicyNet) -> bool:
    """Whether two networks have the same parameters, bit by bit."""
    first, second = a.state_dict(), b.state_dict()
    return list(first) == list(second) and all(torch.equal(first[key], second[key]) for key in first)


def seen(n: int, players: int = 2, steps: int = 25) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of n games in which random play has gone on for some moves."""
    batch = Batch(n, players)
    rng = np.random.default_rng(0)
    for _ in range(steps):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
    return batch.observations.copy(), batch.masks.copy()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The folder of an agent."""
    save_net(net_of(1), tmp_path / "agent.safetensors", BOARD, {"samples": 12})
    return tmp_path


def rewrite(folder: Path, **changes: Any) -> None:
    """Change fields of the agent.json of a folder; one that becomes NOWHERE is left out."""
    path = folder / "agent.json"
    description = {k: v for k, v in (json.loads(path.read_text()) | changes).items() if v != NOWHERE}
    path.write_text(json.dumps(description))


def put_weights(folder: Path, content: bytes) -> None:
    """Give a folder other weights."""
    (folder / "agent.safetensors").write_bytes(content)


def refusal(folder: Path, board: Board | None = None) -> str:
    """Why the agent of a folder is refused."""
    with pytest.raises(BadAgent) as refused:
        load_agent(folder, board=board)
    text = str(refused.value)
    assert str(folder) in text
    assert "Traceback" not in text
    return text


# --- the network ------------------------------------------------------------------------------------------------


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


def test_the_trunk_scales_what_it_sees_to_about_one() -> None:
    scale = net_of(0).trunk.scale.numpy()
    observations, _ = seen(200, 5)
    largest = np.abs(observations).max(axis=0)
    assert_array_equal(scale[high_values() == 1], 1)  # flags
    assert largest.max() > 30
    assert (largest * scale).max() <= 4
    assert (scale > 1 / 128).all()
    trunk, given = net_of(0).trunk, torch.from_numpy(observations)
    torch.testing.assert_close(trunk(given), trunk.layers(given.float() * torch.from_numpy(scale)))


def test_a_large_network_has_a_small_file(tmp_path: Path) -> None:
    save_net(net_of(0, Shape()), tmp_path / "agent.safetensors", BOARD, {})
    assert 1_000_000 < sum(path.stat().st_size for path in tmp_path.iterdir()) < 3_000_000


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [SMALL, Shape((5, 7), (), (3, 4))], ids=str)
def test_a_saved_agent_comes_back_bit_by_bit(shape: Shape, tmp_path: Path) -> None:
    net = net_of(3, shape).train()
    save_net(net, tmp_path / "mine.safetensors", BOARD, {"samples": 12})
    back, description = load_net(tmp_path / "mine.safetensors")
    assert (back.shape, back.training, description["about"]) == (shape, False, {"samples": 12})
    assert same_weights(back, net)
    observations = torch.from_numpy(seen(16)[0])
    for mine, theirs in zip(net.eval()(observations), back(observations), strict=True):
        assert torch.equal(mine, theirs)


def test_a_saved_agent_is_two_files_that_depend_on_nothing_else(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        save_net(net_of(3), tmp_path / folder / "agent.safetensors", BOARD, {})
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["agent.json", "agent.safetensors"]
    for name in ("agent.json", "agent.safetensors"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_what_agent_json_says(saved: Path) -> None:
    description = json.loads((saved / "agent.json").read_text())
    assert description == {
        "format": "bohemian-agent/1",
        "environment": "bohemian_villages_v0",
        "board": BOARD.digest,
        "observation_size": OBSERVATION_SIZE,
        "num_actions": NUM_ACTIONS,
        "network": {"trunk": [8], "policy": [6], "value": [], "advice": None},
        "about": {"samples": 12},
    }


def test_what_is_said_about_an_agent_is_not_checked(saved: Path) -> None:
    rewrite(saved, about=["anything"], more=1)
    assert load_agent(saved).name == str(saved)


@pytest.mark.parametrize("value", ["other", NOWHERE, None, 7])
@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("format", "it does not fit this version of the project"),
        ("environment", "it was trained for another version of the environment"),
        ("board", "it was trained on another board"),
        ("observation_size", "it does not fit this version of the project"),
        ("num_actions", "it does not fit this version of the project"),
    ],
)
def test_an_agent_made_for_something_else_is_refused(saved: Path, field: str, reason: str, value: Any) -> None:
    right = json.loads((saved / "agent.json").read_text())[field]
    rewrite(saved, **{field: value})
    text = refusal(saved)
    shown = None if value == NOWHERE else value
    assert text == f"{saved / 'agent.json'}: {field} is {shown!r}, not {right!r}: {reason}"


def test_the_board_to_play_on_decides(tmp_path: Path) -> None:
    save_net(net_of(1), tmp_path / "agent.safetensors", OTHER_BOARD, {})
    assert load_agent(tmp_path, board=OTHER_BOARD)
    assert "it was trained on another board" in refusal(tmp_path)


@pytest.mark.parametrize("part", ["trunk", "policy", "value"])
@pytest.mark.parametrize("widths", [None, NOWHERE, 8, "8", [0], [-3], [4097], [8.0], ["8"], [[8]]], ids=str)
def test_a_network_without_sensible_widths_is_refused(saved: Path, part: str, widths: Any) -> None:
    network = {"trunk": [8], "policy": [6], "value": []} | {part: widths}
    rewrite(saved, network={k: v for k, v in network.items() if v != NOWHERE})
    shown = None if widths == NOWHERE else widths
    assert f"agent.json: network: {part} {shown!r} is not a list of widths from 1 to 4,096" in refusal(saved)


def test_a_network_without_a_trunk_is_refused(saved: Path) -> None:
    rewrite(saved, network={"trunk": [], "policy": [6], "value": []})
    assert "agent.json: network: trunk has no layer" in refusal(saved)


@pytest.mark.parametrize("network", [NOWHERE, None, [8], "8"], ids=str)
def test_an_agent_without_a_network_is_refused(saved: Path, network: Any) -> None:
    rewrite(saved, network=network)
    assert "agent.json: network: trunk None is not a list of widths" in refusal(saved)


@pytest.mark.parametrize("network", [{"trunk": [9]}, {"policy": [7]}, {"policy": []}, {"value": [6]}], ids=str)
def test_weights_of_another_network_are_refused(saved: Path, network: dict[str, list[int]]) -> None:
    rewrite(saved, network={"trunk": [8], "policy": [6], "value": []} | network)
    assert refusal(saved).endswith(
        "but agent.safetensors has {'trunk': [8], 'policy': [6], 'value': [], 'advice': None}"
    )


def test_weights_say_themselves_what_they_were_made_for(saved: Path) -> None:
    """A description that fits does not help weights that do not."""
    save_net(net_of(2), saved / "other.safetensors", OTHER_BOARD, {})
    (saved / "other.safetensors").replace(saved / "agent.safetensors")
    assert re.search(r"agent.safetensors: board is .* it was trained on another board", refusal(saved))


def test_weights_that_say_nothing_are_refused(saved: Path) -> None:
    put_weights(saved, save(net_of(1).state_dict()))
    assert "agent.safetensors: cannot be read: " in refusal(saved)


@pytest.mark.parametrize("change", ["superfluous", "missing"])
def test_weights_by_other_names_are_refused(saved: Path, change: str) -> None:
    weights = net_of(1).state_dict()
    if change == "missing":
        del weights["value.0.bias"]
    else:
        weights["more"] = torch.zeros(1)
    put_weights(saved, save(weights, {"description": (saved / "agent.json").read_text()}))
    assert "agent.safetensors: the weights do not fit the network that they describe" in refusal(saved)


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"nonsense" * 100, b"\xff" * 8], ids=["none", "0", "text", "ff"])
def test_weights_that_are_no_weights_are_refused(saved: Path, content: bytes) -> None:
    put_weights(saved, content)
    assert "agent.safetensors: cannot be read: " in refusal(saved)


@pytest.mark.parametrize("kept", [0.2, 0.9])
def test_weights_cut_short_are_refused(saved: Path, kept: float) -> None:
    content = (saved / "agent.safetensors").read_bytes()
    put_weights(saved, content[: int(len(content) * kept)])
    assert "agent.safetensors: cannot be read: " in refusal(saved)


@pytest.mark.parametrize("name", ["agent.safetensors", "agent.json"])
def test_a_missing_file_is_named(saved: Path, name: str) -> None:
    (saved / name).unlink()
    assert name in refusal(saved)
    with pytest.raises(BadAgent, match=re.escape(f"{saved / name}: cannot be read: ")):
        load_net(saved / "agent.safetensors")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe{}", b"nonsense"], ids=str)
def test_a_description_that_is_no_json_is_refused(saved: Path, content: bytes) -> None:
    (saved / "agent.json").write_bytes(content)
    assert refusal(saved).startswith(f"{saved / 'agent.json'}: cannot be read: ")


@pytest.mark.parametrize("content", ["[]", "null", "7", '"text"'])
def test_a_description_that_is_no_object_is_refused(saved: Path, content: str) -> None:
    (saved / "agent.json").write_text(content)
    assert refusal(saved) == f"{saved / 'agent.json'}: not a JSON object"


class _Bomb:
    """Unpickling it makes a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("way", ["pickle", "torch", "json"])
def test_pickled_content_is_refused_and_not_run(saved: Path, way: str) -> None:
    crater = saved / "crater"
    if way == "torch":
        torch.save({"trunk.layers.0.weight": _Bomb(crater)}, saved / "bomb")
    else:
        (saved / "bomb").write_bytes(pickle.dumps(_Bomb(crater)))
    content = (saved / "bomb").read_bytes()
    if way == "json":
        (saved / "agent.json").write_bytes(content)
    else:
        put_weights(saved, content)
    refusal(saved)
    assert not crater.exists()
    torch.load(saved / "bomb", weights_only=False) if way == "torch" else pickle.loads(content)
    assert crater.exists()  # it would have gone off


# --- interrupted writing ----------------------------------------------------------------------------------------


@pytest.fixture(params=["write", "rename"])
def interrupted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Ctrl-C comes in one write or rename: [k] lets k of them pass first. A write is stopped half-way."""
    left = [0]
    write_bytes, replace = Path.write_bytes, Path.replace

    def write(self: Path, content: bytes) -> int:
        if request.param == "write" and left[0] == 0:
            write_bytes(self, content[: len(content) // 2])
            raise KeyboardInterrupt
        left[0] -= request.param == "write"
        return write_bytes(self, content)

    def rename(self: Path, target: Path) -> Path:
        if request.param == "rename" and left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= request.param == "rename"
        return replace(self, target)

    monkeypatch.setattr(Path, "write_bytes", write)
    monkeypatch.setattr(Path, "replace", rename)
    yield left
    monkeypatch.undo()


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, interrupted: list[int]) -> None:
    path = tmp_path / "file"
    interrupted[0] = 1
    write_atomically(path, b"old content")
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new content")
    assert path.read_bytes() == b"old content"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_replaces_what_was_there_and_makes_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    for content in (b"longer content", b"short"):
        write_atomically(path, content)
        assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("passed", [0, 1])
def test_an_interrupted_save_leaves_an_agent_that_loads(tmp_path: Path, interrupted: list[int], passed: int) -> None:
    """The old one or the new one, whichever of the two files was being written."""
    old, new = net_of(1), net_of(2)
    path = tmp_path / "agent.safetensors"
    interrupted[0] = 2
    save_net(old, path, BOARD, {"samples": 1})
    interrupted[0] = passed
    with pytest.raises(KeyboardInterrupt):
        save_net(new, path, BOARD, {"samples": 2})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.json", "agent.safetensors"]
    net, description = load_net(tmp_path)
    assert same_weights(net, {1: old, 2: new}[description["about"]["samples"]])


# --- playing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", [False, True])
@pytest.mark.parametrize("players", [2, 5])
def test_the_choice_is_legal(players: int, sample: bool) -> None:
    observations, masks = seen(500, players)
    actions = PolicyAgent(net_of(0), sample=sample).choose(observations, masks)
    assert actions.dtype == np.int64
    assert actions.shape == (500,)
    assert (masks[np.arange(500), actions] == 1).all()


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


def test_legal_probabilities_are_the_softmax_over_legal_actions() -> None:
    logits = torch.randn(50, NUM_ACTIONS, generator=torch.Generator().manual_seed(1)) * 5
    masks = torch.rand(50, NUM_ACTIONS, generator=torch.Generator().manual_seed(2)) < 0.2
    chances = legal_probabilities(logits, masks)
    assert (chances[~masks] == 0).all()
    torch.testing.assert_close(chances, torch.where(masks, logits, -torch.inf).softmax(1), rtol=1e-5, atol=1e-12)


def test_draw_follows_the_chances_and_never_takes_what_has_none() -> None:
    """Whether or not a row adds up to 1."""
    chances = torch.tensor([0.0, 0.0, 3.0, 0.0, 1.0, 2.0, 0.0, 0.5, 0.0])
    n = 40_000
    drawn = draw(chances.repeat(n, 1), torch.Generator().manual_seed(3))
    seen = np.bincount(drawn, minlength=len(chances))
    assert len(seen) == len(chances)
    assert (seen[chances == 0] == 0).all()
    expected = n * (chances.double() / chances.double().sum()).numpy()
    assert stats.chisquare(seen[chances > 0], expected[chances > 0]).pvalue > 0.001


@pytest.mark.parametrize("uniform", [0.0, 1e-7, 0.5, 1 - 2**-24])
def test_draw_is_safe_at_the_ends_of_chance(uniform: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "rand", lambda size, **_: torch.full(size, uniform))
    rng = np.random.default_rng(1)
    some = rng.random((300, NUM_ACTIONS)) * (rng.random((300, NUM_ACTIONS)) < 0.1)
    chances = torch.from_numpy(some / some.sum(axis=1, keepdims=True)).float()
    assert (chances.gather(1, draw(chances).unsqueeze(1)) > 0).all()


def test_bfloat16_changes_little() -> None:
    observations, masks = seen(300)
    exact, rough = (PolicyAgent(net_of(5), bfloat16=b).choose(observations, masks) for b in (False, True))
    assert (masks[np.arange(300), rough] == 1).all()
    assert 0.8 < (exact == rough).mean() < 1


# --- the chance of winning --------------------------------------------------------------------------------------


def test_the_curve_of_chances_is_found_again() -> None:
    """Results drawn from a known curve; the error of 40,000 draws is about .02 for the offset and .04 for the slope."""
    rng = np.random.default_rng(1)
    values = rng.uniform(-1, 1, 40_000)
    won = (rng.random(40_000) < 1 / (1 + np.exp(-(-0.7 + 2.5 * values)))).astype(float)
    offset, slope = calibration.fit(values, won)
    assert offset == pytest.approx(-0.7, abs=0.06)
    assert slope == pytest.approx(2.5, abs=0.12)
    chances = 1 / (1 + np.exp(-(offset + slope * values)))
    for chance, part, count in calibration.reliability(chances, won):
        assert part == pytest.approx(chance, abs=4 * np.sqrt(0.25 / count))


def test_reliability_puts_each_decision_in_one_range() -> None:
    rows = calibration.reliability(np.array([0.0, 0.05, 0.55, 1.0, 0.95]), np.array([0, 1, 1, 0.5, 1]), 2)
    assert rows == [(pytest.approx(0.025), 0.5, 2), (pytest.approx(2.5 / 3), pytest.approx(2.5 / 3), 3)]


def test_results_are_values_and_wins_of_the_deciding_seats(saved: Path) -> None:
    agent = load_agent(saved)
    values, won = calibration.results(agent, 2, 20, seed=5)
    assert values.shape == won.shape
    assert len(values) > 20 * 20
    batch = Batch(20, 2)
    batch.reset(5)
    np.testing.assert_allclose(values[:20], agent.values(batch.observations), atol=1e-5)
    assert set(np.unique(won)) <= {0.0, 0.5, 1.0}
    assert 0.2 < won.mean() < 0.8


def test_a_calibrated_agent_tells_its_chance_of_winning(saved: Path, tmp_path: Path) -> None:
    env = bohemian_villages_v0.env()
    env.reset(seed=3)
    assert load_agent(saved).explain(env).chance is None
    net, _ = load_net(saved)
    save_net(net, tmp_path / "agent.safetensors", Board.standard(), {"players": 2})
    assert calibration.main([str(tmp_path), "--games", "30"]) == 0
    agent = load_agent(tmp_path)
    offset, slope = agent.calibration
    value = float(agent.values(env.observe(env.agent_selection)["observation"][None])[0])
    assert agent.explain(env).chance == pytest.approx(1 / (1 + np.exp(-(offset + slope * value))))
    for name, tensor in net.state_dict().items():
        assert torch.equal(tensor, agent.net.state_dict()[name])


def test_what_cannot_be_calibrated_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibration.main([str(tmp_path)]) == 2
    assert "no trained agent in this folder" in capsys.readouterr().err
