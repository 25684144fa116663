"""Work on other machines, as far as it can be seen without any; test_ray.py has some."""

import importlib.util
import os
import pickle
import socket
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import evaluate
from agents.common.cluster import BadCluster, _answers, _worker, check_address, conditions, on_cluster
from agents.common.versions import rooms_hash
from agents.network.files import save_net
from agents.positions import __main__ as making
from agents.positions.rollout import judge, judge_of
from agents.tournament import enter
from agents.tournament.play import play_chunk
from agents.tournament.schedule import LineUp, chunks
from agents.tournament.workers import _player, _recipes
from bohemian_env import Batch, Setup
from tests.faults.odd import ODD
from tests.helpers import ROOT, Ends
from tests.test_agents.networks import BOARD, net_of


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address at which nobody listens, and nobody else can begin to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


def test_an_address_is_a_host_and_a_port() -> None:
    assert check_address("10.0.0.1:6379") == ("10.0.0.1", 6379)
    assert [*on_cluster({}, "nowhere", judge_of, print)] == []  # where nothing is to be done, nobody is asked
    for wrong in ("", "10.0.0.1", ":6379", "a:", "a:0", "a:65536", "a:-1", "a:٣", "ray://a:1 0", *ODD.values()):
        with pytest.raises(BadCluster, match="is no address of a Ray cluster"):
            check_address(wrong)


@pytest.mark.parametrize("address", ["elsewhere", "a:0", "no.such.host.invalid:1", None])
def test_commands_say_in_a_sentence_that_nobody_is_there(
    address: str | None, nobody: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: Ends
) -> None:
    monkeypatch.chdir(tmp_path)
    address = address or nobody
    said = ends(2, evaluate.main, "greedy", "random", "--games", 4, "--ray", address, "--json", "all.json").err
    said += ends(2, making.main, "--count", 1, "--ray", address, "--out", "book.json").err
    for line in said.splitlines():
        assert address in line
        assert "nobody answers at" in line or "is no address of a Ray cluster" in line
    assert len(said.splitlines()) == 2
    assert not [*tmp_path.glob("*.json")]


def test_a_missing_ray_is_told_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(BadCluster, match=r"not installed here: pip install -c constraints.txt -e '\.\[ray\]'"):
            next(on_cluster({0: 0}, address, judge_of, print))


def test_if_no_machine_is_there_for_long_it_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [5.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def wait(asked: list[Any], num_returns: int = 1, timeout: float = 0) -> tuple[list[Any], list[Any]]:
        now[0] += timeout
        return [], asked

    gone = {"NodeID": "a", "Alive": False, "Resources": {"CPU": 4.0}, "NodeManagerAddress": "10.0.0.1"}
    nodes = [gone, gone | {"Alive": True, "Resources": {}}]
    ray = SimpleNamespace(nodes=lambda: nodes, cluster_resources=dict, wait=wait)
    work = SimpleNamespace(options=lambda **options: SimpleNamespace(remote=str))
    with pytest.raises(BadCluster, match="no machine was there for 120 s: is the network up"):
        next(_answers(ray, work, {0: 0}, print))
    assert now[0] == 125


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process of a cluster says of where it is."""
    context = SimpleNamespace(get_node_id=lambda: "b")
    util = SimpleNamespace(get_node_ip_address=lambda: "10.0.0.2")
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(get_runtime_context=lambda: context, util=util))


def done(make: Callable[[], Any], piece: Any = None, folder: Path = ROOT, **changed: str) -> Any:
    """What a process that was told what is so here makes of a piece."""
    expected = conditions() | changed
    node, found = _worker(str(folder), pickle.dumps(conditions), expected, pickle.dumps(make))(piece)
    return found if node == "" else (node, found)


def test_a_process_does_what_this_one_does() -> None:
    setup, entrants = Setup.of(), enter(["greedy", "random"], seed=3)
    (chunk,) = chunks(LineUp((0, 1)), 5, 40, 100)
    played = done(partial(_player, _recipes(entrants), setup, True), chunk)
    assert played.records == play_chunk(chunk, entrants, setup, records=True).records
    batch = Batch(1)
    batch.reset(5)
    assert (done(judge_of, (batch.states, 1)).losses == judge(batch.states, 1).losses).all()


def test_what_works_is_made_once_in_a_process() -> None:
    work = _worker(".", pickle.dumps(conditions), conditions(), pickle.dumps(collecting))
    assert [work(piece) for piece in (5, 6)] == [("", [5]), ("", [5, 6])]


def collecting() -> Callable[[int], list[int]]:
    """What gives all pieces since it was made."""
    pieces: list[int] = []

    def work(piece: int) -> list[int]:
        pieces.append(piece)
        return [*pieces]

    return work


def test_other_versions_and_other_sources_are_named() -> None:
    mine = conditions()
    sources = f"agents {mine['agents'][:12]} instead of 0123456789ab"
    said = f"10.0.0.2: numba {mine['numba']} instead of 0.1, {sources}, added none instead of 2.0"
    assert done(judge_of, numba="0.1", agents="0123456789abcdef", added="2.0") == ("b", said)


def test_a_checkout_without_the_project_is_told() -> None:
    missing = pickle.dumps(conditions).replace(b"agents.common.cluster", b"agents.common.missing")
    assert _worker(".", missing, {}, b"")(None) == ("b", "10.0.0.2: No module named 'agents.common.missing'")


def test_an_agent_must_be_there_with_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "here" / "agent.safetensors"
    path.parent.mkdir()
    save_net(net_of(1), path, BOARD, {})
    make = partial(_player, _recipes(enter(["here", "greedy"], 0, BOARD)), Setup.of(board=BOARD), False)
    (chunk,) = chunks(LineUp((0, 1)), 1, 2, 100)
    assert done(make, chunk, tmp_path)
    os.chdir(ROOT)
    assert done(make, chunk, tmp_path)  # found from the folder in which the command was typed
    save_net(net_of(2), path, BOARD, {})
    said = "10.0.0.2: here: its files are others than those that the tournament began with"
    assert done(make, chunk, tmp_path) == ("b", said)
    assert "unknown agent 'here'" in done(make, chunk)[1]


def test_all_sources_are_compared() -> None:
    rooms = {path.parent.name for path in (ROOT / "agents").glob("*/*.py")}
    assert conditions()["agents"] == rooms_hash([".", *rooms])
    assert {"positions", "tournament", "players", "network", "common"} <= rooms
    assert {"sources", "numpy", "numba", "python", "torch"} <= conditions().keys()
