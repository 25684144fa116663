"""Trained agents: their two files, what is refused and why."""

import itertools
import json
import math
import os
import pickle
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save

from agents.common.files import BadAgent, write_atomically
from agents.network.files import checksum, load_net, read_tensors, save_net
from agents.network.net import PolicyNet, Shape
from agents.players.policy import load_agent
from bohemian_env import Board
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import ADVISERS
from bohemian_env.villages.observation import OBSERVATION_SIZE
from tests.test_agents.networks import BOARD, SMALL, TOLD, net_of, seen

OTHER_BOARD = Board.of_villages([{"name": "Alone", "buildings": ["inn"]}], 3, coin_supply=300, special_action_tiles=7)
NETWORK = {"trunk": [8], "policy": [6], "value": []}
NOWHERE = "no/such/folder"


def same_weights(a: PolicyNet, b: PolicyNet) -> bool:
    """Whether two networks have the same parameters, bit by bit."""
    first, second = a.state_dict(), b.state_dict()
    return list(first) == list(second) and all(torch.equal(first[key], second[key]) for key in first)


def describe(folder: Path, **changes: Any) -> None:
    """Change what the weights of a folder say of themselves; a field that becomes NOWHERE is left out, as is the
    checksum."""
    texts, weights = read_tensors(folder / "agent.safetensors")
    changes = json.loads(texts["description"]) | {"description_sha256": NOWHERE} | changes
    description = json.dumps({k: v for k, v in changes.items() if v != NOWHERE})
    put_weights(folder, save(weights, {"description": description}))


def put_weights(folder: Path, content: bytes) -> None:
    (folder / "agent.safetensors").write_bytes(content)


def refusal(folder: Path, board: Board | None = None) -> str:
    """Why the agent of a folder is refused, without the name of its file."""
    with pytest.raises(BadAgent) as refused:
        load_agent(folder, board=board)
    text = str(refused.value)
    assert str(folder) in text
    assert "Traceback" not in text
    return text.removeprefix(f"{folder / 'agent.safetensors'}: ")


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
    assert all(re.fullmatch("[0-9a-f]{64}", description.pop(f"{name}_sha256")) for name in ("weights", "description"))
    assert description == {
        "format": "bohemian-agent/1",
        "environment": "bohemian_villages_v0",
        "board": BOARD.digest,
        "observation_size": OBSERVATION_SIZE,
        "num_actions": NUM_ACTIONS,
        "network": NETWORK | {"advice": None},
        "about": {"samples": 12},
    }


@pytest.mark.parametrize("adviser", ADVISERS)
def test_the_file_names_the_adviser(adviser: str, tmp_path: Path) -> None:
    told = replace(TOLD, adviser=adviser)
    net = net_of(2, told)
    save_net(net, tmp_path / "agent.safetensors", BOARD, {})
    network = json.loads((tmp_path / "agent.json").read_text())["network"]
    assert network["advice"] == ADVISERS[adviser] == {"planner": "planner/1", "appraiser": "appraiser/4"}[adviser]
    back, _ = load_net(tmp_path)
    assert back.shape == told
    assert same_weights(back, net)
    describe(tmp_path, network=network | {"advice": "planner/0"})
    said = "advice 'planner/0' is neither null nor 'planner/1' nor 'appraiser/4', which this version gives"
    assert refusal(tmp_path) == f"network: {said}"
    describe(tmp_path, network=network | {"advice": None})
    assert refusal(tmp_path).startswith("the weights do not fit the network that they describe")


def test_agent_json_is_for_readers_alone(saved: Path) -> None:
    for change in (lambda path: path.write_text("anything"), Path.unlink):
        change(saved / "agent.json")
        assert load_agent(saved).name == str(saved)


def test_no_flipped_bit_of_the_weights_file_makes_another_agent(saved: Path) -> None:
    """It is refused, or is as it was."""
    path, (net, description) = saved / "agent.safetensors", load_net(saved)
    content = path.read_bytes()
    length = 8 + int.from_bytes(content[:8], "little")
    for bit in (*range(64, 8 * length, 7), 8 * length + 3):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        put_weights(saved, bytes(damaged))
        try:
            other, told = load_net(saved)
        except BadAgent:
            continue
        assert told == description
        assert same_weights(other, net)


MADE_FOR = dict.fromkeys(("format", "observation_size", "num_actions"), "it does not fit this version of the project")
MADE_FOR["environment"] = "it was trained for another version of the environment"
MADE_FOR["board"] = "it was trained on another board"


@pytest.mark.parametrize("value", ["other", NOWHERE, None, 7])
@pytest.mark.parametrize("field", MADE_FOR)
def test_an_agent_made_for_something_else_is_refused(saved: Path, field: str, value: Any) -> None:
    right = json.loads((saved / "agent.json").read_text())[field]
    describe(saved, **{field: value})
    shown = None if value == NOWHERE else value
    assert refusal(saved) == f"{field} is {shown!r}, not {right!r}: {MADE_FOR[field]}"


def test_the_board_to_play_on_decides(tmp_path: Path) -> None:
    save_net(net_of(1), tmp_path / "agent.safetensors", OTHER_BOARD, {})
    assert load_agent(tmp_path, board=OTHER_BOARD)
    assert "it was trained on another board" in refusal(tmp_path)


OTHERS: list[dict[str, list[int]]] = [{"trunk": [9]}, {"policy": [7]}, {"policy": []}, {"value": [6]}]
WIDTHS: list[Any] = [None, 8, "8", [0], [-3], [4097], [8.0], ["8"], [[8]], [True]]
NETWORKS = [
    *(
        (NETWORK | {part: widths}, f"network: {part} {widths!r} is not a list of widths from 1 to 4,096")
        for part in NETWORK
        for widths in WIDTHS
    ),
    *(({other: NETWORK[other] for other in NETWORK if other != part}, f"network: {part} None is") for part in NETWORK),
    *((network, "network: trunk None is not a list of widths") for network in (NOWHERE, None, [8], "8")),
    (NETWORK | {"trunk": []}, "network: trunk has no layer"),
    *((NETWORK | other, "the weights do not fit the network that they describe") for other in OTHERS),
]


@pytest.mark.parametrize(("network", "said"), NETWORKS, ids=str)
def test_no_network_and_another_one_are_refused(saved: Path, network: Any, said: str) -> None:
    describe(saved, network=network)
    assert refusal(saved).startswith(said)


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"nonsense" * 100, b"\xff" * 8, 0.2, 0.9, None], ids=repr)
def test_weights_that_are_no_weights_or_say_nothing_are_refused(saved: Path, content: bytes | float | None) -> None:
    """A number is the part of the file that is kept, and None weights without a description."""
    if isinstance(content, float):
        whole = (saved / "agent.safetensors").read_bytes()
        content = whole[: int(len(whole) * content)]
    put_weights(saved, save(net_of(1).state_dict()) if content is None else content)
    said = "agent.safetensors does not say what it is" if content is None else "cannot be read: "
    assert said in refusal(saved)


def test_a_missing_file_is_named(saved: Path) -> None:
    (saved / "agent.safetensors").unlink()
    assert "agent.safetensors" in refusal(saved)
    with pytest.raises(BadAgent, match=re.escape(f"{saved / 'agent.safetensors'}: cannot be read: ")):
        load_net(saved / "agent.safetensors")


@pytest.mark.parametrize("content", ["{", "nonsense", "[]", "null", "7", '"text"'])
def test_a_description_that_is_no_object_of_json_is_refused(saved: Path, content: str) -> None:
    put_weights(saved, save(net_of(1).state_dict(), {"description": content}))
    said = refusal(saved)
    assert said.startswith("cannot be read: ") or said == "not a JSON object"


class _Bomb:
    """Unpickling it makes a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("way", ["pickle", "torch"])
def test_pickled_content_is_refused_and_not_run(saved: Path, way: str) -> None:
    bomb, crater = saved / "bomb", saved / "crater"
    if way == "torch":
        torch.save({"trunk.layers.0.weight": _Bomb(crater)}, bomb)
    else:
        bomb.write_bytes(pickle.dumps(_Bomb(crater)))
    put_weights(saved, bomb.read_bytes())
    refusal(saved)
    assert not crater.exists()
    torch.load(bomb, weights_only=False) if way == "torch" else pickle.loads(bomb.read_bytes())
    assert crater.exists()  # it would have gone off


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


def test_a_file_that_is_replaced_meanwhile_is_read_of_one_piece(tmp_path: Path) -> None:
    path, begun, over = tmp_path / "numbers.safetensors", threading.Event(), threading.Event()

    def write() -> None:
        for number in itertools.count():
            write_atomically(path, save({"x": torch.full((1000,), float(number))}, {"number": str(number)}))
            begun.set()
            if over.is_set():
                return

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait()
    seen_numbers: set[str] = set()
    try:
        while len(seen_numbers) < 300:
            texts, tensors = read_tensors(path)
            assert (tensors["x"] == int(texts["number"])).all()
            seen_numbers.add(texts["number"])
    finally:
        over.set()
        writer.join()


@pytest.mark.parametrize(
    ("trunk", "said"),
    [([4096] * 300, "trunk has 300 layers; at most 32"), ([4096] * 32, "the weights do not fit the network")],
    ids=["300 layers", "32 layers"],
)
def test_no_memory_is_taken_for_what_the_file_does_not_hold(saved: Path, trunk: list[int], said: str) -> None:
    resource = pytest.importorskip("resource")
    describe(saved, network=NETWORK | {"trunk": trunk})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert said in refusal(saved)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # kB; the network would have 2.1 GB


def test_what_is_too_large_is_not_read(saved: Path) -> None:
    put_weights(saved, (2_000_000).to_bytes(8, "little") + b"{" + b" " * 3_000_000)
    assert "a header of 2,000,000 bytes; at most 1,000,000 fit" in refusal(saved)
    with (saved / "agent.safetensors").open("r+b") as file:
        file.truncate(10**12)  # with a hole: it takes no room
    assert "1,000,000,000,000 bytes; the weights of an agent have at most 256,000,000" in refusal(saved)


@pytest.mark.parametrize("about", [NOWHERE, None, 7, "text", ["samples"]], ids=str)
def test_what_is_said_about_an_agent_is_an_object(saved: Path, about: Any) -> None:
    describe(saved, about=about)
    shown = None if about == NOWHERE else about
    assert refusal(saved) == f"about is {shown!r}, not an object"


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"about":' * 100_000, '{"format": ' + "[" * 900 + "]" * 900 + "}"])
def test_what_is_nested_deep_is_refused(saved: Path, deep: str) -> None:
    put_weights(saved, save(net_of(1).state_dict(), {"description": deep}))
    assert len(refusal(saved)) < 1000


@pytest.mark.parametrize("name", ["x" * 5000, "x" * 5000 + ".safetensors", "x\0.safetensors", ""], ids=repr)
def test_names_that_no_system_takes_are_refused(name: str) -> None:
    with pytest.raises(BadAgent):
        load_net(name)


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", ["trunk.layers.0.weight", "value.0.bias"])
def test_weights_that_are_not_finite_are_refused(saved: Path, name: str, weight: float) -> None:
    net = net_of(1)
    net.state_dict()[name].view(-1)[0] = weight
    save_net(net, saved / "agent.safetensors", BOARD, {})
    assert "some of its weights are not finite numbers of 32 bits" in refusal(saved)


@pytest.mark.parametrize("kind", [torch.float64, torch.float16, torch.int64])
def test_weights_of_another_kind_are_refused(saved: Path, kind: torch.dtype) -> None:
    weights = {key: value.to(kind) for key, value in net_of(1).state_dict().items()}
    put_weights(saved, save(weights, {"description": (saved / "agent.json").read_text()}))
    assert "some of its weights are not finite numbers of 32 bits" in refusal(saved)


@pytest.mark.parametrize("place", [-1, -1000, -5000])
def test_a_flipped_bit_of_the_weights_is_noticed(saved: Path, place: int) -> None:
    content = bytearray((saved / "agent.safetensors").read_bytes())
    content[place - place % 4] ^= 1  # the lowest bit of a number
    put_weights(saved, bytes(content))
    assert "the weights are damaged: their checksum is not the one that was written with them" in refusal(saved)


def test_weights_whose_checksum_has_another_name_are_damaged(saved: Path) -> None:
    """A campaign flipped twenty bits, of which one was in the name."""
    content = (saved / "agent.safetensors").read_bytes()
    put_weights(saved, content.replace(b"weights_sha256", b"weights_sha254"))
    assert "'weights_sha254' is unknown in what it says of itself: it is damaged" in refusal(saved)


def test_weights_without_a_checksum_are_read(saved: Path) -> None:
    """Version 0.1.0 wrote none."""
    describe(saved, weights_sha256=NOWHERE)
    assert same_weights(load_net(saved)[0], net_of(1))


def test_the_checksum_is_the_one_that_files_have() -> None:
    tensors = {"b": torch.tensor([1.5, -2.0]), "a": torch.eye(2)}
    assert checksum(tensors) == "8ec35f2f667856369d5a02db3ceadecfe05eb4a7de60b9f79f19cf361e81537e"
    assert checksum(dict(reversed(tensors.items()))) == checksum(tensors)
    for other in ({**tensors, "b": torch.tensor([1.5, 2.0])}, {**tensors, "a": torch.eye(2).view(4)}):
        assert checksum(other) != checksum(tensors)
    assert checksum(tensors, "text") != checksum(tensors)
