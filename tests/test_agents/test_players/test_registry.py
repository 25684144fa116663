"""Agents by name and by path."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from numpy.testing import assert_array_equal

import agents
from agents.network.files import BadAgent
from bohemian_env import Batch, Board
from tests.helpers import ROOT

SCRIPTED = ["random", "greedy", "planner", "rusher", "hoarder", "appraiser"]
NAMES = [*SCRIPTED, "montecarlo", "search:appraiser", "selftaught", "ppo", "search:ppo"]


def test_known_names_make_agents_that_say_them() -> None:
    assert agents.known() == NAMES
    assert [agents.make(name).name for name in NAMES] == NAMES
    assert agents.make("montecarlo:8").name == "montecarlo:8"


@pytest.mark.parametrize("name", ["gredy", "Greedy", "runs/none", Path("runs/none"), "none.safetensors"])
def test_unknown_names_are_refused_with_the_known_ones(
    name: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(agents.UnknownAgent) as refused:
        agents.make(name)
    assert f"unknown agent {str(name)!r}" in str(refused.value)
    known = f"{', '.join(NAMES)}, and the path of a trained"
    assert known in str(refused.value)


def test_paths_without_an_agent_are_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(BadAgent, match=r"no trained agent in this folder: agent\.safetensors is missing"):
        agents.make(tmp_path)
    (tmp_path / "agent.json").write_text("{}")
    with pytest.raises(BadAgent, match=r"agent\.json: a trained agent is a \.safetensors file, or the folder"):
        agents.make(tmp_path / "agent.json")


def test_a_trained_agent_is_found_by_folder_or_file(trained: Path) -> None:
    batch = Batch(32)
    file = trained / "agent.safetensors"
    actions = [agents.make(path).act_batch(batch) for path in (trained, str(trained), file, str(file))]
    for other in actions[1:]:
        assert_array_equal(other, actions[0])
    assert agents.make(trained).name == str(trained)


def test_a_trained_agent_plays_on_the_board_it_learnt_on(trained: Path) -> None:
    assert agents.make(trained, board=Board.standard())
    with pytest.raises(BadAgent, match="it was trained on another board"):
        agents.make(trained, board=Board.of_villages([{"name": "Alone", "buildings": ["inn"]}], 3, 300, 7))


def test_importing_and_making_scripted_agents_does_not_load_torch() -> None:
    code = "import sys, agents; [agents.make(n) for n in agents.known() if 'ppo' not in n]; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split()
    assert "agents.players.scripted" in loaded
    assert not {"torch", "stable_baselines3", "sb3_contrib", "safetensors"} & set(loaded)
