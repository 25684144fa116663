"""Agents by name and by path."""

import inspect
import random
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import agents
from agents.pretrained import SELF_TAUGHT_FOLDER
from agents.tournament import BadTournament, compare, enter
from bohemian_env import BadNetwork, Batch, Game, Setup
from bohemian_env.villages.opponents import appraiser
from tests.helpers import run_python

SCRIPTED = ["random", "greedy", "planner", "rusher", "hoarder", "appraiser"]
NAMES = [*SCRIPTED, "montecarlo", "search:appraiser", "selftaught", "ppo", "search:ppo"]


def test_known_names_make_agents_that_say_them() -> None:
    assert agents.known() == NAMES
    assert [agents.make(name).name for name in NAMES] == NAMES
    assert agents.make("montecarlo:8").name == "montecarlo:8"


@pytest.fixture
def networks(tmp_path: Path) -> Path:
    """A folder with the networks of ``selftaught`` for two and three players."""
    for players in (2, 3):
        shutil.copy(SELF_TAUGHT_FOLDER / f"{players}-players.npz", tmp_path)
    return tmp_path


def test_networks_in_a_folder_play_as_appraiser(networks: Path) -> None:
    agent: Any = agents.make(f"appraiser:{networks}")
    known = agents.make("selftaught")
    assert agent.name == f"appraiser:{networks}"
    assert [path.name for path in agent.files] == ["2-players.npz", "3-players.npz"]
    for players in (2, 3):
        batch = Batch(32, players)
        assert_array_equal(agent.act_batch(batch), known.act_batch(batch))
    game = Game.new(2, seed=3).roll()
    assert agent.explain(game) == known.explain(game)


def test_at_tables_for_which_there_is_no_network_they_refuse(networks: Path) -> None:
    name = f"appraiser:{networks}"
    agent = agents.make(name)
    for players, ask in (
        (4, lambda: agent.act_batch(Batch(3, 4))),
        (4, lambda: agent.move(Game.new(4, seed=1).roll())),
        (5, lambda: agent.explain(Game.new(5, seed=1).roll())),
    ):
        with pytest.raises(BadNetwork, match=f"has networks for 2, 3 players, and none for {players}"):
            ask()
    with pytest.raises(BadTournament, match=r"appraiser:.* plays with 2, 3 players, not 4"):
        compare(enter([name, "greedy"], 0), Setup.of(4), games=8)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"x" * 1000, "holds no network of appraiser's form"),
        ({"first": np.zeros(3, np.float32)}, "holds no network of appraiser's form"),
        ({}, "at most"),
        ({"first": np.nan}, r"first is not of .* numbers of 32 bits from -1e\+06 to 1e\+06"),
        (None, "holds no network: there is no N-players.npz"),
        (dict.fromkeys(appraiser.NAMES, b"no array"), r"first is not of .* numbers of 32 bits from -1e\+06 to 1e\+06"),
    ],
    ids=["text", "one of the parts", "huge", "not finite", "nothing", "no arrays"],
)
def test_what_is_no_network_never_comes_to_compiled_code(content: Any, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "2-players.npz"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content and isinstance(content.get("second"), bytes):
        with zipfile.ZipFile(path, "w") as archive:
            for name, part in content.items():
                archive.writestr(f"{name}.npy", part)
    elif content is not None:
        with np.load(SELF_TAUGHT_FOLDER / path.name) as file:
            parts = {name: file[name] for name in appraiser.NAMES}
        for name, change in content.items():
            if isinstance(change, np.ndarray):
                parts = {name: change}
            else:
                parts[name][3, 1] = change
        if not content:
            parts["more"] = np.zeros(10**6)
        np.savez_compressed(path, **parts)
    with pytest.raises(BadNetwork, match=reason):
        agents.make(f"appraiser:{tmp_path}")


def test_a_damaged_network_is_refused_or_as_it_was_in_form(tmp_path: Path) -> None:
    rng, path = random.Random(1), tmp_path / "2-players.npz"
    content = (SELF_TAUGHT_FOLDER / path.name).read_bytes()
    path.write_bytes(content)
    sound, refused = appraiser.read_networks(tmp_path)[0], 0
    for place in [*range(0, 400, 3), *(rng.randrange(len(content)) for _ in range(100)), *range(-400, 0, 3)]:
        damaged = bytearray(content)
        damaged[place] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            agent: Any = agents.make(f"appraiser:{tmp_path}")
        except BadNetwork:
            refused += 1
            continue
        for layer, whole in zip(agent._scratch.weights, sound, strict=True):
            assert_array_equal(layer, whole)
    assert refused > 100


def test_without_one_of_its_networks_appraiser_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for players in (2, 3, 5):
        shutil.copy(SELF_TAUGHT_FOLDER / f"{players}-players.npz", tmp_path)
    monkeypatch.setattr(appraiser, "FOLDER", tmp_path)
    with pytest.raises(BadNetwork, match=r"4-players\.npz is missing"):
        inspect.unwrap(appraiser.load_weights)()


def test_a_trained_agent_is_found_by_folder_or_file(trained: Path) -> None:
    batch, file = Batch(32), trained / "agent.safetensors"
    first, *others = (agents.make(path).act_batch(batch) for path in (trained, str(trained), file, str(file)))
    for other in others:
        assert_array_equal(other, first)
    assert agents.make(trained).name == str(trained)


def test_importing_and_making_scripted_agents_does_not_load_torch() -> None:
    code = "import sys, agents; [agents.make(n) for n in agents.known() if 'ppo' not in n]; print(*sys.modules)"
    loaded = run_python("-c", code).stdout.split()
    assert "agents.players.scripted" in loaded
    assert not {"torch", "stable_baselines3", "sb3_contrib", "safetensors"} & set(loaded)
