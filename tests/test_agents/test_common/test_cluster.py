"""Work on other machines, as far as it can be seen without any; test_ray.py has some."""

from __future__ import annotations

import importlib.util
import os
import pickle
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import evaluate
from agents.common.cluster import BadCluster, _process, check_address, conditions, on_cluster
from agents.common.versions import rooms_hash
from agents.network.files import save_net
from agents.positions import __main__ as making
from agents.positions.rollout import judge, judge_of
from agents.tournament import enter
from agents.tournament.play import play_chunk
from agents.tournament.schedule import LineUp, chunks
from agents.tournament.workers import _player, _recipes
from bohemian_env import Batch, Setup
from faults.odd import ODD
from tests.helpers import ROOT
from tests.test_agents.networks import BOARD, net_of


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address at which nobody listens, and nobody else can begin to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


# --- the address ---


def test_an_address_is_a_host_and_a_port() -> None:
    assert check_address("10.0.0.1:6379") == ("10.0.0.1", 6379)
    for wrong in ("", "10.0.0.1", ":6379", "a:", "a:0", "a:65536", "a:-1", "a:٣", "ray://a:1 0", *ODD.values()):
        with pytest.raises(BadCluster, match="is no address of a Ray cluster"):
            check_address(wrong)


@pytest.mark.parametrize("address", ["elsewhere", "a:0", "no.such.host.invalid:1", None])
def test_commands_say_in_a_sentence_that_nobody_is_there(
    address: str | None, nobody: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    address = address or nobody
    assert evaluate.main(["greedy", "random", "--games", "4", "--ray", address, "--json", "all.json"]) == 2
    assert making.main(["--count", "1", "--ray", address, "--out", "book.json"]) == 2
    for line in (said := capsys.readouterr().err.splitlines()):
        assert address in line
        assert "nobody answers at" in line or "is no address of a Ray cluster" in line
    assert len(said) == 2
    assert not [*tmp_path.glob("*.json")]


def test_a_missing_ray_is_told_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(BadCluster, match=r"not installed here: pip install -c constraints.txt -e '\.\[ray\]'"):
            next(on_cluster({0: 0}, address, judge_of, print))


def test_no_work_needs_nobody() -> None:
    assert [*on_cluster({}, "nowhere", judge_of, print)] == []


# --- what a process of another machine checks before it gets work ---


def begun(make: Callable[[], Any], folder: Path = ROOT, **changed: str) -> tuple[Any, str]:
    """A process that was told what is so here, and what it says."""
    process = _process()()
    return process, process.begin(str(folder), pickle.dumps(conditions), conditions() | changed, pickle.dumps(make))


def test_a_process_does_what_this_one_does() -> None:
    setup, entrants = Setup.of(), enter(["greedy", "random"], seed=3)
    process, said = begun(partial(_player, _recipes(entrants), setup, True))
    assert said == ""
    (chunk,) = chunks(LineUp((0, 1)), 5, 40, 100)
    assert process.do(chunk).records == play_chunk(chunk, entrants, setup, records=True).records
    process, said = begun(judge_of)
    assert said == ""
    batch = Batch(1)
    batch.reset(5)
    assert (process.do((batch.states, 1)).losses == judge(batch.states, 1).losses).all()


def test_other_versions_and_other_sources_are_named() -> None:
    assert begun(judge_of, numpy="1.0.0")[1].endswith("instead of 1.0.0")
    mine = conditions()
    _, said = begun(judge_of, numba="0.1", agents="0123456789abcdef", added="2.0")
    sources = f"agents {mine['agents'][:12]} instead of 0123456789ab"
    assert said == f"numba {mine['numba']} instead of 0.1, {sources}, added none instead of 2.0"


def test_a_checkout_without_the_project_is_told() -> None:
    process = _process()()
    missing = pickle.dumps(conditions).replace(b"agents.common.cluster", b"agents.common.missing")
    assert process.begin(".", missing, {}, b"") == "No module named 'agents.common.missing'"


def test_an_agent_must_be_there_with_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "here" / "agent.safetensors"
    path.parent.mkdir()
    save_net(net_of(1), path, BOARD, {})
    make = partial(_player, _recipes(enter(["here", "greedy"], 0, BOARD)), Setup.of(board=BOARD), False)
    assert begun(make, tmp_path)[1] == ""
    os.chdir(ROOT)
    assert begun(make, tmp_path)[1] == ""  # found from the folder in which the command was typed
    save_net(net_of(2), path, BOARD, {})
    assert begun(make, tmp_path)[1] == "here: its files are others than those that the tournament began with"
    assert "unknown agent 'here'" in begun(make, ROOT)[1]


def test_all_sources_are_compared() -> None:
    rooms = {path.parent.name for path in (ROOT / "agents").glob("*/*.py")}
    assert conditions()["agents"] == rooms_hash([".", *rooms])
    assert {"positions", "tournament", "players", "network", "common"} <= rooms
    assert {"sources", "numpy", "numba", "python", "torch"} <= conditions().keys()
