"""Agents of runs enter comparisons by their rows."""

import json
from pathlib import Path

import pytest

import agents
from agents.players.names import game_of
from agents.tournament import BadTournament, compare, enter
from benchmarks.learning.cells import BadCell, Cell, Plan
from benchmarks.learning.workers import run_here
from bohemian_env import Setup

pytestmark = pytest.mark.slow
PLAN = Plan(points=0, games=4, transfer=False)


def test_a_run_enters_by_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell("evolution", "2p-planner", 3, settings={"population": 4, "games": 4}, budget=100)
    monkeypatch.chdir(tmp_path)
    run_here(cell, PLAN, tmp_path / "rows", tmp_path / "runs" / "benchmark")
    row = tmp_path / "rows" / f"{cell.name}.json"
    name = f"run:{row}"
    assert game_of([name]) == "villages"
    entrants = enter([name, "random"], 0)
    assert entrants[0].name == entrants[0].argument == name
    assert len(entrants[0].weights.split(", ")) == 2  # of the weights and of the algorithm
    found = compare(entrants, Setup.of(2), games=20)
    assert compare(enter([name, "random"], 0), Setup.of(2), games=20).results == found.results
    row.with_suffix(".safetensors").write_bytes(b"others")  # beside the row goes before
    with pytest.raises(BadTournament, match="is not the file that the row is of"):
        enter([name, "random"], 0)
    row.with_suffix(".safetensors").unlink()
    monkeypatch.chdir("rows")
    with pytest.raises(BadCell, match=r"its weights are neither .* nor .*: python -m benchmarks.learning"):
        agents.make(name)
    row.write_text(json.dumps({"agent": "planner"}))
    with pytest.raises(BadCell):
        agents.make(name)
    with pytest.raises((BadCell, OSError)):
        agents.make("run:nowhere.json")
