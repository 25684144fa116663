"""Runs on a Ray cluster: the same as here."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.learning.cells import Cell, Plan, run_cell
from tests.helpers import ROOT
from tests.test_agents.test_tournament.test_ray import Cluster, cluster

__all__ = ["cluster"]
pytestmark = pytest.mark.slow


def test_a_cluster_runs_what_this_machine_would(cluster: Cluster, tmp_path: Path) -> None:
    cell = Cell("evolution", "2p-greedy", 3, budget=300, settings={"population": 4, "games": 4})
    plan = Plan(points=1, curve_games=4, games=8)
    options = ["--algorithms", cell.algorithm, "--tasks", cell.task, "--first-seed", "3", "--seeds", "1"]
    options += ["--decisions", "300", "--settings", json.dumps(cell.settings), "--plan", json.dumps(asdict(plan))]
    options += ["--out", str(tmp_path / "out"), "--work", str(tmp_path / "work"), "--ray", cluster.address]
    words = cluster.machines[0].command(sys.executable, "-m", "benchmarks.learning", "run", *options)
    subprocess.run(words, cwd=ROOT, env=cluster.environment, check=True, timeout=300, capture_output=True)
    row = json.loads((tmp_path / "out" / f"{cell.name}.json").read_text(encoding="utf-8"))
    here, content = run_cell(cell, plan)
    assert (row["score"]["share"], row["decisions"]) == (here["score"]["share"], here["decisions"])
    assert (tmp_path / "work" / f"{cell.name}.safetensors").read_bytes() == content
